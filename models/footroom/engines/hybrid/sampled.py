"""Senders of fluid that are told delivery rates: BBR, by the same law as for packets.

What a sender lets out at its pacing rate, in whole packets, goes into blocks as that of other senders does
(``blocks``). A block carries what was known when it was sent; when it is back, the law's hooks are called as for an
acknowledgement (``packet.rate_sample``). So a flow knows the delivery rate of its own path, the round trip with all
queues on it, and its losses when what was sent after them arrives.

A block lost on the way goes on without its bytes, and its sender counts it as in flight until it is back. Repairs are
sent first, so recovery ends when as many packets are back as had been sent up to the last repair that it waits for.
"""

from __future__ import annotations

import math
from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.per_flow.kernel import uniform
from footroom.engines.hybrid import sampled_layout as layout
from footroom.engines.hybrid.blocks import come, fresh
from footroom.engines.hybrid.layout import (
    AT_MOST,
    AT_NIC,
    COUNTED,
    DELAY,
    INSIDE,
    LEAST_QUEUE,
    NIC,
    PACKET,
    PICO,
    QUEUES,
    ROUTES,
    SAMPLED,
    SMALL_QUEUE,
    SQUARES,
    STEP,
    SUM,
    THERE,
    WINDOWS,
)
from footroom.engines.packet.tables import u
from footroom.kernel.calls import call_law
from footroom.kernel.flow_tables import FLOW

_FLOW_SIZE = FLOW.itemsize
#: Part of a packet that rounding may leave.
ROUNDING = 1e-6


@helper
def _call(t: Any, w: int, which: int, flight: float, s: Any) -> None:
    """Call the hook ``which`` of sender w's law. flight: packets."""
    if s.laws[w, which] == 0:
        return
    t.report[0].flight = int(flight + 0.5)
    call_law(
        s.laws[w, which],
        s.addresses[layout.FLOW_BASE] + w * _FLOW_SIZE,
        s.rows[w].scratch,
        s.laws[w, layout.PARAMS],
        s.addresses[layout.REPORT_BASE],
    )


@helper
def in_flight(r: int, clock: Any, routes: Any, s: Any) -> float:
    """Packets that the sender of route r knows to be in the network."""
    own = s.own[int(routes[r, SAMPLED])]
    return float((routes[r, INSIDE] + own[layout.BYTES]) / clock[PACKET] + own[layout.GONE])


@helper
def _shake_hands(t: Any, r: int, w: int, now: float, ports: Any, hops: Any, s: Any) -> None:
    """Lengthen the round trip that setting up sender w's connection measures by the queues on its way
    (``packet.handshake``).
    """
    f = s.rows[w]
    if f.handshake == 0:
        return
    before = now - (f.handshake if s.own[w, layout.TICKS] > 0.0 else 0.0)
    for h in range(hops.shape[1]):
        n = hops[r, h]
        if n >= 0 and t.ports[u(t.fluids[u(n)].port)].since <= before:
            f.handshake += int(ports[n, DELAY] * PICO)


@helper
def begin(t: Any, r: int, now: float, ports: Any, hops: Any, routes: Any, s: Any) -> None:
    """The sender of route r begins. now: s."""
    w = int(routes[r, SAMPLED])
    _shake_hands(t, r, w, now * PICO, ports, hops, s)
    f, own, report = s.rows[w], s.own[w], t.report[0]
    report.now = int(now * PICO)
    report.acked = report.delivered = report.marked = 0
    report.rtt = -1
    report.window, report.payload = int(own[layout.INITIAL]), int(own[layout.PAYLOAD])
    report.burst = int(own[layout.BURST])
    report.resumed = report.autosize = report.paced = 0
    report.handshake = f.handshake
    f.limited = 1  # what leaves first does so after a pause
    _call(t, w, layout.ON_START, 0.0, s)


