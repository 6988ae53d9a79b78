"""The functions of ``import footroom as fr``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from footroom.result import Result
from footroom.scenario.source import Source, document, load
from footroom.studies import runner, sizing
from footroom.studies.choice import BUDGET, engine_or_auto
from footroom.studies.controls import ControlsAnswer, compare
from footroom.studies.study import Study
from footroom.studies.sweep import Sweep


def run(
    scenario: Source,
    engine: str = "packet",
    *,
    replicas: int | None = None,
    workers: int | None = None,
    scale: float | None = None,
    budget: float = BUDGET,
) -> Result:
    """One engine's answer to one scenario; "auto" picks one, and its notes say why.

    replicas: runs with different seeds, by default as the scenario says; workers: runs at a time, by default one per
    core; scale: factor by which it is scaled down first, see ``scale``; budget: seconds of one core that a run may take
    before "auto" looks for another engine than packets.  Raises InvalidInput, and Unsupported when the
    engine cannot answer.
    """
    study = Study.of(load(scenario), None, [engine_or_auto(engine, "engine")], replicas, scale, budget=budget)
    return runner.run(study, workers=workers).answered().points[0].result


def sweep(
    scenario: Source,
    over: Mapping[str, Any],
    engines: Sequence[str] | str = ("theory", "fluid", "packet"),
    *,
    replicas: int | None = None,
    workers: int | None = None,
    scale: float | None = None,
    **options: Any,
) -> Sweep:
    """Answers at every combination of axis values.

    over: path to a list or a range, ``{"switch.buffer": "25kB:2.5MB:log9"}``.  scale: factor by which every point is
    scaled down before it is run; the axes keep the values of the full size.  options: executor, stop, on_point,
    on_progress and cache of ``footroom.studies.run``.  Raises InvalidInput, and Unsupported when no engine can answer
    any point; a point that some engine cannot answer is listed in ``unsupported``.
    """
    raw = document(scenario) if isinstance(scenario, (str, Path)) else scenario
    return runner.run(Study.of(raw, over, engines, replicas, scale), workers=workers, **options).answered()


def size(scenario: Source, require: Sequence[str] | str, **options: Any) -> sizing.SizeAnswer:
    """The smallest buffer, or other field, that meets all requirements; options as in ``footroom.studies.search``.

    Raises Infeasible when none does, InvalidInput.
    """
    return sizing.size(load(scenario), [require] if isinstance(require, str) else require, **options)


def controls(scenario: Source, require: Sequence[str] | str = ("utilisation>=0.99",), **options: Any) -> ControlsAnswer:
    """The smallest buffer per congestion control and number of flows; options as in ``footroom.studies.controls``.

    Raises InvalidInput, Unsupported for a network without a single bottleneck.
    """
    raw = document(scenario) if isinstance(scenario, (str, Path)) else scenario
    source = str(scenario) if isinstance(scenario, (str, Path)) else ""
    return compare(raw, [require] if isinstance(require, str) else require, source=source, **options)
