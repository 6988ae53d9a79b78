"""Method one: the rightmost root of det(s I - A0 - sum A_k exp(-s tau_k)) = 0.

Candidates by Chebyshev collocation (Breda, Maset, Vermiglio, SIAM J. Sci. Comput. 27(2), 2005), in which only the
states whose past counts carry a history; each is then polished by Newton's method on the characteristic equation
itself, so that the number of nodes decides which roots are found and not how exact they are. Delays enter exactly.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from threadpoolctl import ThreadpoolController

from footroom.base import deadline
from footroom.base.errors import NotConverged
from footroom.engines.fluid.linear import Complex, Linear, Matrix, Stack, stack_of

#: Candidates polished per system.
_CANDIDATES = 4
_ITERATIONS = 60
#: Newton stops at a step this small, relative to 1 + |s| in units of time. Where two roots meet, rounding keeps steps
#: near the square root of the smallest number, and that is the accuracy of such a root.
_TOLERANCE, _ACCEPTED = 1e-11, 1e-7
#: Nodes, and rows of one eigenvalue problem: of a single system, and of one among many.
_FEWEST, _MOST, _ROWS, _ROWS_OF_MANY = 12, 256, 800, 400
#: Numbers in one stack of eigenvalue problems.
_STACK = 20_000_000
#: The same in the matrices of points along the axis.
_BLOCK = 1_000_000
#: Frequencies at which roots beside the axis are searched, and how many of the nearest are tried.
_FREQUENCIES, _NEAREST = 1500, 12
#: No root is followed further left than this, per unit of time: exp(-s tau) overflows beyond.
_LEFTMOST = -300.0
#: How far from a root that was hit exactly the equation is evaluated, relative to 1 + |s| in units of time.
_BESIDE = (1e-13, 1e-11, 1e-9, 1e-7)
#: Roots that agree to this, relative to 1 + |s| in units of time, are the same.
_SAME = 1e-6


@cache
def _pools() -> ThreadpoolController:
    """The linear-algebra libraries' own threads; looked for once, because that takes milliseconds."""
    return ThreadpoolController()


class _Alone:
    """Limits the linear-algebra libraries to one thread during a ``with`` block.

    The limit is the whole process's: the first of several threads sets it and the last one lifts it. Otherwise one
    would lift it under another, which would later restore the limit, as it had found it, for good.
    """

    def __init__(self) -> None:
        self._lock, self._inside, self._limit = threading.Lock(), 0, contextlib.ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit.enter_context(_pools().limit(limits=1, user_api="blas"))
            self._inside += 1

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.close()


_ALONE = _Alone()


@lru_cache(maxsize=64)
def _chebyshev(nodes: int) -> tuple[Matrix, Matrix, Matrix]:
    """Points from 0 down to -1, their barycentric weights, and the matrix that differentiates a polynomial on them."""
    index = np.arange(nodes + 1)
    points = 0.5 * (np.cos(np.pi * index / nodes) - 1.0)
    weights = np.where((index % nodes) == 0, 0.5, 1.0) * (-1.0) ** index
    gaps = points[:, None] - points[None, :] + np.eye(nodes + 1)
    derivative = (weights[None, :] / weights[:, None]) / gaps
    np.fill_diagonal(derivative, 0.0)
    np.fill_diagonal(derivative, -derivative.sum(axis=1))
    return points, weights, derivative


def _interpolation(points: Matrix, weights: Matrix, at: Matrix) -> Matrix:
    """Rows that evaluate the polynomial through ``points`` at each of ``at`` (any shape); one more axis, the points."""
    gaps = at[..., None] - points
    hit = np.abs(gaps) < 1e-14
    row = weights / np.where(hit, 1.0, gaps)
    row /= row.sum(axis=-1, keepdims=True)
    exact: Matrix = np.where(hit.any(axis=-1, keepdims=True), hit.astype(float), row)
    return exact


def collocated(stack: Stack, nodes: int) -> Complex:
    """Eigenvalues (systems, states + nodes x columns) of the collocated equation, per unit of time."""
    if not stack.columns or not stack.delays.shape[1]:
        return _eigenvalues(stack.present)
    points, weights, derivative = _chebyshev(nodes)
    size, width, count = stack.size, len(stack.columns), len(stack)
    past = stack.delayed[:, :, :, list(stack.columns)]
    rows = _interpolation(points, weights, -stack.delays)
    first = np.einsum("bkm,bkic->bimc", rows, past)  # from each node's past to each state
    whole = np.zeros((count, size + nodes * width, size + nodes * width))
    whole[:, :size, :size] = stack.present
    whole[:, :size, list(stack.columns)] += first[:, :, 0]
    whole[:, :size, size:] = first[:, :, 1:].reshape(count, size, nodes * width)
    history = np.kron(derivative[1:], np.eye(width))
    whole[:, size:, list(stack.columns)] = history[:, :width]
    whole[:, size:, size:] = history[:, width:]
    return _eigenvalues(whole)


