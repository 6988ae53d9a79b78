"""Pauses of lossless classes: asking for them, obeying them, and ending them.

Pause n of a port is that of class n, pause 8 that of the whole port. What a pause does, and when, is written in
footroom.engines.plan.lossless. A pause that holds is tested when its own port gives bytes back, and when the shared
memory in use falls to where another could end (``retest``), which leads to the same frames as testing all of them
every time.
"""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.events import move_earlier, push
from footroom.engines.packet.features import pausable
from footroom.engines.packet.fluid_time import frame_turn, hold, next_turn, pass_time
from footroom.engines.packet.pause_log import log_asked, log_ended, log_held
from footroom.engines.packet.pool import take_new
from footroom.engines.packet.tables import FRAMES, u
from footroom.engines.plan.lossless import PAUSE_FRAME as FRAME_BYTES
from footroom.kernel.answers import RESUMES, WHOLE
from footroom.kernel.calls import call_headroom
from footroom.kernel.groups import GROUP_SIZE, INGRESS_SIZE
from footroom.kernel.memory import MEMORY_SIZE
from footroom.kernel.tables import NEVER, PAUSE_FRAME, PAUSES, RESUME_BIT


@routine
def _send_frame(t, q, what, now):
    """Hand a frame about port q's pauses to the port that leads to its sender; it goes ahead of all packets.

    A frame about the same pause that still waits there is replaced by this one.
    """
    s, n = t.state[0], t.ingresses[u(q)]
    p = t.ports[u(n.opposite)]
    asked_at = t.pauses[u(q * PAUSES + (what & (RESUME_BIT - 1)))].asked_at
    k = np.int64(p.frame_head)
    while k >= 0:
        waiting = t.packets[u(k)]
        if (waiting.seq ^ what) & (RESUME_BIT - 1) == 0:
            waiting.seq = what
            waiting.stamp = asked_at
            return
        k = np.int64(waiting.next)
    k = take_new(t)
    packet = t.packets[u(k)]
    packet.flow = -1
    packet.sort = PAUSE_FRAME
    packet.size = FRAME_BYTES - s.gap
    packet.hop = s.route_end - 1
    packet.seq = what
    packet.stamp = asked_at
    packet.next = -1
    if p.frame_head < 0:
        p.frame_head = k
    else:
        t.packets[u(p.frame_tail)].next = k
    p.frame_tail = k
    p.waiting |= FRAMES
    p.eligible |= FRAMES
    turn = frame_turn(t, p, now)
    if p.armed == 0:
        p.armed = 1
        push(t, n.opposite, turn)
    elif pausable(t, p) and t.slots[u(n.opposite)].when > turn:  # a packet is to be sent when the fluid before has left
        move_earlier(t, np.int64(n.opposite), turn)


@helper
def _bound(t, q, which):
    """What the headroom says of the end of a pause: RESUMES, or the shared bytes in use at which to ask again."""
    s, n = t.state[0], t.ingresses[u(q)]
    klass = which if which < WHOLE else 0
    return call_headroom(
        t.switches[u(n.pool)].resume,
        s.memory_base + np.int64(n.pool) * MEMORY_SIZE,
        s.ingress_base + q * INGRESS_SIZE,
        s.group_base + (q * WHOLE + klass) * GROUP_SIZE,
        1 if which == WHOLE else 0,
    )


@routine
def ask(t, q, which, port, klass, now):
    """The switch at the end of port q's wire asks for pause ``which``, unless it does already.

    port, klass: by which the packet is to leave that makes it ask, and its class.
    """
    n = t.ingresses[u(q)]
    if (n.pauses >> which) & 1:
        return
    n.pauses |= 1 << which
    pool, a = t.switches[u(n.pool)], t.pauses[u(q * PAUSES + which)]
    pool.pauses += 1
    pool.retest = max(pool.retest, _bound(t, q, which))
    a.asked_at = now
    if a.first < 0:
        a.first = now
    a.frames += 1
    log_asked(t, q, which, port, klass, now)
    _send_frame(t, q, which, now)
    if n.refresh < NEVER:
        a.refresh = now + n.refresh
        if a.refresh_at == NEVER:
            a.refresh_at = a.refresh
            push(t, t.state[0].refresh_timers + q * PAUSES + which, a.refresh)


@routine
def on_refresh(t, number, now):
    """The timer of a pause's repetition has run out; it may have been put off, or the pause may be over."""
    a = t.pauses[u(number)]
    a.refresh_at = NEVER
    if a.refresh <= now:
        q = number // PAUSES
        a.frames += 1
        _send_frame(t, q, number - q * PAUSES, now)
        a.refresh = now + t.ingresses[u(q)].refresh
    if a.refresh < NEVER:
        a.refresh_at = a.refresh
        push(t, t.state[0].refresh_timers + number, a.refresh)


