"""Completion-time metrics from flows' start and end."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def completion_metrics(start: Floats, end: Floats, warmup: float, ideal: Floats | None = None) -> dict[str, float]:
    """Metrics over the flows that started after ``warmup``; times in seconds, end is NaN for unfinished flows.

    ideal: completion time [s] of each flow alone on an idle network; None leaves slowdown out. Flows that had not
    finished are counted, not guessed: when many are unfinished the percentiles are too low.
    """
    counted = start >= warmup
    finished = counted & ~np.isnan(end)
    if not counted.any():
        return {}
    metrics = {"fct_count": float(finished.sum()), "fct_unfinished": float((counted & ~finished).sum())}
    if not finished.any():
        return metrics
    times = end[finished] - start[finished]
    metrics["fct_mean"] = float(times.mean())
    for name, level in (("fct_p50", 50), ("fct_p95", 95), ("fct_p99", 99)):
        metrics[name] = float(np.percentile(times, level))
    if ideal is not None:
        slowdown = times / ideal[finished]
        metrics["slowdown_p50"] = float(np.percentile(slowdown, 50))
        metrics["slowdown_p99"] = float(np.percentile(slowdown, 99))
    return metrics


def fairness(delivered: Floats) -> float:
    """Jain's index of the amounts delivered: 1 when all are equal, 1/n when one has everything."""
    total = float(np.sum(delivered))
    return total * total / (len(delivered) * float(np.sum(np.square(delivered)))) if total > 0 else 1.0
