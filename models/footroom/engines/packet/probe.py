"""Lost tails (RFC 8985): when a probe is due, what its acknowledgement says, and how long a hole may stand.

Departures from RFC 8985, where it leaves a choice as Linux has it (ADR 6):

- §7.2: a lone segment's probe waits ``min_rto`` more (TLP.max_ack_delay), any other ``probe_margin``. Without a round
  trip of data that of the handshake is used, and 1 s where there was none. The timeout that bounds the wait is
  counted from the sending of the oldest segment when new data has left, otherwise from the last acknowledgement.
- §7.3: the need for a round trip measured since the last probe does not hold for the first one. A repeated segment that
  still waits in its host's queue is not repeated, nor is anything probed while pacing or that queue hold data back. The
  copy is not counted as in flight.
- §7.4.2: there are no duplicate selective acknowledgements; a duplicate without a block says that both copies arrived.
  Where the first copy's acknowledgement was lost or late, a repeated segment therefore counts as a repair.
- §6.2: until recovery begins a hole may stand for a quarter of the shortest round trip and ``probe_margin``; three
  arrivals beyond it end that at once. Where the clock ticks, so does this timer. The window of a quarter never grows,
  since no link reorders.
- §8: while segments beyond a hole have arrived the probe's timer is that of the hole. The retransmission timer runs on,
  and starts afresh when something sent before the oldest segment was repaired has arrived: that repair is still under
  way (Linux tcp_clean_rtx_queue).
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.rings import slot
from footroom.engines.packet.tables import SACKED, u
from footroom.engines.packet.timers import goes_off
from footroom.engines.plan import SECOND
from footroom.kernel.tables import NEVER

#: Marks a deadline to be computed anew once all that may be sent has been sent.
ANEW = 0


@helper
def due(t, f, c, now, new):
    """When a probe is due (RFC 8985 §7.2), counted from now; ``new`` data may have left just now."""
    if f.nxt == f.una:
        return NEVER
    latest = f.rto_at
    if new:
        expiry = goes_off(f, c, t.segments[u(slot(f, f.una))].sent, f.rto)
        if expiry > now:
            latest = min(latest, expiry)
    trip = f.srtt if f.srtt != 0 else f.handshake
    if trip == 0:
        return min(goes_off(f, c, now, SECOND), latest)
    # A lone segment may be acknowledged late.
    wait = 2 * trip + (c.min_rto if f.nxt - f.una == 1 else c.probe_margin)
    return min(goes_off(f, c, now, wait), latest)


@helper
def restarts_timer(t, f, acked, delivered, stamp):
    """Whether an acknowledgement of a segment sent at ``stamp`` shows that there is still hope for the oldest one.

    acked, delivered: segments newly acknowledged, and those newly known to have arrived.
    """
    return acked == 0 and delivered > 0 and stamp < t.segments[u(slot(f, f.una))].sent


@helper
def repaired_alone(f, ack, acked, plain):
    """Whether an acknowledgement up to ``ack`` shows that the probe made good a loss nobody knew of (RFC 8985 §7.4.2).

    acked: segments it newly covers.  plain: whether it reports no block.
    """
    if f.probe_end < 0 or ack < f.probe_end:
        return False
    repaired = f.probe_again != 0 and ack > f.probe_end
    if repaired or f.probe_again == 0 or (acked == 0 and plain):
        f.probe_end = -1
    return repaired


@helper
def overdue(t, f, c, stamp, now):
    """Every hole below the returned segment is a loss; the rest may stand until ``probe_at`` (RFC 8985 §6.2, step 5).

    stamp: when the newest segment known to have arrived was sent [ps]; it took until ``now``.
    """
    patience = min(f.min_rtt, now - stamp) // 4
    bound = max(f.mark, f.una)
    latest = NEVER
    waiting = bound
    for seq in range(bound, f.high1):
        a = t.segments[u(slot(f, seq))]
        if a.flags & SACKED == 0:
            if a.sent + patience > stamp:
                latest = a.sent
            elif latest == NEVER:
                waiting = seq + 1
    # Linux sets a timer for what is left (tcp_rack_mark_lost, tcp_rack_reo_timeout).
    wait = latest + (now - stamp) + patience + c.probe_margin - now
    f.probe_at = goes_off(f, c, now, wait) if latest < NEVER else NEVER
    return waiting
