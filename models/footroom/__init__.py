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

from footroom.version import VERSION

if TYPE_CHECKING:
    from footroom.emulator.compute import emulate
    from footroom.errors import Cancelled, FootroomError, Infeasible, InvalidInput, NotConverged, Unsupported
    from footroom.export.interface import export
    from footroom.export.sonic.importing import import_sonic
    from footroom.headroom.compute import headroom
    from footroom.plan.memory import memory
    from footroom.result import Result
    from footroom.scaling.scale import scale
    from footroom.scenario import Scenario
    from footroom.scenario.source import load
    from footroom.studies.interface import controls, run, size, sweep
    from footroom.studies.sizing import SizeAnswer
    from footroom.studies.study import Study
    from footroom.studies.sweep import Sweep
    from footroom.studies.what_if import what_if

_HOMES = {
    "controls": "studies.interface", "emulate": "emulator.compute", "import_sonic": "export.sonic.importing",
    "Cancelled": "errors", "FootroomError": "errors", "Infeasible": "errors", "InvalidInput": "errors",
    "NotConverged": "errors", "Unsupported": "errors", "Result": "result", "Scenario": "scenario",
    "load": "scenario.source", "memory": "plan.memory", "run": "studies.interface", "size": "studies.interface",
    "scale": "scaling.scale", "sweep": "studies.interface", "SizeAnswer": "studies.sizing",
    "Study": "studies.study", "Sweep": "studies.sweep", "what_if": "studies.what_if",
}

#: Packages that are also the function of their name, see docs/adr/0007.
_CALLABLE = frozenset({"ecn", "export", "headroom", "pool", "stability"})

__version__ = VERSION

__all__ = ["Cancelled", "FootroomError", "Infeasible", "InvalidInput", "NotConverged", "Result", "Scenario",
           "SizeAnswer", "Study", "Sweep", "Unsupported", "__version__", "controls", "ecn", "emulate", "export",
           "headroom", "import_sonic", "load", "memory", "pool", "run", "scale", "size", "stability", "sweep",
           "what_if"]


def __getattr__(name: str) -> Any:
    if name in _CALLABLE:
        return importlib.import_module(f"footroom.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"footroom.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
