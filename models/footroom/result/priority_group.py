"""What one priority group of a lossless fabric did while it was measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class PriorityGroup:
    """The packets of one lossless class that came in by one port of a switch, and the pauses it asked for.

    switch: where they wait.  port: that they come in by, ``from>to``; a pause stops the node ``from``.
    traffic_class: theirs; None for pauses of the port as a whole, which only dynamic_shared has.
    pause_frames: frames sent that stop the class, repetitions included; frames that resume it are not counted.
    pause_time: time for which the neighbour held the class back because of them [s].
    xoff_time: time from the switch's decisions to pause to its decisions to resume [s].
    drops: packets dropped because neither shared memory nor headroom took them.
    shared_max, headroom_max: most bytes held at any time, reserved bytes counted as shared [B].
    headroom: bytes set aside for it; with dynamic_shared the insurance of its port [B].
    first_pause: when it first asked for a pause [s]; None if it never did.
    """

    switch: str
    port: str
    traffic_class: int | None
    pause_frames: int
    pause_time: float
    xoff_time: float
    drops: int
    shared_max: int
    headroom_max: int
    headroom: int
    first_pause: float | None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, ready for JSON; the class under the key ``class``."""
        return {("class" if name == "traffic_class" else name): value for name, value in asdict(self).items()}
