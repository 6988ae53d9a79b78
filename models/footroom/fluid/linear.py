"""Stability of linear delay equations, by two methods that check one another.

    dx/dt = A0 x(t) + sum_k A_k x(t - tau_k)

Rightmost roots of the characteristic equation by Chebyshev collocation (Breda, Maset, Vermiglio, SIAM J. Sci. Comput.
2005), and margins of a scalar loop gain on the imaginary axis. Delays enter exactly (no Pade approximation).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from footroom.errors import NotConverged

Matrix = np.ndarray[Any, np.dtype[np.float64]]


def rightmost(present: Matrix, delayed: Sequence[tuple[Matrix, float]], nodes: int = 60) -> complex:
    """Characteristic root with the largest real part (1/s), of non-negative imaginary part.

    present: A0.  delayed: (A_k, tau_k) with tau_k in seconds, all positive.  nodes: collocation intervals; 60 resolves
    roots up to |s| tau of about 50.
    """
    size = present.shape[0]
    longest = max(delay for _, delay in delayed)
    angles = np.pi * np.arange(nodes + 1) / nodes
    points = np.cos(angles)  # 1 .. -1, mapped to times 0 .. -longest
    weights = np.where((np.arange(nodes + 1) % nodes) == 0, 0.5, 1.0) * (-1.0) ** np.arange(nodes + 1)
    gaps = points[:, None] - points[None, :] + np.eye(nodes + 1)
    derivative = (weights[None, :] / weights[:, None]) / gaps
    np.fill_diagonal(derivative, 0.0)
    np.fill_diagonal(derivative, -derivative.sum(axis=1))
    generator = np.kron(derivative * 2.0 / longest, np.eye(size))
    first = np.zeros((size, size * (nodes + 1)))
    first[:, :size] = present
    for matrix, delay in delayed:
        first += np.kron(_interpolation(points, weights, 1.0 - 2.0 * delay / longest), matrix)
    generator[:size] = first
    roots = np.linalg.eigvals(generator)
    root = roots[np.argmax(roots.real)]
    return complex(root.real, abs(root.imag))


def _interpolation(points: Matrix, weights: Matrix, at: float) -> Matrix:
    """Row of barycentric weights that evaluates the collocation polynomial at ``at``."""
    gaps = at - points
    hit = np.flatnonzero(np.abs(gaps) < 1e-14)
    row = np.zeros((1, points.size))
    if hit.size:
        row[0, hit[0]] = 1.0
    else:
        row[0] = weights / gaps
        row /= row.sum()
    return row


@dataclass(frozen=True)
class Margins:
    """Of a loop gain L under negative feedback (unstable when L = -1).

    crossover: rad/s of the |L| = 1 crossing with the least phase margin.  phase: that margin, degrees.  delay: extra
    delay it tolerates, s (negative when already unstable).  gain: factor up to instability, at ``gain_frequency``
    rad/s; both infinite if the phase never reaches -180 degrees.
    """

    crossover: float
    phase: float
    delay: float
    gain: float
    gain_frequency: float


def margins(loop: Callable[[complex], complex], low: float, high: float, samples: int = 20_000) -> Margins:
    """Margins of ``loop(s)`` on s = j omega, omega in [low, high] rad/s.

    Raises NotConverged if |L| never falls past 1 there.
    """
    frequencies = np.geomspace(low, high, samples)
    values = np.array([loop(1j * w) for w in frequencies])
    level = np.log(np.abs(values))
    phase = np.unwrap(np.angle(values))
    falls = np.flatnonzero((level[:-1] > 0.0) & (level[1:] <= 0.0))
    if not falls.size:
        raise NotConverged(f"the loop gain does not fall past 1 between {low:g} and {high:g} rad/s")
    best: tuple[float, float] | None = None
    for i in falls:
        crossing = float(
            brentq(lambda w: math.log(abs(loop(1j * w))), frequencies[i], frequencies[i + 1], xtol=1e-14))
        angle = math.degrees(math.atan2(loop(1j * crossing).imag, loop(1j * crossing).real))
        margin = (angle + 360.0) % 360.0 - 180.0
        if best is None or margin < best[0]:
            best = margin, crossing
    assert best is not None
    gain, gain_frequency = math.inf, math.inf
    turns = np.floor((phase + np.pi) / (2.0 * np.pi))
    for i in np.flatnonzero(np.diff(turns) < 0):
        place = float(brentq(lambda w: (-loop(1j * w)).imag, frequencies[i], frequencies[i + 1], xtol=1e-14))
        factor = 1.0 / abs(loop(1j * place))
        if factor < gain:
            gain, gain_frequency = float(factor), place
    return Margins(best[1], best[0], math.radians(best[0]) / best[1], gain, gain_frequency)
