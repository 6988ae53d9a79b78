"""Proportional-integral marking: the probability is adjusted until the queue settles at its target.

dp/dt = K (dq/dt / z + q - q_ref),   0 <= p <= 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.engines.fluid import layout
from footroom.engines.fluid.markings.marking import Marking
from footroom.parts.marking.pi import Pi as PiComponent

GAIN, ZERO, TARGET = (layout.MARKING + 1 + i for i in range(3))


def _probability(queue: float, state: float, params: Any) -> float:
    return state


def _slope(queue: float, queue_slope: float, state: float, params: Any) -> float:
    slope = params[GAIN] * (queue_slope / params[ZERO] + queue - params[TARGET])
    at_end = (state <= 0.0 and slope < 0.0) or (state >= 1.0 and slope > 0.0)
    return 0.0 if at_end else slope


@dataclass(frozen=True)
class Pi(Marking):
    """``gain`` K (1/(packet s)), ``zero`` z (rad/s), ``reference`` queue (packets), probability at t = 0."""

    gain: float
    zero: float
    reference: float
    initial: float = 0.0

    name: ClassVar[str] = "pi"
    probability: ClassVar = _probability
    slope: ClassVar = _slope
    source: ClassVar[str] = (
        "Hollot, Misra, Towsley, Gong, On designing improved controllers for AQM routers, INFOCOM 2001"
    )

    def parameters(self, capacity: float, buffer: float) -> tuple[float, ...]:
        return 1.0, self.gain, self.zero, self.reference

    def start(self) -> float:
        return self.initial

    def state_at_rest(self, queue: float, probability: float) -> float:
        return probability

    def target(self) -> float | None:
        return self.reference


def of(marking: PiComponent, packet: float) -> Pi:
    """The marking ``pi`` with packets of ``packet`` bytes."""
    return Pi(marking.gain, marking.zero, marking.target / packet)
