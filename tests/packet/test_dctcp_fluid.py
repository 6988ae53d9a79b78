"""DCTCP packet by packet against its fluid: where they agree, and what each difference comes from (docs/dctcp.md)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.packet.replay import FULL

import footroom as fr
from footroom.engines.packet import Simulation
from footroom.engines.packet.metrics import Window
from footroom.engines.plan import SECOND, build_plan
from footroom.scenario import Scenario

RATE, RTT = 10e9, 100e-6
PIPE = RATE * RTT / 8 / FULL  # packets
#: How often windows and alpha are looked at: a fifth of a round trip.
LOOK = round(RTT / 5 * SECOND)
CASES = [(flows, threshold) for flows in (2, 10, 40) for threshold in (20, 65)]
cases = pytest.mark.parametrize(("flows", "threshold"), CASES)
#: Windows of eight packets and more.
large = pytest.mark.parametrize(("flows", "threshold"), [(n, k) for n, k in CASES if n <= 10])


@dataclass(frozen=True)
class Port:
    """What one port held, in packets: queue, mean alpha, and the flows' windows over time (looks × flows)."""

    mean: float
    p99: float
    largest: float
    utilisation: float
    alpha: float
    windows: np.ndarray


def port(metrics: dict[str, float], alpha: float, windows: np.ndarray) -> Port:
    """The same from a result's metrics."""
    mean, p99, largest = (metrics[f"queue_{name}"] / FULL for name in ("mean", "p99", "max"))
    return Port(mean, p99, largest, metrics["utilisation"], alpha, windows)


def scenario(flows: int, threshold: int, *, faster: int, gain: float, smooth: bool) -> Scenario:
    """Long flows over 10 Gb/s and 100 us, or ``faster`` times as much; a lone sender needs the faster link to queue.

    smooth: an acknowledgement for every packet and no jitter, so that no two packets come together by chance.
    """
    host = {"ack_delay": "1 ms", "min_rto": "10 ms", **({"ack_every": 1, "jitter": 0} if smooth else {"ack_every": 2})}
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": faster * RATE,
                "rtt": RTT,
                "access": (10 if flows == 1 else 1) * faster * RATE,
            },
            "switch": {"buffer": "3 MB", "marking": {"kind": "step", "threshold": threshold * FULL}},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": "1 ms",
                    "host": host,
                    "congestion": {"kind": "dctcp", "g": gain, "initial_alpha": 0.2},
                }
            ],
            "run": {"duration": "150 ms", "warmup": "50 ms"},
        }
    )


@functools.cache
def packets(flows: int, threshold: int, *, faster: int = 1, gain: float = 1 / 16, smooth: bool = False) -> Port:
    """The packet engine's answer; alpha is its flows' own."""
    plan = build_plan(scenario(flows, threshold, faster=faster, gain=gain, smooth=smooth))
    simulation = Simulation(plan)
    simulation.run_until(plan.warmup)
    window = Window(simulation)
    alphas, windows = [], []
    for now in range(plan.warmup + LOOK, plan.duration + 1, LOOK):
        simulation.run_until(now)
        alphas.append(np.mean([simulation.law_words(flow)[0] for flow in range(simulation.plan.flows)]))
        windows.append(simulation.tables.flows["cwnd"].copy())
    metrics = window.metrics()
    assert metrics["drop_rate"] == metrics["timeouts"] == 0
    return port(metrics, float(np.mean(alphas)), np.array(windows))


@functools.cache
def fluid(flows: int, threshold: int, *, faster: int = 1) -> Port:
    """The fluid's answer. It has one window for all flows, which is not asked for here."""
    result = fr.run(scenario(flows, threshold, faster=faster, gain=1 / 16, smooth=False).to_dict(), engine="fluid")
    alpha = next(one.value for one in result.explanations if one.name == "fluid_mean_alpha")
    return port(result.metrics, alpha, np.empty(0))


def sawtooth(flows: int, threshold: int, *, pause: bool) -> float:
    """Alpha of flows in step: packets marked, those of one round trip, over packets sent between two cuts.

    Without the pause this is eq. 6 of Alizadeh et al. 2010. pause: the cut's own round trip, in which the window stands
    at (W + 1)(1 - alpha/2), is counted too.
    """
    brim = (PIPE + threshold) / flows

    def excess(alpha: float) -> float:
        grown = (brim + 1) ** 2 * (alpha - alpha**2 / 4) / 2
        return float(alpha * (grown + pause * (brim + 1) * (1 - alpha / 2)) - (brim + 0.5))

    return float(brentq(excess, 1e-9, 1.0))


