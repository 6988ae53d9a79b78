"""CUBIC in the packet engine against the response function of RFC 9438 and its equations, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, build_plan
from footroom.kernel.hooks import policy_hook, row
from footroom.kernel.tables import DATA
from footroom.scenario import Scenario


@policy_hook
def _every_nth(switch: Any, queue: Any, params: Any, flow: Any, packet: Any, size: Any, now: Any) -> int:
    """Drop every n-th segment that is new at this queue: repairs are spared, as in the model."""
    q, k = row(queue), row(packet)  # type: ignore[no-untyped-call]
    if k.sort != DATA or float(k.seq) < q.state[0]:
        return 0
    q.state[0] = float(k.seq) + 1.0
    q.state[1] += 1.0
    if q.state[1] < params[0]:
        return 0
    q.state[1] = 0.0
    return 1


def lossy(period: float, rtt: float, start: float, **congestion: Any) -> Simulation:
    """One flow of ``start`` segments over a link that is never full and drops one segment in ``period``."""
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "1 Tb/s", "access": "1 Tb/s", "rtt": rtt},
                # A packet enters the queue, where it may be dropped, even if the port is idle.
                "switch": {"buffer": "1 GB", "release": "end"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 1,
                        "start_jitter": 0,
                        "window": start,
                        "congestion": {"kind": "cubic", **congestion},
                        "host": {"ecn": False, "jitter": 0, "ack_every": 1, "small_queue": None},
                    }
                ],
                "run": {"duration": "10000 s", "warmup": "1 s", "mtu": "1500 B"},
            }
        )
    )
    simulation = Simulation(plan)
    port = simulation.tables.ports[plan.watched[0]]
    simulation._kept.append(np.array([period]))
    port["marker"], port["marker_params"] = _every_nth.address, simulation._kept[-1].ctypes.data
    return simulation


def settled(period: float, rtt: float, **congestion: Any) -> tuple[Simulation, int]:
    """A flow in the steady state of the model, and how long one of its cycles takes [ps].

    Around it the cubic is flat, so a flow started elsewhere would take thousands of cycles to get there: after its
    first loss it is put where the model has it, at 0.7 of the window at which it will lose again.
    """
    expected = max(1.054 * (rtt * period) ** 0.75, (1.5 * period) ** 0.5)
    cycle = round(period / expected * rtt * SECOND)
    simulation = lossy(period, rtt, expected, **congestion)
    flow, own = simulation.tables.flows[0], simulation.law_words(0)
    while flow["retransmissions"] == 0 or flow["mode"] != 0:
        simulation.run_until(simulation.now + round(rtt * SECOND / 4))
    top = expected / ((3.0 + 0.7) / 4.0)  # the mean of a cubic that climbs from beta W_max to W_max
    own[:7] = top, 0.0, 0.0, 0.0, top, 0.0, 0.0
    flow["cwnd"] = flow["ssthresh"] = 0.7 * top
    return simulation, cycle


def mean_window(period: float, rtt: float, cycles: int, **congestion: Any) -> float:
    """Segments per round trip over so many losses, after five others."""
    simulation, cycle = settled(period, rtt, **congestion)
    simulation.run_until(simulation.now + 5 * cycle)
    flow = simulation.tables.flows[0]
    began, before, losses = simulation.now, int(flow["una"]), int(flow["retransmissions"])
    simulation.run_until(began + cycles * cycle)
    assert flow["timeouts"] == 0
    assert cycles - 2 <= flow["retransmissions"] - losses <= cycles + 2
    return float(flow["una"] - before) / ((simulation.now - began) / SECOND) * rtt


@pytest.mark.parametrize(
    ("period", "rtt", "window"), [(1e3, 0.1, 38), (1e4, 0.1, 187), (1e5, 0.1, 1054), (1e3, 0.01, 38), (1e4, 0.01, 120)]
)
def test_the_mean_window_is_that_of_the_tables_of_the_rfc(period: float, rtt: float, window: float) -> None:
    """RFC 9438 tables 1 and 2, C = 0.4: one loss in 1/p segments, cubic above and Reno-friendly below.

    Without fast convergence, which the model does not have and which is not meant for a lone flow (section 4.7).
    """
    assert mean_window(period, rtt, 20, fast_convergence=False) == pytest.approx(window, rel=0.05)


def test_the_window_is_the_cubic_of_the_rfc() -> None:
    """K(100) is 4.2172 s; the window is back at W_max then, and C t^3 above it t later."""
    simulation = lossy(20_000.0, 0.1, 100.0, reno_friendly=False)
    flow, own = simulation.tables.flows[0], simulation.law_words(0)
    while flow["retransmissions"] == 0 or flow["mode"] != 0 or own[1] == 0.0:
        simulation.run_until(simulation.now + SECOND // 1000)
    assert flow["ssthresh"] == pytest.approx(0.7 * own[0], rel=1e-6)
    simulation.tables.ports["marker"] = 0  # no more losses
    own[0], own[1], own[4] = 100.0, 0.0, 100.0
    flow["cwnd"] = flow["ssthresh"] = 70.0
    simulation.run_until(simulation.now + SECOND // 10)
    assert own[2] == pytest.approx(4.2172, abs=5e-5)
    for seconds in (1.0, 2.0, 3.0, 4.2172, 6.0, 8.0):
        simulation.run_until(int(own[1]) + round(seconds * SECOND))
        # Within a round trip, and a tenth of a segment of rounding.
        low, high = (0.4 * (seconds + early - own[2]) ** 3 + 100.0 for early in (-0.11, 0.01))
        assert low - 0.1 <= flow["cwnd"] <= high + 0.1


def test_fast_convergence_lowers_the_window_it_climbs_back_to() -> None:
    """A flow on its own has no use for it (section 4.7); the tables of the RFC are without it."""
    with_it, without = (mean_window(1e4, 0.1, 20, fast_convergence=fast) for fast in (True, False))
    assert 0.85 * without < with_it < 0.97 * without


@pytest.mark.parametrize(("steepens", "slope"), [(False, 9.0 / 17.0), (True, 1.0)])
def test_above_the_window_of_the_last_loss_the_reno_friendly_line_may_steepen(steepens: bool, slope: float) -> None:
    """RFC 9438, section 4.3: alpha is 3 (1 - 0.7)/(1 + 0.7) = 9/17 packets per round trip, above it 1 as a SHOULD."""
    simulation = lossy(20_000.0, 0.01, 100.0, friendly_steepens=steepens)
    flow, own = simulation.tables.flows[0], simulation.law_words(0)
    while flow["retransmissions"] == 0 or flow["mode"] != 0 or own[1] == 0.0:
        simulation.run_until(simulation.now + SECOND // 1000)
    simulation.tables.ports["marker"] = 0  # no more losses
    # K is 4.2 s, so for the first second the cubic lies below 90 packets.
    own[0], own[1], own[4] = 100.0, 0.0, 100.0
    flow["cwnd"] = flow["ssthresh"] = 70.0
    simulation.run_until(simulation.now + SECOND // 20)
    began, window = simulation.now, float(flow["cwnd"])
    simulation.run_until(began + SECOND // 5)
    assert (flow["cwnd"] - window) / 20.0 == pytest.approx(9.0 / 17.0, rel=0.06)
    simulation.run_until(began + 7 * SECOND // 10)
    assert flow["cwnd"] > 100.0
    began, window = simulation.now, float(flow["cwnd"])
    simulation.run_until(began + SECOND // 5)
    assert (flow["cwnd"] - window) / 20.0 == pytest.approx(slope, rel=0.06)
