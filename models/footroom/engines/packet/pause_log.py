"""The log of pauses: who asked for each and why, how long it held, and whose packets it held back.

Written only where ``run.fabric`` asks for it: at the beginning and end of a pause, never for a packet.  The
simulation empties the log when it is half full (``Simulation.pause_lines``).
"""

from __future__ import annotations

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.tables import u
from footroom.kernel.answers import WHOLE
from footroom.kernel.engine_tables import PAUSE_ASKED, PAUSE_ENDED, PAUSE_HELD, PAUSE_STALLED
from footroom.kernel.tables import DATA, PAUSES


@helper
def _line(t, what, number, now):
    """Number of a new line of the log; -1 where it is full. The loop returns after this event when it is half full."""
    s = t.state[0]
    n = s.logged
    if n >= len(t.pause_log):
        s.log_lost += 1
        return -1
    line = t.pause_log[u(n)]
    line.what = what
    line.pause = number
    line.at = now
    s.logged = n + 1
    if 2 * n >= len(t.pause_log):
        s.pause_at = 0
    return n


@routine
def _log_asked(t, q, which, port, klass, now):
    node = t.ports[u(port)].switch
    most, found, of_class, total, since = 0, port, klass, 0, now
    for j in range(len(t.ports)):
        p = t.ports[u(j)]
        if p.switch != node:
            continue
        for each in range(p.classes):
            if (which != WHOLE and each != which) or ((p.lossless & p.waiting) >> each) & 1 == 0:
                continue
            mine, every = 0, 0
            head = int(t.queues[u(p.queue + each)].head)
            k = head
            while k >= 0:
                packet = t.packets[u(k)]
                every += packet.size
                if packet.ingress == q:
                    mine += packet.size
                k = packet.next
            if mine > most:
                most, found, of_class, total, since = mine, j, each, every, t.packets[u(head)].time
    n = _line(t, PAUSE_ASKED, q * PAUSES + which, now)
    if n >= 0:
        line = t.pause_log[u(n)]
        line.port = found
        line.klass = of_class
        line.bytes = total
        line.since = since


@helper
def log_asked(t, q, which, port, klass, now):
    """Pause ``which`` of port q is asked for because of a packet of ``klass`` that is to leave by ``port``."""
    if t.state[0].logging != 0:
        _log_asked(t, q, which, port, klass, now)


@helper
def log_ended(t, q, which, now):
    """The switch lets pause ``which`` of port q end."""
    if t.state[0].logging != 0:
        _line(t, PAUSE_ENDED, q * PAUSES + which, now)


@routine
def _log_held(t, number, since, now):
    s, i = t.state[0], number // PAUSES
    p, which = t.ports[u(i)], number - i * PAUSES
    n = _line(t, PAUSE_HELD, number, now)
    if n >= 0:
        t.pause_log[u(n)].since = since
        t.pause_log[u(n)].bytes = t.pauses[u(number)].of
    s.walks += 1
    for each in range(p.classes):
        if (which != each) if which != WHOLE else ((t.ingresses[u(i)].classes >> each) & 1 == 0):
            continue
        k = int(t.queues[u(p.queue + each)].head)
        while k >= 0:
            packet = t.packets[u(k)]
            came = packet.time if p.switch >= 0 else packet.stamp
            if (p.switch >= 0 or packet.sort == DATA) and t.stalled[u(packet.flow)] != s.walks:
                t.stalled[u(packet.flow)] = s.walks
                n = _line(t, PAUSE_STALLED, number, now)
                if n >= 0:
                    line = t.pause_log[u(n)]
                    line.flow = packet.flow
                    line.since = max(since, came)
            k = packet.next


@helper
def log_held(t, number, since, now):
    """The pause with that number has held its port back since ``since``, and no longer does."""
    if t.state[0].logging != 0:
        _log_held(t, number, since, now)
