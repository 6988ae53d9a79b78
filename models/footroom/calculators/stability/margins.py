"""Phase, delay and gain margin from the loop gain.

A fall of |L| through 1 at w with the phase arg L = theta - 180 degrees lets theta more lag, or theta/w more delay in
all delayed signals, pass before a root reaches the imaginary axis there; it then goes to the right, while a rise of |L|
sends it to the left, which is why falls alone count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from footroom.calculators.stability.loop import Loop
from footroom.engines.fluid.linear import Matrix

_POINTS = 3000
#: Frequencies below so small a part of the system's fastest rate are not searched.
_SLOWEST = 1e-9
_MOST_LINEAR, _FEWEST_LINEAR = 40_000, 1000
#: A gain this little above 1 counts as 1: difference modes between equal flows have exactly 1 at low frequencies.
_ROUNDING = 1e-10
#: A gain margin beyond this factor is that of rounding errors: nothing is fed back there.
_NOTHING = 1e6


@dataclass(frozen=True)
class Fall:
    """|L| falls through 1. frequency: rad/s.  lag: degrees in (-180, 180] that its phase lacks to -180."""

    frequency: float
    lag: float

    @property
    def tolerated(self) -> float:
        """Lag in [0, 360) degrees that a stable loop tolerates here."""
        return self.lag % 360.0


@dataclass(frozen=True)
class Margins:
    """Of one loop under negative feedback, which is unstable where the loop gain is -1.

    phase: degrees; in (-180, 180] but for a stable loop whose phase leads at its only falls.  crossover: rad/s where.
    delay: seconds by which all delays may grow together, negative when they must shrink, none when that does not help.
    falls: all of them.
    """

    phase: float
    crossover: float
    delay: float | None
    falls: tuple[Fall, ...]


def margins(loop: Loop, *, stable: bool) -> Margins | None:
    """The least margins over all falls of |L|, or none when it never falls: then no delay changes the verdict.

    stable: the verdict, from the count of roots; it decides whether a lag of -10 degrees is 10 too many or 350 to go.
    """
    falls = falls_of(loop)
    if not falls:
        return None

    def lag(fall: Fall) -> float:
        return fall.tolerated if stable else fall.lag

    phase = min(falls, key=lag)
    delay = min(math.radians(lag(fall)) / fall.frequency for fall in falls)
    return Margins(lag(phase), phase.frequency, delay, falls)


def falls_of(loop: Loop) -> tuple[Fall, ...]:
    """Every frequency at which a loop gain falls through 1, in rising order."""
    grid = frequencies(loop)
    above = np.abs(loop.gains(grid)) > 1.0 + _ROUNDING
    places = np.argwhere(above[:-1] & ~above[1:])
    return tuple(
        sorted(
            (_fall(loop, grid[i], grid[i + 1], int(branch)) for i, branch in places), key=lambda fall: fall.frequency
        )
    )


def _fall(loop: Loop, low: float, high: float, branch: int) -> Fall:
    """Refine a fall of the loop gain that is the ``branch``-th largest; moduli in order are continuous."""

    def excess(log_w: float) -> float:
        return float(abs(loop.gains(np.array([math.exp(log_w)]))[0, branch])) - 1.0 - _ROUNDING

    w = _crossing(excess, low, high)
    angle = math.degrees(np.angle(loop.gains(np.array([w]))[0, branch])) + 180.0
    return Fall(w, angle - 360.0 if angle > 180.0 else angle)


def _crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of log w changes its sign; an end where the change was one of rounding."""
    first, last = function(math.log(low)), function(math.log(high))
    if first * last >= 0.0:
        return low if abs(first) < abs(last) else high
    return math.exp(brentq(function, math.log(low), math.log(high), xtol=1e-14, rtol=1e-14))


def gain_margin(loop: Loop, *, stable: bool) -> tuple[float, float] | None:
    """Factor on what is fed back at which the loop changes its verdict, and the frequency [rad/s] where it does.

    Of a scalar loop only. The factor nearest to 1 on the side that matters: above 1 when stable, below 1 when unstable;
    none when the gain is nowhere real and negative there.
    """
    if not loop.scalar:
        return None
    # The phase may first reach -180 degrees where the gain is long below 1.
    grid = frequencies(loop, 30.0)
    values = loop.gains(grid)[:, 0]
    found: list[tuple[float, float]] = []
    crossings = np.flatnonzero(
        (np.sign(values.imag[:-1]) != np.sign(values.imag[1:])) & (np.maximum(values.real[:-1], values.real[1:]) < 0.0)
    )
    for i in crossings:
        w = _crossing(lambda log_w: float(loop.gains(np.array([math.exp(log_w)]))[0, 0].imag), grid[i], grid[i + 1])
        found.append((1.0 / abs(loop.gains(np.array([w]))[0, 0]), w))
    if values[0].real < 0.0 and abs(values[0].imag) < 1e-5 * abs(values[0].real):
        found.append((-1.0 / float(values[0].real), 0.0))
    if stable:
        return min((pair for pair in found if 1.0 < pair[0] < _NOTHING), default=None)
    return max((pair for pair in found if 1.0 / _NOTHING < pair[0] < 1.0), default=None)


def frequencies(loop: Loop, beyond: float = 1.0) -> Matrix:
    """Where to look [rad/s]: even in the logarithm, even steps that follow the delays, close to the poles of M(s).

    beyond: how many times the frequency above which every gain is below 1.
    """
    fastest, unit = loop.fastest * 1.0001, float(loop.stack.unit[0])
    slowest, far = _SLOWEST * fastest, beyond * fastest
    spread = [np.geomspace(slowest, far, _POINTS)]
    step = 0.05 / unit
    most = _MOST_LINEAR if loop.scalar else max(_FEWEST_LINEAR, _MOST_LINEAR // len(loop.stack.columns) ** 2)
    spread.append(step * np.arange(1.0, min(far / step, most)))
    poles = np.linalg.eigvals(loop.stack.present[0]) / unit
    spread += [pole.imag + abs(pole.real) * np.linspace(-3.0, 3.0, 61) for pole in poles if pole.imag > 0.0]
    together = np.unique(np.concatenate(spread))
    return together[(together >= slowest) & (together <= far)]
