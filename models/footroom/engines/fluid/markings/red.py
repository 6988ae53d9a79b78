"""Random early detection, of the queue itself or of its exponential average."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from footroom.base.errors import InvalidInput
from footroom.engines.fluid import layout
from footroom.engines.fluid.markings.marking import Marking
from footroom.parts.marking.red import Red as RedComponent

LARGEST, MINIMUM, SLOPE, TOP, POLE = (layout.MARKING + i for i in range(5))


def _probability(queue: float, state: float, params: Any) -> float:
    level = state if params[POLE] > 0.0 else queue
    probability = (level - params[MINIMUM]) * params[SLOPE]
    if probability <= 0.0:
        return 0.0
    return probability if probability <= params[TOP] else 1.0


def _slope(queue: float, queue_slope: float, state: float, params: Any) -> float:
    return params[POLE] * (queue - state)


@dataclass(frozen=True)
class Red(Marking):
    """Probability 0 at ``minimum`` rising to ``top`` at ``maximum`` (packets), 1 above.

    weight: of one sample in the exponential average, one sample per packet time (pole -C ln(1-weight)); 1 means that
    the queue itself counts.  Raises InvalidInput unless 0 <= minimum < maximum, and 0 < top, weight <= 1.
    """

    minimum: float
    maximum: float
    top: float
    weight: float = 1.0

    name: ClassVar[str] = "red"
    probability: ClassVar = _probability
    slope: ClassVar = _slope
    source: ClassVar[str] = "Floyd and Jacobson, ToN 1(4) 1993; unaveraged as in Zhu et al., SIGCOMM 2015, section 3.1"

    def __post_init__(self) -> None:
        if not self.maximum > self.minimum >= 0.0:
            raise InvalidInput.at("maximum", self.maximum, "above the minimum, both at least 0")
        for name in ("top", "weight"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise InvalidInput.at(name, getattr(self, name), "above 0, at most 1")

    def parameters(self, capacity: float, buffer: float) -> tuple[float, ...]:
        pole = -capacity * math.log1p(-self.weight) if self.weight < 1.0 else 0.0
        return buffer, self.minimum, self.top / (self.maximum - self.minimum), self.top, pole

    def followed(self, capacity: float, step: float) -> Red:
        # An average over less than half a step cannot be stepped explicitly; half a step is nothing to a round trip.
        return replace(self, weight=min(self.weight, -math.expm1(-2.0 / (capacity * step)))) if self.moves() else self

    def moves(self) -> bool:
        return self.weight < 1.0

    def at_rest(self, queue: float) -> float:
        if queue > self.maximum:
            return 1.0
        return max(0.0, (queue - self.minimum) * self.top / (self.maximum - self.minimum))

    def state_at_rest(self, queue: float, probability: float) -> float:
        return queue if self.weight < 1.0 else 0.0

    def jumps_at(self) -> tuple[float, ...]:
        return (self.maximum,) if self.top < 1.0 else ()

    def bends_at(self) -> tuple[float, ...]:
        return (self.minimum, self.maximum)


def of(marking: RedComponent, packet: float) -> Red:
    """The marking ``red`` with packets of ``packet`` bytes."""
    return Red(marking.kmin / packet, marking.kmax / packet, marking.pmax, marking.weight)