def in_step(found: Port) -> float:
    """Variance of the sum of windows over the sum of variances: 1 for independent flows, n for n in step."""
    return float(found.windows.sum(axis=1).var() / found.windows.var(axis=0).sum())


@large
def test_the_queue_is_the_fluids_but_for_bursts(flows: int, threshold: int) -> None:
    ours, theirs = packets(flows, threshold), fluid(flows, threshold)
    assert ours.p99 == pytest.approx(theirs.p99, abs=2)  # what one acknowledgement of two packets lets go at once
    # The mean is K + N less half the swing, and the swing depends on alpha: see below. 4 is a 25th of pipe and queue.
    assert ours.mean == pytest.approx(theirs.mean, abs=4)
    assert min(ours.utilisation, theirs.utilisation) > 0.999


@cases
def test_packet_by_packet_the_queue_tops_out_at_k_and_one_packet_a_flow(flows: int, threshold: int) -> None:
    # Alizadeh et al. 2010, eq. 10: K + N. The first one marked finds K + 1; a window grows until its mark is back.
    smooth = packets(flows, threshold, smooth=True).largest
    assert threshold + flows <= smooth <= threshold + flows + 2
    # Pairs: one packet more than that at most for every flow, were all of them to meet.
    assert smooth < packets(flows, threshold).largest <= smooth + flows


@pytest.mark.parametrize(("flows", "threshold"), [(1, 20), (1, 65), *CASES])
def test_alpha_is_that_of_a_sawtooth_that_pauses_for_a_round_trip(flows: int, threshold: int) -> None:
    expected = sawtooth(flows, threshold, pause=True)
    # With a small gain a cut uses the mean of alpha. Windows below three packets are all rounding.
    tolerance = 0.1 if (PIPE + threshold) / flows < 3 else 0.05
    steady = packets(flows, threshold, gain=1 / 64, smooth=True).alpha
    assert steady == pytest.approx(expected, rel=tolerance)
    # With 1/16 it uses what alpha has decayed to between two cuts, so that a few flows settle higher.
    usual = packets(flows, threshold, smooth=True).alpha
    assert usual == pytest.approx(expected, rel=0.1)
    if flows <= 2:
        assert usual > 1.03 * steady


@large
def test_without_the_pause_the_sawtooth_is_the_fluids(flows: int, threshold: int) -> None:
    published = sawtooth(flows, threshold, pause=False)
    assert fluid(flows, threshold).alpha == pytest.approx(published, rel=0.03)
    if flows == 10:  # a round trip is a third of the cycle, and matters
        assert packets(flows, threshold, smooth=True).alpha < 0.85 * published


@pytest.mark.parametrize(("flows", "threshold"), [(1, 20), (1, 65), *CASES])
def test_bursts_are_marked_early_and_lower_alpha(flows: int, threshold: int) -> None:
    # The queue crosses K by chance before it does on average, and one mark is enough for a cut.
    bursty, smooth = packets(flows, threshold), packets(flows, threshold, smooth=True)
    assert bursty.alpha < (0.97 if flows <= 10 else 1.0) * smooth.alpha
    # A round trip adds N packets to the queue: a burst of two or three is much against one, little against ten.
    lost = {n: 1 - packets(n, threshold).alpha / packets(n, threshold, smooth=True).alpha for n in (1, 2, 10)}
    assert lost[1] > lost[2] > lost[10]
    if flows == 2:  # cut by less, the queue stays nearer to its top
        assert fluid(flows, threshold).mean < bursty.mean < threshold


@large
def test_few_flows_are_not_in_step(flows: int, threshold: int) -> None:
    assert in_step(packets(flows, threshold)) < 1.0  # what one cuts the others need not: less than independent


@pytest.mark.parametrize("threshold", [20, 65])
def test_windows_of_two_to_four_packets_are_no_fluid(threshold: int) -> None:
    ours, theirs = packets(40, threshold), fluid(40, threshold)
    short = ours.mean / theirs.mean
    assert short < 0.85
    # Four times the rate and threshold gives the same forty flows windows of ten packets and more.
    wide = packets(40, 4 * threshold, faster=4).mean / fluid(40, 4 * threshold, faster=4).mean
    assert wide > short + 0.05
    # A window counts in whole packets: what is in flight, on the path and waiting, is less than the sum of windows.
    smooth = packets(40, threshold, smooth=True)
    unused = smooth.windows.sum(axis=1).mean() - (PIPE * smooth.utilisation + smooth.mean)
    assert 0.3 < unused / 40 < 0.7
