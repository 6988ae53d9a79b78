"""What is asked of a comparison of congestion controls, and what it answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.controls.document import ControlDocument, ControlsDocument
from footroom_api.schemas import ProblemDocument, Status, Strict


class ControlsRequest(Strict):
    """A scenario and what every buffer must meet."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    require: list[str] = Field(
        default=["utilisation>=0.99"],
        min_length=1,
        max_length=20,
        description='Such as "utilisation>=0.99", "drop_rate<=1e-3", "transfer_p99<=1s".',
    )
    engines: list[str] = Field(
        default=["theory", "fluid"],
        min_length=1,
        max_length=4,
        description="theory and fluid, answered at once; packet and reference, simulated in the background.",
    )
    controls: list[str] | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Names from GET "
        '/controls; a mixture of two, half of the flows each, as "cubic+bbr1". Every '
        "control by default.",
    )
    mixtures: bool = Field(
        default=False, description="Also mixtures of every two of these that run on the scenario's hosts."
    )
    flows: str | list[int] | None = Field(
        default=None,
        description="Numbers of long-lived flows, such as "
        '"1:1000:log7"; by default these and the number that the scenario has.',
    )


class ControlList(BaseModel):
    """The controls that can be compared."""

    controls: list[ControlDocument]
    mixtures: list[ControlDocument] = Field(description="Of every two that run on the same hosts.")


class ControlsJobDocument(BaseModel):
    """A comparison by simulations as it stands."""

    id: str = Field(description="Hash of the question: the same question has the same id.")
    status: Status
    progress: float = Field(ge=0, le=1)
    seconds_left: float | None = Field(description="Estimate while it runs.")
    error: ProblemDocument | None = Field(description="Why the comparison failed.")
    result: ControlsDocument | None = Field(description="Once it is done.")
