"""The scenario: one document that says what is built, what runs over it and for how long."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Packets, parse_buffer, quantity
from footroom.parts import marking as markings
from footroom.parts.topology import AnyTopology
from footroom.parts.traffic import OTHER_LOSSLESS, AnyTraffic
from footroom.scenario import overrides
from footroom.scenario.problems import problems_of
from footroom.scenario.run import Run
from footroom.scenario.switch import Switch

#: Octets of IPv4, TCP and the timestamp option in front of the payload.
HEADER = 52


class Scenario(Document):
    """One document, every engine. Build it with ``Scenario.parse``; values are SI base units once parsed."""

    name: str = quantity("", "1", "Name of the scenario.", max_length=200)
    topology: AnyTopology = Field(description="Hosts, switches and links.")
    switch: Switch = Field(description="Settings of every switch.")
    switches: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        max_length=overrides.MOST,
        description="Settings of single switches, by the switch's name or by the role that the topology gives it. "
        "A name takes precedence over a role.",
    )
    traffic: tuple[AnyTraffic, ...] = Field(
        min_length=1,
        max_length=64,
        description="What runs over the network: at most 64 entries, each of any number of flows.",
    )
    run: Run = Field(default_factory=Run, description="Duration, warm-up, MTU and random seed.")

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
            raise InvalidInput(problems_of(error, raw, cls)) from None

    def to_dict(self) -> dict[str, Any]:
        """Plain data in SI base units; parsing it gives the same scenario."""
        return self.model_dump(mode="json")

    def has_headroom(self) -> bool:
        """Whether any switch pauses its neighbours."""
        settings = [self.switch, *(switch_at(self, key) for key in self.switches)]
        return any(setting.lossless() for setting in settings)

    def other_lossless(self) -> tuple[int, ...]:
        """Lossless classes that no entry of the traffic names, in ascending order."""
        named = {entry.priority for entry in self.traffic}
        return tuple(klass for klass in self.switch.lossless() if klass not in named)

    @property
    def digest(self) -> str:
        """Hash of the canonical document, name left out."""
        document = {k: v for k, v in self.to_dict().items() if k != "name"}
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]

    @field_validator("switches")
    @classmethod
    def _known(cls, given: dict[str, dict[str, Any]], info: ValidationInfo) -> dict[str, dict[str, Any]]:
        if "switch" not in info.data or "topology" not in info.data:
            return given  # they are at fault themselves, which is reported
        return overrides.canonical(given, info.data["switch"], info.data["topology"])

    @model_validator(mode="after")
    def _possible(self) -> Scenario:
        settings = {"switch": self.switch} | {f"switches.{key}": switch_at(self, key) for key in self.switches}
        for path, switch in settings.items():
            full = switch.taken(self.run.frames.frame(int(self.run.mtu)))
            if switch.buffer < full:
                raise PydanticCustomError(f"at:{path}.buffer", f"must hold at least one full packet of {full} B")
        open_load = _open_load(self.traffic)
        most = self.topology.most_load()
        if open_load >= most:
            raise PydanticCustomError(
                "at:traffic",
                f"the loads add up to {open_load:g}; open-loop traffic has no steady state at {most:.4g} "
                "or above: use long_lived flows to congest a link",
            )
        for i, t in enumerate(self.traffic):
            if isinstance(t.priority, str) and not self.switch.lossless():
                raise PydanticCustomError(
                    f"at:traffic.{i}.priority",
                    "no class is lossless: give switch.headroom a kind other than none, or name a class by its number",
                )
            if t.priority == OTHER_LOSSLESS and not self.other_lossless():
                raise PydanticCustomError(
                    f"at:traffic.{i}.priority",
                    "the traffic names every lossless class: choose any_lossless, or one "
                    f"of {', '.join(map(str, self.switch.lossless()))}",
                )
            for field, klass in (("priority", t.priority), ("host.ack_priority", t.host.ack_priority)):
                if isinstance(klass, int) and klass >= self.switch.queues:
                    raise PydanticCustomError(
                        f"at:traffic.{i}.{field}",
                        f"switch.queues is {self.switch.queues}: classes are 0 to {self.switch.queues - 1}",
                    )
            mss, headers = t.host.mss, HEADER + t.overhead_of()
            if mss is not None and mss + headers > self.run.mtu:
                raise PydanticCustomError(
                    f"at:traffic.{i}.host.mss", f"must leave {headers} B of headers within run.mtu"
                )
            if mss is None and self.run.mtu <= headers:
                raise PydanticCustomError("at:run.mtu", f"must exceed {headers} B of headers")
            last, end = t.latest_start(), self.run.duration
            if last >= end:
                field = "start_jitter" if last - getattr(t, "start_jitter", 0.0) < end else "start"
                raise PydanticCustomError(
                    f"at:traffic.{i}.{field}",
                    f"all flows must start before run.duration: the last one may start at {last:g} s, and the run ends "
                    f"at {end:g} s",
                )
        return self


def _open_load(traffic: tuple[AnyTraffic, ...]) -> float:
    """Largest load of open-loop traffic that a host receives: loads refer to destinations where these are named."""
    everywhere = sum(t.offered_load() for t in traffic if t.destinations is None)
    named: dict[str, float] = {}
    for t in traffic:
        for host in dict.fromkeys(t.destinations or ()):
            named[host] = named.get(host, 0.0) + t.offered_load()
    return everywhere + max(named.values(), default=0.0)


def switch_for(scenario: Scenario, name: str, role: str = "") -> Switch:
    """The switch called ``name``, which has ``role`` in the topology ("" for none), with what is overridden for it."""
    if not ({name, role} & scenario.switches.keys()) and role not in scenario.topology.standing():
        return scenario.switch
    document = overrides.laid_over(scenario.switch, scenario.topology, scenario.switches, name, role)
    return Switch.model_validate(document)


def switch_at(scenario: Scenario, key: str) -> Switch:
    """What ``switches.‹key›`` is about: the switch of that name, or those of that role. Raises InvalidInput."""
    roles = scenario.topology.switch_roles()
    if key not in roles and (not key or key not in roles.values()):
        raise InvalidInput.at(f"switches.{key}", key, "no switch has this name or role")
    return switch_for(scenario, key, roles[key]) if key in roles else switch_for(scenario, "", key)


def _packets_to_bytes(raw: dict[str, Any]) -> dict[str, Any]:
    """Replace buffers and marking thresholds in packets by bytes; validation reports anything malformed."""
    try:
        run = Run.model_validate({name: raw["run"][name] for name in ("mtu", "framing") if name in raw.get("run", {})})
    except (ValidationError, PydanticCustomError, TypeError):
        return raw
    found, frame = dict(raw), run.frames.frame(int(run.mtu))
    common = raw["switch"] if isinstance(raw.get("switch"), dict) else {}
    if common:
        found["switch"] = _in_bytes(common, common, frame)
    if isinstance(raw.get("switches"), dict):
        found["switches"] = {
            key: _in_bytes(part, {**common, **part}, frame) if isinstance(part, dict) else part
            for key, part in raw["switches"].items()
        }
    return found


def _in_bytes(switch: dict[str, Any], whole: dict[str, Any], frame: int) -> dict[str, Any]:
    """``switch`` without packets. whole: with what it does not say itself.  frame: bytes of a full one."""
    try:
        mtu = Switch.model_validate({"buffer": 1.0, "cell_size": whole.get("cell_size")}).taken(frame)
    except ValidationError:
        mtu = frame  # the cell is at fault, which validation reports
    found = {**switch, "buffer": _size(switch["buffer"], mtu)} if "buffer" in switch else switch
    marking = switch.get("marking")
    if isinstance(marking, dict):
        found = {
            **found,
            "marking": {
                name: _size(value, mtu) if name in markings.SIZES else value for name, value in marking.items()
            },
        }
    return found


def _size(value: Any, mtu: float) -> Any:
    """``value`` in bytes where it is a number of packets; anything else as it is."""
    try:
        parsed = parse_buffer(value)
    except PydanticCustomError:
        return value
    return parsed.count * mtu if isinstance(parsed, Packets) else value
