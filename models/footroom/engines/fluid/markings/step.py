"""Step marking: every packet that finds more than a threshold ahead of it is marked (DCTCP, SIGCOMM 2010, §3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.engines.fluid import layout
from footroom.engines.fluid.markings.marking import Marking
from footroom.parts.marking.step import Step as StepComponent

THRESHOLD = layout.MARKING


def _probability(queue: float, state: float, params: Any) -> float:
    return 1.0 if queue > params[THRESHOLD] else 0.0


@dataclass(frozen=True)
class Step(Marking):
    """threshold: K in packets; the queue itself counts."""

    threshold: float

    name: ClassVar[str] = "step"
    probability: ClassVar = _probability
    jumps: ClassVar[bool] = True
    source: ClassVar[str] = "Alizadeh et al., SIGCOMM 2010, section 3.1"

    def parameters(self, capacity: float, buffer: float) -> tuple[float, ...]:
        return (self.threshold,)

    def at_rest(self, queue: float) -> float:
        return 1.0 if queue > self.threshold else 0.0

    def step_at(self) -> float | None:
        return self.threshold

    def jumps_at(self) -> tuple[float, ...]:
        return (self.threshold,)


def of(marking: StepComponent, packet: float) -> Step:
    """The marking ``step`` with packets of ``packet`` bytes."""
    return Step(marking.threshold / packet)
