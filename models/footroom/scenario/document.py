"""The scenario: one document that says what is built, what runs over it and for how long."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from footroom.component import Document
from footroom.errors import InvalidInput
from footroom.quantity import Packets, parse_buffer, quantity
from footroom.scenario.problems import problems_of
from footroom.scenario.run import Run
from footroom.scenario.switch import Switch
from footroom.topology import AnyTopology
from footroom.traffic import AnyTraffic, LongLived, Poisson

#: Octets of IPv4, TCP and the timestamp option in front of the payload.
HEADER = 52


class Scenario(Document):
    """One document, every engine. Build it with ``Scenario.parse``; values are SI base units once parsed."""

    name: str = quantity("", "1", "What a reader calls it.", max_length=200)
    topology: AnyTopology = Field(description="Hosts, switches and links.")
    switch: Switch = Field(description="What every switch is like.")
    traffic: tuple[AnyTraffic, ...] = Field(min_length=1, max_length=64, description="What runs over the network.")
    run: Run = Field(default_factory=Run, description="How long, and with which random numbers.")

    @classmethod
    def parse(cls, raw: Any) -> Scenario:
        """A scenario from plain data. Raises InvalidInput with the path of every field at fault."""
        if not isinstance(raw, dict):
            raise InvalidInput.at(
                "",
                raw if isinstance(raw, (str, int, float)) else type(raw).__name__,
                "a scenario is an object with topology, switch, traffic and run",
            )
        document = _packets_to_bytes(raw)
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            raise InvalidInput(problems_of(error, raw)) from None

    def to_dict(self) -> dict[str, Any]:
        """Plain data in SI base units; parsing it gives the same scenario."""
        return self.model_dump(mode="json")

    @property
    def digest(self) -> str:
        """Hash of the canonical document, name left out."""
        document = {k: v for k, v in self.to_dict().items() if k != "name"}
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]

    @model_validator(mode="after")
    def _possible(self) -> Scenario:
        if self.switch.buffer < self.run.mtu:
            raise PydanticCustomError("at:switch.buffer", f"must hold at least one full packet of {self.run.mtu:.0f} B")
        open_load = sum(t.load for t in self.traffic if isinstance(t, Poisson))
        if open_load >= 1.0:
            raise PydanticCustomError(
                "at:traffic",
                f"the loads add up to {open_load:g}; open-loop traffic has no steady state at 1 "
                "or above: use long_lived flows to congest a link",
            )
        for i, t in enumerate(self.traffic):
            mss = t.host.mss
            if mss is not None and mss + HEADER > self.run.mtu:
                raise PydanticCustomError(
                    f"at:traffic.{i}.host.mss", f"must leave {HEADER} B of headers within run.mtu"
                )
            if mss is None and self.run.mtu <= HEADER:
                raise PydanticCustomError("at:run.mtu", f"must exceed {HEADER} B of headers")
            last = t.start + (t.start_jitter if isinstance(t, LongLived) else 0.0)
            if last >= self.run.duration:
                raise PydanticCustomError(f"at:traffic.{i}.start", "flows must start before run.duration")
        return self


def _packets_to_bytes(raw: dict[str, Any]) -> dict[str, Any]:
    """Replace a buffer in packets by bytes; anything malformed is left for validation to report."""
    switch, run = raw.get("switch"), raw.get("run", {})
    if not isinstance(switch, dict) or not isinstance(run, dict):
        return raw
    try:
        buffer = parse_buffer(switch.get("buffer"))
        if not isinstance(buffer, Packets):
            return raw
        mtu = Run.model_validate({"mtu": run["mtu"]} if "mtu" in run else {}).mtu
    except (ValidationError, PydanticCustomError):
        return raw
    return {**raw, "switch": {**switch, "buffer": buffer.count * mtu}}
