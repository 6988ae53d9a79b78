"""What each entry of a scenario's traffic got of a shared link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from footroom.base.plain import plain


@dataclass(frozen=True)
class Share:
    """What the long-lived flows of one entry of the traffic got."""

    path: Annotated[str, Field(description="Where the entry stands in the scenario.")]
    name: Annotated[str, Field(description="Its name, else its congestion control.")]
    flows: Annotated[int, Field(description="How many.")]
    rate: Annotated[float, Field(description="Mean rate that one of them sends at [bit/s].")]
    share: Annotated[float, Field(description="Of what all long-lived flows send, together 1.")]
    even: Annotated[float, Field(description="The share that equal rates for all flows would give.")]

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)
