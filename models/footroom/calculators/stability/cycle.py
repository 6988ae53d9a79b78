"""The queue's oscillation where no linear answer exists, from the equations over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.base.errors import NotConverged
from footroom.engines.fluid.linear import Matrix
from footroom.engines.fluid.system import Course, System

if TYPE_CHECKING:
    from footroom.calculators.stability.document import CycleDocument

Places = np.ndarray[Any, np.dtype[np.int64]]

#: Rows of a course; a period shorter than some of them cannot be told.
_ROWS = 20_000
#: Two halves of a course repeat one another where their extremes differ by no more than this share.
_SAME, _NEARLY = 0.01, 0.05
#: Rises through the middle that either half needs for an answer, and how much longer the next attempt is.
_TURNS, _LONGER = 10, 4.0
#: Rows that a cycle needs for its mean to be that of its rows.
_ROWS_EACH = 12
#: A queue that oscillates by less than this share of its mean, or this part of a packet, counts as settled.
_RESTS, _PART = 2e-3, 0.02


@dataclass(frozen=True)
class Cycle:
    """The queue once the start is over: least, greatest and mean [B], period [s], share of the capacity used.

    period is none when the queue repeats itself too seldom to measure it.
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

    def to_dict(self) -> CycleDocument:
        """Plain data; a period that cannot be told is absent."""
        found: CycleDocument = {
            "queue_min": self.queue_min,
            "queue_max": self.queue_max,
            "peak_to_peak": self.peak_to_peak,
            "mean": self.mean,
            "utilisation": self.utilisation,
        }
        return found if self.period is None else {**found, "period": self.period}


@dataclass(frozen=True)
class Outcome:
    """How a course ends. cycle: none when the queue settles, or when the course was too short to decide.
    rests: whether it settles; none when undecided.  note: what was cut short, empty when nothing was.
    """

    cycle: Cycle | None
    rests: bool | None
    note: str


def outcome_of(system: System) -> Outcome:
    """The oscillation that the flows end in from their own start."""
    try:
        course = _followed(system)
    except NotConverged as error:
        return Outcome(None, None, f"The equations could not be followed over time: {error}.")
    packet = system.link.packet
    if _rests(course):
        return Outcome(None, True, "")
    first, last = _halves(course)
    note, length = "", period(course)
    if not _alike(first, last, _NEARLY):
        note = (
            f"The equations were integrated for {course.time[-1]:.3g} s and the oscillation still changed, from "
            f"{first.peak_to_peak * packet:.3g} to {last.peak_to_peak * packet:.3g} B"
        )
        if length is None:
            return Outcome(None, None, f"{note}: too short to find the final amplitude.")
        note += "."
    return Outcome(
        Cycle(course.least * packet, course.greatest * packet, _mean(course) * packet, length, course.utilisation),
        False,
        note,
    )


def _followed(system: System) -> Course:
    """The course over ever longer times, until its last half repeats itself or steps run out.

    Coarse steps cost accuracy where a marking jumps, so they are used only while it is far from repeating itself.
    """
    fine, longest = system.most_steps * system.step, system.most_steps * system.coarsest
    span = min(system.span, longest)
    while True:
        course = system.course(duration=span, points=_ROWS)
        first, last = _halves(course)
        if span >= longest or _rests(course) or (_alike(first, last) and min(first.turns, last.turns) >= _TURNS):
            return course
        if span >= fine and _alike(first, last, _NEARLY):
            return course
        span = min(_LONGER * span, fine if span < fine else longest)


def _mean(course: Course) -> float:
    """Mean queue over whole cycles where rows tell them well; where they do not, there are very many."""
    queue = course.queue[course.time >= course.warmup]
    turns, _ = _rises(queue)
    if turns.size < 3 or turns[-1] - turns[0] < _ROWS_EACH * (turns.size - 1):
        return course.mean
    return float(queue[turns[0] : turns[-1]].mean())


def _rests(course: Course) -> bool:
    return course.greatest - course.least <= max(_RESTS * course.mean, _PART)


@dataclass(frozen=True)
class _Half:
    """Least and greatest queue of a stretch of a course (packets), and how often it rises through the middle."""

    least: float
    greatest: float
    turns: int

    @property
    def peak_to_peak(self) -> float:
        return self.greatest - self.least


def _halves(course: Course) -> tuple[_Half, _Half]:
    """Both halves of the measured window."""
    time, queue = course.time, course.queue
    middle = 0.5 * (course.warmup + time[-1])
    first, last = (queue[(time >= course.warmup) & (time < middle)], queue[time >= middle])
    return tuple(
        _Half(float(part.min()), float(part.max()), _rises(part)[0].size)  # type: ignore[return-value]
        for part in (first, last)
    )


def _alike(first: _Half, last: _Half, share: float = _SAME) -> bool:
    near = share * last.peak_to_peak
    return abs(first.least - last.least) <= near and abs(first.greatest - last.greatest) <= near


def period(course: Course) -> float | None:
    """Mean time between rises through the mean queue, with a dead band of a tenth of it; none below three."""
    after = course.time >= course.warmup
    return period_of(course.time[after], course.queue[after])


def period_of(time: Matrix, queue: Matrix) -> float | None:
    """The same of any series."""
    if queue.size < 3:
        return None
    turns, edge = _rises(queue)
    if turns.size < 3:
        return None
    # Between the rows where the band is left below and above, the crossing of its upper edge by a straight line.
    before = turns - 1
    share = (edge - queue[before]) / (queue[turns] - queue[before])
    crossings = time[before] + share * (time[turns] - time[before])
    return float((crossings[-1] - crossings[0]) / (crossings.size - 1))


def _rises(queue: Matrix) -> tuple[Places, float]:
    """Rows at which the queue has risen through a band about the middle, and its upper edge."""
    low, high = float(queue.min()), float(queue.max())
    middle, band = 0.5 * (low + high), 0.05 * (high - low)
    side = np.where(queue > middle + band, 1, np.where(queue < middle - band, -1, 0))
    known = np.flatnonzero(side)
    return known[1:][(side[known][1:] > 0) & (side[known][:-1] < 0)], middle + band
