"""What happens where no small disturbance tells: the swing of the queue, from the equations over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from footroom.errors import NotConverged
from footroom.fluid.linear import Matrix
from footroom.fluid.system import Course, System

#: Rows of a course; a period shorter than some of them cannot be told.
_ROWS = 6000
#: A queue that swings by less than this share of its mean, or than this part of a packet, rests.
_RESTS, _PART = 2e-3, 0.02


@dataclass(frozen=True)
class Cycle:
    """The queue once the start is over: least, greatest and mean [B], period [s], share of the capacity used.

    period is none when the queue does not come back to where it was often enough to tell.
    """

    queue_min: float
    queue_max: float
    mean: float
    period: float | None
    utilisation: float

    @property
    def peak_to_peak(self) -> float:
        """Greatest less least queue, B."""
        return self.queue_max - self.queue_min

    def to_dict(self) -> dict[str, Any]:
        """Plain data; a period that cannot be told is absent."""
        found = {"queue_min": self.queue_min, "queue_max": self.queue_max, "peak_to_peak": self.peak_to_peak,
                 "mean": self.mean, "utilisation": self.utilisation}
        return found if self.period is None else {**found, "period": self.period}


@dataclass(frozen=True)
class Outcome:
    """How a course ends. cycle: none when the queue rests, or when what could be followed was too short to tell.
    rests: whether it rests; none when that cannot be told.  note: what was cut short, empty when nothing was.
    """

    cycle: Cycle | None
    rests: bool | None
    note: str


def outcome_of(system: System) -> Outcome:
    """The swing in which the flows end when they start as they do."""
    try:
        course = system.course(points=_ROWS)
    except NotConverged as error:
        return Outcome(None, None, f"The equations could not be followed over time: {error}.")
    packet = system.link.packet
    note = f"The course was {course.note}." if course.note else ""
    if course.greatest - course.least <= max(_RESTS * course.mean, _PART):
        return Outcome(None, True, note)
    found = Cycle(course.least * packet, course.greatest * packet, course.mean * packet, period(course),
                  course.utilisation)
    if note and found.period is None:
        return Outcome(None, None, f"{note[:-1]}, too short to tell how the queue swings.")
    return Outcome(found, False, note)


def period(course: Course) -> float | None:
    """Mean time between rises through the mean queue, with a dead band of a tenth of the swing; none below three."""
    after = course.time >= course.warmup
    return period_of(course.time[after], course.queue[after])


def period_of(time: Matrix, queue: Matrix) -> float | None:
    """The same of any series."""
    if queue.size < 3:
        return None
    low, high = float(queue.min()), float(queue.max())
    middle, band = 0.5 * (low + high), 0.05 * (high - low)
    side = np.where(queue > middle + band, 1, np.where(queue < middle - band, -1, 0))
    known = np.flatnonzero(side)
    turns = known[1:][(side[known][1:] > 0) & (side[known][:-1] < 0)]
    if turns.size < 3:
        return None
    # Between the rows where the band is left below and above, the crossing of its upper edge by a straight line.
    before = turns - 1
    share = (middle + band - queue[before]) / (queue[turns] - queue[before])
    crossings = time[before] + share * (time[turns] - time[before])
    return float((crossings[-1] - crossings[0]) / (crossings.size - 1))
