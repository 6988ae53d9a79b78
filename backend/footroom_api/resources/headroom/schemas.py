"""Shapes of the answer to a headroom question; sizes in bytes, everything else in SI base units."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.resources.catalog.schemas import Kind


class HeadroomLine(BaseModel):
    """One line of a budget; the lines of a scheme add up to its headroom."""

    name: str
    bytes: float
    source: str
    formula: str = Field(description="With the numbers put in.")
    part: str = Field(description="What it pays for: frames, cable, reaction, cells, extra or rounding.")


class HeadroomParameter(BaseModel):
    """A parameter as it was used."""

    name: str
    value: float | bool | str | None
    unit: str
    from_: str = Field(alias="from", description="given, chip or default.")


class SwitchTotal(BaseModel):
    """What a whole switch sets aside."""

    formula: str
    total: float
    buffer: float | None = Field(default=None, description="Packet memory of the switch.")
    share: float | None = Field(default=None, description="Of that memory.")


class SharedMemory(BaseModel):
    """How dynamic shared headroom divides the memory, and when it pauses."""

    queue_pauses: str
    port_pauses: str
    insurance: float | None = Field(default=None, description="Of all ports.")
    private: float | None = Field(default=None, description="Of all queues.")
    shared: float | None = Field(default=None, description="What is left for all.")
    formula: str = ""
    threshold: float | None = Field(default=None, description="T in an empty switch.")
    queue_pause: float | None = Field(default=None, description="Xqoff in an empty switch.")
    port_pause: float | None = Field(default=None, description="Xpoff in an empty switch.")


class HeadroomPool(BaseModel):
    """A pool that all priority groups draw their headroom from."""

    size: float
    formula: str


class SonicForm(BaseModel):
    """Which form of SONiC's formula was used."""

    name: str = Field(description="The year in which it came up, or the plugin's name.")
    source: str
    sku: str | None = Field(description="Switch model whose shipped table gave form and parameters; null for none.")
    newest: bool = Field(description="Whether SONiC's plugin has this form now.")


class SchemeDocument(BaseModel):
    """One scheme's answer."""

    title: str
    headroom: int = Field(description="Memory for what arrives after the pause, per priority group or as ``per`` says.")
    xon: int = Field(description="Level at which the peer may send again; 0 where the scheme sets none.")
    xoff: int
    size: int | None = Field(default=None, description="What is set aside per priority group, where it differs.")
    cells: int = Field(description="Cells that the headroom takes.")
    lines: list[HeadroomLine]
    size_lines: list[HeadroomLine] | None = None
    formula: str
    holds: str
    departures: str
    sources: list[str]
    notes: list[str]
    parameters: list[HeadroomParameter]
    form: SonicForm | None = Field(default=None, description="Of SONiC's formula, where the scheme is that.")
    per: str | None = Field(default=None, description="What the headroom is kept for, where that is no priority group.")
    memory: SwitchTotal | None = None
    sharing: SharedMemory | None = None
    shared_headroom_pool: HeadroomPool | None = None


class HeadroomInputs(BaseModel):
    """The link as it was understood."""

    speed: float
    cable: float
    delay: float = Field(description="One way.")
    mtu: float
    cell_size: int
    asic: str | None
    scheme: list[str]


class HeadroomEnd(BaseModel):
    """One end of the range that the schemes span."""

    scheme: str
    headroom: int


class HeadroomRange(BaseModel):
    """Lowest and highest answer."""

    lowest: HeadroomEnd
    highest: HeadroomEnd


class ShippedRow(BaseModel):
    """One line of a shipped table."""

    speed: float
    cable: float
    size: int
    xon: int
    xoff: int
    threshold: int = Field(description="Exponent of the dynamic threshold: alpha is 2 to that power.")
    xon_offset: int | None = None
    repeats: str = Field(default="", description="Longer cable or faster speed of the same table with the same xoff.")


class ShippedLaw(BaseModel):
    """The straight line through two neighbours."""

    xoff: float
    base: float
    slope: float = Field(description="Bytes per metre.")
    between: tuple[float, float] = Field(description="Cables of the two rows.")
    extrapolated: bool
    inflation: float = Field(description="Slope over that of bytes on the line at 5 ns/m.")
    formula: str
    note: str = ""


class ShippedFormula(BaseModel):
    """What SONiC's formula gives with the parameters that explain the table."""

    scheme: str
    parameters: dict[str, Any]
    xoff: int
    halved: bool


class ShippedTable(BaseModel):
    """The table of one switch model, at the link asked about."""

    table: str
    chip: str
    sku: str
    skus: int = Field(description="Models that ship this table.")
    platform: str
    cell: int | None
    cell_source: str
    quality: str
    source: str
    speed: float = Field(description="Speed of the rows: the one asked for, or the nearest of the table.")
    exact: ShippedRow | None
    below: ShippedRow | None
    above: ShippedRow | None
    law: ShippedLaw | None
    formula: ShippedFormula | None
    facts: dict[str, Any] = Field(description="Pools that ship beside it.")
    note: str = ""


class Shipped(BaseModel):
    """Shipped tables for the chip, or for all chips when none is named."""

    chip: str | None
    tables: list[ShippedTable]


class WatermarkPlace(BaseModel):
    """Where the watermark was seen."""

    speed: float
    cable: float
    delay: float
    mtu: float


class Reaction(BaseModel):
    """Time that is neither frames nor cable."""

    bytes: float
    seconds: float
    quanta: float


class WatermarkScheme(BaseModel):
    """What the watermark says of one scheme."""

    predicted: int = Field(description="Headroom of the scheme where the watermark was seen.")
    margin: float = Field(description="Predicted less the watermark.")
    enough: bool
    reaction: Reaction = Field(description="As the scheme assumes it.")
    valid: bool = Field(description="False when frames and cable alone exceed the watermark.")
    fitted: Reaction | None = None
    headroom: int | None = Field(default=None, description="Of the link asked about, with the fitted reaction.")
    formula: str = ""
    reason: str = ""


class Watermark(BaseModel):
    """A measured watermark and what follows from it."""

    bytes: float
    cells: int
    at: WatermarkPlace
    schemes: dict[str, WatermarkScheme]


class ConfiguredScheme(BaseModel):
    """What the configured headroom holds by one scheme."""

    needed: int
    margin: float = Field(description="Configured less needed.")
    enough: bool
    valid: bool = Field(description="False when not even frames and cable fit.")
    reaction: Reaction | None = Field(default=None, description="Covered with the scheme's frames and cable.")
    slack: float | None = Field(default=None, description="By how much the peer may be slower than assumed [s].")
    reason: str = ""


class Configured(BaseModel):
    """A headroom that is set, and how slow a peer it covers."""

    bytes: float
    schemes: dict[str, ConfiguredScheme]


class HeadroomDocument(BaseModel):
    """Headroom of one link by each scheme."""

    inputs: HeadroomInputs
    schemes: dict[str, SchemeDocument]
    range: HeadroomRange
    shipped: Shipped | None
    configured: Configured | None = None
    watermark: Watermark | None = None
    notes: list[str]


class SchemeKind(Kind):
    """One scheme: what it is, where it comes from and its parameters."""

    formula: str


class SchemesDocument(BaseModel):
    """All schemes, and the question that they answer."""

    schemes: list[SchemeKind]
    question: dict[str, Any] = Field(description="JSON schema of the question; each field has unit, symbol, source.")
