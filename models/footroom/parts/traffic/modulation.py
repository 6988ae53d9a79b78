"""Load that varies: a random factor on an arrival rate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.base.component import Document
from footroom.base.quantity import Time, quantity

Floats = npt.NDArray[np.float64]

#: Steps of the factor per correlation time, and most of a run.
_STEPS, _MOST_STEPS = 100, 5_000_000


class Modulation(Document):
    """A lognormal factor exp(x - s²/2) whose logarithm x is an Ornstein-Uhlenbeck process in its steady state.

    x has variance s² = ln(1 + cv²) and autocorrelation exp(-t/correlation_time), so that the factor has mean 1,
    standard deviation ``cv`` and autocovariance exp(s² exp(-t/correlation_time)) - 1. It is drawn exactly on a grid of
    a hundredth of the correlation time and constant between its points. The mean of one run differs from 1: over a
    time T much longer than the correlation time its standard deviation is about cv·√(2·correlation_time/T).
    """

    cv: float = quantity(
        ..., "1", "Standard deviation of the factor over its mean, which is 1.", gt=0, le=2, symbol="CV"
    )
    correlation_time: Time = quantity(
        ...,
        "s",
        "Time in which the autocorrelation of the factor's logarithm falls by a factor e.",
        gt=0,
        le=86400,
        symbol="τ",
    )

    def steps(self, duration: float) -> int:
        """Grid cells in ``duration`` [s]."""
        return int(np.ceil(duration / self.correlation_time * _STEPS)) + 1

    def feasible(self, duration: float) -> bool:
        """Whether ``duration`` [s] has few enough grid cells."""
        return self.steps(duration) <= _MOST_STEPS

    def factor(self, duration: float, rng: np.random.Generator) -> tuple[float, Floats]:
        """Width of a grid cell [s], and the factor in each cell of ``duration``."""
        from scipy.signal import lfilter

        spread = np.sqrt(np.log1p(self.cv**2))
        kept = np.exp(-1.0 / _STEPS)
        noise = rng.standard_normal(self.steps(duration))
        noise[1:] *= np.sqrt(1.0 - kept**2)
        return self.correlation_time / _STEPS, np.exp(spread * lfilter([1.0], [1.0, -kept], noise) - spread**2 / 2.0)
