"""Shortest paths through a network, spread over equal ones flow by flow."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from footroom.base.rng import Choices


class Routes:
    """Hop-count shortest paths; among equal next hops one is drawn per flow (ECMP by flow hash).

    Nodes on a single cable, such as hosts, are left out: paths between them are paths between their neighbours, so that
    a network of ten thousand hosts costs no more than its switches.
    """

    def __init__(self, nodes: int, port_from: list[int], port_to: list[int]) -> None:
        self._leaving: list[list[int]] = [[] for _ in range(nodes)]
        self._entering: list[list[int]] = [[] for _ in range(nodes)]
        for port, (a, b) in enumerate(zip(port_from, port_to, strict=True)):
            self._leaving[a].append(port)
            self._entering[b].append(port)
        self._from, self._to = port_from, port_to
        self._stubs = {
            node: (self._leaving[node][0], self._entering[node][0]) for node in range(nodes) if self._hangs(node)
        }
        self._distance: dict[int, list[int]] = {}
        self._nearer: dict[tuple[int, int], list[int]] = {}
        self._only: dict[tuple[int, int], list[int]] = {}
        self._least: dict[tuple[int, int], int] = {}

    def _hangs(self, node: int) -> bool:
        """Whether one cable joins the node to the rest, and the other end of it has more than that cable."""
        if len(self._leaving[node]) != 1 or len(self._entering[node]) != 1:
            return False
        other = self._to[self._leaving[node][0]]
        return other == self._from[self._entering[node][0]] and len(self._leaving[other]) > 1

    def _distances(self, target: int) -> list[int]:
        """Hops from every node but those that hang on one cable to ``target``; -1 where there is no way."""
        if target not in self._distance:
            distance = [-1] * len(self._leaving)
            distance[target] = 0
            waiting = deque([target])
            while waiting:
                node = waiting.popleft()
                for port in self._entering[node]:
                    before = self._from[port]
                    if distance[before] < 0 and before not in self._stubs:
                        distance[before] = distance[node] + 1
                        waiting.append(before)
            self._distance[target] = distance
        return self._distance[target]

    def _ends(self, source: int, target: int) -> tuple[list[int], int, int, list[int]]:
        """The only first port, where the way branches out from and to, and the only last port, where there are such."""
        first, last = [], []
        if source in self._stubs:
            first = [self._stubs[source][0]]
            source = self._to[first[0]]
        if target in self._stubs:
            last = [self._stubs[target][1]]
            target = self._from[last[0]]
        return first, source, target, last

    def path(self, source: int, target: int, rng: np.random.Generator | Choices) -> list[int] | None:
        """Ports from ``source`` to ``target``, or None when there is no way."""
        if source == target:
            return []
        first, source, target, last = self._ends(source, target)
        between = self._between(source, target, rng)
        return None if between is None else [*first, *between, *last]

    def certain(self, source: int, target: int) -> bool:
        """Whether ``path`` has found that there is one way only, so that it draws nothing."""
        _, source, target, _ = self._ends(source, target)
        return source == target or (source, target) in self._only

    def _between(self, source: int, target: int, rng: np.random.Generator | Choices) -> list[int] | None:
        only = self._only.get((source, target))
        if only is not None:
            return only
        distance = self._distances(target)
        if distance[source] < 0:
            return None
        ports = []
        node = source
        drawn = False
        while node != target:
            nearer = self._nearer.get((node, target))
            if nearer is None:
                nearer = [p for p in self._leaving[node] if distance[self._to[p]] == distance[node] - 1]
                self._nearer[node, target] = nearer
            if len(nearer) == 1:
                port = nearer[0]
            else:
                port, drawn = nearer[int(rng.integers(len(nearer)))], True
            ports.append(port)
            node = self._to[port]
        if not drawn:
            self._only[source, target] = ports
        return ports

    def least(self, source: int, target: int, delay: npt.NDArray[np.int64]) -> int:
        """Least sum of ``delay`` over the shortest paths from ``source`` to ``target``; 0 where there is no way."""
        if source == target:
            return 0
        first, source, target, last = self._ends(source, target)
        if self._distances(target)[source] < 0:
            return 0
        return sum(int(delay[p]) for p in (*first, *last)) + self._least_between(source, target, delay)

    def _least_between(self, source: int, target: int, delay: npt.NDArray[np.int64]) -> int:
        if source == target:
            return 0
        if (source, target) not in self._least:
            distance = self._distances(target)
            self._least[source, target] = min(
                int(delay[p]) + self._least_between(self._to[p], target, delay)
                for p in self._leaving[source]
                if distance[self._to[p]] == distance[source] - 1
            )
        return self._least[source, target]
