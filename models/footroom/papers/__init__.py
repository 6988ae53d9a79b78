"""Published experiments as data, run on demand and judged: the published values, ours, and whether they agree.

    from footroom import papers

    papers.run(["FB-EBB-12"], tier="smoke").to_frame()

A paper is one JSON file in ``data``: experiments (scenario documents by tier and case), targets (published value,
measure of ours, comparison rule) and figures. Verdicts are always computed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.papers.catalogue import paper_named, papers
    from footroom.papers.figures import PaperFigure
    from footroom.papers.listing import Case, cases_of, scenario_of
    from footroom.papers.paper import TIERS, Paper, Target, Tier
    from footroom.papers.release import Released, released
    from footroom.papers.runner import PaperRun, run
    from footroom.papers.verdict import Judgement

_HOMES = {
    "paper_named": "catalogue",
    "papers": "catalogue",
    "PaperFigure": "figures",
    "TIERS": "paper",
    "Paper": "paper",
    "Target": "paper",
    "Tier": "paper",
    "Released": "release",
    "released": "release",
    "PaperRun": "runner",
    "run": "runner",
    "Judgement": "verdict",
    "Case": "listing",
    "cases_of": "listing",
    "scenario_of": "listing",
}

__all__ = [
    "TIERS",
    "Case",
    "Judgement",
    "Paper",
    "PaperFigure",
    "PaperRun",
    "Released",
    "Target",
    "Tier",
    "cases_of",
    "paper_named",
    "papers",
    "released",
    "run",
    "scenario_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"footroom.papers.{_HOMES[name]}"), name)
