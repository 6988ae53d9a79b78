"""The event loop of the compiled engine."""

from __future__ import annotations

from footroom.compile_cache import entry, helper
from footroom.kernel.tables import NEVER
from footroom.packet.events import earliest, push, remove
from footroom.packet.ports import offer, record, release, take, transmit
from footroom.packet.receiver import make_ack, receive
from footroom.packet.sender import law, on_ack, on_timeout
from footroom.packet.sending import arm, send
from footroom.packet.tables import DELIVERY, DONE, GROW_PACKETS, TRACE_FULL, u

#: Free lines of the trace below which the loop returns to have it drained.
TRACE_MARGIN = 65536


@helper
def _arrive(t, i, now):
    """The oldest packet on port i's wire arrives. Returns (packet, port to offer it to, flow to serve)."""
    s = t.state[0]
    p = t.ports[u(i)]
    k = int(p.line_head)
    packet = t.packets[u(k)]
    following = packet.next
    p.line_head = following
    if following >= 0:
        push(t, s.ports + i, t.packets[u(following)].time)
    packet.hop += 1
    port = t.routes[u(packet.hop)]
    if port >= 0:
        return k, port, -1
    flow = int(packet.flow)
    f = t.flows[u(flow)]
    c = t.classes[u(f.klass)]
    if s.tracing != 0:
        record(t, now, DELIVERY, i, k)
    s.arrived += 1
    if packet.ack != 0:
        if f.end < 0:
            on_ack(t, flow, f, c, k, now)
        release(t, k)
        if f.end >= 0:
            return k, -1, -1
        return k, -1, flow
    s.delivered += 1
    if f.end >= 0 or receive(t, f, c, k, now):
        make_ack(f, packet, packet.stamp)
        s.created += 1
        return k, t.routes[u(f.reverse)], -1
    release(t, k)
    arm(t, flow, f, f.ack_at)
    return k, -1, -1


@helper
def _delayed_ack(t, i, f, now):
    """The delayed acknowledgement of flow i is due. Returns the packet, or -1 when the table must grow first."""
    s = t.state[0]
    k = s.free
    if k < 0:
        s.status = GROW_PACKETS
        return -1
    s.free = t.packets[u(k)].next
    s.free_count -= 1
    s.created += 1
    t.packets[u(k)].flow = i
    make_ack(f, t.packets[u(k)], f.pending_stamp)
    return k


@entry
def run(t, until):
    """Handle every event up to and including ``until`` [ps]; returns early, with a status, to have tables grown."""
    s = t.state[0]
    ports, flows = s.ports, s.flows
    s.status = DONE
    while s.heap + s.wheel > 0 and s.status == DONE:
        component, now, bucket, before = earliest(t)
        if now > until:
            break
        if s.tracing != 0 and s.traced + TRACE_MARGIN > len(t.trace):
            s.status = TRACE_FULL
            break
        s.now = now
        s.events += 1
        remove(t, component, bucket, before)
        k, port, flow = -1, -1, -1
        if component < ports:
            p = t.ports[u(component)]
            k = take(t, p, now)
            transmit(t, component, p, k, now)
            if p.backlog > 0:
                push(t, component, p.busy_until)
        elif component < 2 * ports:
            k, port, flow = _arrive(t, component - ports, now)
        elif component < 2 * ports + flows:
            i = component - 2 * ports
            f = t.flows[u(i)]
            f.timer_at = NEVER
            if f.ack_at <= now:
                k = _delayed_ack(t, i, f, now)
                if k >= 0:
                    port = t.routes[u(f.reverse)]
            if f.rto_at <= now:
                on_timeout(t, i, f, t.classes[u(f.klass)], now)
                flow = i
            if f.wake_at <= now:
                f.wake_at = NEVER
                flow = i
            arm(t, i, f, min(f.ack_at, f.rto_at, f.wake_at))
        else:
            i = s.next_flow
            s.next_flow = i + 1
            if s.next_flow < flows:
                push(t, component, t.flows[u(s.next_flow)].start)
            s.active += 1
            flow = i
            law(t, t.classes[u(t.flows[u(i)].klass)].on_start, i, t.classes[u(t.flows[u(i)].klass)], now,
                t.classes[u(t.flows[u(i)].klass)].initial_window, 0)
        if port >= 0:
            offer(t, port, k, now)
        if flow >= 0:
            f = t.flows[u(flow)]
            send(t, flow, f, t.classes[u(f.klass)], now)
    if s.status == DONE and until > s.now:
        s.now = until
    return s.status


@entry
def schedule(t, component, when):
    """Schedule a component from Python, before a run."""
    push(t, component, when)
    return 0
