"""Both methods applied to one linear delay equation, and compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from footroom.base.errors import NotConverged
from footroom.calculators.stability.loop import Loop
from footroom.calculators.stability.margins import Margins, gain_margin, margins
from footroom.calculators.stability.winding import roots_on_the_right
from footroom.engines.fluid.linear import Linear, Matrix, stack_of
from footroom.engines.fluid.roots import rightmost


@dataclass(frozen=True)
class Changed:
    """A linear delay equation with all delays longer by ``delay`` seconds and all that is delayed times ``gain``."""

    system: Linear
    delay: float = 0.0
    gain: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """Of the states."""
        return self.system.names

    @property
    def present(self) -> Matrix:
        """A0, as it was."""
        return self.system.present

    @property
    def delayed(self) -> tuple[tuple[Matrix, float], ...]:
        """(A_k, tau_k), with the longer delays and the gain."""
        return tuple((self.gain * matrix, max(0.0, delay + self.delay)) for matrix, delay in self.system.delayed)


@dataclass(frozen=True)
class Judgement:
    """What both methods say of one linear delay equation.

    rightmost: root, 1/s.  right: roots with a positive real part, counted on the imaginary axis.  stable: none when a
    root lies on the axis, where the linear equation decides nothing.  margins, gain: see ``margins``; none where they
    have no meaning, for the reason in ``notes``.  scalar: the loop is cut at one signal.  confirmed: real part (1/s) of
    the rightmost root with the delay margin added to all delays.
    """

    rightmost: complex
    right: int | None
    stable: bool | None
    margins: Margins | None
    gain: tuple[float, float] | None
    scalar: bool
    confirmed: float | None
    notes: tuple[str, ...]


def judge(system: Linear) -> Judgement:
    """Root by collocation and Newton, verdict and margins from the loop gain, and whether the two agree.

    Raises NotConverged, with both numbers, when they do not.
    """
    root = rightmost(system)
    stack = stack_of([system])
    if stack.on_axis(root.real * stack.unit)[0]:
        why = (
            f"The rightmost root {root:.3g} 1/s lies on the imaginary axis: the linear equations neither decay nor "
            "grow, so what happens is decided by what they leave out."
        )
        return Judgement(root, None, None, None, None, Loop.of(system).scalar, None, (why,))
    right = roots_on_the_right(system)
    if (root.real > 0.0) != (right > 0):
        raise NotConverged(
            f"the rightmost root {root:.6g} 1/s and the {right} roots on the right that the loop gain "
            "counts contradict one another"
        )
    stable = right == 0
    if not system.delayed:
        return Judgement(root, right, stable, None, None, True, None, ("Nothing is delayed, so there is no margin.",))
    loop = Loop.of(system)
    found, gain = margins(loop, stable=stable), _checked_gain(system, loop, stable=stable)
    if found is None:
        why = (
            "The loop gain never falls through 1: no delay makes it unstable."
            if stable
            else "The loop gain never falls through 1: it is unstable whatever the delay."
        )
        return Judgement(root, right, stable, None, gain, loop.scalar, None, (why,))
    checked, confirmed, notes = _checked(system, found, stable=stable)
    return Judgement(root, right, stable, checked, gain, loop.scalar, confirmed, notes)


def _checked(system: Linear, found: Margins, *, stable: bool) -> tuple[Margins | None, float | None, tuple[str, ...]]:
    """The margins as far as the other method confirms them: with so much more delay a root lies on the axis."""
    assert found.delay is not None
    if not stable and found.phase >= 0.0:
        return None, None, ("Unstable for another reason than lag: no phase margin describes it.",)
    unconfirmed = replace(found, delay=None)
    if not stable and -found.delay >= min(delay for _, delay in system.delayed):
        return unconfirmed, None, ("Unstable even if the shortest delay were 0: there is no delay margin.",)
    moved = rightmost(Changed(system, delay=found.delay)).real
    if abs(moved) <= 1e-6 * max(fall.frequency for fall in found.falls):
        return found, moved, ()
    if stable:
        raise NotConverged(
            f"a delay margin of {found.delay:.6g} s by the loop gain leaves the rightmost root at "
            f"{moved:.6g} 1/s, which should be 0"
        )
    return (
        unconfirmed,
        None,
        ("Less delay stabilises only some of the unstable frequencies: there is no delay margin.",),
    )


def _checked_gain(system: Linear, loop: Loop, *, stable: bool) -> tuple[float, float] | None:
    found = gain_margin(loop, stable=stable)
    if found is None:
        return None
    root = rightmost(Changed(system, gain=found[0]))
    scale = max(found[1], abs(root), 1e-3 / float(loop.stack.unit[0]))
    return found if math.isfinite(found[0]) and abs(root.real) <= 1e-6 * scale else None
