"""How far an engine is from packets, as measured before."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict


class ExpectedError(TypedDict):
    """Error of an engine against packets at the nearest case of a grid that was measured before."""

    case: Annotated[str, Field(description="The nearest case; empty where the scenario is outside the grid.")]
    reason: Annotated[str, Field(description="Why it is outside; empty where it is not.")]
    errors: Annotated[
        dict[str, float],
        Field(
            description="Metric to error: of utilisation in points, of queues as a share of the buffer, of drop "
            "rates and completion times as a ratio to the packet simulation. Empty outside the grid."
        ),
    ]
    date: Annotated[str, Field(description="Day on which the grid was measured, ISO 8601.")]
    command: Annotated[str, Field(description="How to measure it again.")]
