"""Modes in which equal flows differ while the queue does not notice: whether shares become fair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from footroom.base.errors import FootroomError
from footroom.engines.fluid.linear import Matrix, stack_of
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.system import System

if TYPE_CHECKING:
    from footroom.calculators.stability.document import FairnessDocument


@dataclass(frozen=True)
class Fairness:
    """rightmost: root [1/s] of the slowest difference between flows that should be equal.  group: whose.
    fair: whether it dies out; none when it neither dies out nor grows.
    """

    rightmost: complex
    fair: bool | None
    group: str

    def to_dict(self) -> FairnessDocument:
        """Plain data; ``decay_s`` is the time in which a difference falls to 1/e, absent where it does not."""
        found: FairnessDocument = {
            "rightmost": (self.rightmost.real, self.rightmost.imag),
            "stable": self.fair,
            "group": self.group,
        }
        return {**found, "decay_s": -1.0 / self.rightmost.real} if self.fair else found


@dataclass(frozen=True)
class _Block:
    """The linear equation of the difference between two halves of a group."""

    names: tuple[str, ...]
    present: Matrix
    delayed: tuple[tuple[Matrix, float], ...]


def fairness_of(system: System) -> Fairness | None:
    """The slowest difference mode, none when no group has two flows or the halves cannot be told apart.

    With a group as two equal halves x and y, d(x - y)/dt depends on x - y alone, by the difference of the blocks
    that a half applies to itself and to the other. The fixed point of halves is that of the whole.
    """
    if all(group.count < 2.0 for group in system.groups):
        return None
    halves = system.halved()
    try:
        linear = halves.linearise(halves.fixed_point())
    except FootroomError:
        return None
    slowest: Fairness | None = None
    for number, group in enumerate(system.groups):
        one = [i for i, name in enumerate(linear.names) if name.startswith(f"{2 * number}.")]
        other = [i for i, name in enumerate(linear.names) if name.startswith(f"{2 * number + 1}.")]
        if group.count < 2.0 or not one or len(one) != len(other):
            continue

        def difference(matrix: Matrix, one: list[int] = one, other: list[int] = other) -> Matrix:
            return matrix[one][:, one] - matrix[one][:, other]

        block = _Block(
            tuple(linear.names[i] for i in one),
            difference(linear.present),
            tuple((difference(matrix), delay) for matrix, delay in linear.delayed),
        )
        root = rightmost(block)
        if slowest is None or root.real > slowest.rightmost.real:
            slowest = Fairness(root, _verdict(block, root), system.labels[number] if system.labels else str(number))
    return slowest


def _verdict(block: _Block, root: complex) -> bool | None:
    stack = stack_of([block])
    return None if stack.on_axis(root.real * stack.unit)[0] else root.real < 0.0
