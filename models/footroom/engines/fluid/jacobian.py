"""The exact linearisation of a bottleneck, by differences of the same equations that are integrated.

    dx/dt = A0 x(t) + sum_k A_k x(t - tau_k)

The past is synthetic: constant at the fixed point, with one component raised for a short while around t - tau_k. The
response of the compiled equations is the column of A_k. So nothing is derived by hand, and all that a law reads of the
past, implicit delays included, is covered.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from footroom.base.errors import NotConverged
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.batch import Floats
from footroom.engines.fluid.bottleneck import BOTTLENECK
from footroom.engines.fluid.calls import EQUATIONS, compiled

#: Rows between neighbouring delays, and rows on either side of a delay that are raised.
_APART, _WIDE = 24, 6
#: Delays closer than this share of the longest count as one. Numbers in the made-up past, at most.
_TOGETHER, _MOST = 1e-4, 30_000_000
_NUDGE = 1e-5
#: What is smaller than this, beside the largest influence on the same component, is rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Linearised:
    """dx/dt = present x(t) + sum of matrix x(t - delay) over ``delayed``, about a fixed point.

    names: of the components; ``queue`` is the index of the queue, None where it stays at an end of the buffer.
    """

    names: tuple[str, ...]
    present: Floats
    delayed: tuple[tuple[Floats, float], ...]
    queue: int | None


class _Equations:
    """The compiled right-hand side on a made-up past."""

    def __init__(
        self, params: Floats, size: int, remembered: int, looked_up: int, signals: int, step: float, longest: float
    ) -> None:
        rows = 1 << int(np.ceil(np.log2(longest / step + 2 * _WIDE + 8)))
        self.step, self.remembered, self.newest = step, remembered, rows - 2
        self.width = 2 * remembered + layout.REMEMBERED_SIGNALS
        self.past = np.zeros(history.HEADER + rows * self.width)
        header = history.NEWEST, history.STEP, history.INVERSE_STEP, history.MASK, history.WIDTH, history.REMEMBERED
        self.past[list(header)] = self.newest, step, 1.0 / step, rows - 1, self.width, remembered
        self.rows = self.past[history.HEADER :].reshape(-1, self.width)
        self.params = np.ascontiguousarray(params, float)
        self.seen = np.zeros(max(1, looked_up) + 1)
        self.out = np.zeros(max(size, signals) + 1)
        self.state = np.zeros(size)
        self.time = self.newest * step
        # The arrays stay where they are, so their addresses are taken once.
        state, seen, past, own, out = (_pointer(a) for a in (self.state, self.seen, self.past, self.params, self.out))
        delayed, slope, observe = (
            compiled(f, EQUATIONS).ctypes for f in (BOTTLENECK.delayed, BOTTLENECK.slope, BOTTLENECK.observe)
        )
        time = ctypes.c_double(self.time)
        self._look = partial(delayed, time, state, seen, past, own, seen)
        self._slope = partial(slope, time, state, seen, past, own, out)
        self._observe = partial(observe, time, state, seen, past, own, out)

    def fill(self, state: Floats, ago: tuple[float, float] | None = None) -> None:
        """Write ``state`` with no slope into the whole past, or only where it was seen between two delays."""
        self.state[:] = state
        self._observe()
        kept = self.remembered
        row = np.zeros(self.width)
        row[:kept] = state[:kept]
        row[2 * kept :] = self.out[: layout.REMEMBERED_SIGNALS]
        if ago is None:
            self.rows[:] = row
        else:
            late, early = (round((self.time - delay) / self.step) for delay in ago)
            self.rows[early - _WIDE : late + _WIDE + 1] = row

    def slope(self, state: Floats) -> Floats:
        """Time derivative of ``state`` now."""
        self.state[:] = state
        self._look()
        self._slope()
        return self.out.copy()


def _pointer(array: Floats) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def _apart(delays: Sequence[float]) -> list[tuple[float, float]]:
    """Delays in rising order, as pairs of least and greatest of those that are too close to be separated."""
    found: list[tuple[float, float]] = []
    for delay in sorted({float(f"{delay:.12g}") for delay in delays}):
        if found and delay - found[-1][1] <= _TOGETHER * max(delays):
            found[-1] = found[-1][0], delay
        else:
            found.append((delay, delay))
    return found


def linearise(
    params: Floats,
    state: Floats,
    names: Sequence[str],
    delays: Sequence[float],
    *,
    looked_up: int,
    signals: int,
    frozen: Sequence[int] = (),
) -> Linearised:
    """About ``state`` (all components, balances included), with ``delays`` (s) in equilibrium.

    Delays that differ by less than 1e-4 of the longest count as one, at their middle: the made-up past would need
    millions of rows to tell them apart, and roots move by about that share.  Raises NotConverged for delays too far
    apart for one past.

    names: of the components before the balances.  frozen: components that do not move (an empty or full queue,
    the state of a marking without one).
    """
    apart = _apart(delays)
    gaps = [apart[0][0], *(after[0] - before[1] for before, after in pairwise(apart))]
    remembered = len(names)
    if apart[-1][1] / min(gaps) * _APART * 2 * (2 * remembered + layout.REMEMBERED_SIGNALS) > _MOST:
        raise NotConverged(
            f"delays from {apart[0][0]:g} s to {apart[-1][1]:g} s, {min(gaps):g} s apart, are too far "
            "from one another to be linearised together"
        )
    equations = _Equations(params, state.size, remembered, looked_up, signals, min(gaps) / _APART, apart[-1][1])
    moving = [i for i in range(remembered) if i not in set(frozen)]
    scale = np.maximum(np.abs(state), 1e-3)

    def nudged(component: int, by: float) -> Floats:
        changed = state.copy()
        changed[component] += by
        return changed

    def column(component: int, ago: tuple[float, float] | None) -> Floats:
        step = _NUDGE * scale[component]
        sides = []
        for by in (step, -step):
            if ago is None:
                sides.append(equations.slope(nudged(component, by)))
            else:
                equations.fill(nudged(component, by), ago)
                sides.append(equations.slope(state))
                equations.fill(state, ago)
        return np.asarray((sides[0] - sides[1])[moving] / (2.0 * step))

    equations.fill(state)
    present = np.stack([column(i, None) for i in moving], axis=1)
    delayed = tuple((np.stack([column(i, ago) for i in moving], axis=1), 0.5 * (ago[0] + ago[1])) for ago in apart)
    # Where delayed influences cancel, what rounding leaves of them would have roots of its own.
    weights = scale[moving]
    largest = np.max([np.max(np.abs(a) * weights, axis=1) for a in (present, *(a for a, _ in delayed))], axis=0)
    for matrix in (present, *(matrix for matrix, _ in delayed)):
        matrix[np.abs(matrix) * weights <= _ROUNDING * largest[:, None]] = 0.0
    kept = tuple((matrix, delay) for matrix, delay in delayed if np.any(matrix != 0.0))
    queue = moving.index(layout.QUEUE) if layout.QUEUE in moving else None
    return Linearised(tuple(names[i] for i in moving), present, kept, queue)
