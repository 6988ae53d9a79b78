"""Where a measured curve meets a limit, and how sure that is.

A simulated metric scatters from seed to seed. The answer is where its mean over all seeds meets the limit. Around that
place the means are close to a parabola over the logarithm of the value that is sized (a straight line where fewer than
five values were run). One curve is put through the means of all values. Every seed runs at every value, so the
error of the curve is taken from how whole seeds differ (standard errors clustered by seed), and Student's t over the
seeds gives a 95 % band. The interval is where the band contains the limit.  Source: Draper and Smith, Applied
Regression Analysis, 3rd edition, section 3.2 (inverse regression by the band); Liang and Zeger, Biometrika 73 (1986),
for the clusters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.studies.requirements import Requirement

Floats = npt.NDArray[np.float64]
#: Seeds from which an interval is taken over seeds; with fewer, every run counts as drawn by itself.
_SEEDS = 3
#: Values from which the curve may bend.
_BENDS = 5
#: Means that leave the curve by less than this, as a ratio of values, are near enough.
_NEAR = 0.02
#: A slope within so many of its standard errors of 0 does not locate the limit.
_CLEAR = 2.0
#: Places at which the band is computed, and how far beyond the values, as a share of their range.
_GRID, _BEYOND = 401, 0.5


@dataclass(frozen=True)
class Crossing:
    """value: where the mean of the seeds meets the limit.  low, high: 95 % interval; all in the unit of the values.

    fits: no sign that the means leave the curve by more than the seeds scatter (F test for lack of fit, at 1 %).
    bounded: the band clears the limit at both ends; otherwise the interval extends beyond ``low`` or ``high``.
    """

    value: float
    low: float
    high: float
    fits: bool = True
    bounded: bool = True

    @property
    def half_width(self) -> float:
        """Half of the interval relative to the value."""
        return math.log(self.high / self.low) / 2.0 if self.bounded else math.inf


def crossing(values: Floats, measured: Floats, requirement: Requirement) -> Crossing | None:
    """Where the mean of ``measured`` (seeds × values) begins to meet ``requirement``; None where that is unclear.

    values: ascending, above 0, at least three.  The crossing may lie outside of them, by half of their range.
    """
    from scipy.special import stdtrit

    x = np.log(values)
    centre, (seeds, places) = float(x.mean()), measured.shape
    y, off, limit = _scaled(measured, requirement)
    powers = np.arange(3.0 if places >= _BENDS else 2.0)
    pick = np.linalg.pinv((x - centre)[:, None] ** powers)
    spread = (x - centre) / float(np.sum((x - centre) ** 2))
    residual = off - off.mean(axis=1, keepdims=True) - (y - (x - centre)[:, None] ** powers @ (pick @ y))
    free = max(1, seeds * (places - 1) - len(powers) + 1)
    scatter = math.sqrt(float(np.sum(residual**2)) / free)

    def error(weights: Floats) -> Floats:
        """Standard error of weighted sums of the means."""
        if seeds < _SEEDS:
            return np.asarray(scatter * np.sqrt(np.sum(weights**2, axis=-1) / seeds))
        own = weights @ off.T
        return np.asarray(np.sqrt(np.sum(own**2, axis=-1) / (seeds * (seeds - 1))))

    slope = float(spread @ y)
    if slope == 0.0 or abs(slope) < _CLEAR * float(error(spread)):
        return None
    reach = _BEYOND * float(x[-1] - x[0])
    grid = np.linspace(x[0] - reach, x[-1] + reach, _GRID)
    weights = (grid - centre)[:, None] ** powers @ pick
    gain = (weights @ y - limit) * (1.0 if requirement.at_least else -1.0)
    turns = np.flatnonzero((gain[:-1] < 0.0) & (gain[1:] >= 0.0))
    if not turns.size:
        return None
    at = int(turns[0])
    value = float(grid[at] + (grid[at + 1] - grid[at]) * gain[at] / (gain[at] - gain[at + 1]))
    half = float(stdtrit(seeds - 1 if seeds >= _SEEDS else free, 0.975)) * error(weights)
    below, above = (
        np.flatnonzero(gain[: at + 1] + half[: at + 1] < 0.0),
        np.flatnonzero(gain[at + 1 :] >= half[at + 1 :]),
    )
    low = float(grid[below[-1]]) if below.size else float(grid[0])
    high = float(grid[at + 1 + above[0]]) if above.size else float(grid[-1])
    return Crossing(
        math.exp(value),
        math.exp(min(low, value)),
        math.exp(max(high, value)),
        _fits(y, off, x - centre, powers, slope),
        bool(below.size and above.size),
    )


def _scaled(measured: Floats, requirement: Requirement) -> tuple[Floats, Floats, float]:
    """Means, how the seeds differ from them, and the limit; relative where possible, as rates and times change by
    factors. The means are those of the metric itself, not of its logarithm.
    """
    means = measured.mean(axis=0)
    if requirement.limit > 0.0 and bool(np.all(means > 0.0)):
        return np.log(means), (measured - means) / means, math.log(requirement.limit)
    return means, measured - means, requirement.limit


def _fits(y: Floats, off: Floats, x: Floats, powers: Floats, slope: float) -> bool:
    seeds, places = off.shape
    left = y - x[:, None] ** powers @ (np.linalg.pinv(x[:, None] ** powers) @ y)
    free = places - len(powers)
    if free < 1 or seeds == 1 or float(np.max(np.abs(left))) < _NEAR * abs(slope):
        return True
    from scipy.special import fdtri

    within = off - off.mean(axis=1, keepdims=True)
    lack, error = seeds * float(np.sum(left**2)) / free, float(np.sum(within**2)) / ((seeds - 1) * (places - 1))
    return bool(lack <= error * float(fdtri(free, (seeds - 1) * (places - 1), 0.99)))


def steps(values: Floats, measured: Floats, requirement: Requirement) -> Crossing:
    """The first value at which the mean meets ``requirement``, without a curve between the values.

    low: above the last value that misses it at 97.5 %.  high: the first that meets it at 97.5 %.  Every value by
    itself, over at least two seeds (Student's t); at least one value must miss it and a larger one meet it.
    """
    from scipy.special import stdtrit

    seeds = measured.shape[0]
    gain = (measured.mean(axis=0) - requirement.limit) * (1.0 if requirement.at_least else -1.0)
    half = float(stdtrit(max(1, seeds - 1), 0.975)) * measured.std(axis=0, ddof=1 if seeds > 1 else 0) / seeds**0.5
    first = next(k for k in range(1, gain.size) if gain[k] >= 0.0 and gain[k - 1] < 0.0)
    below = [k for k in range(first) if gain[k] + half[k] < 0.0]
    above = [k for k in range(first, gain.size) if gain[k] - half[k] >= 0.0]
    low = values[below[-1]] if below else values[0]
    high = values[above[0]] if above else values[-1]
    return Crossing(float(values[first]), float(low), float(high), fits=False, bounded=bool(below and above))


def mean_at(value: float, values: Floats, measured: Floats) -> float:
    """Mean over the seeds at ``value``, between the values measured; at the nearest of them outside."""
    return float(np.interp(math.log(value), np.log(values), measured.mean(axis=0)))
