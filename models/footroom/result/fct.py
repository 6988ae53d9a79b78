"""Completion-time metrics, and fairness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_NONE: Floats = np.zeros(0)


def completion_metrics(times: Floats, unfinished: int, ideal: Floats | None = None) -> dict[str, float]:
    """Metrics of the flows that completed in the measured window, whenever they had started.

    times: their completion times [s].  unfinished: flows under way when the run ended; where they are many, the largest
    times are missing.  ideal: completion time [s] of each flow alone on an idle network; None leaves slowdown out.
    """
    metrics = {"fct_count": float(len(times)), "fct_unfinished": float(unfinished)}
    if not len(times):
        return metrics
    metrics["fct_mean"] = float(times.mean())
    for name, level in (("fct_p50", 50), ("fct_p95", 95), ("fct_p99", 99)):
        metrics[name] = float(np.percentile(times, level))
    if ideal is not None:
        slowdown = times / ideal
        metrics["slowdown_p50"] = float(np.percentile(slowdown, 50))
        metrics["slowdown_p99"] = float(np.percentile(slowdown, 99))
    return metrics


def set_up_waits(retries: float) -> tuple[str, ...]:
    """A note where set-up packets of connections were lost: completion times leave that delay out."""
    if not retries:
        return ()
    lost = "1 set-up packet was lost" if retries == 1 else f"{retries:.0f} set-up packets were lost"
    begin = "Completion times (fct_*) begin with a transfer's first data, so they leave this wait out."
    return (f"{lost} and sent again after 1 s or more. {begin}",)


def query_metrics(
    event: Ints,
    begin: Floats,
    end: Floats,
    opened: float,
    now: float,
    streamed: Floats = _NONE,
    waiting: int = 0,
    after: Ints | None = None,
    pause: Floats = _NONE,
) -> dict[str, float]:
    """Metrics of the queries whose last answer came in the window from ``opened`` to ``now`` [s].

    event: the query of each flow, -1 for none.  end: of each flow [s], infinite while under way.  begin: of each
    query [s].  streamed: completion times [s] of queries over connections that carry a stream of them.  waiting: such
    queries under way at the end.  after: the query that each one follows, -1 for none; it begins ``pause`` [s] after
    that one's last answer, whatever ``begin`` says.
    """
    if not len(begin) and not len(streamed):
        return {}
    last = np.full(len(begin), -np.inf)
    np.maximum.at(last, event[event >= 0], end[event >= 0])
    if after is not None:
        follows = after >= 0
        begin = begin.copy()
        begin[follows] = last[after[follows]] + pause[follows]
    begun = begin <= now
    counted = begun & np.isfinite(last) & (last > opened)
    times = np.concatenate([last[counted] - begin[counted], streamed])
    metrics = {"qct_count": float(len(times)), "qct_unfinished": float((begun & np.isposinf(last)).sum() + waiting)}
    if len(times):
        metrics["query_rate"] = len(times) / (now - opened)
        metrics["qct_mean"] = float(times.mean())
        metrics["qct_p50"], metrics["qct_p99"] = (float(v) for v in np.percentile(times, [50, 99]))
    return metrics


def fairness(delivered: Floats) -> float:
    """Jain's index of the amounts delivered, not all 0: 1 when all are equal, 1/n when one has everything."""
    total = float(np.sum(delivered))
    return total * total / (len(delivered) * float(np.sum(np.square(delivered))))