def _eigenvalues(matrices: Matrix) -> Complex:
    # For matrices this small a second thread of the linear-algebra library only waits in a loop, and on a busy machine
    # it slows everything else.
    with _ALONE:
        return np.asarray(np.linalg.eigvals(matrices), complex)


def polish(stack: Stack, starts: Complex) -> tuple[Complex, np.ndarray]:
    """Newton's method on det(...) = 0 from (systems, starts); the roots and which of them are exact.

    The step is -1 / tr(M^-1 M') with M the characteristic matrix, for the logarithm of a determinant has that slope.
    """
    s = np.maximum(starts.real, _LEFTMOST) + 1j * starts.imag
    last = np.full(s.shape, np.inf)
    for _ in range(_ITERATIONS):
        rows, places = np.nonzero(last > _TOLERANCE)
        if not rows.size:
            break
        here = stack.take(rows)
        now = s[rows, places]
        step = _newton_step(here, now[:, None])[:, 0]
        # A root is never further away than the reach of a real part far to the left; larger steps would diverge.
        longest = 2.0 + 0.5 * np.abs(now)
        length = np.abs(step)
        step = np.where(length > longest, step * (longest / np.where(length > 0.0, length, 1.0)), step)
        now = now + step
        now = np.maximum(now.real, _LEFTMOST) + 1j * now.imag
        s[rows, places] = now
        last[rows, places] = np.abs(step) / (1.0 + np.abs(now))
    return s, last <= _ACCEPTED


def _newton_step(stack: Stack, s: Complex) -> Complex:
    """From each of ``s`` (systems, points) to the root nearby."""
    try:
        rate = np.trace(np.linalg.solve(stack.matrix(s), stack.slope(s)), axis1=2, axis2=3)
    except np.linalg.LinAlgError:
        return _step_beside(stack, s)
    return np.asarray(-1.0 / np.where(rate == 0.0, 1e-300, rate), complex)


def _step_beside(stack: Stack, s: Complex) -> Complex:
    """The same where some root was hit to the last bit: those are computed alone, from points ever further away."""
    for axis, count in ((1, s.shape[1]), (0, len(stack))):
        if count > 1:
            first, last = np.array_split(np.arange(count), 2)
            parts = [(stack, s[:, part]) if axis else (stack.take(part), s[part]) for part in (first, last)]
            return np.concatenate([_newton_step(*part) for part in parts], axis=axis)
    for beside in _BESIDE:
        try:
            there = s + beside * (1.0 + np.abs(s))
            rate = np.trace(np.linalg.solve(stack.matrix(there), stack.slope(there)), axis1=2, axis2=3)
        except np.linalg.LinAlgError:
            continue
        return np.asarray(-1.0 / np.where(rate == 0.0, 1e-300, rate), complex)
    raise NotConverged("the characteristic matrix is singular wherever it is looked at")


