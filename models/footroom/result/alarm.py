"""What a PFC watchdog would have done to one queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from footroom.base.plain import plain


@dataclass
class WatchdogAlarm:
    """One alarm of a PFC watchdog that only watches: an egress queue that it would have begun to drop."""

    switch: Annotated[str, Field(description="Switch whose queue it is.")]
    port: Annotated[str, Field(description="Port that the queue sends by, from>to.")]
    traffic_class: Annotated[int, Field(alias="class", description="Class of traffic.")]
    detected: Annotated[float, Field(description="When it would have begun to drop [s].")]
    restored: Annotated[
        float | None, Field(description="When it would have ended [s]; null where it would not within the run.")
    ]
    waiting: Annotated[int, Field(description="Packets that waited in the queue when it was detected.")]
    waiting_bytes: Annotated[int, Field(description="Their bytes [B].")]
    arrived: Annotated[int, Field(description="Packets that came to the queue from then on until it was restored.")]
    false_alarm: Annotated[
        bool | None,
        Field(
            description="True where the queue sent again by itself, false where it did not and the run has deadlocked; "
            "null where the run ends before that shows."
        ),
    ]

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)
