"""What every switch of a scenario is like."""

from __future__ import annotations

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.architecture import Architecture, SharedMemory
from footroom.component import Document
from footroom.headroom import Headroom, NoHeadroom
from footroom.marking import Marking, NoMarking
from footroom.quantity import QueueSize, Size, quantity
from footroom.scheduling import Fifo, Scheduling
from footroom.sharing import Complete, Sharing


class Switch(Document):
    """Memory and the rules for using it. All switches of a scenario are alike."""

    buffer: QueueSize = quantity(
        ..., "B", "Packet memory for waiting packets; also written as a number of full packets.", gt=0, le=1e12,
        symbol="B")
    reserved: Size = quantity(0.0, "B", "Bytes of the memory that belong to each queue alone.", ge=0, advanced=True)
    queues: int = quantity(1, "1", "Queues per port, one for each class of traffic.", ge=1, le=8, advanced=True)
    sharing: Sharing = Field(default_factory=Complete, description="Who may take how much of the memory.")
    marking: Marking = Field(default_factory=NoMarking, description="When congestion is signalled without dropping.")
    headroom: Headroom = Field(default_factory=NoHeadroom, description="Memory for packets that arrive after a pause.")
    scheduling: Scheduling = Field(default_factory=Fifo, description="Which queue of a port sends next.")
    architecture: Architecture = Field(default_factory=SharedMemory, description="Where a packet waits.")

    @model_validator(mode="after")
    def _served(self) -> Switch:
        if self.queues > 1 and isinstance(self.scheduling, Fifo):
            raise PydanticCustomError(
                "at:scheduling.kind", "fifo serves one queue; with several use strict_priority or drr")
        return self
