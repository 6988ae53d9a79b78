"""Where a measured curve meets a limit, and how sure that is.

A simulated metric scatters from seed to seed. Around the place where it meets its limit it is close to a straight line
over the logarithm of the value that is sized. One line is put through the runs of every seed, all with the same slope
(analysis of covariance); each seed then has a crossing of its own, and Student's t over the seeds gives the 95 %
interval of their mean.  Source: Draper and Smith, Applied Regression Analysis, 3rd edition, sections 3.2 (inverse
regression) and 14.4 (lines with one slope); the delta method for the part of the slope.
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
#: Means that leave the line by less than this, as a ratio of values, are near enough.
_NEAR = 0.02
#: A slope within so many of its standard errors of 0 does not locate the limit.
_CLEAR = 2.0


@dataclass(frozen=True)
class Crossing:
    """value: where the mean of the seeds meets the limit.  low, high: 95 % interval; all in the unit of the values.

    straight: no sign that the means leave the line by more than the seeds scatter (F test for lack of fit, at 1 %).
    """

    value: float
    low: float
    high: float
    straight: bool = True

    @property
    def half_width(self) -> float:
        """Half of the interval relative to the value."""
        return math.log(self.high / self.low) / 2.0


def crossing(values: Floats, measured: Floats, requirement: Requirement) -> Crossing | None:
    """Where ``measured`` (seeds × values) meets the limit of ``requirement``; None where it does not clearly change.

    values: ascending, above 0, at least three.  The crossing may lie outside of them.
    """
    x = np.log(values)
    y, limit = _straightened(measured, requirement.limit)
    seeds, places = y.shape
    spread = x - x.mean()
    sxx = float(np.sum(spread**2))
    slope = float(np.sum(spread * y)) / (seeds * sxx)
    centres = y.mean(axis=1)
    residual = y - centres[:, None] - slope * spread
    freedom = seeds * (places - 1) - 1
    variance = float(np.sum(residual**2)) / freedom
    slope_error = math.sqrt(variance / (seeds * sxx))
    if slope == 0.0 or abs(slope) < _CLEAR * slope_error:
        return None
    own = x.mean() + (limit - centres) / slope
    middle = float(own.mean())
    if seeds >= _SEEDS:
        error, freedom = float(own.std(ddof=1)) / math.sqrt(seeds), seeds - 1
    else:
        error = math.sqrt(variance / (seeds * places)) / abs(slope)
    error = math.hypot(error, (middle - float(x.mean())) * slope_error / slope)
    from scipy.stats import t as student

    half = float(student.ppf(0.975, freedom)) * error
    if middle + half > 700.0 or middle - half < -700.0:
        return None
    return Crossing(math.exp(middle), math.exp(middle - half), math.exp(middle + half), _straight(residual, slope))


def _straight(residual: Floats, slope: float) -> bool:
    seeds, places = residual.shape
    off = residual.mean(axis=0)
    if seeds == 1 or float(np.max(np.abs(off))) < _NEAR * abs(slope):
        return True
    from scipy.stats import f as fisher

    lack, error = seeds * float(np.sum(off**2)) / (places - 2), float(np.sum((residual - off) ** 2))
    freedom = (seeds - 1) * (places - 1)
    return bool(lack * freedom <= error * float(fisher.ppf(0.99, places - 2, freedom)))


def mean_at(value: float, values: Floats, measured: Floats) -> float:
    """Mean over the seeds at ``value``, between the values measured; at the nearest of them outside."""
    return float(np.interp(math.log(value), np.log(values), measured.mean(axis=0)))


def _straightened(measured: Floats, limit: float) -> tuple[Floats, float]:
    """Measured numbers and their limit as logarithms where all are above 0: rates and times change by factors."""
    if limit > 0.0 and bool(np.all(measured > 0.0)):
        return np.log(measured), math.log(limit)
    return measured, limit
