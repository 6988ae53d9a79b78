"""Published phase margins, to stand beside ours with the reason why they differ.

A curve is a scenario and margins over the number of flows. It applies to another scenario when that one's linear
equations are the same; nothing is interpolated.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.base.errors import FootroomError
from footroom.calculators.stability.fields import spot_of
from footroom.engines.fluid.system import Linearised
from footroom.scenario import Scenario, replace

if TYPE_CHECKING:
    from footroom.calculators.stability.document import CurveDocument

_FLOWS = "traffic.0.flows"


@dataclass(frozen=True)
class Curve:
    """margins: number of flows to published phase margin [degrees].  scenario: the document it was published for, with
    any number of flows.  differs: why ours is another number.
    """

    id: str
    title: str
    source: str
    differs: str
    scenario: dict[str, Any]
    margins: dict[int, float]

    def at(self, flows: int) -> dict[str, Any]:
        """The document with that many flows."""
        return replace(self.scenario, _FLOWS, flows)

    def to_dict(self) -> CurveDocument:
        """Plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "scenario": self.scenario,
            "flows": list(self.margins),
            "phase_margin_deg": list(self.margins.values()),
            "source": self.source,
            "differs": self.differs,
        }


def _read() -> tuple[Curve, ...]:
    text = resources.files(__package__).joinpath("data", "published.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return tuple(
        Curve(
            entry["id"],
            entry["title"],
            entry["source"],
            document["differs"][entry["differs"]],
            entry["scenario"],
            {int(flows): margin for flows, margin in entry["margins"]},
        )
        for entry in document["curves"]
    )


CURVES: tuple[Curve, ...] = _read()


def index() -> list[CurveDocument]:
    """All curves as plain data."""
    return [curve.to_dict() for curve in CURVES]


def beside(scenario: Scenario, linear: Linearised) -> list[tuple[Curve, float]]:
    """Published margins of the very equations that ``scenario`` leads to."""
    if len(scenario.traffic) != 1:
        return []
    flows = getattr(scenario.traffic[0], "flows", 0)
    law = getattr(getattr(scenario.traffic[0], "congestion", None), "kind", "")
    return [
        (curve, curve.margins[flows])
        for curve in CURVES
        if flows in curve.margins
        and curve.scenario["traffic"][0]["congestion"]["kind"] == law
        and _same(curve.at(flows), linear)
    ]


def _same(document: dict[str, Any], linear: Linearised) -> bool:
    try:
        other = spot_of(Scenario.parse(document)).linear
    except FootroomError:
        return False
    if other is None or other.names != linear.names or len(other.delayed) != len(linear.delayed):
        return False
    pairs = [
        (other.present, linear.present),
        *((a, b) for (a, _), (b, _) in zip(other.delayed, linear.delayed, strict=True)),
    ]
    # A delay published as none is the shortest that a scenario takes.
    close = all(abs(a - b) <= 1e-6 * b + 1e-8 for (_, a), (_, b) in zip(other.delayed, linear.delayed, strict=True))
    return close and all(np.allclose(a, b, rtol=1e-5, atol=1e-7 * np.abs(b).max()) for a, b in pairs)
