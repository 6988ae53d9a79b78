"""The event loop of the compiled engine."""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.packet import allotment, connection_setup, rdma, telemetry
from footroom.engines.packet.backlog import meet
from footroom.engines.packet.connection import resume
from footroom.engines.packet.events import earliest, push, remove
from footroom.engines.packet.features import (
    allotted,
    allotted_windows,
    coupled,
    lossless,
    over_rdma,
    pausable,
    rdma_hosts,
    telemetry_asked,
    with_telemetry,
)
from footroom.engines.packet.fluid_time import next_turn
from footroom.engines.packet.handshake import shake_hands
from footroom.engines.packet.pauses import on_frame, on_pause_timer, on_refresh
from footroom.engines.packet.pool import release, take_new
from footroom.engines.packet.ports import free_sent, offer, record, send_frame, take, transmit
from footroom.engines.packet.queries import note_answers
from footroom.engines.packet.receiver import make_ack, note_mark, receive, reports_first
from footroom.engines.packet.sender import begin, on_ack, on_probe_reply
from footroom.engines.packet.sending import arm, on_probe_timer, send
from footroom.engines.packet.tables import DELIVERY, DONE, FRAMES, GROW_PACKETS, PAUSED, TRACE_FULL, u
from footroom.engines.packet.timeout import on_timeout
from footroom.kernel.calls import prefetch
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import ACK, DATA, NEVER, PACKET, PAUSE_FRAME, PROBE, PROBE_REPLY, SETUP

_FLOW_SIZE = FLOW.itemsize
_PACKET_SIZE = PACKET.itemsize
#: Bytes of a line of the processor's cache, which are fetched by twos.
_LINE = 64
#: Free lines of the trace below which the loop returns to have it drained.
TRACE_MARGIN = 65536


@helper
def _new_ack(t, i, f, c, stamp):
    """A fresh packet that acknowledges what flow i's receiver has."""
    k = take_new(t)
    t.packets[u(k)].flow = i
    make_ack(f, c, t.packets[u(k)], stamp)
    if with_telemetry(t, c) and c.rdma == 0:
        telemetry.give(t, i, k)
    if allotted(t, c):
        allotment.advertise(t, f, k, t.state[0].now)
    return k


@helper
def _begin(t, i, f, c, now):
    """Flow i has a connection and begins to send."""
    t.state[0].active += 1
    if f.continues >= 0:
        resume(t, i, f, c, now)
        return
    if over_rdma(t, c):
        rdma.begin(t, i, f, c, now, 0)
        return
    shake_hands(t, f, c, now)
    if allotted(t, c):
        allotment.open_window(f, c, 0)
    begin(t, i, f, c, now, 0)
    if f.window > 0.0:
        f.cwnd = f.window
        f.ssthresh = f.window


@helper
def _follow(t, f, now):
    """Flow f has ended: the flow that follows it will start."""
    i = f.following
    g = t.flows[u(i)]
    if g.continues >= 0:
        if g.waits != 0:
            g.wake_at = now
            arm(t, i, g, now)
        return
    _ask(t, i, g, now)


@helper
def _ask(t, i, g, now):
    """The flow or query that flow i waits for has ended: flow i starts when its gap is over."""
    g.start = now + g.gap
    if g.start + g.lead < NEVER:
        g.wake_at = g.start + g.lead
        arm(t, i, g, g.wake_at)


@helper
def _count_answer(t, f, now):
    """Flow f has answered its query: where it is the last to do so, all flows of the next query will start."""
    i = f.barrier
    t.flows[u(i)].awaited -= 1
    if t.flows[u(i)].awaited == 0:
        for k in range(i, i + t.flows[u(i)].together):
            _ask(t, k, t.flows[u(k)], now)


