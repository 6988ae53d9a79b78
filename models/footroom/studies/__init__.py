"""Studies: one scenario run at many points, by several engines, with several seeds.

A study is data (``Study``); running it is a map over any ``concurrent.futures`` Executor (``run``). Names are resolved
when first used, because validating a scenario loads the compiler and a command line's ``--help`` should not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.studies.catalogue import catalog
    from footroom.studies.controls import Comparison, ControlsAnswer, available, compare, pairs
    from footroom.studies.cost import Cost, Tally, cost_of
    from footroom.studies.engines import ENGINES, Engine, describe_engines, engine_named
    from footroom.studies.question import SizeQuestion
    from footroom.studies.requirements import Requirement
    from footroom.studies.runner import Cache, run
    from footroom.studies.sizing import SizeAnswer, search, size
    from footroom.studies.study import Study
    from footroom.studies.sweep import Sweep, SweepPoint, arrow_of, csv_of, figure_of, has_arrow

_HOMES = {
    "catalog": "catalogue",
    "Comparison": "controls",
    "ControlsAnswer": "controls",
    "available": "controls",
    "compare": "controls",
    "pairs": "controls",
    "Cost": "cost",
    "Tally": "cost",
    "cost_of": "cost",
    "ENGINES": "engines",
    "Engine": "engines",
    "describe_engines": "engines",
    "engine_named": "engines",
    "Requirement": "requirements",
    "Cache": "runner",
    "run": "runner",
    "SizeAnswer": "sizing",
    "SizeQuestion": "question",
    "search": "sizing",
    "size": "sizing",
    "Study": "study",
    "Sweep": "sweep",
    "SweepPoint": "sweep",
    "arrow_of": "sweep",
    "csv_of": "sweep",
    "has_arrow": "sweep",
    "figure_of": "sweep",
}

__all__ = [
    "ENGINES",
    "Cache",
    "Comparison",
    "ControlsAnswer",
    "Cost",
    "Engine",
    "Requirement",
    "SizeAnswer",
    "SizeQuestion",
    "Study",
    "Sweep",
    "SweepPoint",
    "Tally",
    "arrow_of",
    "available",
    "catalog",
    "compare",
    "cost_of",
    "csv_of",
    "describe_engines",
    "engine_named",
    "figure_of",
    "has_arrow",
    "pairs",
    "run",
    "search",
    "size",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"footroom.studies.{_HOMES[name]}"), name)
