"""Cyclic buffer dependencies: pauses of lossless classes that may wait for one another for ever.

Packets of class k that came in by port p and leave by port o wait in a priority group of the switch between. While
the node behind o pauses class k, that group cannot drain, and may have its own neighbour paused: the pause of (p, k)
depends on that of (o, k). Where headroom is insurance (dynamic_shared), a port may be paused as a whole, by packets of
any class. A cycle of such dependencies, of which routes and classes of the flows decide, is what a deadlock needs
(Dally and Seitz, IEEE Transactions on Computers C-36, 1987; for PFC Hu et al., HotNets 2016); without a cycle there is
none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from footroom.engines.plan.lossless import Lossless
from footroom.kernel.answers import WHOLE

Ints = npt.NDArray[np.int64]
#: A pause: the port whose sender it stops, and its class, WHOLE for all lossless classes.
Pause = tuple[int, int]
Graph = dict[Pause, set[Pause]]

#: Hops of a cycle that are named before the rest is counted.
_NAMED = 8
#: Number of starting points for the search of a shortest cycle once one is known.
_STARTS = 200


def cyclic(
    lossless: Lossless, port_to: Ints, node_switch: dict[int, int], routes: Ints, travels: Iterable[tuple[int, int]]
) -> Graph:
    """Which pauses each pause waits for; empty where that closes no cycle.

    node_switch: number of the switch at a node.  travels: (where a route begins in ``routes``, class) of all packets.
    """
    found: Graph = {}
    at = [node_switch.get(int(node), -1) for node in port_to]

    def pauses(port: int, klass: int) -> list[Pause]:
        """The pauses by which the switch at the end of ``port`` may hold back ``klass``."""
        switch = at[port]
        if switch < 0 or not lossless.classes[switch, klass]:
            return []
        return [(port, klass), (port, WHOLE)] if lossless.insured[switch] else [(port, klass)]

    seen: set[tuple[int, int, int]] = set()
    for start, klass in sorted(set(travels)):
        hop = start
        while (port := int(routes[hop])) >= 0 and (onward := int(routes[hop + 1])) >= 0:
            known = (port, onward, klass) in seen
            seen.add((port, onward, klass))
            for waiting in () if known else pauses(port, klass):
                found.setdefault(waiting, set()).update(pauses(onward, klass))
            hop += 1
    return found if core(found) else {}


def shortest_cycle(graph: Graph) -> list[Pause]:
    """A short cycle; empty where there is none. The shortest of all that lead through the first ``_STARTS`` nodes."""
    best: list[Pause] = []
    for number, start in enumerate(sorted(core(graph))):
        if best and number >= _STARTS:
            break
        before: dict[Pause, Pause] = {}
        waiting = deque([start])
        while waiting and start not in before:
            node = waiting.popleft()
            for other in sorted(graph.get(node, ())):
                if other not in before:
                    before[other] = node
                    waiting.append(other)
        if start not in before:
            continue
        path = [start]
        while (node := before[path[-1]]) != start:
            path.append(node)
        if not best or len(path) < len(best):
            best = [start, *reversed(path[1:])]
    return best


def core(graph: Graph) -> set[Pause]:
    """Pauses that may lie on a cycle: those left after removing all that wait for none, or that none waits for."""
    ahead = {node: {other for other in others if other in graph} for node, others in graph.items()}
    behind: Graph = {node: set() for node in graph}
    for node, others in ahead.items():
        for other in others:
            behind[other].add(node)
    left = set(graph)
    free = deque(node for node in graph if not ahead[node] or not behind[node])
    while free:
        node = free.popleft()
        if node not in left:
            continue
        left.discard(node)
        for near, far in ((ahead, behind), (behind, ahead)):
            for other in near[node]:
                far[other].discard(node)
                if other in left and not far[other]:
                    free.append(other)
    return left


def name_of(pause: Pause, names: Sequence[str], port_from: Ints, port_to: Ints) -> str:
    """``from>to`` of the port and the class."""
    port, klass = pause
    what = "all classes" if klass == WHOLE else f"class {klass}"
    return f"{names[int(port_from[port])]}>{names[int(port_to[port])]} ({what})"


def told(cycle: Sequence[Pause], names: Sequence[str], port_from: Ints, port_to: Ints) -> tuple[str, ...]:
    """One sentence that names the cycle port by port; nothing without one."""
    if not cycle:
        return ()
    hops = [name_of(pause, names, port_from, port_to) for pause in cycle[:_NAMED]]
    more = f", {len(cycle) - _NAMED} more" if len(cycle) > _NAMED else ""
    note = (
        "Lossless classes may deadlock. There is a cycle of buffer dependencies: packets that arrive through each "
        f"of these ports wait for the next port, and those of the last for the first: {', '.join(hops)}{more}. If "
        "all of them are paused at the same time, none resumes. Change the routes, or make a class lossy."
    )
    return (note,)
