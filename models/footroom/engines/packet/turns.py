"""Which queue of a port sends next: priority classes by its scheduler, line cards one after another."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import u
from footroom.kernel.calls import call_scheduler
from footroom.kernel.tables import PORT

_PORT_SIZE = PORT.itemsize


@helper
def _card_with(t, p, klass):
    """The line card that sends next of those with packets of ``klass``: they take turns."""
    card = p.granted[klass]
    for _ in range(p.cards):
        card += 1
        if card >= p.cards:
            card = 0
        if t.queues[u(p.queue + card * p.classes + klass)].head >= 0:
            break
    return card


@helper
def _next(t, p, klass):
    """Number of the queue of ``klass`` that sends next of those on the line cards."""
    card = _card_with(t, p, klass) if p.cards > 1 else 0
    return p.queue + card * p.classes + klass


@helper
def choose(t, i, p):
    """Number of the queue that port p, number i, serves next; some class is eligible."""
    klass = 0
    if p.choose != 0:
        if p.sized != 0:
            for each in range(p.classes):
                if (p.eligible >> each) & 1:
                    p.heads[each] = t.packets[u(t.queues[u(_next(t, p, each))].head)].size
        klass = call_scheduler(p.choose, t.state[0].port_base + i * _PORT_SIZE, p.choose_own, p.choose_params)
        p.emptied = 0
    if p.cards > 1:
        p.granted[klass] = _card_with(t, p, klass)
        return p.queue + p.granted[klass] * p.classes + klass
    return p.queue + klass


@helper
def on_a_card(t, p, klass):
    """Whether packets of ``klass`` wait on any line card."""
    found = False
    for card in range(p.cards):
        found = found or t.queues[u(p.queue + card * p.classes + klass)].head >= 0
    return found
