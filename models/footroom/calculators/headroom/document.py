"""The answer to a headroom question in JSON; sizes in bytes, everything else in SI base units."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.formulas.headroom.document import HeadroomLine, SchemeExtras
from footroom.formulas.headroom.shipped.document import Shipped

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


class SchemeSize(TypedDict):
    """What is set aside per priority group, where that is not the headroom."""

    size: NotRequired[Annotated[int, Field(description="What is set aside per priority group, where it differs.")]]
    size_lines: NotRequired[list[HeadroomLine]]


class SchemeDocument(SchemeSize, SchemeExtras):
    """One scheme's answer."""

    title: str
    headroom: Annotated[
        int, Field(description="Memory for what arrives after the pause, per priority group or as ``per`` says.")
    ]
    xon: Annotated[int, Field(description="Level at which the peer may send again; 0 where the scheme sets none.")]
    xoff: int
    cells: Annotated[int, Field(description="Cells that the headroom takes.")]
    lines: list[HeadroomLine]
    formula: str
    holds: str
    outside: Annotated[str, Field(description="Why the link is outside what it holds for; empty where it is not.")]
    departures: str
    sources: list[str]
    notes: list[str]
    parameters: list[HeadroomParameter]


class WatermarkPlace(TypedDict):
    """Where the watermark was seen."""

    speed: float
    cable: float
    delay: Annotated[float, Field(description="One way.")]
    mtu: float


class HeadroomInputs(WatermarkPlace):
    """The link as it was understood."""

    cell_size: int
    asic: str | None
    scheme: list[str]


class HeadroomEnd(TypedDict):
    """One end of the range that the schemes span which hold for the link, or all where none does."""

    scheme: str
    headroom: int


class HeadroomRange(TypedDict):
    """Lowest and highest answer."""

    lowest: HeadroomEnd
    highest: HeadroomEnd


class Reaction(TypedDict):
    """Time that is neither frames nor cable."""

    bytes: float
    seconds: float
    quanta: float


class WatermarkScheme(TypedDict):
    """What the watermark says of one scheme."""

    predicted: Annotated[int, Field(description="Headroom of the scheme where the watermark was seen.")]
    margin: Annotated[float, Field(description="Predicted less the watermark.")]
    enough: Annotated[bool, Field(description="Never true outside what the scheme holds for.")]
    reaction: Annotated[Reaction, Field(description="As the scheme assumes it.")]
    valid: Annotated[bool, Field(description="False when frames and cable alone exceed the watermark.")]
    fitted: NotRequired[Reaction]
    headroom: NotRequired[Annotated[int, Field(description="Of the link asked about, with the fitted reaction.")]]
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
    enough: Annotated[bool, Field(description="Never true outside what the scheme holds for.")]
    valid: Annotated[bool, Field(description="False when not even frames and cable fit.")]
    reaction: NotRequired[Annotated[Reaction, Field(description="Covered with the scheme's frames and cable.")]]
    slack: NotRequired[Annotated[float, Field(description="By how much the peer may be slower than assumed [s].")]]
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
    configured: NotRequired[Configured]
    watermark: NotRequired[Watermark]
    notes: list[str]
