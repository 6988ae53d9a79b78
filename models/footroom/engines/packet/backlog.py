"""Fluid in a port's queue: it takes memory and capacity, delays packets, and is lost where they are.

Between two events at the port its backlog follows from its rate in closed form, so that it costs no event. A packet
finds ``work`` bytes before it and may be sent when they have left (first come, first served); that time is kept in the
packet's row.

**Overload.** Packets of the fluid would come in bursts, one for every acknowledgement, and leave one by one. So where
the fluid fills the memory there is room for a packet or two now and then: it opens packet by packet as the link sends,
and every burst closes it, down to what is less than one of the fluid's packets. ``gap`` is that room, found at some
instant between two bursts when a packet asks for the first time. A packet that fits in it is taken in, and the next
burst of the fluid loses what the link has not sent by then; any other packet is lost. So packets that come together are
lost more often than single ones, and small ones find room more often.
"""

from __future__ import annotations

import math

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.packet.features import lossless
from footroom.engines.packet.fluid_groups import charge_parts
from footroom.engines.packet.fluid_holes import behind, in_hole
from footroom.engines.packet.fluid_time import pass_time
from footroom.engines.packet.ports import draw, drop
from footroom.engines.packet.settling import settle
from footroom.engines.packet.tables import u
from footroom.kernel.calls import call_policy
from footroom.kernel.memory import MEMORY_SIZE, QUEUE_SIZE

#: Bursts of the fluid after which the room found before them is gone.
MOST_BURSTS = 16.0
#: Most senders whose bursts are drawn one by one: with more of them, room is found among so many bursts.
MOST_SENDERS = 64


@helper
def _recharge(t, p, x, size, now):
    """Charge ``size`` bytes of the fluid of row x to the memory, in place of those charged before."""
    q = t.queues[u(x.queue)]
    s, more = t.switches[u(q.memory)], size - x.charged
    if more == 0:
        return
    settle(t, p, now)
    before = max(0, q.bytes - q.reserved)
    x.charged = size
    q.bytes += more
    if p.bytes == 0:
        p.since = now
    p.bytes += more
    s.used += more
    s.shared += max(0, q.bytes - q.reserved) - before
    packets = np.int64(float(size) / x.packet)
    q.packets += packets - x.packets
    x.packets = packets
    p.largest, p.peak = max(p.largest, p.bytes), max(p.peak, p.bytes)
    q.peak = max(q.peak, q.bytes)
    s.largest, s.peak = max(s.largest, s.used), max(s.peak, s.shared)


@helper
def _charge(t, p, x, now):
    """Have the memory of fluid row x's queue hold what fluid waits now, and find how much may wait in that queue."""
    q = t.queues[u(x.queue)]
    if q.memory < 0:
        return
    s, base = t.switches[u(q.memory)], t.state[0]
    # What is being sent waits no longer, and a packet may have been let in where fluid was.
    aside = x.packet if p.busy_until <= now else 0.0
    most = max(0.0, x.limit - x.waiting)
    _recharge(t, p, x, np.int64(max(0.0, min(x.inside - aside, most))), now)
    excess = max(0, q.bytes - q.reserved)
    shared = min(
        s.pool - s.shared + excess,
        call_policy(
            s.policy,
            base.memory_base + q.memory * MEMORY_SIZE,
            base.queue_base + x.queue * QUEUE_SIZE,
            s.params,
            base.flow_base,
            base.packet_base,
            np.int64(x.packet),
            now,
        ),
    )
    most = min(float(q.reserved) + float(max(0, shared)), float(q.limit_bytes), float(q.bytes + s.buffer - s.used))
    most = min(most, float(q.limit_packets - q.packets + x.packets) * x.packet + x.waiting)
    # What the packets that wait are charged is not what they take of the link.
    x.limit = max(0.0, most - float(q.bytes - x.charged) + x.waiting)


