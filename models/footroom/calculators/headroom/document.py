"""The answer to a headroom question in JSON; sizes in bytes, everything else in SI base units."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class HeadroomLine(TypedDict):
    """One line of a budget; the lines of a scheme add up to its headroom."""

    name: str
    bytes: float
    source: str
    formula: Annotated[str, Field(description="With the numbers put in.")]
    part: Annotated[str, Field(description="What it pays for: frames, cable, reaction, cells, extra or rounding.")]


HeadroomParameter = TypedDict(
    "HeadroomParameter",
    {
        "name": str,
        "value": float | bool | str | None,
        "unit": str,
        "from": Annotated[str, Field(description="given, chip or default.")],
    },
)
HeadroomParameter.__doc__ = "A parameter as it was used."


class SwitchTotal(TypedDict):
    """What a whole switch sets aside."""

    formula: str
    total: float
    buffer: NotRequired[Annotated[float | None, Field(description="Packet memory of the switch.")]]
    share: NotRequired[Annotated[float | None, Field(description="Of that memory.")]]


class SharedMemory(TypedDict):
    """How dynamic shared headroom divides the memory, and when it pauses."""

    queue_pauses: str
    port_pauses: str
    insurance: NotRequired[Annotated[float | None, Field(description="Of all ports.")]]
    private: NotRequired[Annotated[float | None, Field(description="Of all queues.")]]
    shared: NotRequired[Annotated[float | None, Field(description="What is left for all.")]]
    formula: NotRequired[str]
    threshold: NotRequired[Annotated[float | None, Field(description="T in an empty switch.")]]
    queue_pause: NotRequired[Annotated[float | None, Field(description="Xqoff in an empty switch.")]]
    port_pause: NotRequired[Annotated[float | None, Field(description="Xpoff in an empty switch.")]]


class HeadroomPool(TypedDict):
    """A pool that all priority groups draw their headroom from."""

    size: float
    formula: str


class SonicForm(TypedDict):
    """Which form of SONiC's formula was used."""

    name: Annotated[str, Field(description="The year in which it came up, or the plugin's name.")]
    source: str
    sku: Annotated[
        str | None, Field(description="Switch model whose shipped table gave form and parameters; null for none.")
    ]
    newest: Annotated[bool, Field(description="Whether SONiC's plugin has this form now.")]


class SchemeDocument(TypedDict):
    """One scheme's answer."""

    title: str
    headroom: Annotated[
        int, Field(description="Memory for what arrives after the pause, per priority group or as ``per`` says.")
    ]
    xon: Annotated[int, Field(description="Level at which the peer may send again; 0 where the scheme sets none.")]
    xoff: int
    size: NotRequired[
        Annotated[int | None, Field(description="What is set aside per priority group, where it differs.")]
    ]
    cells: Annotated[int, Field(description="Cells that the headroom takes.")]
    lines: list[HeadroomLine]
    size_lines: NotRequired[list[HeadroomLine] | None]
    formula: str
    holds: str
    departures: str
    sources: list[str]
    notes: list[str]
    parameters: list[HeadroomParameter]
    form: NotRequired[Annotated[SonicForm | None, Field(description="Of SONiC's formula, where the scheme is that.")]]
    per: NotRequired[
        Annotated[str | None, Field(description="What the headroom is kept for, where that is no priority group.")]
    ]
    memory: NotRequired[SwitchTotal | None]
    sharing: NotRequired[SharedMemory | None]
    shared_headroom_pool: NotRequired[HeadroomPool | None]


class HeadroomInputs(TypedDict):
    """The link as it was understood."""

    speed: float
    cable: float
    delay: Annotated[float, Field(description="One way.")]
    mtu: float
    cell_size: int
    asic: str | None
    scheme: list[str]


class HeadroomEnd(TypedDict):
    """One end of the range that the schemes span."""

    scheme: str
    headroom: int


class HeadroomRange(TypedDict):
    """Lowest and highest answer."""

    lowest: HeadroomEnd
    highest: HeadroomEnd


class ShippedRow(TypedDict):
    """One line of a shipped table."""

    speed: float
    cable: float
    size: int
    xon: int
    xoff: int
    threshold: Annotated[int, Field(description="Exponent of the dynamic threshold: alpha is 2 to that power.")]
    xon_offset: NotRequired[int | None]
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


class WatermarkPlace(TypedDict):
    """Where the watermark was seen."""

    speed: float
    cable: float
    delay: float
    mtu: float


class Reaction(TypedDict):
    """Time that is neither frames nor cable."""

    bytes: float
    seconds: float
    quanta: float


class WatermarkScheme(TypedDict):
    """What the watermark says of one scheme."""

    predicted: Annotated[int, Field(description="Headroom of the scheme where the watermark was seen.")]
    margin: Annotated[float, Field(description="Predicted less the watermark.")]
    enough: bool
    reaction: Annotated[Reaction, Field(description="As the scheme assumes it.")]
    valid: Annotated[bool, Field(description="False when frames and cable alone exceed the watermark.")]
    fitted: NotRequired[Reaction | None]
    headroom: NotRequired[
        Annotated[int | None, Field(description="Of the link asked about, with the fitted reaction.")]
    ]
    formula: NotRequired[str]
    reason: NotRequired[str]


class Watermark(TypedDict):
    """A measured watermark and what follows from it."""

    bytes: float
    cells: int
    at: WatermarkPlace
    schemes: dict[str, WatermarkScheme]


class ConfiguredScheme(TypedDict):
    """What the configured headroom holds by one scheme."""

    needed: int
    margin: Annotated[float, Field(description="Configured less needed.")]
    enough: bool
    valid: Annotated[bool, Field(description="False when not even frames and cable fit.")]
    reaction: NotRequired[Annotated[Reaction | None, Field(description="Covered with the scheme's frames and cable.")]]
    slack: NotRequired[
        Annotated[float | None, Field(description="By how much the peer may be slower than assumed [s].")]
    ]
    reason: NotRequired[str]


class Configured(TypedDict):
    """A headroom that is set, and how slow a peer it covers."""

    bytes: float
    schemes: dict[str, ConfiguredScheme]


class HeadroomDocument(TypedDict):
    """Headroom of one link by each scheme."""

    inputs: HeadroomInputs
    schemes: dict[str, SchemeDocument]
    range: HeadroomRange
    shipped: Shipped | None
    configured: NotRequired[Configured | None]
    watermark: NotRequired[Watermark | None]
    notes: list[str]
