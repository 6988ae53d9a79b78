"""Running one plan in both packet engines and comparing all they say."""

from __future__ import annotations

import pytest

from footroom import packet
from footroom.plan import Plan
from footroom.reference import simulate

Line = tuple[int, str, int, int, int, int]
WHAT = ("arrival", "departure", "drop", "delivery")


def compiled(plan: Plan) -> list[Line]:
    """The compiled engine's trace in the form of the plain one's; packets and bytes are conserved."""
    simulation = packet.Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    columns = {name: simulation.trace()[name].tolist() for name in ("time", "what", "port", "flow", "ack", "seq")}
    what = [WHAT[w] for w in columns["what"]]
    return list(zip(columns["time"], what, *(columns[c] for c in ("port", "flow", "ack", "seq")), strict=True))


def agree(plan: Plan) -> dict[str, float]:
    """Assert that both engines treat every packet alike at every picosecond and measure the same; the metrics."""
    trace: list[Line] = []
    ours = simulate(plan, trace=trace).metrics
    assert len(trace) > 100
    assert trace == compiled(plan)
    theirs = packet.simulate(plan).metrics
    assert ("fct_mean" in ours) == ("fct_mean" in theirs)
    for name in ("drop_rate", "marks", "timeouts", "retransmissions", "queue_max", "fct_count", "fct_unfinished"):
        assert ours.get(name) == theirs.get(name), name
    for name in ("utilisation", "throughput", "queue_mean", "goodput", "fairness", "fct_mean", "fct_p50", "fct_p99"):
        assert ours.get(name, 0.0) == pytest.approx(theirs.get(name, 0.0), rel=1e-9), name
    # The compiled engine keeps a histogram whose bins are up to 1/128 wide.
    for name in ("queue_p50", "queue_p99"):
        assert ours[name] == pytest.approx(theirs[name], rel=1 / 128), name
    return ours
