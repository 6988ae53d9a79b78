"""The functions of ``import footroom as fr``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from footroom import presets
from footroom.errors import InvalidInput
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.scenario.files import read
from footroom.studies import runner, sizing
from footroom.studies.engines import engine_named
from footroom.studies.study import Study
from footroom.studies.sweep import Sweep

#: What stands for a scenario: itself, its document, a file's path or a preset's id.
Source = Scenario | Mapping[str, Any] | str | Path

_SUFFIXES = (".json", ".toml", ".yaml", ".yml")


def load(source: Source) -> Scenario:
    """A scenario from a JSON, TOML or YAML file, a preset's id or plain data. Raises InvalidInput."""
    if isinstance(source, Scenario):
        return source
    if isinstance(source, Mapping):
        return Scenario.parse(dict(source))
    return Scenario.parse(document(source))


def document(source: str | Path) -> dict[str, Any]:
    """Plain data of a file or a preset, not yet validated. Raises InvalidInput."""
    path = Path(source)
    if path.suffix in _SUFFIXES or path.is_file():
        return read(path)
    for preset in presets.PRESETS:
        if preset.id == str(source):
            found: dict[str, Any] = preset.to_dict()["scenario"]
            return found
    known = ", ".join(preset.id for preset in presets.PRESETS)
    raise InvalidInput.at("scenario", str(source), f"is neither a file nor a preset; presets are {known}")


def run(scenario: Source, engine: str = "packet", *, replicas: int | None = None, workers: int | None = None) -> Result:
    """One engine's answer to one scenario.

    replicas: runs with other random numbers, that of the scenario by default; workers: runs at a time, all cores by
    default.  Raises InvalidInput, and Unsupported when the engine cannot answer.
    """
    study = Study.of(load(scenario), None, [engine_named(engine, "engine").name], replicas)
    return runner.run(study, workers=workers).answered().points[0].result


def sweep(scenario: Source, over: Mapping[str, Any], engines: Sequence[str] | str = ("theory", "fluid", "packet"), *,
          replicas: int | None = None, workers: int | None = None, **options: Any) -> Sweep:
    """Answers at every combination of axis values.

    over: path to a list or a range, ``{"switch.buffer": "25kB:2.5MB:log9"}``.  options: executor, stop, on_point,
    on_progress and cache of ``footroom.studies.run``.  Raises InvalidInput, and Unsupported when no engine can answer
    any point; a point that some engine cannot answer is listed in ``unsupported``.
    """
    raw = document(scenario) if isinstance(scenario, (str, Path)) else scenario
    return runner.run(Study.of(raw, over, engines, replicas), workers=workers, **options).answered()


def size(scenario: Source, require: Sequence[str] | str, **options: Any) -> sizing.SizeAnswer:
    """The smallest buffer, or other field, that meets all requirements; options as in ``footroom.studies.search``.

    Raises Infeasible when none does, InvalidInput.
    """
    return sizing.size(load(scenario), [require] if isinstance(require, str) else require, **options)
