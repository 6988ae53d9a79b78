"""The way of every flow: there, and back for its acknowledgements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput
from footroom.base.rng import Choices
from footroom.engines.plan.routes import Routes

Ints = npt.NDArray[np.int64]
#: Where a way there and one back begin in the flat array, and the round trip without queueing [ps].
Way = tuple[int, int, int]


def ways(
    sources: Ints,
    targets: Ints,
    continues: Ints,
    routes: Routes,
    known: Callable[[list[int]], tuple[int, int]],
    names: list[str],
    random: Callable[[], Choices],
) -> tuple[Ints, Ints, Ints]:
    """Where each flow's way there and back begins in the flat array, and its round trip without queueing [ps].

    continues: the earlier flow of the same connection, which has the same way; -1 for none.  known: where a path begins
    in the flat array, and its propagation [ps].  random: begins the choices between ways of equal length anew. Raises
    InvalidInput where no path joins two hosts.
    """
    find = _Finder(routes, known, names)
    found = _by_pair(sources, targets, continues, find, random())
    if found is None:
        found = _by_flow(sources.tolist(), targets.tolist(), continues.tolist(), find, random())
    there, back, rtt = found.T
    return there, back, rtt


class _Finder:
    """Finds ways between two hosts."""

    def __init__(self, routes: Routes, known: Callable[[list[int]], tuple[int, int]], names: list[str]) -> None:
        self._routes, self._known, self._names = routes, known, names

    def only(self, source: int, target: int, random: Choices) -> bool:
        """Whether there is one way there and one back. It draws where there are several."""
        self._paths(source, target, random)
        return self.certain(source, target)

    def certain(self, source: int, target: int) -> bool:
        """The same where a way was found before."""
        return self._routes.certain(source, target) and self._routes.certain(target, source)

    def way(self, source: int, target: int, random: Choices) -> Way:
        """One way, drawn where there are several."""
        there, back = self._paths(source, target, random)
        (begins, out), (returns, home) = self._known(there), self._known(back)
        return begins, returns, out + home

    def _paths(self, source: int, target: int, random: Choices) -> tuple[list[int], list[int]]:
        there, back = self._routes.path(source, target, random), self._routes.path(target, source, random)
        if there is None or back is None:
            raise InvalidInput.at(
                "topology.links", f"{self._names[source]} to {self._names[target]}", "no path joins these hosts"
            )
        return there, back


def _by_pair(sources: Ints, targets: Ints, continues: Ints, find: _Finder, random: Choices) -> Ints | None:
    """Ways of flows of which no two hosts have several; None where some have, or a connection changes its hosts.

    Tens of thousands of short flows run between a few hosts.
    """
    if not len(sources):
        return np.empty((0, 3), dtype=np.int64)
    later = continues >= 0
    pair = sources * (int(targets.max()) + 1) + targets
    if (pair[later] != pair[continues[later]]).any():
        return None
    _, first, which = np.unique(pair, return_index=True, return_inverse=True)
    # The flat array has paths in the order in which flows first use them.
    order = np.argsort(first)
    hosts = list(zip(sources[first[order]].tolist(), targets[first[order]].tolist(), strict=True))
    if not all(find.only(source, target, random) for source, target in hosts):
        return None
    found = np.empty((len(hosts), 3), dtype=np.int64)
    found[order] = [find.way(source, target, random) for source, target in hosts]
    return found[which]


def _by_flow(sources: list[int], targets: list[int], continues: list[int], find: _Finder, random: Choices) -> Ints:
    """Ways of flows between whose hosts there may be several: drawn flow by flow."""
    found: list[Way] = []
    certain: dict[tuple[int, int], Way] = {}
    for source, target, earlier in zip(sources, targets, continues, strict=True):
        if earlier >= 0:
            way = found[earlier]
        elif (source, target) in certain:
            way = certain[source, target]
        else:
            way = find.way(source, target, random)
            if find.certain(source, target):
                certain[source, target] = way
        found.append(way)
    return np.array(found, dtype=np.int64)