@helper
def _arrive(t, i, now):
    """The oldest packet on port i's wire arrives. Returns (packet, port to offer it to, line card, flow to serve)."""
    s = t.state[0]
    p = t.ports[u(i)]
    k = int(p.line_head)
    packet = t.packets[u(k)]
    following = packet.next
    p.line_head = following
    if following >= 0:
        push(t, s.wires + i, t.packets[u(following)].time)
        prefetch(s.packet_base + np.int64(t.packets[u(following)].next) * _PACKET_SIZE)
        if t.routes[u(t.packets[u(following)].hop + 1)] < 0:  # it will reach its end: its flow is needed then
            row = s.flow_base + np.int64(t.packets[u(following)].flow) * _FLOW_SIZE
            prefetch(row)
            prefetch(row + 2 * _LINE)
            prefetch(row + 4 * _LINE)
    packet.hop += 1
    packet.ingress = i
    port = t.routes[u(packet.hop)]
    if port >= 0:
        return k, port, p.card, -1
    if lossless(t) and packet.sort == PAUSE_FRAME:
        s.arrived += 1
        on_frame(t, i, packet.seq, packet.stamp, now)
        release(t, k)
        return k, -1, 0, -1
    flow = int(packet.flow)
    f = t.flows[u(flow)]
    c = t.classes[u(f.entry)]
    if s.tracing != 0:
        record(t, now, DELIVERY, i, k)
    s.arrived += 1
    if telemetry_asked(t) and packet.sort == PROBE:
        telemetry.reply(f, c, packet)
        s.created += 1
        return k, t.routes[u(f.reverse)], 0, -1
    if packet.sort >= SETUP:
        if packet.sort == SETUP:
            connection_setup.answer(f, packet)
            s.created += 1
            return k, t.routes[u(f.reverse)], 0, -1
        began = connection_setup.stands(f, c, packet.stamp, now)
        release(t, k)
        if began:
            _begin(t, flow, f, c, now)
        return k, -1, 0, (flow if began else -1)
    if packet.sort != DATA:
        if f.end < 0:
            if telemetry_asked(t) and packet.sort == PROBE_REPLY:
                on_probe_reply(t, flow, f, c, k, now)
            elif not over_rdma(t, c):
                if allotted(t, c):
                    allotment.take_offer(t, f, k)
                on_ack(t, flow, f, c, k, now)
            elif packet.sort == ACK:
                rdma.on_ack(t, flow, f, c, k, now)
            else:
                rdma.on_notice(t, flow, f, c, now)
            if c.query != 0:
                note_answers(t, flow, f, c, now)
            if f.end >= 0:
                if f.following >= 0:
                    _follow(t, f, now)
                if f.barrier >= 0:
                    _count_answer(t, f, now)
        release(t, k)
        if f.end >= 0:
            return k, -1, 0, -1
        return k, -1, 0, flow
    s.delivered += 1
    if f.end < 0:
        if over_rdma(t, c):
            k = rdma.receive(t, flow, f, c, k, now)
            return k, (t.routes[u(f.reverse)] if k >= 0 else -1), 0, -1
        if allotted_windows(t):
            if c.allots != 0:
                allotment.arrive(t, f, c, k, now)
            else:
                allotment.overhear(t, f, k)
        before = -1
        if note_mark(t, f, c, k) or reports_first(f, c, packet.seq):
            before = _new_ack(t, flow, f, c, f.pending_stamp)
        at_once = receive(t, f, c, k, now)
        if allotted(t, c):
            allotment.leave(t, f)
        if at_once:
            make_ack(f, c, packet, packet.stamp)
            if allotted(t, c):
                allotment.advertise(t, f, k, now)
            s.created += 1
            if before >= 0:
                s.extra = k
                k = before
            return k, t.routes[u(f.reverse)], 0, -1
        if with_telemetry(t, c):
            telemetry.withhold(t, flow, k)
        release(t, k)
        arm(t, flow, f, f.ack_at)
        if before >= 0:
            return before, t.routes[u(f.reverse)], 0, -1
        return k, -1, 0, -1
    make_ack(f, c, packet, packet.stamp)
    s.created += 1
    return k, t.routes[u(f.reverse)], 0, -1


