"""BBR in the packet engine against what its authors and others published, and against arithmetic by hand."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from footroom.engines import packet
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, build_plan
from footroom.kernel.hooks import policy_hook, row
from footroom.kernel.tables import DATA
from footroom.parts.congestion import bbr_v1_words
from footroom.parts.congestion.windowed import hold_max
from footroom.scenario import Scenario

#: Of the paths here [B].
BDP = 250e3


def scenario(
    flows: int = 1,
    buffer: float = BDP,
    duration: float = 10.0,
    host: dict[str, Any] | None = None,
    others: tuple[dict[str, Any], ...] = (),
    **congestion: Any,
) -> Scenario:
    """100 Mb/s, 20 ms."""
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "20 ms"},
            "switch": {"buffer": buffer},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": 0.01 if flows == 1 else 1.0,
                    "congestion": {"kind": "bbr", **congestion},
                    "host": host or {},
                },
                *others,
            ],
            "run": {"duration": duration, "warmup": duration / 4.0},
        }
    )


@pytest.mark.parametrize("autosize", [False, True])
def test_one_flow_fills_the_link_and_leaves_no_queue(autosize: bool) -> None:
    """Cardwell et al. 2016, figures 1 and 2: the operating point is full bandwidth with hardly a queue."""
    found = packet.simulate(build_plan(scenario(host={"autosize": autosize}))).metrics
    assert found["utilisation"] > 0.97
    assert found["queue_mean"] < 0.3 * BDP
    assert found["drop_rate"] == 0.0


def test_several_flows_say_that_one_run_is_not_enough() -> None:
    several, alone = build_plan(scenario(2)), build_plan(scenario(1))
    assert [note for note in several.notes if "Compare seeds" in note]
    assert not [note for note in alone.notes if "Compare seeds" in note]


def modes(simulation: Simulation, flow: int, until: float, step: float) -> list[tuple[float, float]]:
    """(time [s], mode) of a flow whenever it has changed."""
    found: list[tuple[float, float]] = []
    for k in range(1, round(until / step) + 1):
        simulation.run_until(round(k * step * SECOND))
        mode = float(simulation.law_words(flow)[bbr_v1_words.MODE])
        if not found or found[-1][1] != mode:
            found.append((k * step, mode))
    return found


def test_probe_rtt_comes_every_ten_seconds_and_lasts_a_fifth_of_one() -> None:
    """Linux bbr_min_rtt_win_sec 10, bbr_probe_rtt_mode_ms 200 and a round; flows with a queue drain it together."""
    changes = modes(Simulation(build_plan(scenario(3, 10 * BDP, duration=42.0))), 0, 42.0, 0.004)
    assert [mode for _, mode in changes[:3]] == [bbr_v1_words.STARTUP, bbr_v1_words.DRAIN, bbr_v1_words.PROBE_BW]
    probes = [(at, changes[k + 1][0]) for k, (at, mode) in enumerate(changes[:-1]) if mode == bbr_v1_words.PROBE_RTT]
    assert len(probes) == 4
    for begin, end in probes:
        assert 0.2 <= end - begin < 0.2 + 0.08
    for before, after in pairwise(probes):
        assert 10.0 < after[0] - before[0] < 10.7


def test_startup_doubles_every_round_trip() -> None:
    """2/ln 2 is the least gain with which delivery doubles each round; it ends three rounds after the pipe is full."""
    simulation = Simulation(build_plan(scenario(buffer=2e6)))
    flow = simulation.tables.flows[0]
    while flow["arrived"] == 0:
        simulation.run_until(simulation.now + SECOND // 1000)
    simulation.run_until(simulation.now + 5 * SECOND // 1000)
    begun, arrived = simulation.now, []
    for k in range(1, 5):
        simulation.run_until(begun + round(k * 0.0205 * SECOND))
        arrived.append(int(flow["arrived"]))
    for earlier, later in pairwise(arrived):
        assert 1.7 < later / earlier < 3.0


def test_probing_paces_a_quarter_faster_for_a_round_trip_and_a_quarter_slower_for_the_next() -> None:
    simulation = Simulation(build_plan(scenario()))
    simulation.run_until(3 * SECOND)
    gains = []
    for _ in range(2000):
        simulation.run_until(simulation.now + SECOND // 2000)
        gains.append(float(simulation.law_words(0)[bbr_v1_words.PACING_GAIN]))
    shares = {gain: gains.count(gain) / len(gains) for gain in set(gains)}
    assert shares.keys() == {1.25, 0.75, 1.0}
    assert shares[1.25] == pytest.approx(1 / 8, abs=0.04)  # a round trip of eight; a little longer to fill the pipe
    assert shares[0.75] < 1 / 8 + 0.02  # or until the queue is gone
    assert 0.7 < shares[1.0] < 0.85


def test_flows_that_never_see_the_empty_path_stand_far_above_a_quarter() -> None:
    """Each keeps twice its bandwidth times its shortest round trip in flight, and later ones find others' queues.

    With true estimates the queue would be one bandwidth-delay product (gain 2), and a quarter by pacing alone.
    """
    simulation = Simulation(build_plan(scenario(10, 12 * BDP, 9.0)))
    simulation.run_until(8 * SECOND)
    trips = sorted(float(simulation.law_words(i)[bbr_v1_words.MIN_RTT]) / SECOND for i in range(10))
    rates = [float(simulation.law_words(i)[bbr_v1_words.BW + 1]) * 1500 * 8 / 1e8 for i in range(10)]
    assert trips[0] == pytest.approx(0.02, rel=0.01)
    assert trips[-1] > 0.04
    assert 1.0 < sum(rates) < 1.4  # the best of ten rounds each
    waiting = int(simulation.tables.ports["bytes"][simulation.plan.watched[0]])
    assert waiting > 1.25 * BDP
    windows = sum(float(simulation.tables.flows[i]["cwnd"]) for i in range(10)) * 1500
    assert waiting + BDP == pytest.approx(windows, rel=0.15)


def test_a_common_probe_rtt_brings_the_queue_back() -> None:
    """Estimates are right again after it; what stands then is what windows of two products hold, plus three bursts."""
    found = packet.simulate(build_plan(scenario(5, 12 * BDP, 36.0))).metrics
    assert 0.9 * BDP < found["queue_mean"] < 2.0 * BDP
    assert found["utilisation"] > 0.97


@policy_hook
def _lose(switch: Any, queue: Any, params: Any, flow: Any, packet: Any, size: Any, now: Any) -> int:
    """Drop every n-th data packet."""
    q, k = row(queue), row(packet)  # type: ignore[no-untyped-call]
    if k.sort != DATA:
        return 0
    q.state[1] += 1.0
    if q.state[1] < params[0]:
        return 0
    q.state[1] = 0.0
    return 1


@pytest.mark.parametrize(("period", "least"), [(1000.0, 0.95), (100.0, 0.93), (20.0, 0.85)])
def test_random_losses_do_not_slow_it(period: float, least: float) -> None:
    """Cardwell et al. 2016, figure 8: full goodput up to losses of a few percent; CUBIC falls tenfold at 0.1 %."""
    plan = build_plan(scenario(duration=5.0))
    simulation = Simulation(plan)
    port = simulation.tables.ports[plan.watched[0]]
    simulation._kept.append(np.array([period]))
    port["marker"], port["marker_params"] = _lose.address, simulation._kept[-1].ctypes.data
    simulation.run_until(SECOND)
    before = int(simulation.tables.flows[0]["arrived"])
    simulation.run_until(5 * SECOND)
    goodput = (int(simulation.tables.flows[0]["arrived"]) - before) * 1500 * 8 / 4.0
    assert goodput > least * 1e8


def test_a_shallow_buffer_loses_up_to_a_fifth() -> None:
    """Version 1 does not answer to loss: N flows that pace at their best rate offer 5N/(4N+1) of the link at most."""
    found = packet.simulate(build_plan(scenario(10, 0.2 * BDP, 8.0))).metrics
    assert 0.02 < found["drop_rate"] < 0.25
    assert found["utilisation"] > 0.95


def test_it_lives_beside_others() -> None:
    others = tuple(
        {"kind": "long_lived", "flows": 2, "start_jitter": 1.0, "congestion": {"kind": kind}}
        for kind in ("newreno", "cubic", "dctcp")
    )
    result = packet.simulate(build_plan(scenario(2, BDP, 8.0, others=others)))
    assert result.metrics["utilisation"] > 0.95


def test_the_running_maximum_is_that_of_the_window_or_of_most_of_it() -> None:
    """Three samples hold the largest of the window, but for one that was passed over a quarter of it ago or longer."""
    draw = random.Random(1)
    own, seen, window = [0.0] * 6, [], 10
    for now in range(400):
        value = draw.random()
        hold_max(own, 0, window, float(now), value)  # type: ignore[no-untyped-call]
        seen.append(value)
        whole, recent = seen[max(0, now - window) :], seen[max(0, now - window // 4 + 1) :]
        assert max(recent) <= own[1] <= max(whole)
        assert own[1] >= own[3] >= own[5]
        assert own[0] <= own[2] <= own[4]
