"""Linear delay equations, one or a stack of them, scaled for numerical work.

    dx/dt = A0 x(t) + sum_k A_k x(t - tau_k)

States of a fluid model are packets, packets per second and pure numbers side by side, and rates of change lie decades
apart. Time is therefore counted in longest delays and every state in a unit of its own, chosen so that in the matrix of
absolute values |A0| + sum |A_k| rows weigh as much as columns (Osborne, J. ACM 7(4), 1960). Roots do not change but for
the unit of time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from footroom.base.errors import InvalidInput

Matrix = np.ndarray[Any, np.dtype[np.float64]]
Complex = np.ndarray[Any, np.dtype[np.complex128]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

_SWEEPS = 12
#: A rate this much smaller than the fastest a system can have counts as 0.
_ZERO = 1e-8


class Linear(Protocol):
    """The linear equations of a model about its fixed point.

    names: of the states, in the order of the matrices.  present: A0.  delayed: (A_k, tau_k [s]).
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def present(self) -> Matrix: ...

    @property
    def delayed(self) -> tuple[tuple[Matrix, float], ...]: ...


@dataclass(frozen=True)
class Stack:
    """Systems of one shape, scaled.

    present: (systems, states, states), A0 times the unit of time.  delayed: (systems, delays, states, states).
    delays: (systems, delays) in units of time, in (0, 1].  unit: (systems,) seconds.  columns: states whose past counts
    in any of the systems.
    """

    present: Matrix
    delayed: Matrix
    delays: Matrix
    unit: Matrix
    columns: tuple[int, ...]

    @property
    def size(self) -> int:
        """States of each system."""
        return int(self.present.shape[1])

    def __len__(self) -> int:
        return int(self.present.shape[0])

    def take(self, chosen: Any) -> Stack:
        """Some of the systems."""
        return Stack(self.present[chosen], self.delayed[chosen], self.delays[chosen], self.unit[chosen], self.columns)

    def reach(self, growth: Matrix) -> Matrix:
        """Radius around 0 that holds every root with a real part of at least ``growth``, both per unit of time.

        For a root s with eigenvector v, |s| |v| <= (|A0| + sum |A_k| exp(-Re s tau_k)) |v| entry by entry, hence |s| is
        at most the largest eigenvalue of that nonnegative matrix (Perron and Frobenius), which falls with Re s.
        """
        fade = np.exp(np.minimum(-growth[:, None] * self.delays, 200.0))
        bound = np.abs(self.present) + np.einsum("bk,bkij->bij", fade, np.abs(self.delayed))
        radius: Matrix = np.abs(np.linalg.eigvals(bound)).max(axis=1)
        return radius

    def on_axis(self, growth: Matrix) -> Truths:
        """Which real parts are 0 within the accuracy of the coefficients, about nine digits."""
        return np.asarray(np.abs(growth) <= self.slightest())

    def slightest(self) -> Matrix:
        """Real parts up to this, per unit of time, count as 0."""
        return np.maximum(_ZERO * self.reach(np.zeros(len(self))), 1e-12)

    def matrix(self, s: Complex) -> Complex:
        """The matrix s I - A0 - sum A_k exp(-s tau_k). s: (systems, points); the answer has two axes more."""
        fade = np.exp(-s[:, :, None] * self.delays[:, None, :])
        value: Complex = s[..., None, None] * np.eye(self.size) - self.present[:, None] - self._summed(fade)
        return value

    def slope(self, s: Complex) -> Complex:
        """Derivative of ``matrix`` by s, of the same shape."""
        fade = np.asarray(np.exp(-s[:, :, None] * self.delays[:, None, :]) * self.delays[:, None, :], complex)
        value: Complex = np.eye(self.size) + self._summed(fade)
        return value

    def _summed(self, factors: Complex) -> Complex:
        """Sum of factor times A_k over the delays. factors: (systems, points, delays)."""
        count, delays = self.delays.shape
        flat = self.delayed.reshape(count, delays, self.size**2).astype(complex)
        return np.asarray(np.matmul(factors, flat).reshape(*factors.shape[:2], self.size, self.size))


def stack_of(systems: Sequence[Linear]) -> Stack:
    """Systems with the same number of states and of delays. Raises InvalidInput for anything else."""
    if not systems:
        raise InvalidInput.at("systems", [], "at least one system is needed")
    sizes = {(np.asarray(system.present).shape, len(system.delayed)) for system in systems}
    if len(sizes) != 1:
        raise InvalidInput.at("systems", f"{len(sizes)} shapes", "systems in a stack have as many states and delays")
    ((shape, count),) = sizes
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        raise InvalidInput.at("present", shape, "a square matrix is needed")
    if any(np.asarray(matrix).shape != shape for system in systems for matrix, _ in system.delayed):
        raise InvalidInput.at("delayed", None, f"matrices of {shape[0]} x {shape[1]} like the present one are needed")
    present = np.array([system.present for system in systems], float)
    delayed = np.array([[matrix for matrix, _ in system.delayed] for system in systems], float)
    delayed = delayed.reshape(len(systems), count, *shape)
    delays = np.array([[delay for _, delay in system.delayed] for system in systems], float)
    delays = delays.reshape(len(systems), count)
    if not (np.isfinite(present).all() and np.isfinite(delayed).all() and np.isfinite(delays).all()):
        raise InvalidInput.at("system", None, "all coefficients and delays must be finite")
    if (delays < 0.0).any():
        raise InvalidInput.at("delays", delays.min(), "a delay is at least 0 s")
    return _scaled(*_without_zero_delays(present, delayed, delays))


def _without_zero_delays(present: Matrix, delayed: Matrix, delays: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Add the terms with a delay of 0 to those of the present."""
    now = delays == 0.0
    if now.any():
        present = present + np.einsum("bk,bkij->bij", now.astype(float), delayed)
        delayed = np.where(now[..., None, None], 0.0, delayed)
        longest = delays.max(axis=1, keepdims=True)
        delays = np.where(now, np.where(longest > 0.0, longest, 1.0), delays)
    return present, delayed, delays


def _scaled(present: Matrix, delayed: Matrix, delays: Matrix) -> Stack:
    unit = delays.max(axis=1) if delays.shape[1] else 1.0 / np.maximum(np.abs(present).max(axis=(1, 2)), 1e-300)
    present = present * unit[:, None, None]
    delayed = delayed * unit[:, None, None, None]
    weight = np.abs(present) + np.abs(delayed).sum(axis=1)
    size = weight.shape[1]
    weight[:, np.arange(size), np.arange(size)] = 0.0
    scale = np.ones(weight.shape[:2])
    for _ in range(_SWEEPS):
        for i in range(size):
            here = weight * (scale[:, None, :] / scale[:, :, None])
            row, column = here[:, i, :].sum(axis=1), here[:, :, i].sum(axis=1)
            fit = (row > 0.0) & (column > 0.0)
            scale[:, i] *= np.where(fit, np.sqrt(np.where(fit, row, 1.0) / np.where(fit, column, 1.0)), 1.0)
    ratio = scale[:, None, :] / scale[:, :, None]
    columns = np.flatnonzero((delayed != 0.0).any(axis=(0, 1, 2)))
    return Stack(
        present * ratio,
        delayed * ratio[:, None],
        delays / unit[:, None],
        unit,
        tuple(int(column) for column in columns),
    )
