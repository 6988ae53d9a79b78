"""What is asked of a comparison of congestion controls, and what it answers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from footroom_api.schemas import Status, Strict


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


class ControlDocument(BaseModel):
    """One congestion control, or a mixture of two."""

    control: str
    title: str
    mixture: bool
    hosts: Literal["tcp", "rdma", "mixed"] = Field(description="What it runs on; mixed for one of each.")
    engines: list[str] = Field(description="Engines that know it.")


class ControlList(BaseModel):
    """The controls that can be compared."""

    controls: list[ControlDocument]
    mixtures: list[ControlDocument] = Field(description="Of every two that run on the same hosts.")


class ControlsRow(BaseModel):
    """The smallest buffer under one control, for one number of flows, by one engine."""

    control: str
    title: str
    flows: int | None = Field(description="Long-lived flows; none where the scenario has none.")
    engine: str
    status: Literal["found", "missed", "unanswered"] = Field(
        description="missed: no buffer meets the requirements; unanswered: the engine has no answer."
    )
    value: float | None = Field(description="Smallest buffer [B].")
    interval: tuple[float, float] | None = Field(
        description="Bracket: missed at its low end, met at its high end; of a simulation the 95 % interval."
    )
    binding: str | None = Field(description="The requirement that decides.")
    reason: str = Field(description="Why there is no value.")
    outside: str = Field(description="Why the value is outside of what the model holds for; empty where it is not.")
    notes: list[str]
    changes: list[str] = Field(description="What else differs from the scenario asked about.")
    settings: dict[str, Any] = Field(description="All that differs: dotted path to value.")
    command: str = Field(description="Gives the same figure alone.")


class ControlsRule(BaseModel):
    """A rule of thumb at one number of flows."""

    flows: int | None
    name: str
    title: str
    value: float = Field(description="Buffer [B].")
    formula: str
    holds: str = Field(description="Where it holds, and why not here.")
    valid: bool
    source: str


class ControlsDocument(BaseModel):
    """The smallest buffer under every control."""

    require: list[str]
    flows: int | None = Field(description="Long-lived flows of the scenario itself.")
    headline: str = Field(description="The answer in words, for these flows.")
    rows: list[ControlsRow]
    rules: list[ControlsRule]
    notes: list[str]
    spent_s: float


class ControlsJobDocument(BaseModel):
    """A comparison by simulations as it stands."""

    id: str = Field(description="Hash of the question: the same one has the same id.")
    status: Status
    progress: float = Field(ge=0, le=1)
    seconds_left: float | None = Field(description="Estimate while it runs.")
    error: dict[str, Any] | None = Field(description="Problem document of a failed comparison.")
    result: ControlsDocument | None = Field(description="Once it is done.")
