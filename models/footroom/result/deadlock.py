"""Pauses that wait for one another for ever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from footroom.base.plain import plain


@dataclass(frozen=True)
class DeadlockStop:
    """One pause of a deadlock."""

    switch: Annotated[str, Field(description="Switch that asks for it, where the packets wait.")]
    port: Annotated[str, Field(description="Port that they came in by, from>to; the node at its other end is stopped.")]
    traffic_class: Annotated[
        int | None, Field(alias="class", description="Class of traffic; null where the whole port is paused.")
    ]
    since: Annotated[float, Field(description="When it was asked for [s].")]
    stuck: Annotated[
        int, Field(description="Bytes of these packets that wait for ports which are stopped themselves [B].")
    ]

    def __str__(self) -> str:
        klass = "all classes" if self.traffic_class is None else f"class {self.traffic_class}"
        return f"{self.port} ({klass})"


@dataclass(frozen=True)
class Deadlock:
    """A cycle of pauses of which none can end."""

    time: Annotated[float, Field(description="When the last pause of the cycle was asked for [s].")]
    found: Annotated[float, Field(description="When the engine noticed; a run by packets ends there [s].")]
    cycle: Annotated[
        tuple[DeadlockStop, ...], Field(description="Each pause waits for the next, the last one for the first.")
    ]
    behind: Annotated[int, Field(description="Pauses outside the cycle that wait for it.")]

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)

    def reason(self) -> str:
        """One sentence for the notes of a result."""
        more = f" {self.behind} more pauses wait for them." if self.behind else ""
        return (
            f"Deadlock at {self.time * 1e3:.6g} ms: packets that arrived through each of these ports wait for the "
            "next port, those of the last for the first, and all of them are paused: "
            f"{', '.join(str(stop) for stop in self.cycle)}. None of these pauses can end.{more}"
        )
