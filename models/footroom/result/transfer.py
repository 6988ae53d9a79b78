"""Completion time of a single transfer of a stated size, as measured by probes."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Metric to the share of transfers that are quicker.
LEVELS = {"transfer_p50": 0.5, "transfer_p99": 0.99}
#: Transfers from which each has a 95 % interval: for the 99th percentile 1 - 0.99^n must reach 97.5 %.
LEAST = {"transfer_p50": 6, "transfer_p99": 368}


def named(size: float) -> str:
    """A size [B] in words: "1 MB"."""
    factor, prefix = next(((f, p) for f, p in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if size >= f), (1.0, ""))
    return f"{size / factor:.4g} {prefix}B"


@dataclass(frozen=True)
class Transfers:
    """What probes found. size [B].  times: completion times [s].  unfinished: under way when the run ended; each took
    longer than a fifth of the measured time.  runs: how many contributed.
    """

    size: float
    times: tuple[float, ...] = ()
    unfinished: int = 0
    runs: int = 1


def pooled(parts: list[Transfers]) -> Transfers:
    """The probes of several runs as one sample."""
    return Transfers(
        parts[0].size,
        tuple(time for part in parts for time in part.times),
        sum(part.unfinished for part in parts),
        sum(part.runs for part in parts),
    )


def transfer_metrics(found: Transfers) -> tuple[dict[str, float], dict[str, tuple[float, float]], tuple[str, ...]]:
    """Percentiles, their 95 % intervals, and notes.

    Percentiles are order statistics; intervals are those of the binomial distribution (David and Nagaraja, Order
    Statistics, 2003, section 7.1), which hold for any distribution of independent transfers. A percentile for which
    there are too few transfers, or whose interval reaches one that had not ended, is absent, with a note.
    """
    ended, count = sorted(found.times), len(found.times) + found.unfinished
    if not count:
        return {}, {}, ()
    from scipy.stats import binom

    metrics: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}
    notes = [
        f"{count} probes of {named(found.size)}"
        + (f", {found.unfinished} of them still under way at the end" if found.unfinished else "")
        + "."
    ]
    for name, level in LEVELS.items():
        if count < LEAST[name]:
            runs = math.ceil(found.runs * LEAST[name] / count)
            notes.append(
                f"{name} needs {LEAST[name]} probes for a 95 % interval: {runs} replicas, or runs "
                f"{LEAST[name] / count:.2g} times as long."
            )
            continue
        low, high = int(binom.ppf(0.025, count, level)), int(binom.ppf(0.975, count, level)) + 1
        if high > len(ended):
            notes.append(f"{name} is not known: too many probes had not ended. Make the run longer.")
            continue
        metrics[name] = ended[math.ceil(level * count) - 1]
        intervals[name] = ended[max(low, 1) - 1], ended[high - 1]
    return metrics, intervals, tuple(notes)
