"""Time series of one emulation: few points, no peak lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.arrivals import Ints
from footroom.calculators.emulator.replay import Outcome, step_of

if TYPE_CHECKING:
    from footroom.calculators.emulator.document import MemorySeries, QueueSeries

#: Ports whose queue is shown.
_SHOWN = 2


def _held(seen: npt.NDArray[np.bool_], low: Ints, high: Ints, last: Ints, start: int) -> tuple[Ints, Ints, Ints]:
    """Lowest, highest and last value of every step: a value lasts until the next change, also into later steps."""
    newest = np.maximum.accumulate(np.where(seen, np.arange(len(seen)), -1))
    ends = np.where(newest >= 0, last[np.maximum(newest, 0)], start)
    begins = np.r_[start, ends[:-1]]
    return (np.where(seen, np.minimum(low, begins), begins), np.where(seen, np.maximum(high, begins), begins), ends)


def queues(outcome: Outcome, ports: list[int]) -> list[QueueSeries]:
    """Length, threshold and drops of ``ports`` in every step."""
    found: list[QueueSeries] = []
    for port in ports[:_SHOWN]:
        line = outcome.series[port]
        low, high, last = _held(line[:, at.SEEN] > 0, line[:, at.LOWEST], line[:, at.HIGHEST], line[:, at.LAST], 0)
        asked = line[:, at.ASKED] > 0
        limits = [
            [int(value) if known else None for value, known in zip(line[:, column], asked, strict=True)]
            for column in (at.LIMIT_LOWEST, at.LIMIT_HIGHEST)
        ]
        found.append(
            {
                "port": port,
                "queue": last.tolist(),
                "queue_min": low.tolist(),
                "queue_max": high.tolist(),
                "threshold_min": limits[0],
                "threshold_max": limits[1],
                "dropped": line[:, at.LOST].tolist(),
            }
        )
    return found


def memory(outcome: Outcome, pool: int) -> MemorySeries:
    """Free shared memory in every step."""
    line = outcome.memory
    low, high, last = _held(
        line[:, at.USED_SEEN] > 0, line[:, at.USED_LOWEST], line[:, at.USED_HIGHEST], line[:, at.USED_LAST], 0
    )
    return {"free": (pool - last).tolist(), "free_min": (pool - high).tolist(), "free_max": (pool - low).tolist()}


def times(steps: int, end: int) -> list[float]:
    """When each step begins [s]; end: of the last one [ps]."""
    found: list[float] = (np.arange(steps) * (step_of(steps, end) * 1e-12)).tolist()
    return found
