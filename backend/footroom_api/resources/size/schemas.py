"""What the resource ``size`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.document import SizeDocument
from footroom_api.schemas import ProblemDocument, Status, Strict


class SizeRequest(Strict):
    """What must be met, and which field may change."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    require: list[str] = Field(min_length=1, max_length=20, description='Such as "utilisation>=0.99", "fct_p99<=5ms".')
    path: str = Field(default="switch.buffer", max_length=200, description="The field whose smallest value is wanted.")
    engine: str = Field(
        default="fluid",
        description="theory or fluid, answered at once; packet or reference, "
        "simulated in the background; auto picks one.",
    )
    between: tuple[float | str, float | str] | None = Field(
        default=None, description="Lowest and highest value to search; chosen automatically for a buffer."
    )
    tolerance: float = Field(
        default=0.02,
        gt=1e-6,
        lt=1,
        description="Relative width of the answer's bracket; not used by simulations, which answer with a 95 % "
        "interval.",
    )
    replicas: int | None = Field(
        default=None, ge=1, le=100, description="Seeds of a simulation; by default as many as a narrow interval needs."
    )


class SizeJobDocument(BaseModel):
    """A size search by simulations as it stands."""

    id: str = Field(description="Hash of the question: the same question has the same id.")
    status: Status
    progress: float = Field(ge=0, le=1)
    seconds_left: float | None = Field(description="Estimate while it runs.")
    error: ProblemDocument | None = Field(description="Why the search failed.")
    result: SizeDocument | None = Field(description="Once it is done.")