@helper
def bring_up(t, p, x, now):
    """Fluid row x of port p as it stands now, in the memory as well."""
    pass_time(t, p, x, now)
    if lossless(t) and p.lossless & 1:
        charge_parts(t, p, x, now)
    else:
        _charge(t, p, x, now)


@helper
def _send_for(x, size):
    """The link has sent ``size`` bytes: room opens by whole packets."""
    x.service_since += size
    sent = math.floor(x.service_since / x.packet)
    x.gap += sent * x.packet
    x.service_since -= sent * x.packet


@helper
def _close(x):
    """A burst of fluid row x takes what room there is for its packets."""
    x.gap -= min(x.burst, math.floor(x.gap / x.packet)) * x.packet


@helper
def draw_open(p, x, come):
    """Draw whether a packet of fluid row x has left whose place stays open: it is acknowledged with a later one.

    come: bytes of the fluid that have come so far, whole run. Where an acknowledgement tells of two packets, every
    other window leaves such a place at its end, and so does a window that packets divide. Windows take a packet each
    round trip as they grow. A memory that was not full since has no such places: what comes finds room in any case.
    """
    window = max(x.window, x.packet)
    odd = 0.5 * (x.burst - 1.0)
    mean = odd / (odd + 1.0)
    likely = mean + (x.open - mean) * math.exp(-(odd + 1.0) * max(0.0, come - x.open_come) / window)
    if come - x.met_come > 0.5 * window:
        likely += (1.0 - likely) * min(1.0, odd)
    x.open, x.open_come, x.met_come = 1.0 if draw(p) < likely else 0.0, come, come


@helper
def _open_gap(t, p, x, come, now):
    """Find the room that bursts of fluid row x leave at port p now, above the mean that its backlog leaves.

    come: bytes of the fluid that have come so far. A hole begins after a burst, so in it there is less room than for a
    packet, and the place that one waits for.
    """
    burst = x.burst * x.packet
    opens = min(65536.0 / float(p.rate), x.rate)
    anew = x.gap_at < 0 or float(now - x.gap_at) * 65536.0 / float(p.rate) >= x.packet
    if anew and in_hole(t, p, x, now):
        x.gap_at, x.burst_since, x.service_since = now, 0.0, draw(p) * x.packet
        draw_open(p, x, come)
        x.gap = (draw(p) + x.open) * x.packet
    elif x.gap_at < 0:
        # At some instant between two bursts and in the midst of some packet; the last burst left less than a packet.
        x.gap_at, x.burst_since, x.open = now, draw(p) * burst, 0.0
        x.service_since = draw(p) * x.packet + x.burst_since * opens / x.rate
        sent = math.floor(x.service_since / x.packet)
        x.gap = (sent + draw(p)) * x.packet
        x.service_since -= sent * x.packet
    left = min(float(now - x.gap_at), MOST_BURSTS * burst / x.rate)
    x.gap_at = now
    while left > 0.0:
        span = (burst - x.burst_since) / x.rate
        closes = span <= left
        span = min(span, left)
        left -= span
        _send_for(x, opens * span)
        if closes:
            x.burst_since = 0.0
            _close(x)
        else:
            x.burst_since += x.rate * span


@helper
def _paced_room(p, x, opens):
    """Packets of room beside ``x.paced`` senders of equal rates and random phases, at an instant of its own.

    Each sends one burst in a period. Room grows by a packet whenever the link sends one; a burst takes it, and what
    finds none is lost. So it is what the link has sent more than has come, at most, since any burst of the last
    period: earlier ones had more after them, as the fluid comes faster than the link sends.
    """
    count = min(x.paced, MOST_SENDERS)
    burst = x.burst * x.packet
    before, total = p.random, -math.log(1.0 - draw(p))
    for _ in range(count):
        total -= math.log(1.0 - draw(p))
    # The same numbers again: exponential distances over their sum are those of points at random in the period.
    p.random = before
    bytes_each = burst * count / total * opens / x.rate
    phase, sent, room, come = x.service_since / x.packet, 0.0, 0.0, 0.0
    for _ in range(count):
        sent -= math.log(1.0 - draw(p)) * bytes_each
        room = max(room, math.floor(sent / x.packet + phase) - come)
        come += x.burst
    return room


