"""Completed flows of one run, and how they are drawn again for an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Chance that a Poisson number of mean 1 is at most 0, 1, 2 and so on, to the last bit of a double.
_POISSON = np.cumsum([math.exp(-1.0) / math.factorial(k) for k in range(18)])


def mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Each word scrambled, every bit depending on all: the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


@dataclass(frozen=True)
class Flows:
    """Completed flows: payload [B], completion time [s], start [s], and number of the traffic entry each belongs to."""

    size: Floats
    fct: Floats
    start: Floats
    entry: Ints

    def times(self, entry: int | None) -> Floats:
        """Completion times [s] of one entry of the traffic; none means all."""
        return self.fct if entry is None else self.fct[self.entry == entry]

    def of_entry(self, entry: int | None) -> Flows:
        """Those of one entry of the traffic; none means all."""
        return self if entry is None else self.taken(np.flatnonzero(self.entry == entry))

    def taken(self, chosen: Ints) -> Flows:
        """The flows of these numbers, in this order."""
        return Flows(self.size[chosen], self.fct[chosen], self.start[chosen], self.entry[chosen])

    def quantile(self, level: float, entry: int | None) -> float | None:
        """Quantile of the completion times [s] of one entry, all without one; none where it has no flow."""
        times = self.times(entry)
        return float(np.quantile(times, level)) if len(times) else None

    @cached_property
    def queries(self) -> tuple[Ints, Ints, Ints]:
        """Numbers of the flows, grouped by entry and start time.

        Then the index at which each group begins, and the number of flows in it.
        """
        order = np.lexsort((self.start, self.entry))
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (np.diff(self.start[order]) != 0.0) | (np.diff(self.entry[order]) != 0)
        first = np.flatnonzero(new)
        return order, first, np.diff(first, append=len(order))

    @cached_property
    def _ranked(self) -> dict[int | None, tuple[Floats, Ints]]:
        return {}

    def ranked(self, entry: int | None) -> tuple[Floats, Ints]:
        """Completion times [s] of one entry in ascending order, and the number of the query each belongs to."""
        if entry not in self._ranked:
            order, _, count = self.queries
            query = np.empty(len(order), dtype=np.int64)
            query[order] = np.repeat(np.arange(len(count)), count)
            chosen = np.arange(len(self.fct)) if entry is None else np.flatnonzero(self.entry == entry)
            chosen = chosen[np.argsort(self.fct[chosen], kind="stable")]
            self._ranked[entry] = self.fct[chosen], query[chosen]
        return self._ranked[entry]

    @cached_property
    def _identity(self) -> npt.NDArray[np.uint64]:
        """A number for each query, from its entry and start: the same in every run with the same arrivals."""
        order, first, _ = self.queries
        heads = order[first]
        return mixed(self.start[heads].view(np.uint64) ^ mixed(self.entry[heads].astype(np.uint64)))

    @cached_property
    def _of_entries(self) -> dict[int, tuple[int, int]]:
        """First query of every entry, and the one after its last: ``queries`` are in the order of entries."""
        order, first, _ = self.queries
        entries, begins = np.unique(self.entry[order[first]], return_index=True)
        ends = [*begins[1:].tolist(), len(first)]
        return {int(entry): (int(begin), end) for entry, begin, end in zip(entries, begins, ends, strict=True)}

    def of_queries(self, entry: int | None) -> tuple[int, int]:
        """Numbers of the first query of an entry and of the one after its last, of all queries without one."""
        return (0, len(self.queries[1])) if entry is None else self._of_entries.get(entry, (0, 0))

    @property
    def entries(self) -> tuple[int, ...]:
        """Entries of the traffic that have a flow, in ascending order."""
        return tuple(self._of_entries)

    def again(self, rng: np.random.Generator) -> Redrawn:
        """Each query drawn a Poisson number of times, of mean 1. Flows of one entry that began together are drawn
        together, and so are the same flows of cases with the same arrivals.

        The number depends only on the generator's state and on the query's entry and start. If queries were drawn by
        their place among those that completed, one that is missing in one of two cases would shift all others, and the
        difference of the cases would seem to come from the sizes of flows, which they share (Poisson bootstrap: Hanley
        and MacGibbon, Computer Methods and Programs in Biomedicine 83, 2006).
        """
        return Redrawn(self, rng)

    def numbers(self, entry: int, salt: np.uint64) -> Ints:
        """How often each query of ``entry`` is drawn with that salt."""
        begin, end = self.of_queries(entry)
        share = (mixed(self._identity[begin:end] ^ salt) >> np.uint64(11)) * 2.0**-53
        return np.searchsorted(_POISSON, share, side="right")


@dataclass(frozen=True)
class Redrawn:
    """Flows drawn again, each entry when it is asked for: a measure of a few flows does not draw millions of others.

    base: the original flows.  rng: where salts come from; nothing else may draw from it.
    """

    base: Flows
    rng: np.random.Generator

    @cached_property
    def _salts(self) -> list[np.uint64]:
        return []

    @cached_property
    def _drawn(self) -> dict[int, Ints]:
        return {}

    def _often(self, entry: int) -> Ints:
        """How often each query of one entry was drawn."""
        if entry not in self._drawn:
            turn, often = 0, np.zeros(1, dtype=np.int64)
            while not often.any():  # an entry with few queries may have none drawn, which has no quantile: again
                if turn == len(self._salts):
                    self._salts.append(self.rng.integers(0, 2**63, dtype=np.uint64))
                often = self.base.numbers(entry, self._salts[turn])
                turn += 1
            self._drawn[entry] = often
        return self._drawn[entry]

    def _chosen(self, entry: int | None) -> Ints:
        """How often each query of one entry was drawn, of all entries without one."""
        if entry is None:
            return np.concatenate([np.empty(0, dtype=np.int64), *(self._often(one) for one in self.base.entries)])
        return self._often(entry) if entry in self.base.entries else np.empty(0, dtype=np.int64)

    def drawn(self, entry: int | None) -> Ints:
        """Numbers of the queries of one entry, of all without one, each as often as it was drawn."""
        return np.repeat(np.arange(*self.base.of_queries(entry)), self._chosen(entry))

    def of_entry(self, entry: int | None) -> Flows:
        """As ``Flows.of_entry``: the flows drawn, written out."""
        order, first, count = self.base.queries
        drawn = self.drawn(entry)
        number = count[drawn]
        ends = np.cumsum(number)
        within = np.arange(int(number.sum())) - np.repeat(ends - number, number)
        return self.base.taken(order[np.repeat(first[drawn], number) + within])

    @property
    def whole(self) -> Flows:
        """All flows drawn, written out."""
        return self.of_entry(None)

    def times(self, entry: int | None) -> Floats:
        """As ``Flows.times``."""
        return self.of_entry(entry).fct

    def quantile(self, level: float, entry: int | None) -> float | None:
        """As ``Flows.quantile``, the same to the last bit, from how often each flow was drawn: nothing is sorted."""
        times, query = self.base.ranked(entry)
        upto = np.cumsum(self._chosen(entry)[query - self.base.of_queries(entry)[0]])
        if not len(upto) or not upto[-1]:
            return None
        place = float(upto[-1] - 1) * level
        below, above = times[np.searchsorted(upto, [int(place), min(int(place) + 1, upto[-1] - 1)], side="right")]
        # Weighted as NumPy does it, from the nearer end.
        share = place - int(place)
        return float(below + (above - below) * share if share < 0.5 else above - (above - below) * (1.0 - share))
