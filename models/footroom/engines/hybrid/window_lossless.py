"""Fluid of windows where classes may be paused: blocks on wires, and by which port they came in.

What comes after a switch asked for a pause fills headroom, so blocks take as long from port to port as packets do
(``paced_lossless``): each port has a ring of lists, one a step, of what is on its wire. Every block that waits at a
port of a lossless class belongs to the part of the port's fluid that came in by the same port; parts are charged to
priority groups by the packet engine.

A pause lengthens a round trip by more than what waits, so senders measure theirs: a block holds the step in which it
was sent. Nothing comes back while a port on the way is paused; then the round trip is at least that long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footroom.base.compile_cache import helper
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import layout, paced_layout
from footroom.engines.hybrid.blocks import come, leave, put_back, take
from footroom.engines.hybrid.layout import (
    ANSWER,
    ANSWERED,
    AT_NIC,
    COME,
    COUNT,
    DUE_OUT,
    FIRST,
    HEARD,
    INLINE,
    INSIDE,
    LATEST,
    LEFT_BEFORE,
    NEW,
    PICO,
    ROUTES,
    STEP,
    STEPS,
    THERE,
    TRIP,
    WAIT,
)
from footroom.engines.hybrid.moves import allow_at_hosts
from footroom.engines.hybrid.paced_lossless import by_ingress, check_groups, dividing, hops
from footroom.engines.hybrid.routes import Route
from footroom.engines.packet.features import lossless
from footroom.engines.packet.fluid_time import pass_time
from footroom.engines.packet.tables import Tables, u
from footroom.engines.plan import Plan

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Packets of the fastest link in a step at least, and at most: a threshold is seen half a step late at worst, beyond
#: what the delays of wires make up for, and headroom has room for the packet that crosses it, which fluid has not.
FEWEST_PACKETS, MOST_PACKETS = 1.0, 2.0


class Wires(NamedTuple):
    """Where blocks are on their way between ports, and which part of a port's fluid they belong to.

    lists: first and last block of what left a port in one step, -1 for none, (slots, 2).  first, behind: of every port,
    its first slot and how many it has: steps for which a block is on its wire, but for one.  parts: row of every
    route's fluid at each of its ports among ``Tables.parts``, -1 for none, (routes, hops).  held: bytes of each part
    that wait.
    """

    lists: Ints
    first: Ints
    behind: Ints
    parts: Ints
    held: Floats


def no_wires() -> Wires:
    """Those of a network without lossless classes: no block is ever on one."""
    none = np.zeros(1, dtype=np.int64)
    return Wires(np.full((1, 2), -1, dtype=np.int64), none, none, none.reshape(1, 1), np.zeros(1))


def check_plan(plan: Plan) -> None:
    """Raise Unsupported where pauses may lock one another."""
    if plan.dependencies:
        raise Unsupported(
            "pauses may lock one another in this network, which is found from packets alone: fluid waits there too",
            path="switch.headroom.kind",
            given=plan.scenario.switch.headroom.kind,
            engines=("packet",),
        )


def step_between(plan: Plan, found: list[Route], packet: float, step: float, fastest: float) -> float:
    """A step [s] of at most ``step`` in which packets of ``packet`` bytes go over the shortest link in whole steps and
    a half; of one to two such packets on the fastest link, ``fastest`` s each.
    """
    shortest = min(min(hops(plan, route, packet)) for route in found)
    finer, least = dividing(min(step, MOST_PACKETS * fastest), shortest), FEWEST_PACKETS * fastest
    if finer >= least:
        return finer
    whole = int(shortest / least - 0.5)
    return shortest / (whole + 0.5) if whole >= 1 else least


def lay_wires(
    plan: Plan, found: list[Route], ports: list[int], packet: float, step: float, routes: Floats
) -> tuple[Wires, list[list[int]]]:
    """Empty wires, and of every one of ``ports`` those that its fluid comes in by. Routes learn how long it is from
    their last port to their senders.

    packet: size of the fluid's packets on the link [B].
    """
    row_of = {port: n for n, port in enumerate(ports)}
    ways = [(*route.ports, *route.returns) for route in found]
    lags = np.ones(len(ports))
    for route, way in zip(found, ways, strict=True):
        for port, hop in zip(way[:-1], hops(plan, route, packet), strict=True):
            lags[row_of[port]] = max(lags[row_of[port]], hop // step)
    for r, (route, way) in enumerate(zip(found, ways, strict=True)):
        # Fluid waits as long as packets of its size at a port that is busy, but for the half that hops have.
        served = sum(packet * 8.0 / float(plan.port_rate[port]) for port in route.waits)
        passed = sum(lags[row_of[port]] for port in way[:-1])
        routes[r, STEPS] = max(1.0, round((route.trip - 0.5 * served) / step) - passed)
    port_of = np.array([row_of[port] for way in ways for port in way], dtype=np.int64)
    passes = np.full((len(port_of), paced_layout.PASS_ROW), -1.0)
    came = by_ingress(plan, found, ports, port_of, passes)
    parts = np.full((len(found), max(len(way) for way in ways)), -1, dtype=np.int64)
    at = 0
    for r, way in enumerate(ways):
        parts[r, : len(way)] = passes[at : at + len(way), paced_layout.PART]
        at += len(way)
    behind = lags.astype(np.int64) - 1
    lists = np.full((max(1, int(behind.sum())), 2), -1, dtype=np.int64)
    held = np.zeros(max(1, sum(len(each) for each in came)))
    return Wires(lists, np.cumsum(behind) - behind, behind, parts, held), came


@helper
def _leaves(k: Any, left: float, t: Any, blocks: Any, w: Any) -> float:
    """Of ``left`` bytes that have left a port, what is left without block k and those behind it in its list, each of
    which its part no longer holds.
    """
    while k >= 0 and left > 0.0:
        part = w.parts[blocks[k].route, blocks[k].hop]
        if part >= 0:
            t.parts[u(part)].held -= min(left, blocks[k].bytes)
        left -= blocks[k].bytes
        k = blocks[k].following
    return left


@helper
def part_in_order(t: Any, n: int, ports: Any, lists: Any, blocks: Any, w: Any) -> None:
    """Tell the parts of port n's fluid what has left of each since the last step: first come, first served."""
    if not lossless(t):
        return
    x = t.fluids[u(n)]
    if x.first_part < x.last_part:
        pass_time(t, t.ports[u(x.port)], x, t.state[0].now)  # type: ignore[no-untyped-call]
        left = ports[n, DUE_OUT] + x.sent - ports[n, LEFT_BEFORE]
        _leaves(lists[n, NEW], _leaves(lists[n, FIRST], left, t, blocks, w), t, blocks, w)


