"""The answer about a scenario's stability."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from footroom.base.notebook import pandas
from footroom.base.plain import plain
from footroom.calculators.stability.cycle import Cycle
from footroom.calculators.stability.delays import CriticalDelay
from footroom.calculators.stability.fairness import Fairness
from footroom.calculators.stability.judgement import Judgement
from footroom.engines.fluid.linear import Linear
from footroom.result import Explanation

if TYPE_CHECKING:
    from footroom.calculators.stability.document import (
        BesideDocument,
        LoopGain,
        Methods,
        Nyquist,
        StabilityDocument,
        StabilityNumbers,
        Trajectory,
    )


@dataclass(frozen=True)
class StabilityAnswer:
    """Stability of one scenario's bottleneck at its fixed point. What has no meaning is none here and absent in JSON.

    scenario: the canonical document.  stable: none when the linear equations decide nothing.  fixed_point: SI values.
    judgement: both methods' answers about the linear equations ``linear``.  loop_delay: shortest round trip without
    queueing, s.  cut: the signal at which the loop is cut.  fairness: of equal flows.  cycle: oscillation of the queue
    where it does not converge.  reason: why there is no linear answer.  trajectory: time [s], queue [B],
    rates [bit/s] per group, if asked for.  published: phase margins that others published for the same equations.
    """

    scenario: dict[str, Any]
    stable: bool | None
    fixed_point: dict[str, float]
    loop_delay: float
    judgement: Judgement | None = None
    linear: Linear | None = None
    cut: str = ""
    critical_delay: CriticalDelay | None = None
    fairness: Fairness | None = None
    cycle: Cycle | None = None
    reason: str = ""
    explanations: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()
    published: tuple[BesideDocument, ...] = ()
    trajectory: Trajectory | None = field(default=None, repr=False)
    nyquist: Nyquist | None = field(default=None, repr=False)

    def to_dict(self) -> StabilityDocument:
        """Plain data in the shape of the public contract, bare numbers in SI base units, degrees and decibels."""
        declared: StabilityDocument = {
            **self._numbers(),
            "explanations": list(self.explanations),
            "notes": list(self.notes),
            "scenario": self.scenario,
        }
        document: StabilityDocument = plain(declared)
        return document

    def _numbers(self) -> StabilityNumbers:
        found: StabilityNumbers = {
            "stable": self.stable,
            "fixed_point": dict(self.fixed_point),
            "loop_delay_s": self.loop_delay,
        }
        if self.judgement is not None:
            _add_margins(found, self.judgement)
            found["methods"] = _methods(self.judgement, self.cut)
        if self.critical_delay is not None:
            found["critical_delay_s"] = self.critical_delay.seconds
        if self.fairness is not None:
            found["fairness"] = self.fairness.to_dict()
        if self.cycle is not None:
            found["cycle"] = self.cycle.to_dict()
        if self.reason:
            found["reason"] = self.reason
        if self.published:
            found["published"] = list(self.published)
        if self.trajectory is not None:
            found["trajectory"] = self.trajectory
        if self.nyquist is not None:
            found["nyquist"] = self.nyquist
        return found

    def to_frame(self) -> Any:
        """One row per number: value and unit. Needs pandas."""
        return pandas().DataFrame(rows(self.to_dict()), columns=["quantity", "value", "unit"]).set_index("quantity")

    def figure(self) -> Any:
        """Plotly: loop gain, and the queue over time where a trajectory was asked for. Needs plotly."""
        from footroom.calculators.stability.figure import draw

        return draw(self)


def _add_margins(numbers: StabilityNumbers, found: Judgement) -> None:
    numbers["rightmost"] = (found.rightmost.real, found.rightmost.imag)
    if found.margins is not None:
        numbers["phase_margin_deg"] = found.margins.phase
        numbers["crossover_rad_s"] = found.margins.crossover
        if found.margins.delay is not None:
            numbers["delay_margin_s"] = found.margins.delay
    if found.gain is not None:
        numbers["gain_margin_db"] = 20.0 * math.log10(found.gain[0])


def _methods(found: Judgement, cut: str) -> Methods:
    loop: LoopGain = {"cut": cut, "loops": "one" if found.scalar else "characteristic loci"}
    if found.right is not None:
        loop["roots_on_the_right"] = found.right
        loop["stable"] = found.right == 0
    if found.confirmed is not None:
        loop["growth_at_delay_margin"] = found.confirmed
    return {
        "eigenvalues": {
            "rightmost": (found.rightmost.real, found.rightmost.imag),
            "stable": None if found.stable is None else found.rightmost.real < 0.0,
        },
        "loop_gain": loop,
        "agree": True,
    }


#: Unit of every number of an answer, by its key.
UNITS = {
    "loop_delay_s": "s",
    "critical_delay_s": "s",
    "delay_margin_s": "s",
    "crossover_rad_s": "rad/s",
    "phase_margin_deg": "deg",
    "gain_margin_db": "dB",
    "growth": "1/s",
    "oscillation": "rad/s",
    "fairness_growth": "1/s",
    "queue": "B",
    "queue_packets": "packet",
    "round_trip": "s",
    "rate": "bit/s",
    "rate_target": "bit/s",
    "window": "B",
    "window_packets": "packet",
    "queue_min": "B",
    "queue_max": "B",
    "peak_to_peak": "B",
    "mean": "B",
    "period": "s",
}


#: Single numbers of an answer, in the order a person reads them.
_NUMBERS: tuple[
    Literal[
        "phase_margin_deg", "gain_margin_db", "delay_margin_s", "crossover_rad_s", "loop_delay_s", "critical_delay_s"
    ],
    ...,
] = ("phase_margin_deg", "gain_margin_db", "delay_margin_s", "crossover_rad_s", "loop_delay_s", "critical_delay_s")


def rows(document: StabilityDocument) -> list[tuple[str, float, str]]:
    """Every number of ``StabilityAnswer.to_dict`` with its unit, in the order a person reads them."""
    found: list[tuple[str, float]] = list(document["fixed_point"].items())
    if "rightmost" in document:
        found += [("growth", document["rightmost"][0]), ("oscillation", document["rightmost"][1])]
    found += [(name, document[name]) for name in _NUMBERS if name in document]
    if "fairness" in document:
        found.append(("fairness_growth", document["fairness"]["rightmost"][0]))
    if "cycle" in document:
        found += plain(document["cycle"]).items()
    return [(name, float(value), UNITS.get(name.rsplit(".", 1)[-1], "1")) for name, value in found]
