"""Flows that take turns: identical flows in a few classes, each a little further on in its cycle than the one before.

Flows of one group see the same queue, so alone they would all act at the same instant. Real ones do not. Flow i of
the n under one law belongs to class i mod m, m = min(n, ``MOST``). Flows of a class are in step. Counting runs over all
groups of the law, so that splitting a group changes nothing. Classes stand evenly apart, or as far apart as m places
drawn at random on a circle are on average: the k-th smallest gap is (1/m) (1/m + 1/(m-1) + ... + 1/(m-k+1)).
"""

from __future__ import annotations

import math
from itertools import accumulate

from footroom.engines.fluid.laws.flows import Path

#: Most classes of a law.
MOST = 6


def classes(path: Path) -> int:
    """Classes in use, m."""
    return max(1, min(MOST, math.ceil(path.alike - 1e-9)))


def shares(path: Path) -> tuple[float, ...]:
    """How many of the group's flows are in each of the ``MOST`` classes; they add up to its flows."""
    return tuple(
        _below(path.before + path.count, k, classes(path)) - _below(path.before, k, classes(path)) for k in range(MOST)
    )


def evenly(path: Path) -> tuple[float, ...]:
    """Share of a turn that each of the ``MOST`` classes is ahead of the first, evenly apart."""
    return _spread(tuple(k / classes(path) for k in range(classes(path))))


def at_random(path: Path) -> tuple[float, ...]:
    """The same, as far apart as flows that began at random: the widest gap first, then the narrowest, in turn."""
    used = classes(path)
    gaps = [sum(1.0 / j for j in range(used - k, used + 1)) / used for k in range(used)]
    turned = [gaps[-1 - k // 2] if k % 2 == 0 else gaps[k // 2] for k in range(used)]
    return _spread((0.0, *accumulate(turned[:-1])))


def _spread(places: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(places[k % len(places)] for k in range(MOST))


def _below(flows: float, number: int, used: int) -> float:
    """Of flows 0 up to ``flows`` (a fraction counts as one begun), those of class ``number``."""
    if number >= used:
        return 0.0
    rounds, rest = divmod(flows, used)
    return rounds + min(1.0, max(0.0, rest - number))