@helper
def _refused(t: Any, k: Any, blocks: Any, w: Any) -> bool:
    """Whether a priority group has refused fluid that came in by the same port as block k, over the last step."""
    part = w.parts[blocks[k].route, blocks[k].hop]
    return bool(part >= 0 and t.parts[u(part)].lost > 0.0)


@helper
def struck(t: Any, n: int, where: float, ports: Any, lists: Any, blocks: Any, w: Any) -> Any:
    """The block at ``where``, 0 to 1, of the bytes that came to port n over the last step, or of those among them that
    priority groups refuse.
    """
    wanted, k = where * ports[n, COME], lists[n, NEW]
    if lossless(t):
        total = 0.0
        while k >= 0:
            total += blocks[k].bytes if _refused(t, k, blocks, w) else 0.0
            k = blocks[k].following
        k = lists[n, NEW]
        if total > 0.0:
            wanted, last = where * total, k
            while k >= 0 and wanted >= 0.0:
                if _refused(t, k, blocks, w):
                    last = k
                    wanted -= blocks[k].bytes
                k = blocks[k].following
            return last
    while blocks[k].following >= 0 and wanted > blocks[k].bytes:
        wanted -= blocks[k].bytes
        k = blocks[k].following
    return k


@helper
def hold_new(t: Any, n: int, lists: Any, blocks: Any, w: Any) -> None:
    """What came to port n over the last step, and was not lost, waits there now."""
    if not lossless(t):
        return
    k = lists[n, NEW]
    while k >= 0:
        part = w.parts[blocks[k].route, blocks[k].hop]
        if part >= 0:
            w.held[part] += blocks[k].bytes
        k = blocks[k].following


@helper
def _arrive(slot: int, ports: Any, lists: Any, blocks: Any, hops: Any, w: Any) -> None:
    """What a port sent long enough ago comes to the next ports over the next step."""
    k = w.lists[slot, 0]
    w.lists[slot, 0] = -1
    while k >= 0:
        following = blocks[k].following
        come(hops[blocks[k].route, blocks[k].hop], k, ports, lists, blocks)
        k = following


@helper
def _put_on(slot: int, k: int, blocks: Any, w: Any) -> None:
    """Block k has left its port over the last step."""
    blocks[k].following = -1
    if w.lists[slot, 0] < 0:
        w.lists[slot, 0] = k
    else:
        blocks[w.lists[slot, 1]].following = k
    w.lists[slot, 1] = k


