"""Shapes of stability requests and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.result import Explanation
from footroom_api.schemas import AxisValues, Strict

_SCENARIO = "The scenario document; its JSON schema is in the catalogue."
Root = tuple[float, float]


class StabilityRequest(Strict):
    """A scenario whose flows converge, or do not."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    trajectory: bool = Field(default=False, strict=True, description="Also the queue over time.")
    nyquist: bool = Field(default=False, strict=True, description="Also the loop gain over frequency.")


class StabilityAxis(Strict):
    """A numeric field and its values."""

    path: str = Field(max_length=200)
    values: AxisValues = Field(description='Values, or a range such as "2:64:lin32".')


class MapRequest(Strict):
    """A scenario, and two of its fields to look across."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    x: StabilityAxis
    y: StabilityAxis
    margins: bool = Field(default=False, strict=True, description="Also the phase margins.")
    rows: tuple[int, int] | None = Field(
        default=None,
        description="Only the rows (values of y) from the first index to before the second, so that a "
        "map can be drawn while the rest is computed.",
    )


class CriticalRequest(Strict):
    """A scenario, and the field whose critical value is wanted."""

    scenario: dict[str, Any] = Field(description=_SCENARIO)
    path: str = Field(max_length=200)
    between: tuple[float | str, float | str] | None = Field(
        default=None, description="Lowest and highest value looked at; by default a tenth of and ten times the present"
    )


class FairnessDocument(BaseModel):
    """Whether shares of equal flows become equal."""

    rightmost: Root = Field(description="Root of the slowest difference between them [1/s].")
    stable: bool | None = Field(description="None when differences neither die out nor grow.")
    group: str
    decay_s: float | None = Field(default=None, description="Time in which a difference falls to 1/e [s].")


class CycleDocument(BaseModel):
    """The queue's oscillation where it does not converge."""

    queue_min: float = Field(description="[B]")
    queue_max: float = Field(description="[B]")
    peak_to_peak: float = Field(description="[B]")
    mean: float = Field(description="[B]")
    utilisation: float
    period: float | None = Field(default=None, description="[s]; absent when it cannot be told.")


class Eigenvalues(BaseModel):
    """Method one: the rightmost root of the characteristic equation."""

    rightmost: Root
    stable: bool | None


class LoopGain(BaseModel):
    """Method two: the loop gain on the imaginary axis."""

    cut: str = Field(description="The delayed signal at which the loop is cut.")
    loops: str = Field(description="one, or characteristic loci when several delayed signals are independent.")
    roots_on_the_right: int | None = Field(default=None, description="Counted by the argument principle.")
    stable: bool | None = None
    growth_at_delay_margin: float | None = Field(
        default=None, description="Real part of the rightmost root with the delay margin added to all delays [1/s]."
    )


class Methods(BaseModel):
    """Two methods that share nothing; an answer on which they differ is refused."""

    eigenvalues: Eigenvalues
    loop_gain: LoopGain
    agree: bool


class Trajectory(BaseModel):
    """The queue, and one flow of each group, over time."""

    time: list[float] = Field(description="[s]")
    queue: list[float] = Field(description="[B]")
    rates: list[list[float]] = Field(description="[bit/s], one list per group.")
    groups: list[str]
    start: str = Field(description="Where it starts, in words.")


class Nyquist(BaseModel):
    """The loop gain, the largest where there are several."""

    frequency: list[float] = Field(description="[rad/s]")
    real: list[float]
    imaginary: list[float]


class StabilityDocument(BaseModel):
    """Stability of a scenario's bottleneck at its fixed point; what has no meaning is absent."""

    stable: bool | None = Field(description="None when the linear equations decide nothing.")
    fixed_point: dict[str, float] = Field(description="SI values; empty when there is none.")
    loop_delay_s: float = Field(description="Shortest round trip without queueing.")
    rightmost: Root | None = Field(default=None, description="Real and imaginary part of the rightmost root [1/s].")
    phase_margin_deg: float | None = None
    delay_margin_s: float | None = Field(
        default=None, description="By how much all delays may grow; negative: must shrink."
    )
    crossover_rad_s: float | None = None
    gain_margin_db: float | None = None
    critical_delay_s: float | None = Field(default=None, description="Loop delay at which the verdict changes.")
    fairness: FairnessDocument | None = None
    cycle: CycleDocument | None = None
    methods: Methods | None = None
    reason: str | None = Field(default=None, description="Why there is no linear answer.")
    trajectory: Trajectory | None = None
    nyquist: Nyquist | None = None
    published: list[BesideDocument] = Field(default=[], description="Published margins for these very parameters.")
    explanations: list[Explanation]
    notes: list[str]
    scenario: dict[str, Any]


class BesideDocument(BaseModel):
    """A published phase margin beside ours."""

    id: str
    published: float = Field(description="[degrees]")
    ours: float | None = Field(default=None, description="[degrees]")
    source: str
    differs: str = Field(description="Why the two differ.")


class AxisDocument(BaseModel):
    """An axis of a map as it was read."""

    path: str
    values: list[float] = Field(description="SI base units.")


class MapDocument(BaseModel):
    """Rows along y, columns along x; null where there is no verdict, for the reason in ``reasons``."""

    x: AxisDocument
    y: AxisDocument
    first: int = Field(description="Index of the first row that is answered.")
    rightmost: list[list[float | None]] = Field(description="Real part of the rightmost root [1/s].")
    phase_margin_deg: list[list[float | None]] | None = None
    queue: list[list[float | None]] = Field(description="At rest [B].")
    stable: list[list[bool | None]]
    reasons: dict[str, list[tuple[int, int]]] = Field(
        description="Sentence to the cells (row from ``first``, column) it holds for."
    )
    spent_s: float


class ChangeDocument(BaseModel):
    """A value at which the verdict changes."""

    value: float
    interval: Root = Field(description="Differs in its ends only where whole numbers count.")
    before: str = Field(description="stable, unstable or no fixed point: below the value.")
    after: str = Field(description="The same above.")


class CriticalDocument(BaseModel):
    """Every change of the verdict that was found."""

    path: str
    value: float = Field(description="The first of them.")
    between: Root
    changes: list[ChangeDocument]
    looked_at: list[tuple[float, float | None]] = Field(
        description="Value and growth rate of the rightmost root [1/s]; null without a fixed point."
    )
    spent_s: float


class CurveDocument(BaseModel):
    """A published curve of phase margins over the number of flows."""

    id: str
    title: str
    scenario: dict[str, Any] = Field(description="What it was published for, with any number of flows.")
    flows: list[float]
    phase_margin_deg: list[float]
    source: str
    differs: str = Field(description="Why ours differ.")


class CurvesDocument(BaseModel):
    """All published curves."""

    curves: list[CurveDocument]


StabilityDocument.model_rebuild()
