"""How many roots lie right of the imaginary axis, by the argument principle on the axis itself.

For n states, det(s I - A0 - sum A_k exp(-s tau_k)) behaves as s^n far out, so along the axis from 0 to infinity its
argument grows by n pi/2 less pi for every root on the right (Mikhailov; the encirclement count of Nyquist without its
special cases for an open loop that integrates or is itself unstable). Nothing here is shared with the collocation.
"""

from __future__ import annotations

import numpy as np

from footroom.base import deadline
from footroom.base.errors import NotConverged
from footroom.engines.fluid.linear import Complex, Linear, Matrix, Stack, stack_of

#: Far end of the axis, in radii that enclose every root on the right; there s^n dominates to a hundredth of a turn.
_FAR = 200.0
#: No root is closer to a pair of neighbouring frequencies than about 1/_CLOSE of their distance.
_CLOSE = 0.5
_MOST_POINTS = 2_000_000


def roots_on_the_right(system: Linear) -> int:
    """Characteristic roots with a positive real part, counted with their multiplicity.

    Positive by more than the coefficients' own uncertainty (``Stack.slightest``): the line that is followed lies so
    much to the right of the axis. Raises NotConverged for a root on it to within rounding.
    """
    stack = stack_of([system])
    radius = float(stack.reach(np.zeros(1))[0])
    if radius == 0.0:
        raise NotConverged("every root is 0: a disturbance neither grows nor decays")
    far = _FAR * stack.size * radius
    grid = np.concatenate(
        [
            [0.0],
            np.geomspace(1e-6 * radius, far, 600),
            np.arange(0.25, min(radius, 0.25 * max(400.0, 20_000.0 / stack.size)), 0.25),
        ]
    )
    frequencies = np.unique(grid)
    line = float(stack.slightest()[0])
    speed = _speed(stack, frequencies, line)
    while True:
        deadline.check()
        gaps = np.diff(frequencies)
        coarse = gaps * np.maximum(np.abs(speed[:-1]), np.abs(speed[1:])) > _CLOSE
        if not coarse.any():
            break
        if (gaps[coarse] < 1e-11 * (frequencies[1:][coarse] + 1e-9 * radius)).any():
            place = float(frequencies[1:][coarse][np.argmin(gaps[coarse])] / stack.unit[0])
            raise NotConverged(f"a root lies on the imaginary axis at {place:.6g} rad/s to within rounding")
        if frequencies.size > _MOST_POINTS:
            raise NotConverged("the argument along the imaginary axis does not converge")
        middle = 0.5 * (frequencies[:-1] + frequencies[1:])[coarse]
        places = np.flatnonzero(coarse) + 1
        frequencies = np.insert(frequencies, places, middle)
        speed = np.insert(speed, places, _speed(stack, middle, line))
    turned = float(np.angle(_directions(stack, frequencies, line)).sum())
    count = 0.5 * stack.size - turned / np.pi
    whole = round(count)
    if whole < 0 or abs(count - whole) > 0.1:
        raise NotConverged(f"the argument along the imaginary axis counts {count:.3f} roots on the right")
    return whole


def _blocks(frequencies: Matrix, line: float) -> list[Complex]:
    """Points on the line, so many at a time that their matrices fit into the cache."""
    return [
        np.asarray(line + 1j * block[None, :], complex)
        for block in np.array_split(frequencies, 1 + frequencies.size // 4096)
    ]


def _directions(stack: Stack, frequencies: Matrix, line: float) -> Complex:
    """Unit complex numbers: how the determinant's argument turns from one frequency to the next."""
    signs = np.concatenate([np.linalg.slogdet(stack.matrix(s)[0])[0] for s in _blocks(frequencies, line)])
    turned: Complex = signs[1:] / signs[:-1]
    return turned


def _speed(stack: Stack, frequencies: Matrix, line: float) -> Complex:
    """Logarithmic derivative of the determinant, tr(M^-1 M'); a pole of it is a root."""
    values = []
    for s in _blocks(frequencies, line):
        try:
            solved = np.linalg.solve(stack.matrix(s)[0], stack.slope(s)[0])
        except np.linalg.LinAlgError:
            raise NotConverged("a root lies on the imaginary axis to within rounding") from None
        values.append(np.trace(solved, axis1=1, axis2=2))
    return np.concatenate(values)
