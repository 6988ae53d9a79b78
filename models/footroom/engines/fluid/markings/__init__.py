"""Markings of the fluid: when a queue gives early notice of congestion; ``BUILDERS`` names them by kind."""

from collections.abc import Callable
from typing import Any

from footroom.engines.fluid.markings import drop_tail, pi, red, step
from footroom.engines.fluid.markings.drop_tail import DropTail
from footroom.engines.fluid.markings.marking import Marking
from footroom.engines.fluid.markings.pi import Pi
from footroom.engines.fluid.markings.red import Red
from footroom.engines.fluid.markings.step import Step

#: ``f(marking component, bytes of a packet)``
BUILDERS: dict[str, Callable[[Any, float], Marking]] = {
    "none": drop_tail.of,
    "step": step.of,
    "red": red.of,
    "pi": pi.of,
}

__all__ = ["BUILDERS", "DropTail", "Marking", "Pi", "Red", "Step"]