@helper
def hear(r: int, k: int, at: int, clock: Any, blocks: Any, routes: Any, s: Any) -> None:
    """Block k of route r is back over step ``at``."""
    w = int(routes[r, SAMPLED])
    own, stamp, newest = s.own[w], s.stamps[k], s.newest[w]
    routes[r, INSIDE] -= blocks[k].bytes
    own[layout.BYTES] += blocks[k].bytes
    own[layout.LOST_BACK] += stamp.lost
    own[layout.HEARD_AT] = (at + stamp.phase) * clock[STEP] * PICO
    newest.sent, newest.arrived, newest.arrived_at = stamp.sent, stamp.arrived, stamp.arrived_at
    newest.first_sent, newest.limited, newest.flight = stamp.first_sent, stamp.limited, stamp.flight
    newest.losses = stamp.losses


@helper
def _follow_losses(t: Any, w: int, lost: int, flight: float, random: Any, s: Any) -> None:
    """Begin and end recovery, where ``lost`` packets are newly found lost (``packet.sender``)."""
    f, own = s.rows[w], s.own[w]
    if f.mode != 0 and own[layout.BACK] >= own[layout.END] - ROUNDING:
        f.mode = 0
    if lost == 0:
        return
    own[layout.REPAIRS] += lost
    last = own[layout.SENT] + own[layout.REPAIRS]
    if f.mode == 0:
        _call(t, w, layout.ON_LOSS, flight, s)
        f.mode = 1
        own[layout.RECOVER], own[layout.END] = own[layout.SENT], last
        own[layout.REPAIRED] = own[layout.SINCE] = 0.0
        return
    # What was sent since recovery began is waited for only where it is a repair.
    waits = own[layout.BACK] - lost < own[layout.RECOVER]
    if not waits:
        none = 1.0 - own[layout.REPAIRED] / max(own[layout.SINCE], 1.0)
        waits = uniform(random) >= none**lost
    if waits:
        own[layout.END] = max(own[layout.END], last)


@helper
def _listen(t: Any, r: int, clock: Any, routes: Any, random: Any, s: Any) -> None:
    """Tell the law of route r's sender of what is back, where an acknowledgement would."""
    w = int(routes[r, SAMPLED])
    f, own, report, newest = s.rows[w], s.own[w], t.report[0], s.newest[w]
    packet = clock[PACKET]
    whole, lost = int(own[layout.BYTES] / packet + ROUNDING), int(own[layout.LOST_BACK] + ROUNDING)
    alone = routes[r, INSIDE] + own[layout.BYTES] < packet  # nothing will come that could report the losses
    if whole < (own[layout.EVERY] if lost == 0 and f.mode == 0 else 1.0) and not (lost > 0 and alone):
        return
    now, before = int(own[layout.HEARD_AT]), in_flight(r, clock, routes, s)
    own[layout.BYTES] -= whole * packet
    own[layout.LOST_BACK] -= lost
    own[layout.GONE] -= lost
    own[layout.BACK] += whole + lost
    flight = in_flight(r, clock, routes, s)
    f.una = int(own[layout.BACK])
    f.nxt = f.una + int(flight + 0.5)
    report.now, report.acked, report.delivered, report.lost = now, whole, whole, lost
    report.marked = report.echo = report.since_marked = 0
    report.prior_flight, report.prior_arrived = int(before + 0.5), newest.arrived
    report.limited, report.sent_flight = newest.limited, newest.flight
    report.burst = int(own[layout.BURST])
    report.rtt = report.sample_rtt = max(now - newest.sent, int(own[layout.LEAST]))
    for j in range(lost):
        report.lost_flight, report.lost_limited = newest.flight, newest.limited
        report.lost_since = f.losses + j + 1 - newest.losses
        _call(t, w, layout.ON_LOST, before, s)
    _follow_losses(t, w, lost, before, random, s)
    f.losses += lost
    f.arrived += whole
    report.since_losses = f.losses - newest.losses
    report.sample = report.interval = -1
    if whole > 0:
        f.first_sent, f.srtt = newest.sent, report.rtt
        if f.limited != 0 and f.arrived > f.limited:
            f.limited = 0
        f.arrived_at = now
        f.min_rtt = min(f.min_rtt, report.rtt)
        report.sample = f.arrived - newest.arrived
        report.interval = max(newest.sent - newest.first_sent, now - newest.arrived_at)
        if report.interval < f.min_rtt:
            report.interval = -1
    _call(t, w, layout.ON_SAMPLE, before, s)


