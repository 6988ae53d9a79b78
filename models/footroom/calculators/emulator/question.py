"""The question: one switch, what arrives, and the policies to compare."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput
from footroom.base.framing import FRAMINGS, Framing, in_cells
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.parts.sharing import REGISTRY, Sharing
from footroom.scenario.problems import problems_of
from footroom.scenario.switch import CellSize

#: Fields of a synthetic incast, which a trace replaces.
INCAST = (
    "degree",
    "size",
    "ingress_rate",
    "bursts",
    "interval",
    "synchronised",
    "congested",
    "overload",
    "load",
    "seed",
    "packet",
)


#: Most steps times ports of the time series.
_CELLS = 500_000


def _named(value: Any) -> Any:
    """A policy in short form: its kind, or kind:parameter=value,parameter=value."""
    if not isinstance(value, str):
        return value
    kind, _, rest = value.partition(":")
    found = {"kind": kind.strip()}
    for part in filter(None, rest.split(",")):
        name, sign, given = part.partition("=")
        if not sign or name.strip() == "kind":
            raise PydanticCustomError("policy", "expected a kind, or kind:parameter=value,parameter=value")
        found[name.strip()] = given.strip()
    return found


AnyPolicy = Annotated[Sharing, BeforeValidator(_named, json_schema_input_type=Any)]


def _spelled_out(raw: dict[str, Any]) -> dict[str, Any]:
    """The question with its short policies as objects, so that a fault in one is found at its parameter."""
    policies = raw.get("policies")
    if not isinstance(policies, (list, tuple)):
        return raw
    found = []
    for policy in policies:
        try:
            found.append(_named(policy))
        except PydanticCustomError:
            found.append(policy)
    return {**raw, "policies": found}


def _all() -> tuple[Any, ...]:
    return tuple(kind.model_validate({"kind": name}) for name, kind in zip(REGISTRY.names, REGISTRY, strict=True))


class Question(Document):
    """One memory, its output ports, and either a trace or an incast. Build it with ``Question.parse``."""

    policies: tuple[AnyPolicy, ...] = Field(
        default_factory=_all,
        min_length=1,
        max_length=16,
        description="Sharing policies to compare: kinds, kind:parameter=value, or objects with kind and parameters; "
        "all of them by default.",
    )
    rate: Rate = quantity(100e9, "bit/s", "Rate of every output port.", ge=1e6, le=1e13, symbol="C")
    ports: int = quantity(32, "1", "Output ports that share the memory.", ge=2, le=1024, symbol="N")
    buffer: Size = quantity(16e6, "B", "Packet memory.", ge=1, le=1e12, symbol="B")
    reserved: Size = quantity(0.0, "B", "Memory kept for each queue.", ge=0, le=1e12)
    framing: Literal["ip", "ethernet"] = quantity(
        "ip",
        "1",
        "How packets are counted on links and in memory: ip counts the bytes of IP packets; ethernet adds "
        "18 B of "
        "header and checksum, pads frames to 64 B, and adds 20 B of preamble and gap on links.",
        advanced=True,
    )
    cell_size: CellSize | None = quantity(
        None,
        "B",
        "Memory allocation unit: every packet takes whole cells. Bytes, or a chip of the catalogue such as "
        "tomahawk2 for its cell size; none counts bytes.",
        ge=1,
        le=65_536,
        advanced=True,
    )
    degree: int | None = quantity(None, "1", "Senders of the incast; 40 unless there is a trace.", ge=1, le=100_000)
    size: Size = quantity(64e3, "B", "Bytes from each sender.", ge=1, le=1e12)
    packet: Size = quantity(1500.0, "B", "Size of a full IP packet.", ge=46, le=65536, symbol="P")
    ingress_rate: Rate | None = quantity(
        None,
        "bit/s",
        "Rate of every input port, one for each sender as long as there are other ports; none means the rate of the "
        "outputs.",
        ge=1e6,
        le=1e13,
    )
    bursts: int = quantity(1, "1", "How often the incast is repeated.", ge=1, le=1000)
    interval: Time | None = quantity(
        None,
        "s",
        "Time from the start of one burst to the start of the next; none means a quarter more than a burst takes to "
        "drain.",
        gt=0,
        le=1e3,
    )
    synchronised: bool = quantity(
        False, "1", "All inputs start at the same instant, instead of evenly spread over one packet.", advanced=True
    )
    congested: int = quantity(0, "1", "Other ports that are kept congested.", ge=0, le=1023, symbol="n")
    overload: float = quantity(
        1.5, "1", "Load offered to each congested port, as a multiple of its rate.", gt=1, le=1000, advanced=True
    )
    load: float = quantity(0.0, "1", "Random load on all other ports, as a fraction of their rate.", ge=0, lt=1)
    seed: int = quantity(1, "1", "Random seed of the load.", ge=0, le=2**53, advanced=True)
    trace: str | None = Field(
        None,
        description="Arrivals instead of an incast: CSV with the columns time [s], port, size [B] and optionally flow.",
    )
    capacity: bool = quantity(
        True, "1", "Also find the smallest alpha that loses nothing and the burst that each policy absorbs."
    )
    steps: int = quantity(240, "1", "Points of each time series.", ge=10, le=4000, advanced=True)

    @classmethod
    def parse(cls, raw: Any) -> Question:
        """A question from plain data. Raises InvalidInput with the path of every field at fault."""
        if isinstance(raw, Question):
            return raw
        if not isinstance(raw, dict):
            raise InvalidInput.at(
                "", type(raw).__name__, 'a question is an object such as {"degree": 40, "size": "64 kB"}'
            )
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise InvalidInput(problems_of(error, _spelled_out(raw), cls)) from None

    def to_dict(self) -> dict[str, Any]:
        """Plain data in SI base units, without the trace; parsing it gives the same question without the trace."""
        return self.model_dump(mode="json", exclude={"trace"})

    @property
    def frames(self) -> Framing:
        """The framing in numbers."""
        return FRAMINGS[self.framing]

    @property
    def cell(self) -> int:
        """Bytes of a cell, 1 where bytes are counted."""
        return 1 if self.cell_size is None else int(self.cell_size)

    @property
    def plain(self) -> bool:
        """Whether a packet takes its own bytes of links and of memory."""
        return self.framing == "ip" and self.cell == 1

    @property
    def on_link(self) -> int:
        """Byte times of a link that a full packet takes."""
        return self.frames.wire(int(self.packet))

    @property
    def in_memory(self) -> int:
        """Bytes of memory that a full packet takes."""
        return in_cells(self.frames.frame(int(self.packet)), self.cell)

    @field_validator("buffer", "reserved", "packet", "size", "cell_size")
    @classmethod
    def _whole(cls, value: float | None) -> float | None:
        if value is not None and value != int(value):
            raise PydanticCustomError("quantity", "must be a whole number of bytes")
        return value

    @model_validator(mode="before")
    @classmethod
    def _usual(cls, raw: Any) -> Any:
        """40 senders, unless a trace says what arrives."""
        if isinstance(raw, dict) and raw.get("degree") is None and raw.get("trace") is None:
            return {**raw, "degree": 40}
        return raw

    @model_validator(mode="after")
    def _possible(self) -> Question:
        if self.trace is not None:
            for name in INCAST:
                if name in self.model_fields_set and getattr(self, name) != type(self).model_fields[name].default:
                    raise PydanticCustomError(f"at:{name}", "belongs to an incast; leave it out where a trace is given")
        if self.reserved * self.ports > self.buffer:
            raise PydanticCustomError("at:reserved", "the memory kept for all ports exceeds the packet memory")
        if self.congested > self.ports - 1:
            raise PydanticCustomError("at:congested", "must be fewer than ports: the incast needs one")
        if self.steps * self.ports > _CELLS:
            raise PydanticCustomError("at:steps", f"steps times ports must be at most {_CELLS}")
        return self
