"""What one priority group of a lossless fabric did while it was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from footroom.base.plain import plain


@dataclass(frozen=True)
class PriorityGroup:
    """The packets of one lossless class that came in by one port, and the pauses this asked for."""

    switch: Annotated[str, Field(description="Where they wait.")]
    port: Annotated[
        str, Field(description="Port that they come in by, from>to; a pause stops the node at its other end.")
    ]
    traffic_class: Annotated[
        int | None, Field(alias="class", description="Class of traffic; null for pauses of the whole port (DSH).")
    ]
    pause_frames: Annotated[int, Field(description="Frames sent that stop the class, repetitions counted.")]
    pause_time: Annotated[float, Field(description="Time for which the neighbour held the class back [s].")]
    xoff_time: Annotated[float, Field(description="Time for which the switch asked for a pause, from Xoff to Xon [s].")]
    drops: Annotated[int, Field(description="Packets dropped: neither shared memory nor headroom took them.")]
    shared_max: Annotated[int, Field(description="Most reserved and shared bytes held [B].")]
    headroom_max: Annotated[int, Field(description="Most headroom used [B].")]
    headroom: Annotated[int, Field(description="Headroom set aside for it; with DSH for its port [B].")]
    first_pause: Annotated[float | None, Field(description="When it first asked for a pause [s]; null for never.")]

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)
