"""What a PFC watchdog would have done to one queue."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass
class Alarm:
    """One egress queue that a watchdog would have begun to drop.

    switch, port, traffic_class: of the queue; the port it sends by, ``from>to``.  detected, restored: when that would
    have begun and ended [s], None where not within the run.  waiting, waiting_bytes: what was in the queue then.
    arrived: packets that came to it until it was restored.  false_alarm: whether the queue sent again by itself; False
    where the run has deadlocked and it did not, None where the run ended before that showed.
    """

    switch: str
    port: str
    traffic_class: int
    detected: float
    restored: float | None
    waiting: int
    waiting_bytes: int
    arrived: int = 0
    false_alarm: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; the class under the key ``class``."""
        return {("class" if name == "traffic_class" else name): value for name, value in asdict(self).items()}
