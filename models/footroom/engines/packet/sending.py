"""Sending: which segment goes next, when, and in what bursts."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet import telemetry
from footroom.engines.packet.backlog import meet
from footroom.engines.packet.bursts import burst_of, speed
from footroom.engines.packet.events import move_earlier, push
from footroom.engines.packet.features import allotted, coupled, sampled, telemetry_asked, with_telemetry
from footroom.engines.packet.pool import take_new
from footroom.engines.packet.ports import offer
from footroom.engines.packet.probe import ANEW, due
from footroom.engines.packet.queries import size_of
from footroom.engines.packet.rate_sample import pause, stamp
from footroom.engines.packet.reduction import in_flight
from footroom.engines.packet.rings import resent_append, reserve, slot
from footroom.engines.packet.scoreboard import mark_lost, suspect
from footroom.engines.packet.sender import recover_with_blocks, report, tell_marked
from footroom.engines.packet.tables import GROW_PACKETS, LOST, NEWRENO, OPEN, PROBED, RECOVERY, RESENT, SACK, u
from footroom.engines.packet.timers import goes_off
from footroom.engines.packet.write_buffer import bounded, write
from footroom.kernel.tables import CWR, DATA, NEVER, PUSH

_MILLISECOND = 10**9


@helper
def arm(t, i, f, when):
    """Make the flow's timer expire no later than ``when`` [ps]; moving a deadline later costs nothing."""
    if when < f.timer_at:
        s = t.state[0]
        component = s.flow_timers + i
        if f.timer_at == NEVER:
            push(t, component, when)
        else:
            move_earlier(t, component, when)
        f.timer_at = when


@helper
def _next_lost(t, f):
    seq = max(f.repair, f.una)
    while t.segments[u(slot(f, seq))].flags & (LOST | RESENT) != LOST:
        seq += 1
    f.repair = seq
    return seq


@helper
def _fresh(t, f, c):
    """Segments of new data that the flow, the receiver's window and the send buffer allow."""
    if allotted(t, c):
        return min(f.ready, f.edge, f.una + c.receive_window) - f.nxt
    fresh = min(f.ready - f.nxt, c.receive_window - (f.nxt - f.una))
    if c.send_buffer != 0 and c.recovery == NEWRENO and f.mode == RECOVERY:
        return min(fresh, c.send_buffer * f.prr_flight - (f.nxt - f.una))
    return fresh


@helper
def _pipe(f, c):
    """Segments in flight, as the window counts them before new data goes."""
    if c.recovery == NEWRENO:
        # Limited transmit: the first two duplicates let one new segment out each (RFC 3042).
        return f.nxt - f.una - (f.dupacks if f.mode == OPEN and f.dupacks < 3 else 0)
    return in_flight(f)


@helper
def _room(t, f, c):
    """Segments of new data that window, receiver and flow let out now."""
    return min(int(f.cwnd - _pipe(f, c)), _fresh(t, f, c))


