"""Shipped tables in JSON; sizes in bytes, everything else in SI base units."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class ShippedRow(TypedDict):
    """One line of a shipped table."""

    speed: float
    cable: float
    size: int
    xon: int
    xoff: int
    threshold: Annotated[int, Field(description="Exponent of the dynamic threshold: alpha is 2 to that power.")]
    xon_offset: NotRequired[int]
    repeats: NotRequired[
        Annotated[str, Field(description="Longer cable or faster speed of the same table with the same xoff.")]
    ]


class ShippedLaw(TypedDict):
    """The straight line through two neighbours."""

    xoff: float
    base: float
    slope: Annotated[float, Field(description="Bytes per metre.")]
    between: Annotated[tuple[float, float], Field(description="Cables of the two rows.")]
    extrapolated: bool
    inflation: Annotated[float, Field(description="Slope over that of bytes on the line at 5 ns/m.")]
    formula: str
    note: NotRequired[str]


class ShippedFormula(TypedDict):
    """What SONiC's formula gives with the parameters that explain the table."""

    scheme: str
    parameters: dict[str, Any]
    xoff: int
    halved: bool


class ShippedTable(TypedDict):
    """The table of one switch model, at the link asked about."""

    table: str
    chip: str
    sku: str
    skus: Annotated[int, Field(description="Models that ship this table.")]
    platform: str
    cell: int | None
    cell_source: str
    quality: str
    source: str
    speed: Annotated[float, Field(description="Speed of the rows: the one asked for, or the nearest of the table.")]
    exact: ShippedRow | None
    below: ShippedRow | None
    above: ShippedRow | None
    law: ShippedLaw | None
    formula: ShippedFormula | None
    facts: Annotated[dict[str, Any], Field(description="Pools that ship beside it.")]
    note: NotRequired[str]


class Shipped(TypedDict):
    """Shipped tables for the chip, or for all chips when none is named."""

    chip: str | None
    tables: list[ShippedTable]
