"""What a marking is to the fluid: the probability that a packet is picked, and its own state if it has one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.engines.fluid.calls import MARKING_SLOPE, PROBABILITY, address

Compiled = Callable[..., Any]


@dataclass(frozen=True)
class Marking:
    """Base of the markings: frozen dataclasses whose fields are in packets and seconds.

    probability: compiled ``f(queue, own state, params)``; its parameters begin at ``layout.MARKING``. None: never.
    slope: compiled ``f(queue, slope of queue, own state, params)``, for a marking with a state.
    """

    name: ClassVar[str] = ""
    probability: ClassVar[Compiled | None] = None
    slope: ClassVar[Compiled | None] = None
    #: Whether the probability jumps, so that the past must be read as straight lines.
    jumps: ClassVar[bool] = False
    source: ClassVar[str] = ""

    def addresses(self) -> tuple[float, float]:
        """Entry points of both functions, 0 where there is none; compiled on first use."""
        own = type(self)
        return (
            0.0 if own.probability is None else float(address(own.probability, PROBABILITY)),
            float(address(own.slope, MARKING_SLOPE)) if own.slope is not None and self.moves() else 0.0,
        )

    def moves(self) -> bool:
        """Whether the own state changes over time."""
        return type(self).slope is not None

    def parameters(self, capacity: float, buffer: float) -> tuple[float, ...]:
        """The functions' parameters; the largest value of the own state comes first where there is a slope."""
        return ()

    def followed(self, capacity: float, step: float) -> Marking:
        """The same marking, its state slowed down as far as steps of ``step`` seconds need."""
        return self

    def start(self) -> float:
        """Own state at t = 0."""
        return 0.0

    def at_rest(self, queue: float) -> float:
        """Probability when the queue stays at ``queue`` (packets); never falls as the queue grows."""
        return 0.0

    def state_at_rest(self, queue: float, probability: float) -> float:
        """Own state there."""
        return 0.0

    def jumps_at(self) -> tuple[float, ...]:
        """Queues (packets) at which ``at_rest`` jumps, ascending."""
        return ()

    def bends_at(self) -> tuple[float, ...]:
        """Queues (packets) between which ``at_rest`` is smooth, ascending; the jumps among them."""
        return self.jumps_at()

    def step_at(self) -> float | None:
        """The one queue (packets) at which the probability goes from 0 to 1 at once; None where there is none."""
        return None

    def target(self) -> float | None:
        """The one equilibrium queue (packets) of a marking with an integrator; None for all others."""
        return None