@helper
def _defers(t, f, c, burst, now):
    """Whether new data waits for more room, so that it leaves in bursts (Linux tcp_tso_should_defer).

    A third of the window is always enough (tcp_tso_win_divisor), and nothing waits while losses are repaired, when
    nothing is outstanding, or when the oldest segment left less than half a round trip ago: no acknowledgement is near.
    With autosize, as in Linux 6: nor when nothing was sent for a millisecond, or none is due within one.
    """
    if f.mode != OPEN or f.nxt == f.una:
        return False
    if c.autosize != 0 and now - (f.pace_at if sampled(t, c) else f.last_sent) > _MILLISECOND:
        return False
    third = int(min(f.cwnd, float(c.receive_window)) / 3.0)
    if _room(t, f, c) >= min(burst, third, f.ready - f.nxt):
        return False
    away = f.srtt - (now - t.segments[u(slot(f, f.una))].sent)  # time until an acknowledgement is due
    return f.srtt != 0 and away <= (f.srtt // 2 if c.autosize == 0 else min(f.srtt // 2, _MILLISECOND))


@helper
def _choose(t, f, c, burst, now):
    """The segment that may be sent now, or -1."""
    if c.recovery == NEWRENO:
        if f.force > 0:
            return f.una
        pipe = _pipe(f, c)
    else:
        pipe = in_flight(f)
        if f.lost > f.resent and (f.force > 0 or pipe + 1.0 <= f.cwnd):
            return _next_lost(t, f)
    fresh = _fresh(t, f, c)
    if pipe + 1.0 > f.cwnd:
        return -1
    if fresh <= 0:
        return suspect(t, f) if c.recovery == SACK and f.mode == RECOVERY else -1
    if burst > 1 and c.pacing == 0 and f.granted == 0 and _defers(t, f, c, burst, now):
        return -1
    return f.nxt


@helper
def _paced_by_law(f, burst, now):
    """Whether a segment may go now at the law's own rate: a burst leaves at once, and its time is waited out then."""
    if f.pace_left > 0 and f.paced_at == now:
        return True
    if now < f.pace_at:
        return False
    f.pace_left = burst
    f.paced_at = now
    f.pace_at = now
    return True


@helper
def _paced(t, f, c, burst, now):
    """Whether pacing, and the most a flow may send, let a segment go now; opens the next burst when it is due."""
    if sampled(t, c):
        return _paced_by_law(f, burst, now)
    paces = c.pacing != 0 and f.srtt != 0
    if (not paces and c.spacing == 0) or f.pace_left > 0:
        return True
    if now < f.pace_at:
        return False
    interval = c.spacing if c.autosize == 0 else c.spacing * burst
    if paces:
        interval = max(interval, int(burst * f.srtt / speed(f)))
    f.pace_left = burst
    f.pace_at = now + interval
    return True


@helper
def _queued(t, f, c, burst):
    """Whether as much of the flow waits in its host's own queue as may (Linux TCP small queues)."""
    if f.at_host < 2 * burst or c.small_queue == 0 or f.srtt == 0:
        return False
    if sampled(t, c):
        return f.at_host >= f.pace_rate * c.small_queue * 1e-12
    return f.at_host >= 1.2 * f.cwnd * c.small_queue / f.srtt


@helper
def on_probe_timer(t, i, f, c, now):
    """Nothing has come back for too long (RFC 8985 §7.3), or a hole has stood too long (§6.2)."""
    f.probe_at = NEVER
    if f.sacked > 0:
        waiting, marked = f.lost - f.resent, f.mark
        mark_lost(t, f, f.high1, -1)
        if sampled(t, c) and c.on_lost != 0:
            report(t, now, 0, 0, 0, -1)
            tell_marked(t, i, f, c, marked, f.losses)
        f.losses += f.lost - f.resent - waiting
        # The arrival that the hole waited for counts as delivered, as in Linux.
        report(t, now, 0, 1, 0, -1)
        recover_with_blocks(t, i, f, c, 0, 0, 1, False)
        f.rto_at = goes_off(f, c, now, f.rto)
        return
    if f.probe_end >= 0 or f.timed == 0 or _choose(t, f, c, burst_of(t, f, c), now) >= 0:
        return
    if _queued(t, f, c, burst_of(t, f, c)) if _fresh(t, f, c) > 0 else f.at_host > 0:
        return
    f.probing = 1
    f.rto_at = goes_off(f, c, now, f.rto)


@helper
def _watch_tail(t, i, f, c, now, before, probe):
    """Flow i has sent what it may, from segment ``before`` on and perhaps a ``probe``: see to its probe timer."""
    if f.mode != OPEN:
        f.probe_at = NEVER
        f.probe_end = -1
        return
    if probe:
        f.probing = 0
        f.probes += 1
        f.timed = 0
        f.probe_end = f.nxt
        f.probe_again = 1 if f.nxt == before else 0
    elif f.sacked > 0:
        if f.probe_at == ANEW:
            f.probe_at = NEVER
    elif f.probe_at == ANEW or f.nxt > before:
        f.probe_at = due(t, f, c, now, f.nxt > before)
    arm(t, i, f, f.probe_at)


@helper
def hand_over(t, port, k, now):
    """Packet k goes to its host's link, behind what fluid waits there; nothing is lost at a host."""
    begins = now
    if coupled(t) and t.ports[u(port)].fluid >= 0:
        begins = meet(t, port, k, now)
    offer(t, port, k, now, 0, begins)


@helper
def _ask(t, i, f, c, now):
    """Send a probe for telemetry."""
    s = t.state[0]
    if s.free_count <= s.spare:
        s.status = GROW_PACKETS
        s.unsent = i
        return
    k = take_new(t)
    telemetry.probe(t, i, f, c, k, now)
    hand_over(t, t.routes[u(f.forward)], k, now)


@helper
def _watch_window(f, before):
    """Note whether the window is full, for as long as what is outstanding now lasts (Linux tcp_cwnd_validate).

    before: the next segment of new data before some was sent.
    """
    full = 1 if in_flight(f) + 1.0 > f.cwnd else 0
    if (f.nxt > before or full) and (
        full or f.una >= f.window_end or (f.window_full == 0 and f.nxt - f.una > f.most_out)
    ):
        f.window_full = full
        f.most_out = f.nxt - f.una
        f.window_end = f.nxt


@helper
def send(t, i, f, c, now):
    """Send all that window, pacing and data of flow i allow."""
    s = t.state[0]
    f.blocked = 0
    burst = burst_of(t, f, c)
    before = f.nxt
    probe = False
    full = False  # a table is: all that follows waits until it has grown
    while not probe:
        seq = _choose(t, f, c, burst, now)
        if seq < 0 and bounded(c) and write(t, f, c, in_flight(f)):
            continue
        if seq < 0:
            if c.tail_loss_probe == 0 or f.probing == 0:
                break
            # New data, or else the highest segment once more (RFC 8985 §7.3).
            seq = f.nxt if _fresh(t, f, c) > 0 else f.nxt - 1
            probe = True
        if (f.granted == 0 or probe or seq != f.nxt) and _queued(t, f, c, burst):  # one that has begun is not cut short
            f.blocked = 1
            probe = False
            break
        if not _paced(t, f, c, burst, now):
            f.wake_at = f.pace_at
            arm(t, i, f, f.wake_at)
            probe = False
            break
        if s.free_count <= s.spare:
            s.status = GROW_PACKETS
            full = True
        elif seq - f.una >= f.ring_size:
            full = not reserve(t, f)
        if full:
            s.unsent = i
            probe = False
            break
        k = take_new(t)
        pushed = False
        if burst > 1 and seq == f.nxt and not probe:  # a repair neither opens nor uses up a burst
            pushed = f.granted == 1
            f.granted = (f.granted if f.granted > 0 else min(burst, _room(t, f, c))) - 1
        f.pace_left -= 1
        if sampled(t, c):
            f.pace_at += max(int(1e12 / f.pace_rate), c.spacing if c.autosize != 0 else c.spacing // c.burst)
            stamp(t, f, seq, now)
        if c.persistent != 0 or c.autosize != 0:
            f.last_sent = now
        a = t.segments[u(slot(f, seq))]
        a.sent = now
        if seq == f.nxt:
            f.nxt = seq + 1
        if seq < f.top:
            f.retransmissions += 1
            if c.recovery == NEWRENO:
                a.flags |= RESENT
            elif probe:
                a.flags |= PROBED
            else:
                resent_append(t, f, seq)
                if seq == f.una:  # the repair gets a full timeout of its own, as in Linux
                    f.rto_at = goes_off(f, c, now, f.rto)
        else:
            f.top = seq + 1
        f.force = 0
        if f.mode == RECOVERY or f.reducing != 0:
            f.prr_out += 1
        packet = t.packets[u(k)]
        packet.flow = i
        packet.sort = DATA
        packet.klass = f.priority
        packet.flags = c.ect | (PUSH if pushed and c.push_acks != 0 else 0)
        if f.cwr != 0 and seq >= f.cut_end:
            packet.flags |= CWR
            f.cwr = 0
        packet.hop = f.forward
        packet.size = size_of(f, c, seq)
        packet.seq = seq
        packet.stamp = now
        packet.left = 0
        packet.right = 0
        if with_telemetry(t, c):
            telemetry.ask(t, k)
        if allotted(t, c):
            t.offers[u(k)].at = f.heard
        if f.rto_at == NEVER:
            f.rto_at = goes_off(f, c, now, f.rto)
            arm(t, i, f, f.rto_at)
        hand_over(t, t.routes[u(f.forward)], k, now)
    if bounded(c):
        write(t, f, c, in_flight(f))
    if sampled(t, c) and c.on_lost != 0:
        _watch_window(f, before)
    if sampled(t, c) and f.nxt >= f.ready and f.nxt < f.segments and not bounded(c):
        pause(f, in_flight(f))
    if c.tail_loss_probe != 0:
        _watch_tail(t, i, f, c, now, before, probe)
    if telemetry_asked(t) and c.probe_size != 0 and f.asked_at < 0 and f.nxt > f.una and not full:
        _ask(t, i, f, c, now)
    arm(t, i, f, min(f.ack_at, f.rto_at, f.wake_at))
