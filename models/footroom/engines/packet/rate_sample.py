"""Samples of the delivery rate (draft-cheng-iccrg-delivery-rate-estimation; Linux tcp_rate.c), for laws that use it.

The sample of an acknowledgement is that of the most recently sent of the segments it newly reports: how many segments
have arrived since that one left, over the time in which they were sent or in which they were acknowledged, whichever is
longer. It tells nothing where that is shorter than the shortest round trip.

Departs from Linux: times are exact, not whole microseconds; the shortest round trip is that of the whole connection,
not of the last 300 s.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.rings import slot
from footroom.engines.packet.tables import LOST, NEWRENO, OPEN, PROBED, RESENT, SACKED, u
from footroom.kernel.tables import ECHO


@helper
def stamp(t, f, seq, now):
    """Segment ``seq`` leaves: record the present counters for its sample."""
    if f.nxt == f.una:  # nothing is under way: both times of its sample begin now
        f.first_sent = now
        f.arrived_at = now
    a = t.samples[u(slot(f, seq))]
    a.arrived = f.arrived
    a.arrived_at = f.arrived_at
    a.first_sent = f.first_sent
    a.limited = 1 if f.limited != 0 else 0
    a.flight = f.nxt - f.una - f.sacked - f.lost + f.resent + 1
    a.losses = f.losses
    a.marked = f.arrived_marked


@helper
def pause(f, flight):
    """The application has no data ready: where window and repairs leave room, mark samples of what is under way.

    flight: segments in flight.
    """
    if flight < f.cwnd and f.lost <= f.resent:
        f.limited = max(f.arrived + flight, 1)


@helper
def look(t, f, packet, flight, now):
    """Find the most recently sent segment that ``packet`` newly reports, before the scoreboard is brought up to date.

    flight: segments in flight.
    """
    r = t.report[0]
    r.prior_flight = flight
    r.sample, r.interval, r.sample_rtt, r.limited = -1, -1, -1, 0
    r.sent_flight, r.since_losses, r.since_marked = 0, f.losses, f.arrived_marked
    r.echo = 1 if packet.flags & ECHO else 0
    newest, sent, flags = -1, -1, 0
    for seq in range(f.una, packet.seq):
        a = t.segments[u(slot(f, seq))]
        if a.flags & SACKED == 0 and a.sent >= sent:
            newest, sent, flags = seq, a.sent, a.flags
    start = max(packet.left, packet.seq)
    if packet.left >= f.block_left and packet.left <= f.block_right:
        start = max(start, f.block_right)
    for seq in range(start, packet.right):
        a = t.segments[u(slot(f, seq))]
        if a.flags & SACKED == 0 and a.sent >= sent:
            newest, sent, flags = seq, a.sent, a.flags
    if newest < 0:
        return
    s = t.samples[u(slot(f, newest))]
    r.prior_arrived = s.arrived
    r.interval = sent - s.first_sent
    r.since = s.arrived_at
    r.limited = s.limited
    r.sent_flight = s.flight
    r.since_losses = s.losses
    r.since_marked = s.marked
    r.sample = 0
    f.first_sent = sent
    if flags & (RESENT | LOST | PROBED) == 0:
        r.sample_rtt = now - sent
    elif packet.seq > f.una:  # the time stamp tells
        r.sample_rtt = now - packet.stamp


@helper
def newest_trip(t, f, c, packet, now):
    """Round trip of the newest segment that ``packet`` acknowledges, before the scoreboard is brought up to date."""
    a = t.segments[u(slot(f, packet.seq - 1))]
    # Without selective acknowledgements what lies above a hole may have arrived long before the hole was filled.
    behind = c.recovery == NEWRENO and f.mode != OPEN
    if not behind and a.flags & (RESENT | SACKED | LOST | PROBED) == 0:
        return now - a.sent
    return now - packet.stamp  # the time stamp tells


@helper
def complete(t, f, delivered, lost, now):
    """Complete the sample now that the scoreboard is up to date.

    delivered, lost: segments newly known to have arrived, and to be lost.
    """
    r = t.report[0]
    f.losses += lost
    f.arrived += delivered
    if f.limited != 0 and f.arrived > f.limited:
        f.limited = 0
    if delivered > 0:
        f.arrived_at = now
    if r.echo != 0:
        f.arrived_marked += delivered
    r.delivered = delivered
    r.lost = lost
    r.since_losses = f.losses - r.since_losses
    r.since_marked = f.arrived_marked - r.since_marked
    if r.sample >= 0:
        r.sample = f.arrived - r.prior_arrived
        r.interval = max(r.interval, now - r.since)
        if r.sample_rtt >= 0:
            f.min_rtt = min(f.min_rtt, r.sample_rtt)
        if r.interval < f.min_rtt:
            r.interval = -1
