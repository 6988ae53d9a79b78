"""Options of a configuration, beside a scenario or instead of one. Declared once for Python, command line and API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Length, Size, quantity
from footroom.calculators.export.ports import PortList


def _priorities(value: Any) -> Any:
    if isinstance(value, str):
        return [int(part) if part.strip().isdigit() else part for part in value.split(",") if part.strip()]
    return value


def _settings(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(",") if part.strip()]
    if not all(name.strip() and sign for name, sign, _ in pairs):
        raise PydanticCustomError("settings", "expected name=value, joined by commas")
    return {name.strip(): text.strip() for name, _, text in pairs}


Settings = Annotated[
    dict[str, Any], BeforeValidator(_settings, json_schema_input_type=str | dict[str, Any]), Field(max_length=40)
]
Priority = Annotated[int, Field(ge=0, le=7)]
Priorities = Annotated[
    tuple[Priority, ...], BeforeValidator(_priorities, json_schema_input_type=str | list[int]), Field(max_length=7)
]


class ImportOptions(Document):
    """The chip that a configuration is checked against; none: it is only read."""

    asic: str | None = Field(None, max_length=80, description="Chip by id, name or part number; see the list of chips.")
    buffer: Size | None = quantity(None, "B", "Packet memory; the chip's own when not given.", gt=0, le=1e12)
    cell_size: int | None = quantity(
        None, "B", "Memory allocation unit (cell); the chip's own when not given.", ge=1, le=65536
    )
    includes_xoff: bool | None = Field(
        None,
        description="Whether the size of a pool includes its xoff and reserved "
        "memory; whichever fits the chip when not given.",
    )


class ExportOptions(Document):
    """None means: from the scenario, else from the chip, else the default that the assumptions name."""

    asic: str | None = Field(None, max_length=80, description="Chip by id, name or part number; see the list of chips.")
    buffer: Size | None = quantity(
        None, "B", "Packet memory to divide; when not given, the scenario's or the chip's.", gt=0, le=1e12
    )
    cell_size: int | None = quantity(
        None, "B", "Memory allocation unit (cell); the chip's own when not given.", ge=1, le=65536
    )
    switch: str | None = Field(
        None,
        max_length=200,
        description="Name of the scenario's switch; when not given, the switch of the first watched link.",
    )
    ports: PortList | None = Field(
        None, description="Ports in place of the scenario's: 32x100G@300m, or Ethernet0:400G@40m, joined by commas."
    )
    cable: Length | None = quantity(
        None, "m", "Cable of every port without its own value; from the propagation delay when not given.", gt=0, le=1e6
    )
    lossless: Priorities | None = Field(
        None, description="Priorities that pause, such as 3,4; none from a scenario without headroom."
    )
    alpha_lossless: float | None = quantity(
        None,
        "1",
        "Limit of a lossless priority group, as a multiple of the free shared memory.",
        gt=0,
        le=65536,
        symbol="α",
    )
    alpha_lossy: float | None = quantity(
        None, "1", "Limit of a lossy queue, as a multiple of the free shared memory.", gt=0, le=65536
    )
    scheme: str | None = Field(None, max_length=40, description="Headroom scheme; see the list of schemes.")
    scheme_settings: Settings | None = Field(
        None, description="Parameters of the scheme, by name; as text: port_mtu=9216,lanes=8."
    )
    headroom: Size | None = quantity(
        None, "B", "Headroom of each lossless priority group (xoff), in place of the scheme's.", gt=0, le=1e12
    )
    xon: Size | None = quantity(None, "B", "Level at which a pause ends, in place of the scheme's.", ge=0, le=1e12)
    xon_offset: Size | None = quantity(None, "B", "Distance below the limit at which a pause ends.", ge=0, le=1e12)
    reserved_pg: Size | None = quantity(
        None, "B", "Memory kept for each lossless priority group besides headroom.", ge=0, le=1e12
    )
    reserved_queue: Size | None = quantity(None, "B", "Memory kept for each egress queue.", ge=0, le=1e12)
    over_subscribe_ratio: int | None = quantity(
        None,
        "1",
        "Priority groups that share the headroom of one, in a shared pool; when not given, each has its own.",
        ge=1,
        le=65535,
    )
    headroom_pool: Size | None = quantity(
        None, "B", "Shared headroom pool, instead of headroom divided by the ratio.", gt=0, le=1e12
    )
    pool: Size | None = quantity(
        None, "B", "Memory shared by all ports; what is left over when not given.", gt=0, le=1e12
    )
    kmin: Size | None = quantity(None, "B", "Queue below which nothing is marked.", ge=0, le=1e12, symbol="Kmin")
    kmax: Size | None = quantity(None, "B", "Queue above which everything is marked.", gt=0, le=1e12, symbol="Kmax")
    pmax: float | None = quantity(None, "1", "Marking probability at kmax.", gt=0, le=1, symbol="Pmax")
    mtu: int | None = quantity(None, "B", "Largest packet that a port forwards.", ge=68, le=9216)
    model: Literal["traditional", "dynamic"] = Field(
        "traditional", description="SONiC only: profiles as given here, or calculated by the switch."
    )

    @model_validator(mode="after")
    def _consistent(self) -> ExportOptions:
        if (self.kmin is None) != (self.kmax is None):
            raise PydanticCustomError("at:kmax", "kmin and kmax are given together")
        if self.kmin is not None and self.kmax is not None and self.kmax < self.kmin:
            raise PydanticCustomError("at:kmax", "kmax must not be below kmin")
        if self.lossless is not None and len(set(self.lossless)) < len(self.lossless):
            raise PydanticCustomError("at:lossless", "each priority once")
        return self