def beside_axis(stack: Stack, radius: float) -> Complex:
    """Starts for roots close to the imaginary axis of a single system, up to ``radius`` per unit of time.

    Along the axis the logarithmic derivative of the determinant has a peak beside each.
    """
    frequencies = np.unique(
        np.concatenate([np.geomspace(1e-6 * radius, radius, _FREQUENCIES), np.linspace(0.0, radius, _FREQUENCIES)[1:]])
    )
    s = np.asarray(1j * frequencies, complex)
    steps = [_newton_step(stack, block[None])[0] for block in np.array_split(s, 1 + s.size * stack.size**2 // _BLOCK)]
    nearness = 1.0 / np.maximum(np.abs(np.concatenate(steps)), 1e-300)
    inner = nearness[1:-1]
    peaks = 1 + np.flatnonzero((inner >= nearness[:-2]) & (inner >= nearness[2:]))
    return s[peaks[np.argsort(-nearness[peaks])[:_NEAREST]]]


def rightmost_of(stack: Stack, nodes: int, more: Complex | None = None) -> Complex:
    """Rightmost polished root of each system, per unit of time, imaginary part at least 0; NaN where none was exact.

    more: starts (systems, starts) besides those that the collocation finds.
    """
    found = collocated(stack, nodes)
    found = np.where(found.imag >= -1e-12, found, -np.inf)
    order = np.argsort(-found.real, axis=1)[:, :_CANDIDATES]
    starts = np.take_along_axis(found, order, axis=1)
    if more is not None:
        starts = np.concatenate([starts, more], axis=1)
    missing = ~np.isfinite(starts)
    starts = np.where(missing, starts[:, :1], starts)
    roots, exact = polish(stack, starts)
    value = np.where(exact, roots.real, -np.inf)
    best = np.argmax(value, axis=1)[:, None]
    root = np.take_along_axis(roots, best, axis=1)[:, 0]
    good = np.take_along_axis(exact, best, axis=1)[:, 0]
    # Newton leaves a real root with an imaginary part of rounding's size.
    turning = np.where(np.abs(root.imag) > 1e-10 * (1.0 + np.abs(root)), np.abs(root.imag), 0.0)
    chosen: Complex = np.where(good, root.real + 1j * turning, np.nan)
    return chosen


def nodes_for(radius: float) -> int:
    """Nodes that resolve exp(s theta) over one unit of time for |s| up to ``radius`` well enough to start Newton."""
    return max(_FEWEST, math.ceil(0.7 * min(radius, 1e9)) + 8)


def _most_nodes(stack: Stack, rows: int) -> int:
    return min(_MOST, max(_FEWEST, (rows - stack.size) // max(1, len(stack.columns))))


def rightmost(system: Linear) -> complex:
    """Rightmost characteristic root [1/s], its imaginary part at least 0. Stable when its real part is negative.

    Nodes are added until twice as many give the same root; their first number resolves every root that could lie in
    the right half plane (``Stack.reach``). Where that would take too many, roots beside the axis are searched along it
    as well; of a great many on the right, the rightmost one found is given. Raises NotConverged when two numbers of
    nodes do not agree.
    """
    stack = stack_of([system])
    radius = float(stack.reach(np.zeros(1))[0])
    most = _most_nodes(stack, _ROWS)
    wanted = nodes_for(radius)
    more = beside_axis(stack, radius)[None] if wanted > most else None
    nodes = min(wanted, max(_FEWEST // 2, most // 2))
    before = rightmost_of(stack, nodes, more)[0]
    while True:
        deadline.check()
        nodes *= 2
        after = rightmost_of(stack, nodes, more)[0]
        if np.isfinite(after) and abs(after - before) <= _SAME * (1.0 + abs(after)):
            return complex(after / stack.unit[0])
        if more is not None and min(before.real, after.real) > 0.0:
            # With a great many roots on the right it does not matter which is the rightmost.
            return complex(max(before, after, key=lambda root: root.real) / stack.unit[0])
        if 2 * nodes > most:
            raise NotConverged(
                f"the rightmost root is {before / stack.unit[0]:.6g} 1/s with {nodes // 2} nodes and "
                f"{after / stack.unit[0]:.6g} 1/s with {nodes}"
            )
        before = after


def stable_many(systems: Sequence[Linear]) -> np.ndarray:
    """Whether a small perturbation of each of many systems of one shape dies out; False where nothing converged.

    A root right of the axis that few nodes find is exact and decides at once, however long the delays are; only the
    others need the nodes of ``rightmost_many``.
    """
    found = rightmost_of(stack_of(systems), _FEWEST)
    stable = ~(found.real > 0.0)
    left = np.flatnonzero(stable)
    if left.size:
        stable[left] = rightmost_many([systems[int(i)] for i in left]).real < 0.0
    return stable


def rightmost_many(systems: Sequence[Linear]) -> Complex:
    """Rightmost root [1/s] of each of many systems of one shape, all at once.

    Nodes are enough for every root that could lie in the right half plane, hence the sign of the real part is sure;
    how far left a stable root lies is checked in ``rightmost`` only. NaN where nothing converged.
    """
    stack = stack_of(systems)
    radius = stack.reach(np.zeros(len(stack)))
    wanted, most = np.array([nodes_for(r) for r in radius]), _most_nodes(stack, _ROWS_OF_MANY)
    roots = np.full(len(stack), np.nan, complex)
    # Few sizes, so that each is one stacked eigenvalue problem.
    sizes = np.minimum(most, _FEWEST * 2 ** np.ceil(np.log2(wanted / _FEWEST))).astype(int)
    for size in np.unique(sizes):
        members = np.flatnonzero(sizes == size)
        rows = stack.size + int(size) * len(stack.columns)
        for some in np.array_split(members, -(-members.size * rows**2 // _STACK)):
            deadline.check()
            part = stack.take(some)
            roots[some] = rightmost_of(part, int(size)) / part.unit
    for i in np.flatnonzero(wanted > most):
        alone = stack.take([i])
        found, exact = polish(alone, beside_axis(alone, float(radius[i]))[None])
        best = max(found[exact], key=lambda root: root.real, default=roots[i])
        if best.real / alone.unit[0] > roots[i].real:
            roots[i] = complex(best.real, abs(best.imag)) / alone.unit[0]
    return roots
