"""What a sender of TCP does when its retransmission timer expires (RFC 6298 §5)."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.features import sampled
from footroom.engines.packet.reduction import in_flight
from footroom.engines.packet.rings import slot
from footroom.engines.packet.scoreboard import mark_all_lost, mark_overdue
from footroom.engines.packet.sender import law, report, tell_lost
from footroom.engines.packet.tables import LOSS, LOST, NEWRENO, OPEN, PRR, RECOVERY, RESENT, SACKED, u
from footroom.engines.packet.timers import goes_off
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import code

_OVERDUE = code(Host, "timeout_losses", "overdue")
_MAX_RTO = 120 * 10**12


@helper
def _tell_timeout(t, i, f, c, now):
    """Tell the law of all segments that are about to be marked as lost, as the timer has expired."""
    count = f.losses
    for seq in range(f.una, f.nxt):
        a = t.segments[u(slot(f, seq))]
        spared = c.timeout_losses == _OVERDUE and seq != f.una and a.sent + f.trip > now
        if a.flags & SACKED == 0 and a.flags & (LOST | RESENT) != LOST and not spared:
            count += 1
            tell_lost(t, i, f, c, seq, count)


@helper
def _mark(t, f, c, now):
    """The timer expired: mark segments as lost."""
    if c.timeout_losses == _OVERDUE:
        mark_overdue(t, f, now)
    else:
        mark_all_lost(t, f)


@helper
def on_timeout(t, i, f, c, now):
    """The retransmission timer of flow i expired."""
    # Further timeouts of one segment do not halve again (RFC 5681 §3.1), nor does, in Linux, one within a recovery.
    if sampled(t, c):
        waiting = f.lost - f.resent
        report(t, now, 0, 0, 0, -1)
        if c.on_lost != 0:
            _tell_timeout(t, i, f, c, now)
        _mark(t, f, c, now)
        f.losses += f.lost - f.resent - waiting
        law(t, c.on_timeout, i, f, c, f.nxt - f.una)
    elif f.mode == OPEN or (f.mode == LOSS and f.una > f.tried) or (f.mode == RECOVERY and c.recovery != PRR):
        report(t, now, 0, 0, 0, -1)
        if c.recovery == NEWRENO and f.mode == RECOVERY:
            # Duplicates have inflated the window; what they tell of has left the network (RFC 5681 §3.1, FlightSize).
            f.cwnd = min(f.cwnd, f.ssthresh)
        law(t, c.on_timeout, i, f, c, f.nxt - f.una)
    f.tried = f.una
    f.timeouts += 1
    f.probing = 0
    f.cwnd = 1.0
    f.reducing = 0
    f.mode = LOSS
    f.dupacks = 0
    f.force = 0
    f.granted = 0
    f.asked_at = -1
    if c.recovery == NEWRENO:
        f.recover = f.top - 1
        f.nxt = f.una
    else:
        f.recover = f.nxt
        _mark(t, f, c, now)
        f.cwnd += in_flight(f)
    f.rto = min(2 * f.rto, _MAX_RTO)
    f.rto_at = goes_off(f, c, now, f.rto)
