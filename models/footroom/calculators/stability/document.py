"""Answers about stability in JSON."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.explanation import Explanation

Root = tuple[float, float]


class FairnessDocument(TypedDict):
    """Whether shares of equal flows become equal."""

    rightmost: Annotated[Root, Field(description="Root of the slowest difference between them [1/s].")]
    stable: Annotated[bool | None, Field(description="None when differences neither die out nor grow.")]
    group: str
    decay_s: NotRequired[Annotated[float, Field(description="Time in which a difference falls to 1/e [s].")]]


class CycleDocument(TypedDict):
    """The queue's oscillation where it does not converge."""

    queue_min: Annotated[float, Field(description="[B]")]
    queue_max: Annotated[float, Field(description="[B]")]
    peak_to_peak: Annotated[float, Field(description="[B]")]
    mean: Annotated[float, Field(description="[B]")]
    utilisation: float
    period: NotRequired[Annotated[float, Field(description="[s]; absent when it cannot be told.")]]


class Eigenvalues(TypedDict):
    """Method one: the rightmost root of the characteristic equation."""

    rightmost: Root
    stable: bool | None


class LoopGain(TypedDict):
    """Method two: the loop gain on the imaginary axis."""

    cut: Annotated[str, Field(description="The delayed signal at which the loop is cut.")]
    loops: Annotated[
        str, Field(description="one, or characteristic loci when several delayed signals are independent.")
    ]
    roots_on_the_right: NotRequired[Annotated[int, Field(description="Counted by the argument principle.")]]
    stable: NotRequired[bool]
    growth_at_delay_margin: NotRequired[
        Annotated[
            float,
            Field(description="Real part of the rightmost root with the delay margin added to all delays [1/s]."),
        ]
    ]


class Methods(TypedDict):
    """Two methods that share nothing; an answer on which they differ is refused."""

    eigenvalues: Eigenvalues
    loop_gain: LoopGain
    agree: bool


class Trajectory(TypedDict):
    """The queue, and one flow of each group, over time."""

    time: Annotated[list[float], Field(description="[s]")]
    queue: Annotated[list[float], Field(description="[B]")]
    rates: Annotated[list[list[float]], Field(description="[bit/s], one list per group.")]
    groups: list[str]
    start: Annotated[str, Field(description="Where it starts, in words.")]


class Nyquist(TypedDict):
    """The loop gain, the largest where there are several."""

    frequency: Annotated[list[float], Field(description="[rad/s]")]
    real: list[float]
    imaginary: list[float]


class BesideDocument(TypedDict):
    """A published phase margin beside ours."""

    id: str
    published: Annotated[float, Field(description="[degrees]")]
    ours: NotRequired[Annotated[float, Field(description="[degrees]")]]
    source: str
    differs: Annotated[str, Field(description="Why the two differ.")]


class StabilityNumbers(TypedDict):
    """What a person reads first; what has no meaning is absent."""

    stable: Annotated[bool | None, Field(description="None when the linear equations decide nothing.")]
    fixed_point: Annotated[dict[str, float], Field(description="SI values; empty when there is none.")]
    loop_delay_s: Annotated[float, Field(description="Shortest round trip without queueing.")]
    rightmost: NotRequired[Annotated[Root, Field(description="Real and imaginary part of the rightmost root [1/s].")]]
    phase_margin_deg: NotRequired[float]
    delay_margin_s: NotRequired[
        Annotated[float, Field(description="By how much all delays may grow; negative: must shrink.")]
    ]
    crossover_rad_s: NotRequired[float]
    gain_margin_db: NotRequired[float]
    critical_delay_s: NotRequired[Annotated[float, Field(description="Loop delay at which the verdict changes.")]]
    fairness: NotRequired[FairnessDocument]
    cycle: NotRequired[CycleDocument]
    methods: NotRequired[Methods]
    reason: NotRequired[Annotated[str, Field(description="Why there is no linear answer.")]]
    trajectory: NotRequired[Trajectory]
    nyquist: NotRequired[Nyquist]
    published: NotRequired[
        Annotated[list[BesideDocument], Field(description="Published margins for these very parameters.")]
    ]


class StabilityDocument(StabilityNumbers):
    """Stability of a scenario's bottleneck at its fixed point; what has no meaning is absent."""

    explanations: list[Explanation]
    notes: list[str]
    scenario: dict[str, Any]


class AxisDocument(TypedDict):
    """An axis of a map as it was read."""

    path: str
    values: Annotated[list[float], Field(description="SI base units.")]


class MapDocument(TypedDict):
    """Rows along y, columns along x; null where there is no verdict, for the reason in ``reasons``."""

    x: AxisDocument
    y: AxisDocument
    first: Annotated[int, Field(description="Index of the first row that is answered.")]
    rightmost: Annotated[list[list[float | None]], Field(description="Real part of the rightmost root [1/s].")]
    phase_margin_deg: NotRequired[list[list[float | None]]]
    queue: Annotated[list[list[float | None]], Field(description="In equilibrium [B].")]
    stable: list[list[bool | None]]
    reasons: Annotated[
        dict[str, list[tuple[int, int]]],
        Field(description="Sentence to the cells (row from ``first``, column) it holds for."),
    ]
    spent_s: float


class ChangeDocument(TypedDict):
    """A value at which the verdict changes."""

    value: float
    interval: Annotated[Root, Field(description="Differs in its ends only where whole numbers count.")]
    before: Annotated[str, Field(description="stable, unstable or no fixed point: below the value.")]
    after: Annotated[str, Field(description="The same above.")]


class CriticalDocument(TypedDict):
    """Every change of the verdict that was found."""

    path: str
    value: Annotated[float, Field(description="The first of them.")]
    between: Root
    changes: list[ChangeDocument]
    looked_at: Annotated[
        list[tuple[float, float | None]],
        Field(description="Value and growth rate of the rightmost root [1/s]; null without a fixed point."),
    ]
    spent_s: float


class CurveDocument(TypedDict):
    """A published curve of phase margins over the number of flows."""

    id: str
    title: str
    scenario: Annotated[dict[str, Any], Field(description="What it was published for, with any number of flows.")]
    flows: list[float]
    phase_margin_deg: list[float]
    source: str
    differs: Annotated[str, Field(description="Why ours differ.")]
