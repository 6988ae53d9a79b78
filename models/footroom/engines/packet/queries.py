"""Connections that carry a stream of queries, so many of them under way at a time: a closed loop.

A query is answered when the sender learns that its last byte has arrived; the next one begins then. So the application
has handed over the queries that were answered, and as many more as may be under way.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import u


@helper
def size_of(f, c, seq):
    """Size of segment ``seq`` of flow f: the last of the flow, and of every query, is smaller."""
    if c.query == 0:
        return c.segment if seq < f.segments - 1 else f.last_size
    return c.segment if (seq + 1) % c.query != 0 else f.last_size


@helper
def ends(f, c):
    """Whether what flow f's receiver has in order ends with the flow or with a query, and is to be answered at once."""
    return f.rcv == f.segments if c.query == 0 else f.rcv % c.query == 0


@helper
def note_answers(t, i, f, c, now):
    """Take down which queries of flow i have just been answered, and begin as many."""
    s = t.state[0]
    done = f.una // c.query
    while f.answered < done:
        f.answered += 1
        line = t.queries[u(s.queries)]
        line.flow = i
        line.when = now
        s.queries += 1
    f.ready = (done + c.outstanding) * c.query
