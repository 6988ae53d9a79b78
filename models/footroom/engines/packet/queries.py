"""Connections that carry a stream of queries, with a fixed number under way at a time: a closed loop.

A query is answered when the sender learns that its last byte has arrived; the next one begins then. So the application
has handed over the queries that were answered, and as many more as may be under way.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.tables import DONE, GROW_QUERIES, u


@routine
def _whole_queries(c, segments):
    """Whether so many segments are whole queries; apart, since most flows never divide."""
    return segments % c.query == 0


@helper
def size_of(f, c, seq):
    """Size of segment ``seq`` of flow f: the last of the flow, and of every query, is smaller."""
    if c.query == 0:
        return c.segment if seq < f.segments - 1 else f.last_size
    return f.last_size if _whole_queries(c, seq + 1) else c.segment


@helper
def ends(f, c):
    """Whether what flow f's receiver has in order ends with the flow or with a query, and is to be answered at once."""
    return f.rcv == f.segments if c.query == 0 else _whole_queries(c, f.rcv)


@routine
def note_answers(t, i, f, c, now):
    """Record which queries of flow i have just been answered, and begin as many."""
    s = t.state[0]
    done = f.una // c.query
    while f.answered < done:
        f.answered += 1
        line = t.queries[u(s.queries)]
        line.flow = i
        line.when = now
        s.queries += 1
    f.ready = (done + c.outstanding) * c.query
    if s.queries > s.query_room and s.status == DONE:
        s.status = GROW_QUERIES
