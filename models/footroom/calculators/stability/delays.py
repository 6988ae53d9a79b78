"""The loop delay at which a bottleneck's verdict changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from footroom.base.errors import FootroomError
from footroom.calculators.stability.judgement import Judgement
from footroom.engines.fluid.linear import stack_of
from footroom.engines.fluid.roots import nodes_for, rightmost, rightmost_many
from footroom.engines.fluid.system import Linearised, System

#: How far beyond the present delay the search goes, in how many steps, and how many of them are computed together.
_FARTHEST, _STEPS, _AT_ONCE = 1e2, 30, 5
_SAME = 1e-6
#: States times delays, and rows of the eigenvalue problem, of the largest system that is followed: one linearisation or
#: one set of eigenvalues of a larger one takes a good part of a second.
_MOST_TERMS, _MOST_ROWS = 160, 300


@dataclass(frozen=True)
class CriticalDelay:
    """seconds: the shortest round trip without queueing at which the verdict changes.  direct: it is the loop delay
    plus the delay margin, because the linear equations depend on the delay in no other way; else it was searched for,
    with the fixed point computed at each delay.
    """

    seconds: float
    direct: bool


def critical_delay(system: System, linear: Linearised, found: Judgement) -> CriticalDelay | None:
    """Where the verdict changes as all round trips grow or shrink together; none when it does not within reach.

    A stable loop is followed to a hundred times its delay, an unstable one down to a hundredth of it: where feedback
    also waits in the queue, no round trip may be short enough. None as well for very many states and delays.
    """
    if found.stable is None or not linear.delayed:
        return None
    if _many(linear):
        return None
    margin = None if found.margins is None else found.margins.delay
    if margin is not None and _delay_alone(system, linear):
        return CriticalDelay(system.loop_delay + margin, True) if system.loop_delay + margin > 0.0 else None
    extra = None if too_large(linear) else _search(system, stable=found.stable)
    return None if extra is None else CriticalDelay(system.loop_delay + extra, False)


def too_large(linear: Linearised) -> bool:
    """Whether a search for the critical delay takes seconds: very many groups, or rates much faster than delays."""
    stack = stack_of([linear])
    rows = stack.size + len(stack.columns) * nodes_for(float(stack.reach(np.zeros(1))[0]))
    return _many(linear) or rows > _MOST_ROWS


def _many(linear: Linearised) -> bool:
    return len(linear.names) * len(linear.delayed) > _MOST_TERMS


def _longer(system: System, extra: float) -> System:
    return replace(
        system,
        groups=tuple(
            replace(group, base=group.base + extra, flows=group.flows.lengthened(extra)) for group in system.groups
        ),
    )


def _linear(system: System, extra: float) -> Linearised:
    moved = _longer(system, extra)
    return moved.linearise(moved.fixed_point())


def _delay_alone(system: System, linear: Linearised) -> bool:
    """Whether a longer round trip changes nothing but the delays, and those by as much."""
    extra = 0.01 * system.loop_delay
    try:
        moved = _linear(system, extra)
    except FootroomError:
        return False
    if len(moved.delayed) != len(linear.delayed):
        return False
    same = np.allclose(moved.present, linear.present, rtol=_SAME, atol=_SAME * np.abs(linear.present).max())
    return bool(same) and all(
        np.allclose(a, b, rtol=_SAME, atol=_SAME * np.abs(b).max()) and abs(tau - before - extra) <= _SAME * before
        for (a, tau), (b, before) in zip(moved.delayed, linear.delayed, strict=True)
    )


def _search(system: System, *, stable: bool) -> float | None:
    """The first change away from the delay as it is, looked for in ever larger steps, a few at a time."""
    shortest = system.loop_delay
    factors = np.geomspace(1.0, _FARTHEST if stable else 1.0 / _FARTHEST, _STEPS + 1)[1:]
    before = 0.0
    for some in np.array_split(shortest * (factors - 1.0), _STEPS // _AT_ONCE):
        steps: list[float] = []
        linears: list[Linearised] = []
        for extra in some:
            try:
                linears.append(_linear(system, float(extra)))
            except FootroomError:
                break  # no fixed point from here on
            steps.append(float(extra))
        for extra, growth in zip(steps, _growths(linears), strict=True):
            if (growth > 0.0) == stable:
                return float(
                    brentq(
                        lambda more: rightmost(_linear(system, more)).real,
                        *sorted((before, extra)),
                        xtol=1e-12 * shortest,
                        rtol=1e-10,
                    )
                )
            before = extra
        if len(steps) < len(some):
            break
    return None


def _growths(linears: Sequence[Linearised]) -> list[float]:
    """Real parts of the rightmost roots; stacked where the shapes agree."""
    if len({(linear.present.shape, len(linear.delayed)) for linear in linears}) == 1:
        return [float(x) for x in rightmost_many(linears).real]
    return [rightmost(linear).real for linear in linears]
