"""What goes into one batched integration and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from footroom.base.errors import InvalidInput

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Batch:
    """Independent integrations of one model ("lanes"), all in the model's own units.

    params: (lanes, parameters).  initial: (lanes, state components), also the constant history before t = 0.
    remembered: how many leading state components the equations look up in the past.
    delays: values ``Model.delayed`` writes.  signals: values ``Model.observe`` writes.
    remembered_signals: how many leading signals are looked up in the past.
    step: (lanes,) seconds.  steps, warmup: (lanes,) numbers of steps in all, and before statistics begin.
    longest_delay: (lanes,) seconds, an upper bound on every delay (sets the length of the history).
    levels: (lanes, 2) range of the histogram of signal 0; its ends are counted apart from the bins.
    bins: histogram bins.  points: recorded rows of signals besides the one at t = 0 (0: none).
    whole_cycles: statistics cover whole cycles of signal 0 where it cycles, else all steps after the warm-up.
    rests: a lane that has become steady is not computed further. The equations must not depend on time itself, and
    components that are not remembered must then grow evenly.
    """

    params: Floats
    initial: Floats
    remembered: int
    delays: int
    signals: int
    remembered_signals: int
    step: Floats
    steps: Integers
    warmup: Integers
    longest_delay: Floats
    levels: Floats
    bins: int = 512
    points: int = 0
    whole_cycles: bool = False
    rests: bool = False


@dataclass(frozen=True)
class Outcome:
    """What ``integrate`` returns; statistics cover the steps after the warm-up, or whole cycles among them.

    mean, least, greatest: (lanes, signals).  histogram: (lanes, bins + 2), shares of time; first column at or below
    the lower level, last at or above the upper one.  opened, closed: (lanes, state) at the ends of the measured window.
    least, greatest: of all steps after the warm-up.  window: (lanes,) length of the measured window, s.
    cycles: (lanes,) whole cycles it spans, 0 where none were asked for or found.
    trace: (lanes, points + 1, signals), trace_step: (lanes,) seconds between rows.
    rows: (lanes,) rows of the trace that were reached.  peak: (lanes,) greatest signal 0, warm-up included.
    """

    mean: Floats
    least: Floats
    greatest: Floats
    histogram: Floats
    levels: Floats
    opened: Floats
    closed: Floats
    window: Floats
    cycles: Integers
    trace: Floats
    trace_step: Floats
    rows: Integers
    peak: Floats

    def quantile(self, lane: int, share: float) -> float:
        """Time-weighted quantile of signal 0; linear inside a histogram bin."""
        counts = self.histogram[lane]
        low, high = self.levels[lane]
        bins = counts.size - 2
        cumulated = np.cumsum(counts)
        index = int(np.searchsorted(cumulated, share * (1.0 - 1e-12)))
        if index == 0:
            return float(low)
        if index > bins:
            return float(self.greatest[lane, 0])
        inside = (share - cumulated[index - 1]) / counts[index]
        value = low + (high - low) * (index - 1 + inside) / bins
        return float(min(max(value, self.least[lane, 0]), self.greatest[lane, 0]))


def whole_steps(time: float | Floats, step: Floats) -> Integers:
    """Times in seconds, one for all lanes or one per lane, as whole numbers of each lane's steps."""
    return np.rint(np.asarray(time, float) / step).astype(np.int64)


def checked_step(step: float | Floats, lanes: int, shortest: float) -> Floats:
    """Steps in seconds, one per lane. Raises InvalidInput unless positive and at most the shortest round trip."""
    steps = np.broadcast_to(np.asarray(step, float), (lanes,))
    if not np.all((steps > 0.0) & (steps <= shortest)):
        raise InvalidInput.at("step", steps.tolist(), f"positive and at most the shortest round trip ({shortest:g} s)")
    return steps


def check(batch: Batch) -> int:
    """Number of lanes, after checking that every array agrees with it. Raises InvalidInput."""
    count = batch.params.shape[0]
    for name in ("initial", "step", "steps", "warmup", "longest_delay", "levels"):
        if getattr(batch, name).shape[0] != count:
            raise InvalidInput.at(name, getattr(batch, name).shape, f"one entry per lane ({count} lanes)")
    if not np.all(batch.step > 0.0):
        raise InvalidInput.at("step", batch.step.tolist(), "a positive number of seconds")
    if not np.all((batch.warmup >= 0) & (batch.warmup < batch.steps)):
        raise InvalidInput.at("warmup", batch.warmup.tolist(), "at least 0 and less than the number of steps")
    if not np.all(batch.levels[:, 1] > batch.levels[:, 0]):
        raise InvalidInput.at("levels", batch.levels.tolist(), "an upper level above the lower one")
    return count
