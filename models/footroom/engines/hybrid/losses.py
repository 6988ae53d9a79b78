"""Losses of fluid beside packets: which flows lose the packets that a port has lost."""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.fluid.laws.flows import NET
from footroom.engines.fluid.per_flow.kernel import MODE, RECOVERING, WAITING, lose, uniform
from footroom.engines.hybrid.layout import (
    ALONE,
    COME,
    CREDIT,
    DUE_OUT,
    FIRST,
    FIRST_FLOW,
    FOLLOWING,
    INSIDE,
    LAST,
    LEFT,
    LOST,
    NEW,
    NEW_LAST,
    OWED,
    PACKET,
    SAMPLED,
    THERE,
    TRIP,
    WAIT,
    WINDOWS,
)
from footroom.engines.hybrid.sampled_layout import GONE as GONE_ON_WAY
from footroom.engines.hybrid.sampled_layout import TAKEN
from footroom.engines.hybrid.senders import watch
from footroom.engines.hybrid.window_lossless import struck
from footroom.engines.packet.features import lossless


@helper
def _make_up(t: Any, rest: float, n: int, lists: Any, blocks: Any, routes: Any, s: Any) -> float:
    """Take ``rest`` bytes from what comes to port n, then from what waits there; their routes send them again. What is
    left of ``rest``. In lossless switches what waits is not touched: it is charged to priority groups.
    """
    for which in (NEW, FIRST):
        if which == FIRST and lossless(t):
            break
        k = lists[n, which]
        while k >= 0 and rest > 0.0:
            gone, r = min(rest, blocks[k].bytes), int(blocks[k].route)
            blocks[k].bytes -= gone
            if blocks[k].hop < routes[r, THERE]:
                routes[r, INSIDE] -= gone
                if routes[r, SAMPLED] >= 0.0:
                    s.own[int(routes[r, SAMPLED]), TAKEN] += gone
                else:
                    routes[r, CREDIT] += gone
            rest -= gone
            k = blocks[k].following
    return rest


@helper
def _call_up(x: Any, n: int, ports: Any, lists: Any) -> bool:
    """Let all that waits at port n come anew, if the port has lost it all: nothing of it will leave, and its senders
    would wait for it. Whether that is so. x: the port's fluid.
    """
    if lists[n, NEW] >= 0 or lists[n, FIRST] < 0 or x.inside >= 1.0 or ports[n, DUE_OUT] >= 1.0:
        return False
    lists[n, NEW], lists[n, NEW_LAST] = lists[n, FIRST], lists[n, LAST]
    lists[n, FIRST] = -1
    ports[n, COME] = ports[n, OWED]
    return True


@helper
def strike(
    t: Any,
    n: int,
    clock: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    flows: Any,
    routes: Any,
    alive: Any,
    now: float,
    random: Any,
    s: Any,
    w: Any,
) -> None:
    """Take the packets that port n has lost from flows whose fluid came to it over the last step.

    Each flow loses whole packets: where it has less than one there, the rest is taken from others and owed to them.
    On short paths less than a packet comes in a step, and more than that may be lost in it.
    """
    packet = clock[PACKET]
    stuck = not lossless(t) and ports[n, OWED] > 1.0 and _call_up(t.fluids[n], n, ports, lists)
    patience = 0.0 if stuck else 0.5
    while ports[n, COME] > 0.0 and ports[n, OWED] >= packet * (patience + uniform(random)):
        k = struck(t, n, uniform(random), ports, lists, blocks, w)
        r = int(blocks[k].route)
        if blocks[k].hop >= routes[r, THERE]:
            # Of acknowledgements: those that follow tell the same.
            gone = min(packet, blocks[k].bytes)
            blocks[k].bytes -= gone
            ports[n, COME] -= packet
            ports[n, OWED] -= packet - _make_up(t, packet - gone, n, lists, blocks, routes, s)
            continue
        i = int(routes[r, ALONE])
        if i < 0:
            wanted = uniform(random) * routes[r, WINDOWS]
            each = int(routes[r, FIRST_FLOW])
            while each >= 0:
                i = each
                wanted -= max(0.0, flows[i, NET])
                if wanted <= 0.0:
                    break
                each = int(flows[i, FOLLOWING])
        if routes[r, SAMPLED] >= 0.0:
            # Its sender counts it as in flight until what is left of the block is back.
            flows[i, LOST] += 1.0
            gone = min(packet, blocks[k].bytes)
            blocks[k].bytes -= gone
            routes[r, INSIDE] -= gone
            s.stamps[k].lost += 1.0
            s.own[int(routes[r, SAMPLED]), GONE_ON_WAY] += 1.0
            s.own[int(routes[r, SAMPLED]), TAKEN] += gone
            ports[n, COME] -= packet
            ports[n, OWED] -= packet - _make_up(t, packet - gone, n, lists, blocks, routes, s)
            continue
        if i >= 0 and flows[i, MODE] != WAITING:
            flows[i, LOST] += 1.0
            if flows[i, MODE] == RECOVERING:
                routes[r, CREDIT] += packet
            lose(flows, i, now, routes[r, TRIP] + routes[r, WAIT])
            watch(r, clock, routes, alive)
        else:
            # What comes back of it lets nothing out, so nothing is missing.
            routes[r, CREDIT] += packet
        routes[r, LEFT] += packet
        gone = min(packet, blocks[k].bytes)
        blocks[k].bytes -= gone
        routes[r, INSIDE] -= gone
        routes[r, CREDIT] -= packet - gone
        ports[n, COME] -= packet
        ports[n, OWED] -= packet - _make_up(t, packet - gone, n, lists, blocks, routes, s)
    if stuck and ports[n, OWED] > 0.0:
        # By chance not a packet of any flow.
        ports[n, OWED] = _make_up(t, ports[n, OWED], n, lists, blocks, routes, s)
