"""The smallest alpha that absorbs an incast."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from footroom.calculators.pool.burst import Absorbed

#: Alphas tried: switches offer 2⁻⁸ … 2⁷ (SAI), models accept a little more.
_LOWEST, _HIGHEST, _STEPS = 2.0**-12, 2.0**12, 8
#: Exponents that a switch takes as ``dynamic_th`` (SAI saibuffer.h: 2ⁿ of the available buffer).
EXPONENTS = range(-8, 8)

#: What is absorbed at one alpha.
AtAlpha = Callable[[float], Absorbed | None]


@dataclass(frozen=True)
class Found:
    """alpha: smallest that absorbs the incast, None when none does.  largest: bytes of burst that the best alpha
    absorbs, None when the queue never grows.  best: that alpha.
    """

    alpha: float | None
    largest: float | None
    best: float


def smallest_alpha(burst: float, at: AtAlpha) -> Found:
    """The smallest alpha at which ``burst`` [B] is absorbed.

    What is absorbed grows with alpha as long as the other queues' share, which may grow with the same alpha, can drain
    in time; beyond, it may fall again. So the first crossing is searched on a grid of eight alphas an octave and
    narrowed down to nine digits; where no alpha absorbs the burst, the best one is given.
    """
    if at(1.0) is None:
        return Found(_LOWEST, None, _LOWEST)

    def absorbed(alpha: float) -> float:
        found = at(alpha)
        return math.inf if found is None else found.burst

    octaves = round(math.log2(_HIGHEST / _LOWEST))
    grid = [_LOWEST * 2.0 ** (i / _STEPS) for i in range(octaves * _STEPS + 1)]
    reached = [absorbed(alpha) for alpha in grid]
    top = max(range(len(grid)), key=reached.__getitem__)
    best = _peak(absorbed, grid[max(0, top - 1)], grid[min(len(grid) - 1, top + 1)])
    if absorbed(best) < reached[top]:
        best = grid[top]
    largest = absorbed(best)
    if largest < burst:
        return Found(None, largest, best)
    first = next((i for i, bytes_ in enumerate(reached) if bytes_ >= burst), None)
    if first == 0:
        return Found(grid[0], largest, best)
    low, high = (grid[first - 1], grid[first]) if first is not None else (grid[max(0, top - 1)], best)
    while high / low > 1.0 + 1e-9:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if absorbed(middle) >= burst else (middle, high)
    return Found(high, largest, best)


def _peak(value: Callable[[float], float], low: float, high: float) -> float:
    """Where ``value``, with one peak between, is largest: golden section in the logarithm."""
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    a, b = math.log(low), math.log(high)
    for _ in range(40):
        left, right = b - ratio * (b - a), a + ratio * (b - a)
        a, b = (a, right) if value(math.exp(left)) >= value(math.exp(right)) else (left, b)
    return math.exp((a + b) / 2.0)


def exponent_for(alpha: float) -> int | None:
    """The smallest ``dynamic_th`` whose alpha 2ⁿ is at least ``alpha``; None when 2⁷ is too little."""
    return next((n for n in EXPONENTS if 2.0**n >= alpha), None)
