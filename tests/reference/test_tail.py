"""Lost tails against timelines worked out by hand, in both packet engines: with a probe (RFC 8985 §7) and without."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.agreement import compiled, plain
from tests.reference.small import MS, RETURN, ROUND_TRIP, lose, plan_of, sends

from footroom.base.errors import InvalidInput
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND
from footroom.engines.reference import Network
from footroom.engines.reference.connection import Mode
from footroom.engines.reference.packet import Trace

SEGMENTS = 10
LEAST = 200 * MS
MARGIN = 2 * MS
#: One full packet on the bottleneck.
SERVICE = round(1.5 * MS)


def back(segment: int) -> int:
    """When the acknowledgement of ``segment`` of the first window, sent at 0 in one burst, is back [ps]."""
    return ROUND_TRIP + segment * SERVICE


def smoothed(segments: int) -> int:
    """Smoothed round trip once that many segments of the first window are acknowledged one by one (RFC 6298 §2)."""
    trip = back(0)
    for segment in range(1, segments):
        trip = (7 * trip + back(segment)) // 8
    return trip


def completion(lost: int, **host: Any) -> int:
    """When a flow of ten segments ends whose last ``lost`` find the buffer full [ps]: the same in both engines."""
    plan = plan_of(SEGMENTS, buffer=f"{SEGMENTS - 1 - lost} packets", **host)
    trace = plain(plan)[0]
    assert trace == compiled(plan)
    assert [seq for _, what, _, _, _, seq in trace if what == "drop"] == [*range(SEGMENTS - lost, SEGMENTS)]
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    flow = simulation.tables.flows[0]
    probes = host.get("tail_loss_probe", False)
    assert (flow["timeouts"], flow["probes"], flow["retransmissions"]) == (not probes, probes, lost)
    return int(flow["end"])


@pytest.mark.parametrize("lost", [1, 2, 3])
@pytest.mark.parametrize("recovery", ["sack", "prr"])
def test_without_a_probe_a_lost_tail_waits_for_the_timeout(recovery: str, lost: int) -> None:
    expiry = back(SEGMENTS - 1 - lost) + LEAST
    # Window 1, then 2: one segment, then the other two together.
    after = {1: ROUND_TRIP, 2: 2 * ROUND_TRIP, 3: 2 * ROUND_TRIP + SERVICE}[lost]
    assert completion(lost, recovery=recovery) == expiry + after


@pytest.mark.parametrize("margin", [0.0, 0.002])
@pytest.mark.parametrize("recovery", ["sack", "prr"])
@pytest.mark.parametrize("lost", [2, 3])
def test_a_probe_reveals_a_lost_tail_after_two_round_trips(lost: int, recovery: str, margin: float) -> None:
    probe = back(SEGMENTS - 1 - lost) + 2 * smoothed(SEGMENTS - lost) + round(margin * SECOND)
    revealed = probe + ROUND_TRIP
    # sack: a window of 2 at once. prr: nothing is in flight, so one repair per arrival.
    after = {
        ("sack", 2): ROUND_TRIP,
        ("sack", 3): ROUND_TRIP + SERVICE,
        ("prr", 2): ROUND_TRIP,
        ("prr", 3): 2 * ROUND_TRIP,
    }[recovery, lost]
    found = completion(lost, recovery=recovery, tail_loss_probe=True, probe_margin=margin)
    assert found == revealed + after


@pytest.mark.parametrize("recovery", ["sack", "prr"])
def test_a_lone_lost_segment_is_probed_when_the_timeout_is_due(recovery: str) -> None:
    # It may be that its acknowledgement is withheld: two round trips and min_rto, or the timeout if that is earlier.
    expiry = back(SEGMENTS - 2) + LEAST
    assert completion(1, recovery=recovery, tail_loss_probe=True) == expiry + ROUND_TRIP


def test_without_a_round_trip_of_data_that_of_the_handshake_stands_for_it_or_one_second() -> None:
    for initial_rto, expected in ((None, 2 * 16 * MS + MARGIN), (3.0, SECOND), (0.6, 600 * MS)):
        trace: Trace = []
        network = Network(plan_of(4, tail_loss_probe=True, initial_rto=initial_rto, seconds=5.0), trace)
        lose(network, range(4))
        network.run(expected + MS)
        assert sends(trace, 3) == [0, expected]
        assert network.flows[0].sender.rto_at == expected + round((initial_rto or 0.2) * SECOND)


def test_new_data_is_the_better_probe_and_goes_beyond_the_window() -> None:
    trace: Trace = []
    network = Network(plan_of(12, initial_window=4, tail_loss_probe=True), trace)
    lose(network, range(4))
    probe = 32 * MS + MARGIN
    network.run(probe)
    assert sends(trace, 4) == [probe]
    network.run(SECOND)
    # The probe's arrival shows all four lost: they are repaired though only one has arrived.
    assert sends(trace, 0) == [0, probe + ROUND_TRIP]
    assert network.flows[0].sender.timeouts == 0


@pytest.mark.parametrize("recovery", ["sack", "prr"])
def test_a_hole_stands_for_a_quarter_of_the_shortest_round_trip(recovery: str) -> None:
    found = {}
    for probes in (False, True):
        trace: Trace = []
        network = Network(plan_of(SEGMENTS, recovery=recovery, tail_loss_probe=probes), trace)
        lose(network, [8])
        network.run(SECOND)
        found[probes] = sends(trace, 8)
        assert network.flows[0].sender.timeouts == (not probes)
    # Segment 9 arrives beyond it and nothing follows that could make three.
    assert found[False] == [0, back(7) + LEAST]
    assert found[True] == [0, back(8) + ROUND_TRIP // 4 + MARGIN]


def test_after_new_data_the_probe_goes_when_the_oldest_segment_is_a_timeout_old() -> None:
    # At one round trip 0 is acknowledged; 2 and 3 leave. 1 was sent at 0, and the timeout is three round trips.
    trace: Trace = []
    network = Network(plan_of(20, initial_window=2, min_rto=0.005, tail_loss_probe=True), trace)
    lose(network, [1, 2, 3])
    network.run(SECOND)
    assert sends(trace, 2)[0] == sends(trace, 3)[0] == ROUND_TRIP
    assert sends(trace, 4)[0] == 3 * ROUND_TRIP < ROUND_TRIP + 2 * ROUND_TRIP + MARGIN


@pytest.mark.parametrize("recovery", ["sack", "prr"])
def test_arrivals_from_before_a_repair_put_the_timeout_off(recovery: str) -> None:
    found = {}
    for probes in (False, True):
        trace: Trace = []
        network = Network(plan_of(SEGMENTS, recovery=recovery, tail_loss_probe=probes), trace)
        lose(network, [0], times=2)
        network.run(SECOND)
        found[probes] = sends(trace, 0)
    third, ninth = (round((4.8 + 1.5 * k) * MS) + RETURN for k in (2, 8))
    assert found[False] == [0, third, third + LEAST]
    assert found[True] == [0, third, ninth + LEAST]


def test_a_hole_far_behind_what_has_arrived_is_a_loss_at_once() -> None:
    # The window of 2 sends 0 and 1; 1 arrives and lets 2 out, a round trip later than 0 was sent.
    trace: Trace = []
    network = Network(plan_of(20, initial_window=2, tail_loss_probe=True, probe_margin=1.0), trace)
    lose(network, [0])
    network.run(SECOND)
    second = round(4.8 * MS) + RETURN
    assert sends(trace, 2) == [second]
    assert sends(trace, 0) == [0, second + ROUND_TRIP]


def test_a_probe_that_repairs_the_loss_itself_halves_the_window_once() -> None:
    # The receiver's window holds one segment: the lost one is probed for with itself, and the next one tells.
    trace: Trace = []
    network = Network(plan_of(40, receive_window="1448 B", tail_loss_probe=True, seconds=2.0), trace)
    lose(network, [20])
    sender = network.flows[0].sender
    network.run(20 * ROUND_TRIP)
    before = sender.law.cwnd
    assert sender.law.ssthresh > 1e17
    network.run(2 * SECOND)
    again = sends(trace, 20)[1]
    assert sends(trace, 21) == [again + ROUND_TRIP]
    assert (sender.timeouts, sender.retransmissions, sender.mode) == (0, 1, Mode.OPEN)
    # Half of what was outstanding, never below two.
    assert sender.law.ssthresh == 2.0 < before
    assert sender.end is not None


def test_at_most_one_probe_is_under_way() -> None:
    trace: Trace = []
    network = Network(plan_of(4, tail_loss_probe=True, seconds=5.0), trace)
    lose(network, range(4), times=9)
    network.run(SECOND)
    probe = 32 * MS + MARGIN
    assert sends(trace, 3)[:2] == [0, probe]
    # The timeout follows, counted from the probe, and is the last resort.
    assert sends(trace, 0)[1] == probe + LEAST


def test_a_style_without_selective_acknowledgements_cannot_probe() -> None:
    with pytest.raises(InvalidInput, match="sack or prr") as refusal:
        plan_of(recovery="newreno", tail_loss_probe=True)
    assert refusal.value.problems[0].path == "traffic.0.host.tail_loss_probe"