@helper
def _leave_by_wire(
    n: int, clock: Any, ports: Any, lists: Any, blocks: Any, back: Any, hops: Any, routes: Any, s: Any, w: Any
) -> None:
    """What has left port n over the last step is on its wire, or comes back to its sender (``blocks.leave``)."""
    ring, at = back.shape[0], int(clock[COUNT])
    slot = -1
    if w.behind[n] > 0:
        slot = w.first[n] + at % w.behind[n]
        _arrive(slot, ports, lists, blocks, hops, w)
    due, taken = ports[n, DUE_OUT], 0.0
    k = take(n, due, clock, ports, lists, blocks, s)
    while k >= 0:
        taken += blocks[k].bytes
        r, h = int(blocks[k].route), int(blocks[k].hop) + 1
        part = w.parts[r, h - 1]
        if part >= 0:
            w.held[part] = max(0.0, w.held[part] - blocks[k].bytes)
        if h == 1:
            routes[r, AT_NIC] -= blocks[k].bytes
        if h > routes[r, THERE]:
            ports[n, ANSWERED] += blocks[k].bytes
        if h == routes[r, THERE]:
            blocks[k].answers = blocks[k].bytes
            blocks[k].bytes *= routes[r, ANSWER]
        if h < hops.shape[1] and hops[r, h] >= 0:
            blocks[k].hop = h
            if slot >= 0:
                _put_on(slot, k, blocks, w)
            else:
                come(hops[r, h], k, ports, lists, blocks)
        else:
            blocks[k].bytes = blocks[k].answers
            put_back((at - 1 + int(routes[r, STEPS])) % ring, k, blocks, back)
        k = take(n, due - taken, clock, ports, lists, blocks, s)


@helper
def go_on(
    t: Any,
    n: int,
    clock: Any,
    ports: Any,
    lists: Any,
    blocks: Any,
    back: Any,
    hops: Any,
    routes: Any,
    s: Any,
    w: Any,
) -> None:
    """What has left port n goes on: a step later, or, where classes are lossless, after the delay of its wire."""
    if lossless(t):
        _leave_by_wire(n, clock, ports, lists, blocks, back, hops, routes, s, w)
    else:
        leave(t, n, clock, ports, lists, blocks, back, hops, routes, s)


@helper
def tell_groups(t: Any, clock: Any, lists: Any, blocks: Any, w: Any) -> None:
    """Tell priority groups of all ports what waits, and what comes over the next step, by each port."""
    if not lossless(t):
        return
    for q in range(len(t.parts)):
        part = t.parts[u(q)]
        part.held, part.comes, part.lost, part.at = w.held[q], 0.0, 0.0, t.state[0].now
    for n in range(len(lists)):
        k = lists[n, NEW]
        while k >= 0:
            q = w.parts[blocks[k].route, blocks[k].hop]
            if q >= 0:
                t.parts[u(q)].comes += blocks[k].bytes / (clock[STEP] * PICO)
            k = blocks[k].following


@helper
def _time(k: Any, at: int, clock: Any, blocks: Any, routes: Any) -> None:
    """Block k comes back to its sender over step ``at``."""
    if blocks[k].bytes > 0.0:
        r = int(blocks[k].route)
        routes[r, LATEST] = (at - blocks[k].sent) * clock[STEP]
        routes[r, HEARD] = at


@helper
def time_trips(t: Any, at: int, clock: Any, blocks: Any, back: Any, routes: Any) -> None:
    """Measure round trips by what comes back over step ``at``."""
    if not lossless(t):
        return
    x = back[at % back.shape[0]]
    for n in range(min(x.count, INLINE)):
        _time(np.int64(x.blocks[n]), at, clock, blocks, routes)
    k = np.int64(x.first) if x.count > INLINE else np.int64(-1)
    while k >= 0:
        _time(k, at, clock, blocks, routes)
        k = blocks[k].following


@helper
def wait_as_measured(t: Any, clock: Any, routes: Any, alive: Any) -> None:
    """Have routes wait for as long as what came back last did, or for as long as nothing has."""
    if not lossless(t):
        return
    for a in range(int(clock[ROUTES])):
        row = routes[alive[a, 1]]
        if row[LATEST] > 0.0:
            silent = (clock[COUNT] - row[HEARD]) * clock[STEP] if row[INSIDE] > 0.0 else 0.0
            row[WAIT] = max(0.0, max(row[LATEST], silent) - row[TRIP])
    allow_at_hosts(clock, routes, alive)


def check_wires(tables: Tables, lists: Ints, blocks: np.ndarray, w: Wires) -> None:
    """Raise RuntimeError unless priority groups hold what ports are charged, and parts what blocks wait of them."""
    check_groups(tables)
    found = np.zeros(len(w.held))
    for head in lists[:, layout.FIRST].tolist():
        k = head
        while k >= 0:
            part = int(w.parts[blocks["route"][k], blocks["hop"][k]])
            if part >= 0:
                found[part] += float(blocks["bytes"][k])
            k = int(blocks["following"][k])
    most = float(np.abs(found - w.held).max())
    if most > 1.0 + 1e-6 * float(found.sum()):
        raise RuntimeError(f"fluid is not conserved: parts of ports and blocks that wait there differ by {most} bytes")