@routine
def _test(t, q, which, now):
    """End pause ``which`` of port q if it holds and may end. At how many shared bytes to ask again; -1 for never."""
    n = t.ingresses[u(q)]
    if (n.pauses >> which) & 1 == 0:
        return -1
    bound = _bound(t, q, which)
    if bound != RESUMES:
        return bound
    n.pauses &= ~(1 << which)
    t.switches[u(n.pool)].pauses -= 1
    a = t.pauses[u(q * PAUSES + which)]
    a.asked += now - a.asked_at
    a.asked_at = -1
    a.refresh = NEVER
    log_ended(t, q, which, now)
    _send_frame(t, q, which | RESUME_BIT, now)
    return -1


@routine
def _test_port(t, q, now):
    """The same for all pauses of port q: first that of the whole port."""
    again = _test(t, q, WHOLE, now)
    for which in range(WHOLE):
        again = max(again, _test(t, q, which, now))
    return again


@routine
def _test_all(t, pool, now):
    """The same for all ports of a pool."""
    again = -1
    q = pool.ingress
    while q >= 0:
        n = t.ingresses[u(q)]
        if n.pauses != 0:
            again = max(again, _test_port(t, q, now))
        q = np.int64(n.next)
    return again


@helper
def retest(t, pool, q, now):
    """Bytes of the pool have been given back: end the pauses that may end.

    q: the port whose group gave them back; -1 where a queue did.
    """
    if pool.shared <= pool.retest:
        pool.retest = _test_all(t, pool, now)
    elif q >= 0 and t.ingresses[u(q)].pauses != 0:
        pool.retest = max(pool.retest, _test_port(t, q, now))


@routine
def _obey(t, i, now):
    """The pauses that hold at port i have changed: it sends what may be sent."""
    p = t.ports[u(i)]
    count = 0
    for klass in range(WHOLE):
        count += (p.paused >> klass) & 1
    p.held += count * (now - p.held_at)
    p.held_at = now
    if pausable(t, p):
        pass_time(t, p, t.fluids[u(p.fluid)], now)
    p.paused = (p.stopped & ((1 << WHOLE) - 1)) | (t.ingresses[u(i)].classes if p.stopped >> WHOLE else 0)
    if pausable(t, p):
        hold(p, t.fluids[u(p.fluid)], now)
    p.eligible = p.waiting & ~p.paused
    if p.eligible != 0 and p.armed == 0:
        p.armed = 1
        push(t, i, max(now, next_turn(t, p)))


@helper
def _arm(t, number, a, when):
    if when < a.timer_at:
        component = t.state[0].pause_timers + number
        if a.timer_at == NEVER:
            push(t, component, when)
        else:
            move_earlier(t, component, when)
        a.timer_at = when


@helper
def _release(t, number, a, now):
    """The pause no longer holds, or is cancelled before it does."""
    a.begin = NEVER
    a.end = NEVER
    i = number // PAUSES
    if a.held_at >= 0:
        a.held += now - a.held_at
        log_held(t, number, np.int64(a.held_at), now)
        a.held_at = -1
        t.ports[u(i)].stopped &= ~(1 << (number - i * PAUSES))
        _obey(t, i, now)


@routine
def on_frame(t, wire, what, asked, now):
    """A pause frame has come in over port ``wire``'s wire; it belongs to what was asked for at ``asked``."""
    i = np.int64(t.ingresses[u(wire)].opposite)
    number = i * PAUSES + (what & (RESUME_BIT - 1))
    a, n = t.pauses[u(number)], t.ingresses[u(i)]
    if what & RESUME_BIT:
        _release(t, number, a, now)
        return
    if a.begin == NEVER:
        a.begin = now + n.response
        a.of = asked
    a.end = min(NEVER, now + n.pause_time)
    _arm(t, number, a, a.begin if a.held_at < 0 else a.end)


@routine
def on_pause_timer(t, number, now):
    """A pause begins to hold, or is over, or neither yet."""
    a = t.pauses[u(number)]
    a.timer_at = NEVER
    if a.end <= now:
        _release(t, number, a, now)
        return
    if a.begin <= now and a.held_at < 0:
        a.held_at = now
        i = number // PAUSES
        t.ports[u(i)].stopped |= 1 << (number - i * PAUSES)
        _obey(t, i, now)
    if a.begin < NEVER:
        _arm(t, number, a, a.begin if a.held_at < 0 else a.end)
