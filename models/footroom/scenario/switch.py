"""What every switch of a scenario is like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput
from footroom.base.framing import in_cells
from footroom.base.quantity import SIZE, QueueSize, Size, parse, quantity
from footroom.parts.architecture import Architecture, SharedMemory
from footroom.parts.asics import asic_named
from footroom.parts.headroom import Headroom, NoHeadroom, Pausing, Watchdog
from footroom.parts.marking import Marking, NoMarking
from footroom.parts.scheduling import Fifo, Scheduling
from footroom.parts.sharing import Complete, Sharing


def _cell_size(value: Any) -> Any:
    """Bytes, or those of a chip's cell by its name."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            return parse(value, SIZE)
        except PydanticCustomError:
            if value[:1].isdigit():
                raise
        try:
            chip = asic_named(value)
        except InvalidInput as error:
            raise PydanticCustomError("cell", "{why}", {"why": f"{error.problems[0].message}; or give bytes"}) from None
        if chip.cell is None:
            raise PydanticCustomError("cell", "{why}", {"why": f"the cell size of {chip.name} is unknown; give bytes"})
        return float(chip.cell)
    return parse(value, SIZE)


CellSize = Annotated[float, BeforeValidator(_cell_size, json_schema_input_type=float | str)]


class Switch(Document):
    """Memory and the rules for using it: those of every switch that ``Scenario.switches`` does not override."""

    buffer: QueueSize = quantity(
        ...,
        "B",
        "Packet memory for waiting packets; also written as a number of full packets.",
        ge=1,
        le=1e12,
        symbol="B",
    )
    reserved: Size = quantity(0.0, "B", "Memory reserved for each queue.", ge=0, advanced=True)
    cell_size: CellSize | None = quantity(
        None,
        "B",
        "Memory allocation unit: every packet, acknowledgements too, takes whole cells. Bytes, or a chip of the "
        "catalogue such as tomahawk2 for its cell size; none counts bytes.",
        ge=1,
        le=65_536,
        advanced=True,
    )
    release: Literal["start", "end"] = quantity(
        "start",
        "1",
        "When a packet's memory is free again: start, when its transmission begins, and a packet that "
        "finds its port idle takes none; end, when its last byte has left, whether it had to wait or not.",
        advanced=True,
    )
    queues: int = quantity(1, "1", "Queues per port, one for each priority class.", ge=1, le=8, advanced=True)
    sharing: Sharing = Field(default_factory=Complete, description="How the memory is shared between queues.")
    marking: Marking = Field(default_factory=NoMarking, description="When congestion is signalled without dropping.")
    headroom: Headroom = Field(default_factory=NoHeadroom, description="Memory for packets that arrive after a pause.")
    watchdog: Watchdog | None = Field(
        default=None,
        description="A PFC watchdog that drops nothing: it reports what it would have dropped, and when. "
        "Packet engine only.",
    )
    scheduling: Scheduling = Field(default_factory=Fifo, description="Which queue of a port sends next.")
    architecture: Architecture = Field(default_factory=SharedMemory, description="Where a packet waits.")

    def taken(self, size: int) -> int:
        """Bytes of memory that a frame, or an IP packet where frames are not modelled, of ``size`` bytes takes."""
        return size if self.cell_size is None else in_cells(size, int(self.cell_size))

    def lossless(self) -> tuple[int, ...]:
        """Classes that pause their neighbours instead of dropping, in ascending order; none without headroom."""
        return self.headroom.classes(self.queues) if isinstance(self.headroom, Pausing) else ()

    @field_validator("cell_size")
    @classmethod
    def _whole(cls, value: float | None) -> float | None:
        if value is not None and value != int(value):
            raise PydanticCustomError("cell", "must be a whole number of bytes")
        return value

    @model_validator(mode="after")
    def _served(self) -> Switch:
        if self.queues > 1 and isinstance(self.scheduling, Fifo):
            raise PydanticCustomError(
                "at:scheduling.kind", "fifo serves one queue; with several use strict_priority or drr"
            )
        if self.watchdog is not None and not self.lossless():
            raise PydanticCustomError(
                "at:watchdog",
                "no class is lossless, so nothing is ever paused: give switch.headroom a kind other "
                "than none, or leave the watchdog out",
            )
        for i, klass in enumerate(self.lossless()):
            if klass >= self.queues:
                raise PydanticCustomError(
                    f"at:headroom.lossless.{i}",
                    f"class {klass} does not exist: switch.queues is {self.queues}, so "
                    f"classes are 0 to {self.queues - 1}",
                )
        return self
