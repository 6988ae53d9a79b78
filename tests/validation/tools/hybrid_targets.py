"""Judge fluid beside packets by the targets of docs/hybrid.md: for the tools that compare it with packets alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from footroom.result import Result

#: Most points of utilisation, share of the buffer, ratio of drop rates (above the least), p50 and p99.
POINTS, SHARE, DROPS, LEAST_DROPS = 2.0, 0.1, 1.5, 1e-4
TIMES = {"fct_p50": 0.1, "fct_p99": 0.25}


class Figure(NamedTuple):
    """One difference as text. missed: beyond its target.  marked: the engine calls it outside its validity.  noisy: a
    single seed is within the target, or misses it on the other side.
    """

    text: str
    missed: bool
    marked: bool
    noisy: bool = False

    def __str__(self) -> str:
        return f"{self.text}{'!' if self.marked else ' ' if not self.missed else 'x' if self.noisy else 'X'}"


def figures(packets: Sequence[Result], mixed: Sequence[Result], buffer: float) -> dict[str, Figure]:
    """Metric to figure, of the means over seeds, for metrics that runs of both kinds have. buffer: B."""
    outside = {metric for result in mixed for metric in result.outside}
    found: dict[str, Figure] = {}
    for metric in ("utilisation", "drop_rate", "queue_mean", *TIMES):
        full, short = _of(packets, metric), _of(mixed, metric)
        if not (np.isfinite(full).all() and np.isfinite(short).all()):
            continue
        text, missed = _difference(metric, float(full.mean()), float(short.mean()), buffer)
        each = [_difference(metric, *pair, buffer)[1] for pair in zip(full.tolist(), short.tolist(), strict=True)]
        noisy = not all(each) or len(set((short > full).tolist())) > 1
        found[metric] = Figure(text, missed, metric in outside, noisy)
    return found


def _of(results: Sequence[Result], metric: str) -> np.ndarray:
    return np.array([result.metrics.get(metric, math.nan) for result in results])


def _difference(metric: str, full: float, short: float, buffer: float) -> tuple[str, bool]:
    """From packets, ``full``, to fluid beside packets, ``short``: as text, and whether it misses its target."""
    if metric == "utilisation":
        points = 100.0 * (short - full)
        return f"{points:+6.2f}", abs(points) > POINTS
    if metric == "queue_mean":
        share = (short - full) / buffer
        return f"{share:+6.3f}", abs(share) > SHARE
    ratio = short / full if full else math.nan
    if metric == "drop_rate":
        within = max(full, short) <= LEAST_DROPS or 1.0 / DROPS <= ratio <= DROPS
        return f"{ratio:5.2f}", not within
    return f"{ratio:5.2f}", abs(ratio - 1.0) > TIMES[metric]
