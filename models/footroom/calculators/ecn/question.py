"""The advisor's question."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.parts.congestion import REGISTRY, Congestion
from footroom.scenario import Scenario
from footroom.scenario.problems import problems_of


def _dcqcn() -> Any:
    return REGISTRY.get("dcqcn").model_validate({"kind": "dcqcn"})


def _kind(value: Any) -> Any:
    """A bare name means the control with its own defaults."""
    return {"kind": value} if isinstance(value, str) else value


class EcnQuestion(Document):
    """Equal long-lived flows into one port, and what is wanted of its marking."""

    speed: Rate = quantity(100e9, "bit/s", "Rate of the port.", gt=0, le=1.6e12, symbol="C")
    rtt: Time = quantity(10e-6, "s", "Round trip without queueing.", gt=0, le=1, symbol="RTT")
    flows: int = quantity(16, "1", "Long-lived flows into the port.", ge=1, le=10_000, symbol="N")
    buffer: Size = quantity(
        2e6, "B", "Maximum queue of the port before packets are dropped or paused.", gt=0, le=1e11, symbol="B"
    )
    mtu: Size = quantity(1500.0, "B", "Full packet on the wire.", ge=64, le=65_536)
    congestion: Annotated[Congestion, BeforeValidator(_kind)] = Field(
        default_factory=_dcqcn, description="Congestion control of the flows: its kind, or an object with parameters."
    )
    utilisation: float = quantity(0.99, "1", "Minimum utilisation of the port.", gt=0, le=1)
    queue: Size | None = quantity(None, "B", "Longest standing queue; none means half the buffer.", gt=0)
    phase_margin: float = quantity(10.0, "1", "Minimum phase margin, degrees.", ge=0, le=90, advanced=True)
    pfc_threshold: Size | None = quantity(
        None, "B", "Queue at which the port pauses its neighbours; marking must begin before it.", gt=0, advanced=True
    )

    @classmethod
    def parse(cls, raw: Any) -> EcnQuestion:
        """A question from plain data. Raises InvalidInput with the path of every field at fault."""
        if not isinstance(raw, dict):
            raise InvalidInput.at("", type(raw).__name__, "a question is an object with speed, rtt, flows, buffer …")
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise InvalidInput(problems_of(error, raw, cls)) from None

    @model_validator(mode="after")
    def _possible(self) -> EcnQuestion:
        if self.buffer < 10 * self.mtu:
            raise PydanticCustomError("at:buffer", f"must hold at least ten full packets of {self.mtu:.0f} B")
        if self.queue is not None and self.queue > self.buffer:
            raise PydanticCustomError("at:queue", f"must fit the buffer of {self.buffer:.0f} B")
        if self.pfc_threshold is not None and self.pfc_threshold > self.buffer:
            raise PydanticCustomError("at:pfc_threshold", f"must fit the buffer of {self.buffer:.0f} B")
        return self

    @property
    def longest_queue(self) -> float:
        """Longest standing queue, bytes."""
        return self.queue if self.queue is not None else self.buffer / 2.0

    def scenario(self) -> Scenario:
        """The same as a scenario, under an arbitrary ramp, so that the flows are marked, not dropped."""
        # A single flow needs a link faster than the port, or nothing ever queues.
        access = self.speed * (2.0 if self.flows == 1 else 1.0)
        return Scenario.parse(
            {
                "name": "ECN advisor",
                "topology": {"kind": "dumbbell", "bottleneck": self.speed, "access": access, "rtt": self.rtt},
                "switch": {
                    "buffer": self.buffer,
                    "marking": {"kind": "red", "kmin": 0.1 * self.buffer, "kmax": 0.5 * self.buffer, "pmax": 0.1},
                },
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": self.flows,
                        "start_jitter": 0.0,
                        "congestion": self.congestion.model_dump(mode="json"),
                    }
                ],
                "run": {"duration": max(1.0, 1000.0 * self.rtt), "warmup": 0.0, "mtu": self.mtu},
            }
        )
