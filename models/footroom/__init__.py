"""Footroom: how much buffer does a switch need, and set how?

    import footroom as fr

    scenario = fr.load("wan-bottleneck")
    fr.run(scenario, engine="theory").metrics
    fr.sweep(scenario, over={"switch.buffer": "25kB:2.5MB:log9"}, engines=["theory", "fluid"]).figure()
    fr.size(scenario, ["utilisation>=0.99"]).value

Names are resolved when first used, because the engines load a compiler.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from footroom.base.version import VERSION

if TYPE_CHECKING:
    from footroom.base.errors import Cancelled, FootroomError, Infeasible, InvalidInput, NotConverged, Unsupported
    from footroom.calculators.ecn.advice import ecn
    from footroom.calculators.emulator.compute import emulate
    from footroom.calculators.export.interface import export
    from footroom.calculators.export.sonic.importing import import_sonic
    from footroom.calculators.headroom.compute import headroom
    from footroom.calculators.pool.interface import pool
    from footroom.calculators.stability.interface import stability
    from footroom.engines.plan.memory import memory
    from footroom.result import Result
    from footroom.scenario import Scenario
    from footroom.scenario.scaling.scale import scale
    from footroom.scenario.source import load
    from footroom.studies.interface import controls, run, size, sweep
    from footroom.studies.sizing import SizeAnswer
    from footroom.studies.study import Study
    from footroom.studies.sweep import Sweep
    from footroom.studies.what_if import what_if

_HOMES = {
    "Cancelled": "base.errors",
    "FootroomError": "base.errors",
    "Infeasible": "base.errors",
    "InvalidInput": "base.errors",
    "NotConverged": "base.errors",
    "Unsupported": "base.errors",
    "Result": "result",
    "Scenario": "scenario",
    "SizeAnswer": "studies.sizing",
    "Study": "studies.study",
    "Sweep": "studies.sweep",
    "controls": "studies.interface",
    "ecn": "calculators.ecn.advice",
    "emulate": "calculators.emulator.compute",
    "export": "calculators.export.interface",
    "headroom": "calculators.headroom.compute",
    "import_sonic": "calculators.export.sonic.importing",
    "load": "scenario.source",
    "memory": "engines.plan.memory",
    "pool": "calculators.pool.interface",
    "run": "studies.interface",
    "scale": "scenario.scaling.scale",
    "size": "studies.interface",
    "stability": "calculators.stability.interface",
    "sweep": "studies.interface",
    "what_if": "studies.what_if",
}

__version__ = VERSION

__all__ = [
    "Cancelled",
    "FootroomError",
    "Infeasible",
    "InvalidInput",
    "NotConverged",
    "Result",
    "Scenario",
    "SizeAnswer",
    "Study",
    "Sweep",
    "Unsupported",
    "__version__",
    "controls",
    "ecn",
    "emulate",
    "export",
    "headroom",
    "import_sonic",
    "load",
    "memory",
    "pool",
    "run",
    "scale",
    "size",
    "stability",
    "sweep",
    "what_if",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"footroom.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
