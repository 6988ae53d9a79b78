"""Pauses that wait for one another for ever."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Stop:
    """One pause of a deadlock.

    switch: that asks for it, where packets wait.  port: by which they came in, ``from>to``; the node ``from`` is
    stopped.  traffic_class: of the packets, None where the whole port is paused.  since: when it was asked for [s].
    stuck: bytes of these packets that wait for ports which are stopped themselves [B].
    """

    switch: str
    port: str
    traffic_class: int | None
    since: float
    stuck: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data; the class under the key ``class``."""
        return {("class" if name == "traffic_class" else name): value for name, value in asdict(self).items()}

    def __str__(self) -> str:
        klass = "all classes" if self.traffic_class is None else f"class {self.traffic_class}"
        return f"{self.port} ({klass})"


@dataclass(frozen=True)
class Deadlock:
    """A cycle of pauses of which none can end.

    time: when the last pause of the cycle was asked for [s].  found: when the engine noticed [s].
    cycle: its pauses, each waits for the next and the last one for the first.  behind: pauses outside the cycle that
    wait for it.
    """

    time: float
    found: float
    cycle: tuple[Stop, ...]
    behind: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "time": self.time,
            "found": self.found,
            "cycle": [stop.to_dict() for stop in self.cycle],
            "behind": self.behind,
        }

    def reason(self) -> str:
        """One sentence for the notes of a result."""
        more = f" {self.behind} more pauses wait for them." if self.behind else ""
        return (
            f"Deadlock at {self.time * 1e3:.6g} ms: packets that came in by each of these ports wait for the next, "
            f"those of the last for the first, and all of them are paused: "
            f"{', '.join(str(stop) for stop in self.cycle)}. None of these pauses can end.{more}"
        )