@helper
def _open_paced(p, x, now):
    """As ``_open_gap``, where senders pace the fluid."""
    burst = x.burst * x.packet
    opens = min(65536.0 / float(p.rate), x.rate)
    left = float(now - x.gap_at)
    if x.gap_at < 0 or left > min(x.paced, MOST_SENDERS) * burst / x.rate:
        x.service_since = draw(p) * x.packet
        x.gap = (_paced_room(p, x, opens) + draw(p)) * x.packet
        left = 0.0
    x.gap_at, x.burst_since = now, 0.0
    while left > 0.0:
        span = -math.log(1.0 - draw(p)) * burst / x.rate
        closes = span <= left
        span = min(span, left)
        left -= span
        _send_for(x, opens * span)
        if closes:
            _close(x)


@helper
def meet(t, i, k, now):
    """Packet k arrives at port i, where there is fluid. When it may be sent if it is taken in [ps]; -1: it is lost."""
    p, packet = t.ports[u(i)], t.packets[u(k)]
    x = t.fluids[u(p.fluid)]
    size = float(packet.size + t.state[0].gap)
    bring_up(t, p, x, now)
    aside = x.packet if p.busy_until <= now else 0.0
    held, late = max(0.0, x.inside - aside) + x.waiting + size - x.limit, behind(t, x, now)
    over = held - late
    x.late = max(0.0, late)
    if over <= 0.0 or x.rate <= 0.0:
        x.gap_at = -1
        if over <= -x.burst * x.packet:
            x.open, x.open_come = 0.0, x.offered - late
    else:
        if x.paced:
            _open_paced(p, x, now)
        else:
            _open_gap(t, p, x, x.offered - late, now)
        if x.gap < over:
            p.offered += 1
            drop(t, i, p, k, now)
            return np.int64(-1)
        # The next burst loses what the link has not sent by then.
        until_burst = (x.burst * x.packet - x.burst_since) / x.rate
        lost = min(x.inside, max(0.0, over - max(0.0, 65536.0 / float(p.rate) - x.rate) * until_burst))
        if x.open > 0.0 and over > x.gap - x.packet:
            # That place is taken.
            lost, x.open = min(x.inside, over, x.packet), 0.0
        x.gap -= lost
        x.inside -= lost
        x.work -= lost
        x.lost += lost
    if held > 0.0 and x.rate > 0.0:
        _charge(t, p, x, now)
        _recharge(t, p, x, max(0, min(x.charged, np.int64(x.limit - x.waiting - size) - 1)), now)
    return now + np.int64(x.work * float(p.rate) / 65536.0)


@helper
def bring_up_idle(t, p, x, now):
    """Fluid row x of port p as it stands now, where its memory holds none of it. Whether that holds still."""
    if x.charged != 0:
        return False
    pass_time(t, p, x, now)
    return x.inside <= x.packet


@entry
def bring_up_all(t, now):
    """All fluid of all ports as it stands now; the ports' counters of packets and bytes include it."""
    for n in range(len(t.fluids)):
        x = t.fluids[u(n)]
        if x.port < 0:
            continue
        p = t.ports[u(x.port)]
        bring_up(t, p, x, now)
        offered, lost, sent = np.int64(x.offered / x.packet), np.int64(x.lost / x.packet), np.int64(x.sent / x.packet)
        p.offered += offered - x.counted_offered
        p.dropped += lost - x.counted_lost
        p.sent += sent - x.counted_sent
        p.sent_bytes += np.int64(x.sent) - x.counted_bytes
        x.counted_offered, x.counted_lost, x.counted_sent, x.counted_bytes = offered, lost, sent, np.int64(x.sent)
    return 0
