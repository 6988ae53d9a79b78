"""Receive windows that a host sets for all its connections together (ICTCP, ``footroom.parts.congestion.ictcp``)."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import u
from footroom.kernel.hooks import words
from footroom.parts.congestion.ictcp import (
    ALPHA,
    BYTES,
    COUNTED,
    CUT,
    DOUBLES,
    FIRST,
    GAMMA1,
    GAMMA2,
    GREW,
    KEPT,
    LEAST,
    OFFERED,
    PATIENCE,
    RATE,
    SHORT,
    SINCE,
    SLOT,
    SPARE,
    TRIP,
    WINDOW,
)


@helper
def open_window(f, c, resumed):
    """The flow begins: its sender knows the window from the connection's set-up, or the present one."""
    own, p = words(f.scratch), words(c.params)
    if resumed == 0:
        own[WINDOW] = p[FIRST]
        own[DOUBLES] = 1.0
        own[TRIP] = max(p[SLOT], float(f.handshake))
        own[RATE] = 0.0
        own[SHORT] = 0.0
        own[GREW] = 0.0
        own[CUT] = -1.0
    own[COUNTED] = 0.0
    own[OFFERED] = own[WINDOW]
    f.edge = int(own[WINDOW])
    f.heard = 0


@helper
def _tell_time(h, p, now):
    """End halves of slots that are over: the rate that the first one leaves may be allotted in the second."""
    if now < h.until:
        return
    if h.phase == 0 and h.length > 0 and now < h.until + h.length:
        h.measured = max(0.0, p[ALPHA] * h.capacity - 8.0 * h.bytes / h.length)
        h.available = h.measured
        h.phase = 1
        h.until += h.length
        return
    if h.weight > 0.0:
        h.length = int(max(p[SLOT], h.trips / h.weight))
    else:
        h.length = int(p[SLOT])
    h.trips = 0.0
    h.weight = 0.0
    h.phase = 0
    h.bytes = 0
    h.slot += 1
    h.until = now + h.length


@helper
def arrive(t, f, c, k, now):
    """Data packet k of a connection with such a window reached its host, which does not know it yet."""
    h = t.receivers[u(f.host)]
    own, p = words(f.scratch), words(c.params)
    size = t.packets[u(k)].size
    if own[COUNTED] == 0.0:
        own[COUNTED] = 1.0
        own[SINCE] = float(now)
        own[BYTES] = 0.0
        h.connections += 1
        h.windows += own[WINDOW]
    echoed = t.offers[u(k)].at
    if echoed > 0:
        own[TRIP] += (float(now - echoed) - own[TRIP]) / 8.0
    _tell_time(h, p, now)
    if h.phase == 0:
        h.bytes += size
    h.trips += size * own[TRIP]
    h.weight += size
    own[BYTES] += size
    if now - own[SINCE] >= own[TRIP]:
        _adjust(h, own, p, float(c.segment), now)


@helper
def _adjust(h, own, p, segment, now):
    """A round trip is over: compare what arrived with what the window allows."""
    before = own[WINDOW]
    sample = 8.0 * own[BYTES] / (now - own[SINCE])
    own[SINCE] = float(now)
    own[BYTES] = 0.0
    own[RATE] = max(sample, p[KEPT] * own[RATE] + (1.0 - p[KEPT]) * sample)
    allowed = max(own[RATE], 8.0 * before * segment / own[TRIP])
    shortfall = (allowed - own[RATE]) / allowed
    if shortfall <= p[GAMMA1] or shortfall <= 1.0 / before:
        own[SHORT] = 0.0
        if h.phase == 1 and now - own[GREW] > 2.0 * own[TRIP]:
            each = 8.0 * segment / own[TRIP]
            if own[DOUBLES] != 0.0 and h.available < before * each:
                own[DOUBLES] = 0.0
            more = before if own[DOUBLES] != 0.0 else 1.0
            if h.available >= more * each:
                h.available -= more * each
                own[WINDOW] += more
                own[GREW] = float(now)
    elif shortfall > p[GAMMA2]:
        own[SHORT] += 1.0
        if own[SHORT] >= p[PATIENCE]:
            own[WINDOW] = max(p[LEAST], before - 1.0)
            own[DOUBLES] = 0.0
    else:
        own[SHORT] = 0.0
    if (
        h.measured < p[SPARE] * h.capacity
        and h.slot > own[CUT]
        and own[WINDOW] == before
        and before > p[LEAST]
        and before * h.connections > h.windows
    ):
        own[WINDOW] = before - 1.0
        own[DOUBLES] = 0.0
        own[CUT] = float(h.slot)
    h.windows += own[WINDOW] - before


@helper
def leave(t, f):
    """The connection has all its data: its host counts it no longer."""
    own = words(f.scratch)
    if f.rcv == f.segments and own[COUNTED] != 0.0:
        own[COUNTED] = 0.0
        h = t.receivers[u(f.host)]
        h.connections -= 1
        h.windows -= own[WINDOW]


@helper
def overhear(t, f, k):
    """A data packet of another connection reached the host: it uses the link as well."""
    h = t.receivers[u(f.host)]
    if h.phase == 0:
        h.bytes += t.packets[u(k)].size


@helper
def advertise(t, f, k, now):
    """Acknowledgement k offers the window; the end of what was offered never moves back (RFC 9293 §3.8.6)."""
    own = words(f.scratch)
    own[OFFERED] = max(own[OFFERED], f.rcv + own[WINDOW])
    t.offers[u(k)].edge = int(own[OFFERED])
    t.offers[u(k)].at = now


@helper
def take_offer(t, f, k):
    """Acknowledgement k reached the sender."""
    f.edge = max(f.edge, t.offers[u(k)].edge)
    f.heard = max(f.heard, t.offers[u(k)].at)
