"""Running one plan in both packet engines and comparing all they say."""

from __future__ import annotations

import pytest

from footroom.engines import packet
from footroom.engines.plan import Plan
from footroom.engines.reference import Network
from footroom.engines.reference.metrics import metrics_of

Line = tuple[int, str, int, int, int, int]
WHAT = ("arrival", "departure", "drop", "delivery")
#: Whole numbers, which must be the same.
COUNTS = (
    "drop_rate",
    "marks",
    "timeouts",
    "retransmissions",
    "setup_retries",
    "tail_loss_probes",
    "queue_max",
    "fct_count",
    "fct_unfinished",
    "lossless_drops",
    "pause_frames",
    "headroom_max",
)
#: The compiled engine keeps a histogram whose bins are up to 1/128 wide.
BINNED = ("queue_p50", "queue_p99")


def compiled(plan: Plan) -> list[Line]:
    """The compiled engine's trace in the form of the plain one's; packets and bytes are conserved."""
    simulation = packet.Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    columns = {name: simulation.trace()[name].tolist() for name in ("time", "what", "port", "flow", "ack", "seq")}
    what = [WHAT[w] for w in columns["what"]]
    return list(zip(columns["time"], what, *(columns[c] for c in ("port", "flow", "ack", "seq")), strict=True))


def plain(plan: Plan) -> tuple[list[Line], dict[str, float]]:
    """The plain engine's trace and metrics; packets and bytes are conserved."""
    trace: list[Line] = []
    network = Network(plan, trace)
    network.run(plan.duration)
    assert network.sent == network.delivered + network.dropped + network.in_flight
    outputs = [port.output for port in network.ports if port.output is not None]
    for port in network.ports:
        if port.output is not None:
            queues = [queue for card in port.output.queues for queue in card]
            assert port.bytes == sum(queue.bytes for queue in queues)
            assert port.waiting == sum(len(queue.waiting) for queue in queues)
    for memory in {id(memory): memory for output in outputs for memory in output.memories}.values():
        held = [
            queue
            for output in outputs
            for own, card in zip(output.memories, output.queues, strict=True)
            for queue in card
            if own is memory and (output.groups is None or queue.klass not in output.groups.classes)
        ]
        groups = next((output.groups for output in outputs if memory in output.memories), None)
        lossless = groups.shared if groups is not None and groups.one_pool else 0
        assert len(held) == memory.queues
        assert memory.shared == sum(queue.excess() for queue in held) + lossless <= memory.pool
    return trace, metrics_of(network)


def agree(plan: Plan) -> dict[str, float]:
    """Assert that both engines treat every packet alike at every picosecond and measure the same; the metrics."""
    trace, ours = plain(plan)
    assert len(trace) > 100
    assert trace == compiled(plan)
    theirs = {name: value for name, value in packet.simulate(plan).metrics.items() if not name.startswith("slowdown")}
    assert ours.keys() == theirs.keys()
    for metrics in (ours, theirs):
        assert metrics["queue_p50"] <= metrics["queue_p99"] <= metrics["queue_max"]
    for name, value in ours.items():
        if name in COUNTS:
            assert value == theirs[name], name
        else:
            assert value == pytest.approx(theirs[name], rel=1 / 128 if name in BINNED else 1e-9), name
    return ours
