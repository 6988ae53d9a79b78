"""Acknowledgements, timers and the three styles of recovery against timelines worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.reference.small import MS, RETURN, ROUND_TRIP, lose, plan_of, sends

from footroom.engines.reference import Network
from footroom.engines.reference.connection import Mode
from footroom.engines.reference.laws import law_of
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.recovery import PrrSender
from footroom.engines.reference.rtt import RoundTrip
from footroom.parts.congestion import NewReno

STYLES = ["newreno", "sack", "prr"]
Trace = list[tuple[int, str, int, int, int, int]]


def acks(trace: Trace) -> list[tuple[int, int]]:
    """(when, next segment expected) of every acknowledgement the receiver sent."""
    return [(time, seq) for time, what, port, _, ack, seq in trace if (what, port, ack) == ("arrival", 5, 1)]


def test_second_segment_is_acknowledged_at_once_a_lone_one_after_the_delay() -> None:
    trace: Trace = []
    network = Network(plan_of(4, ack_every=2, ack_delay=0.04, initial_window=1), trace)
    network.run(10**12)
    alone = round(9.8 * MS)
    second = alone + 40 * MS + round(8.0768 * MS)  # the acknowledgement is back, two segments leave
    third = second + round(9.8 * MS) + round(1.5 * MS)  # the second of them; the pair is acknowledged
    fourth = third + round(8.0768 * MS) + round(9.8 * MS)  # the last of the flow: at once though alone
    assert acks(trace) == [(alone + 40 * MS, 1), (third, 3), (fourth, 4)]
    assert network.flows[0].sender.rtt.smoothed is not None


def test_the_first_segments_are_acknowledged_one_by_one() -> None:
    trace: Trace = []
    network = Network(plan_of(8, ack_every=4, ack_delay=0.9, initial_window=8, quick_acks=3), trace)
    network.run(10**12)
    assert [seq for _, seq in acks(trace)] == [1, 2, 3, 7, 8]


def test_out_of_order_duplicate_and_gap_filling_segments_are_acknowledged_at_once() -> None:
    trace: Trace = []
    network = Network(plan_of(6, ack_every=10, ack_delay=0.9, initial_window=6), trace)
    lose(network, [1])
    network.run(10**12)
    arrivals = [(time, seq) for time, what, port, _, ack, seq in trace if (what, port, ack) == ("delivery", 4, 0)]
    assert [seq for _, seq in arrivals] == [0, 2, 3, 4, 5, 1]
    # Segment 0 waits; 2 to 5 lie beyond the gap; 1 fills it.
    assert acks(trace) == [(time, 6 if seq == 1 else 1) for time, seq in arrivals[1:]]


@pytest.mark.parametrize("recovery", STYLES)
def test_timeout_and_slow_start_after_it(recovery: str) -> None:
    # Three of ten wait behind the first, the tail is lost, nothing follows that could reveal it.
    trace: Trace = []
    network = Network(plan_of(10, buffer="3 packets", recovery=recovery), trace)
    network.run(223 * MS)
    last_ack = round(9.15 * MS) + RETURN
    expiry = last_ack + 200 * MS
    assert sends(trace, 4) == [round(0.0 * MS), expiry]
    sender = network.flows[0].sender
    assert (sender.mode, sender.law.cwnd, sender.law.ssthresh) == (Mode.LOSS, 1.0, 3.0)
    assert sender.rto_at == expiry + 400 * MS
    network.run(10**12)
    again = [sends(trace, seq)[-1] for seq in range(5, 10)]
    first, second = expiry + ROUND_TRIP, expiry + 2 * ROUND_TRIP
    # Window 2, 3, 3⅓ ... above ssthresh 3 it grows by its inverse.
    assert again == [first, first, second, second, second + round(1.5 * MS)]
    assert sender.end == second + round(1.5 * MS) + ROUND_TRIP + round(1.5 * MS)
    assert (sender.timeouts, sender.retransmissions) == (1, 6)


@pytest.mark.parametrize("recovery", STYLES)
def test_timer_backs_off_and_cuts_the_threshold_once_per_segment(recovery: str) -> None:
    trace: Trace = []
    network = Network(plan_of(8, initial_window=8, recovery=recovery, seconds=60.0, initial_rto=1.0), trace)
    lose(network, [0], times=4)
    lose(network, range(1, 8))
    network.run(8 * 10**12)
    # 1 s before any sample, then doubled.
    assert sends(trace, 0) == [0, 10**12, 3 * 10**12, 7 * 10**12]
    assert network.flows[0].sender.law.ssthresh == 4.0
    network.run(16 * 10**12)
    assert sends(trace, 0)[4:] == [15 * 10**12]
    assert network.flows[0].sender.end is not None


@pytest.mark.parametrize("recovery", STYLES)
def test_third_duplicate_triggers_the_retransmission(recovery: str) -> None:
    trace: Trace = []
    network = Network(plan_of(10, recovery=recovery), trace)
    lose(network, [0])
    network.run(round(21.1 * MS))
    third = round(7.8 * MS) + RETURN  # segments 1, 2, 3 leave the bottleneck at 4.8, 6.3 and 7.8 ms
    assert sends(trace, 0) == [0, third]
    sender = network.flows[0].sender
    assert (sender.mode, sender.law.ssthresh) == (Mode.RECOVERY, 5.0)
    network.run(10**12)
    assert sender.end == third + ROUND_TRIP
    # Without new data to send, RFC 6675 sends the last segment once more on suspicion (NextSeg, rule 4).
    assert (sender.timeouts, sender.retransmissions) == (0, 2 if recovery == "sack" else 1)


def test_proportional_reduction_counts_only_what_can_still_arrive() -> None:
    """RFC 9937: RecoverFS is what the acknowledgements of the recovery will report, no more."""
    network = Network(plan_of(recovery="prr"))
    lose(network, [0])
    sender = network.flows[0].sender
    assert isinstance(sender, PrrSender)
    while sender.mode is Mode.OPEN:
        network.step(10**12)
    # Two reports let segments 10 and 11 out; the third finds 12 outstanding, of which 2 were reported before.
    assert (sender.nxt, sender.flight_at_entry) == (12, 10)
    while sender.una == 0:
        reported = sender.delivered
        network.step(10**12)
    assert reported + 1 == 10  # and the repair


@pytest.mark.parametrize("recovery", STYLES)
def test_second_hole_needs_a_round_trip_without_selective_acknowledgements(recovery: str) -> None:
    trace: Trace = []
    network = Network(plan_of(10, recovery=recovery), trace)
    lose(network, [0, 2])
    network.run(10**12)
    # Segments 1 and 3 to 9 leave the bottleneck at 4.8, 6.3, 7.8, 9.3, 10.8 ... ms.
    third = round(7.8 * MS) + RETURN
    fifth = round(10.8 * MS) + RETURN  # the first to find fewer than 5 segments in the pipe
    assert sends(trace, 0) == [0, third]
    assert sends(trace, 2) == [0, third + ROUND_TRIP if recovery == "newreno" else fifth]
    assert network.flows[0].sender.timeouts == 0


@pytest.mark.parametrize(("recovery", "timeouts"), [("newreno", 1), ("sack", 1), ("prr", 0)])
def test_only_prr_notices_a_lost_retransmission(recovery: str, timeouts: int) -> None:
    trace: Trace = []
    network = Network(plan_of(recovery=recovery), trace)
    lose(network, [25], times=2)
    network.run(10**12)
    sender = network.flows[0].sender
    assert sender.timeouts == timeouts
    assert len(sends(trace, 25)) == 3
    assert sender.una > 100


@pytest.mark.parametrize("lost", [[5, 9], [4, 8]])
@pytest.mark.parametrize("recovery", STYLES)
def test_a_tail_lost_in_recovery_is_repaired_without_the_timer(recovery: str, lost: list[int]) -> None:
    """By a partial acknowledgement (RFC 6582), on suspicion (RFC 6675 NextSeg 3 and 4), or by order (RFC 8985 §6.2)."""
    trace: Trace = []
    network = Network(plan_of(10, recovery=recovery), trace)
    lose(network, lost)
    network.run(10**12)
    sender = network.flows[0].sender
    assert sender.end is not None
    assert sender.timeouts == 0
    assert all(len(sends(trace, seq)) == 2 for seq in lost)
    if recovery == "prr":  # what arrived is not sent again
        assert sender.retransmissions == len(lost)


@pytest.mark.parametrize("recovery", STYLES)
def test_a_time_stamp_measures_a_retransmission_and_ends_backing_off(recovery: str) -> None:
    network = Network(plan_of(1, recovery=recovery))
    lose(network, [0], times=2)
    network.run(10**12)
    sender = network.flows[0].sender
    assert sender.timeouts == 2
    assert sender.rtt.smoothed == ROUND_TRIP
    assert sender.rtt.timeout == 200 * MS


@pytest.mark.parametrize("recovery", ["sack", "prr"])
def test_after_a_timeout_growth_does_not_count_what_was_reported_before(recovery: str) -> None:
    """The retransmission of 0 fills the hole below nine segments that arrived long ago; one segment is news."""
    network = Network(plan_of(40, recovery=recovery))
    lose(network, [0], times=2)
    lose(network, range(10, 40))
    sender = network.flows[0].sender
    while sender.una < 10 and network.step(10**12):
        pass
    assert (sender.una, sender.timeouts) == (10, 1)
    assert sender.law.cwnd == 2.0


def test_marks_and_losses_cut_once_per_window_of_data() -> None:
    law = law_of(NewReno())
    law.on_start(20)
    law.on_marks(1, 2, 2, 22, True)
    assert (law.cwnd, law.ssthresh) == (10.0, 10.0)
    law.on_loss(20, 21)  # sent before the cut
    law.on_timeout(20, 21)
    assert law.ssthresh == 10.0
    law.on_loss(10, 22)  # sent after it
    assert law.ssthresh == 5.0


def test_a_timeout_ends_the_pause_after_a_mark() -> None:
    law = law_of(NewReno())
    law.on_start(20)
    law.on_marks(1, 2, 2, 22, True)
    law.cwnd = 1.0
    law.on_ack(1, 1, 3, True, 0, 0)
    assert law.cwnd == 1.0
    law.on_ack(1, 1, 3, False, 0, 0)
    assert law.cwnd == 2.0


def test_limited_transmit_sends_two_new_segments_on_the_first_two_duplicates() -> None:
    trace: Trace = []
    network = Network(plan_of(recovery="newreno", initial_window=4), trace)
    lose(network, [0])
    network.run(round(21.1 * MS))
    returns = [round(x * MS) + RETURN for x in (4.8, 6.3, 7.8)]
    assert [sends(trace, seq) for seq in (4, 5)] == [[returns[0]], [returns[1]]]
    assert sends(trace, 0) == [0, returns[2]]
    # Two segments beyond the window do not count: min(6, 4) / 2.
    assert network.flows[0].sender.law.ssthresh == 2.0


def test_receive_window_limits_what_is_outstanding() -> None:
    network = Network(plan_of(receive_window="7000 B"))
    for _ in range(500):
        network.step(10**12)
        assert network.flows[0].sender.in_flight() <= 4
    assert network.flows[0].sender.law.cwnd > 4


def test_pacing_spreads_the_window_over_the_round_trip() -> None:
    trace: Trace = []
    network = Network(plan_of(initial_window=10, pacing=True, receive_window="14480 B", seconds=2.0), trace)
    network.run(2 * 10**12)
    times = [t for t, what, port, *_ in trace if (what, port) == ("arrival", 2)]
    assert times[:10] == [0] * 10  # no round trip is known yet
    sender = network.flows[0].sender
    assert sender.rtt.smoothed is not None
    gaps = [b - a for a, b in pairwise(times[200:])]
    assert min(gaps) >= int(sender.rtt.smoothed / (2.0 * sender.law.cwnd)) > 0


def test_pacing_slows_down_at_half_the_threshold_and_counts_what_is_outstanding() -> None:
    """Linux tcp_update_pacing_rate: twice the window a round trip below ssthresh/2, else 1.2 times, or what is out."""
    network = Network(plan_of(initial_window=10, pacing=True))
    network.run(100 * MS)
    sender = network.flows[0].sender
    smoothed = sender.rtt.smoothed
    assert smoothed is not None
    now = network.clock.time
    for window, threshold, out, rate in (
        (39.0, 80.0, 8, 2.0 * 39),
        (40.0, 80.0, 8, 1.2 * 40),
        (60.0, 80.0, 8, 1.2 * 60),
        (4.0, 80.0, 20, 2.0 * 20),
        (4.0, 5.0, 20, 1.2 * 20),
    ):
        sender.law.cwnd, sender.law.ssthresh = window, threshold
        sender.nxt, sender.pace_at, sender._burst = sender.una + out, 0, 0
        assert not sender._waits_for_pace()
        assert sender.pace_at - now == int(smoothed / rate)


def test_burst_waits_until_the_window_allows_all_of_it() -> None:
    trace: Trace = []
    network = Network(plan_of(burst=4, initial_window=12, small_queue=None), trace)
    network.run(10**12)
    times = [t for t, what, port, *_ in trace if (what, port) == ("arrival", 2)]
    together = [times.count(t) for t in sorted(set(times))]
    assert len(together) > 20
    assert all(count % 4 == 0 for count in together)


def test_a_third_of_the_window_is_enough_for_a_burst() -> None:
    """Linux tcp_tso_should_defer with tcp_tso_win_divisor 3: a window of 6 leaves in pairs, not in eights."""
    trace: Trace = []
    network = Network(plan_of(burst=8, initial_window=6, receive_window=6 * 1448, small_queue=None), trace)
    network.run(10**12)
    times = [t for t, what, port, *_ in trace if (what, port) == ("arrival", 2)]
    together = [times.count(t) for t in sorted(set(times))]
    assert together[0] == 6
    assert len(together) > 20
    assert set(together[1:]) == {2}


def test_the_host_queue_does_not_cut_a_burst_short() -> None:
    """Two bursts may wait at the host; a third begins only when less than that waits, and then leaves at once."""
    trace: Trace = []
    network = Network(plan_of(burst=8, initial_window=40), trace)
    network.run(10**12)
    times = [t for t, what, port, *_ in trace if (what, port) == ("arrival", 2)]
    later = [times.count(t) for t in sorted(set(times))][1:]
    assert len(later) > 20
    assert all(count % 8 == 0 for count in later)


def test_nothing_waits_for_a_burst_while_losses_are_repaired() -> None:
    trace: Trace = []
    network = Network(plan_of(recovery="sack", burst=8), trace)
    lose(network, [1])
    network.run(round(38 * MS))
    # Segments 0 and 2 to 9 leave the bottleneck at 4.65, 6.15, 7.65 ... ms. The window of 11 has room for a third of it
    # at the second acknowledgement. The fourth halves it to 5.5; the ninth leaves 4 in flight of the 12 outstanding, 8
    # reported, 1 lost and sent again, and from there on segments leave one by one.
    room = round(6.15 * MS) + RETURN
    assert [sends(trace, seq) for seq in (10, 11, 12)] == 3 * [[room]]
    assert sends(trace, 1)[1:] == [round(9.15 * MS) + RETURN]
    assert [sends(trace, seq) for seq in (13, 14)] == [[round(16.65 * MS) + RETURN], [room + ROUND_TRIP]]


def test_linux_bounds_the_margin_over_the_round_trip_instead_of_the_whole() -> None:
    for floors_variance, expected in ((True, 300 * MS), (False, 200 * MS)):
        rtt = RoundTrip(smallest=200 * MS, floors_variance=floors_variance)
        for _ in range(200):  # the variation fades
            rtt.sample(100 * MS)
        assert rtt.timeout == expected


def test_round_trip_estimate_follows_rfc_6298() -> None:
    rtt = RoundTrip(smallest=0, floors_variance=False)
    assert rtt.timeout == 10**12
    rtt.sample(100 * MS)
    assert (rtt.smoothed, rtt.variation, rtt.timeout) == (100 * MS, 50 * MS, 300 * MS)
    rtt.sample(180 * MS)
    assert (rtt.smoothed, rtt.variation) == (110 * MS, round(57.5 * MS))
    rtt.back_off()
    assert rtt.timeout == 2 * 340 * MS
    rtt.sample(110 * MS)
    assert rtt.timeout == 110 * MS + 4 * (3 * round(57.5 * MS) // 4)
    for _ in range(20):
        rtt.back_off()
    assert rtt.timeout == 120 * 10**12


@pytest.mark.parametrize("recovery", STYLES)
def test_a_timer_that_expires_while_the_host_is_full_keeps_running(recovery: str) -> None:
    # The timer expires while earlier packets of the flow still wait at the host: nothing can be sent, yet not all has
    # been acknowledged, and a duplicate must not stop the timer (RFC 6298 §5.2).
    network = Network(plan_of(recovery=recovery, initial_window=8, min_rto=0.2))
    network.run(40 * MS)
    sender = network.flows[0].sender
    sender.at_host = 10**6
    sender._time_out()
    due = sender.rto_at
    assert due is not None
    duplicate = Packet(0, True, sender.una, 64, 0, sender.sent_at[sender.una], 0, 0)
    sender.on_ack(duplicate)
    assert sender.rto_at == due
