"""One packet's way, exact drops of a burst, and the books of the network."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from tests.reference.small import MS, ROUND_TRIP, plan_of

from footroom.base.errors import Cancelled
from footroom.engines.reference import Network, simulate


def test_timeline_of_one_packet() -> None:
    trace: list[tuple[int, str, int, int, int, int]] = []
    network = Network(plan_of(1), trace)
    network.run(10**12)
    data = [
        (0, "arrival", 2),
        (0.15, "departure", 2),
        (3.15, "arrival", 0),
        (4.65, "departure", 0),
        (6.65, "arrival", 4),
        (6.8, "departure", 4),
        (9.8, "delivery", 4),
    ]
    acks = [
        (9.8, "arrival", 5),
        (9.8064, "departure", 5),
        (12.8064, "arrival", 1),
        (12.8704, "departure", 1),
        (14.8704, "arrival", 3),
        (14.8768, "departure", 3),
        (17.8768, "delivery", 3),
    ]
    expected = [(round(t * MS), what, port, 0, 0, 0) for t, what, port in data]
    expected += [(round(t * MS), what, port, 0, 1, 1) for t, what, port in acks]
    assert trace == expected
    assert network.flows[0].sender.end == ROUND_TRIP


@pytest.mark.parametrize(("room", "first_lost"), [(1, 2), (3, 4), (8, 9), (9, 10)])
def test_burst_overflows_the_buffer_by_exactly_what_does_not_fit(room: int, first_lost: int) -> None:
    # The window arrives within 1.35 ms, while the first packet is transmitted: one in service, ``room`` waiting.
    trace: list[tuple[int, str, int, int, int, int]] = []
    Network(plan_of(10, buffer=f"{room} packets"), trace).run(15 * MS)
    assert [seq for _, what, port, _, _, seq in trace if what == "drop"] == list(range(first_lost, 10))


def test_a_buffer_one_byte_too_small_holds_one_packet_less() -> None:
    trace: list[tuple[int, str, int, int, int, int]] = []
    Network(plan_of(10, buffer="4499 B"), trace).run(15 * MS)
    assert [seq for _, what, _, _, _, seq in trace if what == "drop"] == list(range(3, 10))


@pytest.mark.parametrize("recovery", ["newreno", "sack", "prr"])
def test_every_packet_is_delivered_dropped_or_under_way(recovery: str) -> None:
    plan = plan_of(buffer="6 kB", flows=3, seconds=3.0, recovery=recovery, jitter=1e-3)
    trace: list[tuple[int, str, int, int, int, int]] = []
    network = Network(plan, trace)
    for second in (1, 2, 3):
        network.run(second * 10**12)
        assert network.sent == network.delivered + network.dropped + network.in_flight
    assert network.dropped > 10
    happened = Counter(line[1] for line in trace)
    assert (happened["drop"], happened["delivery"]) == (network.dropped, network.delivered)
    # What left a port was offered to it before, and reaches the next port or its host in the same order.
    for p, port in enumerate(network.ports):
        offered = [line[3:] for line in trace if line[1:3] == ("arrival", p)]
        left = [line[3:] for line in trace if line[1:3] == ("departure", p)]
        assert len(offered) == len(left) + port.dropped + port.waiting
        assert not Counter(left) - Counter(offered)


@pytest.mark.parametrize("recovery", ["newreno", "sack", "prr"])
def test_finite_flows_complete_whatever_is_lost(recovery: str) -> None:
    network = Network(plan_of(400, buffer="6 kB", flows=2, seconds=100.0, recovery=recovery, ack_every=2))
    network.run(network.plan.duration)
    assert network.dropped > 0
    assert network.in_flight == 0
    for flow in network.flows:
        assert flow.sender.end is not None
        assert flow.delivered_bytes() == 400 * 1448
        assert flow.sender.sent_at == {}


def test_same_seed_same_run_other_seed_another() -> None:
    def trace_of(seed: int) -> list[tuple[int, str, int, int, int, int]]:
        trace: list[tuple[int, str, int, int, int, int]] = []
        simulate(plan_of(buffer="15 kB", flows=2, seconds=0.5, seed=seed, jitter=1e-3), trace=trace)
        return trace

    assert trace_of(1) == trace_of(1)
    assert trace_of(1) != trace_of(2)


def test_jitter_is_bounded_and_keeps_the_order() -> None:
    plan = plan_of(seconds=0.5, jitter=4e-3)
    trace: list[tuple[int, str, int, int, int, int]] = []
    Network(plan, trace).run(plan.duration)
    left = [t for t, what, port, *_ in trace if (what, port) == ("departure", 2)]
    came = [t for t, what, port, _, ack, _ in trace if (what, port, ack) == ("arrival", 0, 0)]
    delays = [b - a for a, b in zip(left, came, strict=False)]
    assert came == sorted(came)
    # Half of the jitter was taken out of the 3 ms cable, so the mean stays what it was.
    assert 1 * MS <= min(delays) < 2 * MS
    assert 4 * MS < max(delays) <= 5 * MS


def test_stop_and_progress() -> None:
    seen: list[float] = []
    simulate(plan_of(seconds=0.5), progress=seen.append)
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        simulate(plan_of(), stop=stop)
