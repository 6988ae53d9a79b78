"""How long a scenario runs and with which random numbers."""

from __future__ import annotations

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.component import Document
from footroom.quantity import Size, Time, quantity


class Run(Document):
    """Duration, warm-up, seed, replicas and packet size."""

    duration: Time = quantity(30.0, "s", "Simulated time.", gt=0, le=86400)
    warmup: Time = quantity(10.0, "s", "Time at the start that is not measured.", ge=0)
    seed: int = quantity(1, "1", "Seed of all random numbers.", ge=0, le=2**53)
    replicas: int = quantity(1, "1", "Runs with different random numbers; intervals need at least two.", ge=1, le=1000)
    mtu: Size = quantity(1500.0, "B", "Size of a full packet on the wire.", ge=64, le=65536, symbol="MTU")

    @model_validator(mode="after")
    def _measured(self) -> Run:
        if self.warmup >= self.duration:
            raise PydanticCustomError("at:warmup", "warmup must be shorter than duration, or nothing is measured")
        if self.mtu != int(self.mtu):
            raise PydanticCustomError("at:mtu", "mtu must be a whole number of bytes")
        return self
