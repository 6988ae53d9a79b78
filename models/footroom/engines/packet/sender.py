"""The sender: acknowledgements, loss recovery (RFC 5681, 6582, 6675, 6937, 8985) and the timeout (RFC 6298)."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet import telemetry
from footroom.engines.packet.bursts import burst_of
from footroom.engines.packet.features import sampled, telemetry_asked, with_telemetry
from footroom.engines.packet.probe import ANEW, overdue, repaired_alone, restarts_timer
from footroom.engines.packet.rate_sample import complete, look, newest_trip
from footroom.engines.packet.reduction import begin_reduction, end_reduction, in_flight, reduce_window, spread_cut
from footroom.engines.packet.rings import give_back, slot
from footroom.engines.packet.scoreboard import acknowledge, block, mark_lost, mark_lost_again
from footroom.engines.packet.tables import FLOW_ENDED, LOSS, LOST, NEWRENO, OPEN, PRR, RECOVERY, RESENT, SACKED, u
from footroom.engines.packet.timers import goes_off
from footroom.engines.packet.write_buffer import bounded, fill
from footroom.kernel.calls import call_law
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import ECHO, NEVER
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import code

_FLOW_SIZE = FLOW.itemsize
_VARIANCE = code(Host, "rto_floor", "variance")
_FIRST = code(Host, "partial_timer", "first")
_FLIGHT = code(Host, "recovery_end", "flight")
_OVERDUE = code(Host, "timeout_losses", "overdue")
_MAX_RTO = 120 * 10**12


@helper
def law(t, address, i, f, c, flight):
    """Call one hook of flow i's congestion control; the rest of the report is filled in.

    flight: segments outstanding.
    """
    t.report[0].flight = flight
    t.report[0].burst = burst_of(t, f, c)
    t.report[0].hystart = c.hystart
    s = t.state[0]
    call_law(address, s.flow_base + i * _FLOW_SIZE, f.scratch, c.params, s.report_base)


@helper
def report(t, now, acked, delivered, marked, rtt):
    """What the law will be told of an acknowledgement; see kernel.tables.REPORT."""
    r = t.report[0]
    r.now = now
    r.acked = acked
    r.delivered = delivered
    r.marked = marked
    r.rtt = rtt
    if telemetry_asked(t):
        r.telemetry = 0
        r.probe = 0


@helper
def begin(t, i, f, c, now, resumed):
    """Flow i begins to send; ``resumed``: 1 over the connection of one that has ended."""
    report(t, now, 0, 0, 0, -1)
    t.report[0].window = c.initial_window if f.setup > -3 else 1
    t.report[0].resumed = resumed
    t.report[0].payload = c.payload
    t.report[0].paced = c.pacing
    if bounded(c):
        fill(f, c)
    if sampled(t, c):
        f.limited = max(f.arrived, 1)  # what leaves first does so after a pause
        t.report[0].handshake = f.handshake
        t.report[0].autosize = c.autosize
    if c.base_rtt != 0:
        telemetry.begin(t, f, c)
    law(t, c.on_start, i, f, c, 0)


@helper
def timeout_after(c, smoothed, variation):
    """Retransmission timeout (RFC 6298 §2.3, integer picoseconds)."""
    if c.rto_floor == _VARIANCE:
        return min(smoothed + max(4 * variation, c.min_rto), _MAX_RTO)
    return min(max(smoothed + 4 * variation, c.min_rto), _MAX_RTO)


@helper
def measure(f, c, sample):
    """Fold a round-trip sample into the timeout (RFC 6298 §2, integer picoseconds)."""
    if f.srtt == 0:
        f.srtt = sample
        f.rttvar = sample // 2
    else:
        f.rttvar = (3 * f.rttvar + abs(f.srtt - sample)) // 4
        f.srtt = (7 * f.srtt + sample) // 8
    f.min_rtt = min(f.min_rtt, sample)
    f.rto = timeout_after(c, f.srtt, f.rttvar)


@helper
def tell_lost(t, i, f, c, seq, count):
    """Tell the law that segment ``seq`` is lost, the ``count``-th loss of its connection."""
    s = t.samples[u(slot(f, seq))]
    r = t.report[0]
    r.lost_flight = s.flight
    r.lost_since = count - s.losses
    r.lost_limited = s.limited
    law(t, c.on_lost, i, f, c, f.nxt - f.una)


@helper
def tell_marked(t, i, f, c, start, count):
    """Tell the law of the segments from ``start`` on that have just been marked as lost. Returns the count of losses.

    count: losses told of before.
    """
    for seq in range(max(start, f.una), f.mark):
        if t.segments[u(slot(f, seq))].flags & (LOST | RESENT | SACKED) == LOST:
            count += 1
            tell_lost(t, i, f, c, seq, count)
    return count


@helper
def _tell_lost_again(t, i, f, c):
    """Tell the law of the repairs that are about to be found lost. Returns the count of losses."""
    count = f.losses
    seq = f.resent_head
    while seq >= 0 and t.segments[u(slot(f, seq))].sent < f.newest:
        count += 1
        tell_lost(t, i, f, c, seq, count)
        seq = t.segments[u(slot(f, seq))].next
    return count


@helper
def _repaired_by_probe(t, i, f, c, flight):
    """A probe of a lost tail repaired a loss."""
    if sampled(t, c) and c.on_lost != 0:
        t.report[0].lost_since = 0
        t.report[0].lost_limited = 0
        law(t, c.on_lost, i, f, c, flight)
    law(t, c.on_loss, i, f, c, flight)


@helper
def _follow_losses(t, i, f, c):
    """Begin and end the repair of what is marked as lost, with a law that sets the window itself."""
    if f.mode != OPEN and f.una >= f.recover:
        f.mode = OPEN
    if f.mode == OPEN and f.lost > 0:
        law(t, c.on_loss, i, f, c, f.nxt - f.una)
        f.mode = RECOVERY
        f.recover = f.nxt


@helper
def recover_with_blocks(t, i, f, c, acked, flight, delivered, safe):
    """Begin, pace and end the repair of what is marked as lost; outside it the window grows."""
    if sampled(t, c):
        _follow_losses(t, i, f, c)
        return
    left_recovery = False
    if f.mode == RECOVERY and f.una >= f.recover:
        f.mode = OPEN
        f.cwnd = f.ssthresh
        f.force = 0
        left_recovery = True
    elif f.mode == LOSS and f.una >= f.recover:
        f.mode = OPEN
    entering = False
    if f.mode == OPEN and f.lost > 0:
        entering = True
        law(t, c.on_loss, i, f, c, f.nxt - f.una)
        f.mode = RECOVERY
        f.force = 1
        if f.reducing != 0 and f.una < f.cut_end:
            f.recover = f.cut_end  # the cut under way counts for these losses as well (Linux tcp_enter_recovery)
        else:
            f.recover = f.nxt
            # RecoverFS: what was reported before this acknowledgement will not be delivered again (RFC 9937 §6.2).
            begin_reduction(f, f.nxt - f.una - f.sacked + delivered)
            f.cwnd = f.ssthresh
        f.reducing = 0
    if f.mode == RECOVERY:
        if c.recovery == PRR:
            reduce_window(f, f.ssthresh, delivered, safe, 1.0 if entering else 0.0)
    elif f.reducing != 0:
        reduce_window(f, int(f.ssthresh), delivered, safe, 0.0)
    elif acked > 0 and (c.recovery == PRR or not left_recovery):  # Linux grows on what ends a recovery
        # What was reported before does not count again, or filling one hole could open a whole window at once.
        law(t, c.on_ack, i, f, c, flight)


@helper
def _recover_with_duplicates(t, i, f, c, acked, flight):
    if acked > 0:
        if f.mode == RECOVERY:
            if f.una > f.recover:
                f.cwnd = f.ssthresh
                if c.recovery_end == _FLIGHT:
                    f.cwnd = min(f.ssthresh, float(max(f.nxt - f.una, 1) + 1))
                f.mode = OPEN
                f.dupacks = 0
                f.force = 0
            else:
                f.force = 1
                f.cwnd = max(f.cwnd - acked, 1.0) + 1.0
                f.partial += 1
        else:
            f.dupacks = 0
            if f.mode == LOSS and f.una > f.recover:
                f.mode = OPEN
                f.recover = f.una  # duplicates of what was sent again follow: no loss before more is acknowledged
            law(t, c.on_ack, i, f, c, flight)
    elif f.nxt > f.una:
        f.dupacks += 1
        if f.mode == RECOVERY:
            f.cwnd += 1.0
        elif f.dupacks == 3 and f.una > f.recover:
            law(t, c.on_loss, i, f, c, flight)
            f.cwnd = f.ssthresh + 3.0
            f.recover = f.nxt - 1
            f.prr_flight = max(f.prr_flight, f.nxt - f.una)
            f.mode = RECOVERY
            f.force = 1
            f.partial = 0


@helper
def settle(t, i, f, c, k, acked, flight):
    """Acknowledgement k was the last of flow i: leave the window as any other acknowledgement would.

    Nothing is outstanding: a recovery is over; otherwise, and with prr also then, the window grows.
    """
    if sampled(t, c):
        packet = t.packets[u(k)]
        if c.tail_loss_probe != 0 and repaired_alone(f, packet.seq, acked, packet.right == packet.left):
            _repaired_by_probe(t, i, f, c, flight)
        f.mode = OPEN
        complete(t, f, t.report[0].delivered, 0, t.report[0].now)
        law(t, c.on_sample, i, f, c, flight)
        return
    if f.mode == RECOVERY:
        f.cwnd = min(f.ssthresh, 2.0) if c.recovery == NEWRENO and c.recovery_end == _FLIGHT else f.ssthresh
        f.mode = OPEN
        if c.recovery != PRR:
            return
    packet = t.packets[u(k)]
    if c.tail_loss_probe != 0 and repaired_alone(f, packet.seq, acked, packet.right == packet.left):
        law(t, c.on_loss, i, f, c, flight)
        f.cwnd = f.ssthresh
        f.reducing = 0
    f.mode = OPEN
    if f.reducing != 0:
        f.cwnd = f.ssthresh
        return
    law(t, c.on_ack, i, f, c, flight)


@helper
def finish(t, f, now):
    """The last byte of the flow has been acknowledged."""
    f.end = now
    f.rto_at = NEVER
    f.wake_at = NEVER
    f.probe_at = NEVER
    give_back(t, f)
    t.state[0].active -= 1
    t.state[0].finished += 1
    if t.state[0].awaited != 0:
        t.state[0].status = FLOW_ENDED


@helper
def read_telemetry(t, i, f, c, k, now, probe):
    """The law takes in the telemetry that packet k has brought back; ``probe``: 1 where that is what k is for."""
    packet = t.packets[u(k)]
    report(t, now, 0, 0, 0, now - packet.stamp)
    t.report[0].probe = probe
    t.report[0].telemetry = telemetry.address(t, k)
    law(t, c.on_ack, i, f, c, f.nxt - f.una)


@helper
def on_probe_reply(t, i, f, c, k, now):
    """The reply to a probe for telemetry reached the sender of flow i; one that was given up is of no use."""
    if f.asked_at == t.packets[u(k)].stamp:
        f.asked_at = -1
        read_telemetry(t, i, f, c, k, now, 1)


@helper
def on_ack(t, i, f, c, k, now):
    """Acknowledgement k reached the sender of flow i."""
    packet = t.packets[u(k)]
    una, flight = f.una, f.nxt - f.una
    if packet.seq < una:
        return
    acked = packet.seq - una
    delivered = acked
    rtt = -1
    if sampled(t, c):
        look(t, f, packet, in_flight(f), now)
    elif c.hystart != 0 and acked > 0:
        t.report[0].sample_rtt = newest_trip(t, f, c, packet, now)
    if acked > 0:
        before = f.sacked
        sample = acknowledge(t, f, c, packet.seq, now)
        delivered -= before - f.sacked  # those were counted when they were selectively acknowledged
        if f.nxt < f.una:
            f.nxt = f.una
        f.delivered += acked
        if delivered > 0 and c.timeout_losses == _OVERDUE:
            f.trip = now - packet.stamp
        # Where all that is newly acknowledged may have been sent twice, the time stamp tells (RFC 6298 §3, RFC 7323).
        rtt = sample if sample >= 0 else now - packet.stamp
        measure(f, c, rtt)
        if c.tail_loss_probe != 0:
            f.timed = 1
    if telemetry_asked(t) and f.asked_at >= 0 and packet.stamp > f.asked_at:
        f.asked_at = -1  # what was sent after the probe has arrived: the probe is lost
    if with_telemetry(t, c):
        read_telemetry(t, i, f, c, k, now, 0)
    report(t, now, acked, delivered, acked if packet.flags & ECHO else 0, rtt)
    if acked > 0 and c.on_ecn != 0:
        end_reduction(f)
        before, window = f.cut_end, f.cwnd
        law(t, c.on_ecn, i, f, c, flight)
        if f.cut_end != before:
            spread_cut(f, c, window)
    if c.recovery == NEWRENO and f.mode == LOSS and acked > 0:
        # One segment filled a hole. What else this acknowledges had arrived before, and no block had said so: it is no
        # evidence that a window may open by as much at once (RFC 3465 §2.3).
        t.report[0].delivered = 1
    if f.una >= f.segments:
        if c.persistent != 0:
            settle(t, i, f, c, k, acked, flight)
        finish(t, f, now)
        return
    if c.recovery == NEWRENO:
        _recover_with_duplicates(t, i, f, c, acked, flight)
    else:
        if packet.right > packet.left:
            delivered += block(t, f, packet.left, packet.right)
            t.report[0].delivered = delivered
            if delivered > 0 and c.timeout_losses == _OVERDUE:
                f.trip = now - packet.stamp
        waiting = f.lost - f.resent
        marked, count = f.mark, f.losses
        if c.recovery == PRR:
            # By order of sending, once three arrivals show that this is no reordering (RFC 8985 §6.2).
            f.newest = max(f.newest, packet.stamp)
            if f.mode != OPEN or f.sacked >= 3:
                mark_lost(t, f, f.high1, f.newest)
            if sampled(t, c) and c.on_lost != 0:
                count = _tell_lost_again(t, i, f, c)
            mark_lost_again(t, f)
        else:
            mark_lost(t, f, f.high3, -1)
        if c.tail_loss_probe != 0:
            if restarts_timer(t, f, acked, delivered, packet.stamp):
                f.rto_at = goes_off(f, c, now, f.rto)
            if repaired_alone(f, packet.seq, acked, packet.right == packet.left):
                _repaired_by_probe(t, i, f, c, flight)
                if not sampled(t, c):
                    f.cwnd = f.ssthresh
                    f.reducing = 0
            if acked > 0:
                f.probe_at = ANEW
                f.probing = 0
            if f.mode == OPEN and f.sacked > 0:
                f.probing = 0
                mark_lost(t, f, overdue(t, f, c, packet.stamp, now), -1)
        if sampled(t, c) and c.on_lost != 0:
            tell_marked(t, i, f, c, marked, count)
        safe = acked > 0 and f.lost - f.resent == waiting
        lost = f.lost - f.resent - waiting
        recover_with_blocks(t, i, f, c, acked, flight, delivered, safe)
        if sampled(t, c):
            complete(t, f, delivered, lost, now)
            law(t, c.on_sample, i, f, c, flight)
    impatient = c.recovery == NEWRENO and c.partial_timer == _FIRST
    if acked > 0 and not (impatient and f.mode == RECOVERY and f.partial > 1):
        f.rto_at = goes_off(f, c, now, f.rto) if f.nxt > f.una else NEVER
