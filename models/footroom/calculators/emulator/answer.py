"""The answer of an emulation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from footroom.base.notebook import pandas
from footroom.base.version import VERSION
from footroom.calculators.emulator.question import Question
from footroom.result import Explanation

if TYPE_CHECKING:
    from footroom.calculators.emulator.document import EmulateArrivals, EmulateDocument, PolicyOutcome, SmallestAlpha

SCHEMA = 1


@dataclass(frozen=True)
class EmulateAnswer:
    """Policies side by side, in SI base units.

    arrivals: the same for all.  time: when each step of every series begins [s].  policies: one entry each, in the
    order asked.  smallest_alpha: of dynamic threshold, None where it was not asked for.
    """

    question: Question
    arrivals: EmulateArrivals
    time: list[float]
    policies: list[PolicyOutcome]
    smallest_alpha: SmallestAlpha | None
    notes: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = field(default=())

    def __getitem__(self, kind: str) -> PolicyOutcome:
        """The first policy of a kind or label. Raises KeyError."""
        for entry in self.policies:
            if kind in (entry["label"], entry["kind"]):
                return entry
        raise KeyError(kind)

    def to_dict(self) -> EmulateDocument:
        """Plain data, bare numbers in SI base units."""
        return {
            "arrivals": self.arrivals,
            "policies": self.policies,
            "time": self.time,
            "smallest_alpha": self.smallest_alpha,
            "notes": list(self.notes),
            "explanations": [one.to_dict() for one in self.explanations],
            "question": self.question.to_dict(),
            "provenance": {"version": VERSION, "schema": SCHEMA},
        }

    def to_frame(self) -> Any:
        """A pandas frame with one row per policy. Raises Unsupported without pandas."""
        return pandas().DataFrame(
            [
                {
                    "policy": one["label"],
                    "dropped_packets": one["dropped"]["packets"],
                    "dropped_bytes": one["dropped"]["bytes"],
                    "drop_rate": one["drop_rate"],
                    "peak_queue": one["peak_queue"],
                    "peak_memory": one["peak_memory"],
                    "absorbs": None if one["absorbs"] is None else one["absorbs"]["bytes"],
                }
                for one in self.policies
            ]
        )

    def figure(self) -> Any:
        """A Plotly figure of queue and threshold over time, one panel per policy. Raises Unsupported without plotly."""
        from footroom.calculators.emulator.figure import draw

        return draw(self.to_dict())