@entry
def run(t, until):
    """Handle every event up to and including ``until`` [ps]; returns early, with a status, to have tables grown."""
    s = t.state[0]
    wires, flow_timers, flow_start, law_timers = s.wires, s.flow_timers, s.flow_start, s.law_timers
    s.status = DONE
    flow, now = int(s.unsent), int(s.now)  # what was cut short goes on before anything else happens
    s.unsent = -1
    while True:
        if flow >= 0:
            f = t.flows[u(flow)]
            c = t.classes[u(f.entry)]
            if over_rdma(t, c):
                rdma.send(t, flow, f, c, now)
            else:
                send(t, flow, f, c, now)
            flow = -1
        if s.status != DONE:
            break
        component, now, bucket, before = earliest(t)
        if component < 0 or now > until:
            break
        if s.events >= s.pause_at:
            s.status = PAUSED
            break
        if s.free_count < s.spare:
            s.status = GROW_PACKETS
            break
        if s.tracing != 0 and s.traced + TRACE_MARGIN > len(t.trace):
            s.status = TRACE_FULL
            break
        s.now = now
        s.events += 1
        remove(t, component, bucket, before)
        k, port, card = -1, -1, 0
        if component < wires:
            p = t.ports[u(component)]
            if p.sending >= 0:
                free_sent(t, p, now)
            if p.eligible == 0:
                p.armed = 0
                continue
            if lossless(t) and p.eligible >= FRAMES:
                send_frame(t, component, now)
                if p.eligible != 0:
                    push(t, component, p.busy_until)
                else:
                    p.armed = 0
                continue
            if pausable(t, p) and next_turn(t, p) > now:  # a pause has put it off
                push(t, component, next_turn(t, p))
                continue
            k = take(t, component, p, now)
            transmit(t, component, p, k, now)
            if p.eligible != 0:
                push(t, component, next_turn(t, p))
            elif p.sending >= 0:
                push(t, component, p.busy_until)
            else:
                p.armed = 0
            if p.switch < 0 and t.packets[u(k)].sort == DATA:
                i = int(t.packets[u(k)].flow)
                f = t.flows[u(i)]
                f.at_host -= 1
                if f.blocked != 0 and f.end < 0:
                    flow = i
        elif component < flow_timers:
            k, port, card, flow = _arrive(t, component - wires, now)
        elif component < flow_start:
            i = component - flow_timers
            f = t.flows[u(i)]
            c = t.classes[u(f.entry)]
            f.timer_at = NEVER
            if f.ack_at <= now:
                k = _new_ack(t, i, f, c, f.pending_stamp)
                port = t.routes[u(f.reverse)]
            if c.tail_loss_probe != 0 and f.probe_at <= now:
                on_probe_timer(t, i, f, c, now)
                flow = i
            if f.rto_at <= now:
                if over_rdma(t, c):
                    rdma.on_timeout(t, i, f, c, now)
                else:
                    on_timeout(t, i, f, c, now)
                flow = i
            if f.wake_at <= now:
                f.wake_at = NEVER
                if f.setup > 0:
                    k = connection_setup.ask(t, i, f, c, now)
                    port = t.routes[u(f.forward)]
                else:
                    flow = i
                    if f.cwnd == 0.0:
                        _begin(t, i, f, c, now)
            if flow < 0 or over_rdma(t, c):  # sending may bring the next deadline closer, and arms the timer then
                arm(t, i, f, min(f.ack_at, f.rto_at, f.wake_at))
            if flow < 0 and c.tail_loss_probe != 0:
                arm(t, i, f, f.probe_at)
        elif component == flow_start:
            i = s.next_flow
            s.next_flow = i + 1
            if s.next_flow < s.starters:
                push(t, component, t.flows[u(s.next_flow)].start)
            f = t.flows[u(i)]
            if f.continues >= 0 and t.flows[u(f.continues)].end < 0:
                f.waits = 1
            elif f.lead > 0:
                f.wake_at = now + f.lead
                arm(t, i, f, f.wake_at)
            elif f.setup > 0:
                k = connection_setup.ask(t, i, f, t.classes[u(f.entry)], now)
                port = t.routes[u(f.forward)]
            else:
                _begin(t, i, f, t.classes[u(f.entry)], now)
                flow = i
        elif rdma_hosts(t) and component >= law_timers:
            i = component - law_timers
            f = t.flows[u(i)]
            rdma.on_law_timer(t, i, f, t.classes[u(f.entry)], now)
            if f.end < 0:
                flow = i
        elif lossless(t) and component < s.refresh_timers:
            on_pause_timer(t, component - s.pause_timers, now)
        elif lossless(t) and component < s.receiver_slots:
            on_refresh(t, component - s.refresh_timers, now)
        while port >= 0:
            begins = now
            if coupled(t) and t.ports[u(port)].fluid >= 0:
                begins = meet(t, port, k, now)
            if not coupled(t) or begins >= 0:
                offer(t, port, k, now, card, begins)
            k = int(s.extra)
            s.extra = -1
            if k < 0:
                port = -1
    if s.status == DONE and until > s.now:
        s.now = until
    return s.status


@entry
def schedule(t, component, when):
    """Schedule a component from Python, before a run."""
    push(t, component, when)
    return 0


@entry
def begin_at(t, flow, now):
    """Start a flow that waits to be started from Python, at ``now``."""
    _ask(t, flow, t.flows[u(flow)], now)
    return 0
