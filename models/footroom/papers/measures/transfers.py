"""Completion times by entry of the traffic and by size, and queues as shares of time, as results summarise them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.parts.sizes.empirical import index, table
from footroom.scenario import lookup


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def by_entry(answers: Sequence[Answer], entry: str, column: str) -> float:
    """Mean over the cases of a column of ``Result.completions``: rate [1/s], mean, p50 or p99 [s] of one entry."""
    found = []
    for answer in answers:
        rows = [row for row in answer.completions if row["name"] == entry]
        if not rows:
            raise NotMeasurableError(f"{answer.case}: nothing of {entry} completed")
        found.append(float(rows[0][column]))
    return _mean(found)


def slowdown(answers: Sequence[Answer], level: str, upto: float, above: float | None = None) -> float:
    """Mean over the cases of the slowdown of sizes up to ``upto`` [B]. level: p50 or p99.

    above: the least of the classes that count [B]; without it, only the class that ends at ``upto``. Several classes
    are weighed by how much they completed.
    """
    found = []
    for answer in answers:
        rows = [
            row for row in answer.by_size if row["upto"] == upto or (above is not None and above <= row["above"] < upto)
        ]
        if not rows:
            raise NotMeasurableError(f"{answer.case}: nothing of up to {upto:g} B completed")
        weight = sum(row["count"] for row in rows)
        found.append(sum(row["count"] * float(row[f"slowdown_{level}"]) for row in rows) / weight)
    return _mean(found)


def queue(answers: Sequence[Answer], share: float, busiest: bool = False) -> float:
    """Queue [B] that was not exceeded for this share of the time, mean over the cases.

    Of all watched ports together, or of the one with the longest mean queue.
    """
    found = []
    for answer in answers:
        shares = answer.queues["share"]
        if share not in shares:
            raise NotMeasurableError(f"no queue was recorded at a share of {share:g}")
        found.append(float(answer.queues["queues"][-1 if busiest else 0]["bytes"][shares.index(share)]))
    return _mean(found)


def sizes_upto(answers: Sequence[Answer], path: str, size: float, below: bool = False) -> float:
    """Share of the sizes drawn that are at most ``size`` [B], or smaller; path: of the measured distribution."""
    name = lookup(dict(answers[0].scenario), f"{path}.name")
    if not isinstance(name, str) or name not in index():
        raise NotMeasurableError(f"{path} is no measured distribution")
    found = table(name)
    return float(np.interp(size - 1e-6 if below else size, found.size, found.cumulative, left=0.0))
