"""What each entry of a scenario's traffic got of a shared link."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Share:
    """One entry's long-lived flows.

    path: where the entry stands in the scenario.  name: its name, else its congestion control.  flows: how many.
    rate: bit/s that one of them sends on average.  share: of what all long-lived flows send, together 1.
    even: the share that equal rates for all flows would give.
    """

    path: str
    name: str
    flows: int
    rate: float
    share: float
    even: float

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, ready for JSON."""
        return asdict(self)