@helper
def _watch_window(f: Any, flight: float) -> None:
    """Note whether the window is full, for as long as what is outstanding now lasts (``packet.sending``)."""
    full = 1 if flight + 1.0 > f.cwnd + ROUNDING else 0
    if full or f.una >= f.window_end or (f.window_full == 0 and f.nxt - f.una > f.most_out):
        f.window_full = full
        f.most_out = f.nxt - f.una
        f.window_end = f.nxt


@helper
def send_sampled(
    t: Any,
    r: int,
    at: int,
    clock: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    hops: Any,
    routes: Any,
    random: Any,
    s: Any,
) -> int:
    """What the sender of route r, told delivery rates, sends over step ``at``: whole packets at its pacing rate, as far
    as window and host let it. Returns 1: it is looked at in every step.
    """
    _listen(t, r, clock, routes, random, s)
    w = int(routes[r, SAMPLED])
    row, own, f = routes[r], s.own[w], s.rows[w]
    step, packet, now = clock[STEP] * PICO, clock[PACKET], at * clock[STEP] * PICO
    before = flight = in_flight(r, clock, routes, s)
    room = row[NIC] * clock[STEP]
    if row[QUEUES] > 0.0:
        # Of each flow only so much waits at its host's link (Linux TCP small queues).
        row[AT_MOST] = max(row[LEAST_QUEUE], f.pace_rate * packet * row[SMALL_QUEUE])
        room = max(row[AT_MOST], row[NIC] * clock[STEP]) - row[AT_NIC]
    window, sent, last = min(f.cwnd, own[layout.MOST]), 0.0, now
    leaves = max(float(f.pace_at), own[layout.HEARD_AT] if own[layout.STOPPED] > 0.0 else now, now)
    while leaves < now + step and flight + 1.0 <= window + ROUNDING and sent * packet < room:
        size = max(1.0, min(own[layout.BURST], math.floor(window - flight + ROUNDING)))
        sent += size
        flight += size
        last = leaves
        leaves += size / f.pace_rate * PICO
    own[layout.STOPPED] = 1.0 if flight + 1.0 > window + ROUNDING else 0.0
    if sent > 0.0:
        f.pace_at = int(leaves)
        if before < ROUNDING:
            f.first_sent = f.arrived_at = int(last)
        own[layout.SENT] += sent
        own[layout.SINCE] += sent
        again = min(own[layout.REPAIRS], sent)
        own[layout.REPAIRS] -= again
        own[layout.REPAIRED] += again
        k = fresh(r, sent * packet, clock, blocks, s)
        stamp = s.stamps[k]
        stamp.sent, stamp.phase = int(last), (last - now) / step
        stamp.arrived, stamp.arrived_at, stamp.first_sent = f.arrived, f.arrived_at, f.first_sent
        stamp.limited, stamp.flight, stamp.losses = 1 if f.limited != 0 else 0, int(flight + 0.5), f.losses
        row[INSIDE] += sent * packet
        row[AT_NIC] += sent * packet
        row[COUNTED] += sent * packet
        come(hops[r, 0], k, ports, lists, blocks)
    f.nxt = f.una + int(flight + 0.5)
    if sent > 0.0 or own[layout.STOPPED] > 0.0:
        _watch_window(f, flight)
    return 1


@helper
def count_paced(t: Any, clock: Any, ports: Any, hops: Any, routes: Any, alive: Any) -> None:
    """Tell every port how many senders of equal windows would pace its fluid as unevenly: n times Jain's index."""
    for n in range(len(ports)):
        ports[n, SUM] = ports[n, SQUARES] = 0.0
    for a in range(int(clock[ROUTES])):
        r = alive[a, 1]
        if routes[r, SAMPLED] < 0.0:
            continue
        window = routes[r, WINDOWS]
        for h in range(int(routes[r, THERE])):
            row = ports[hops[r, h]]
            row[SUM] += window
            row[SQUARES] += window * window
    for n in range(len(ports)):
        if ports[n, SQUARES] > 0.0:
            t.fluids[u(n)].paced = max(1, int(ports[n, SUM] * ports[n, SUM] / ports[n, SQUARES] + 0.5))
