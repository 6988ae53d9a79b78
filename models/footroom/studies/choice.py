"""``--engine auto``: the quickest engine whose model holds for the scenario, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from footroom.base.errors import FootroomError, NotConverged, Unsupported
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named

#: Given instead of an engine's name.
AUTO = "auto"


@dataclass(frozen=True)
class Choice:
    """engine: its name.  reason: why, for a reader."""

    engine: str
    reason: str


def engine_or_auto(name: str, path: str) -> str:
    """The name of an engine, or "auto". Raises InvalidInput."""
    return name if name == AUTO else engine_named(name, path).name


def choose(scenario: Scenario, metrics: Sequence[str] = ()) -> Choice:
    """The engine to ask when the user names none.

    The fluid, where it answers and its model holds; else packets; else closed forms.  metrics: those that the answer
    must have.  Raises Unsupported, with every engine's reason, where none can answer.
    """
    against = _against_fluid(scenario, metrics)
    if not against:
        return Choice("fluid", "auto picked fluid: it answers at once and its model holds here.")
    reasons = [against]
    for name in ("packet", "theory"):
        try:
            engine_named(name).check(scenario)
        except (Unsupported, NotConverged) as error:
            reasons.append(f"{name}: {_reason(error)}")
        else:
            return Choice(name, f"auto picked {name}. {'; '.join(reasons).rstrip('.')}.")
    raise Unsupported(f"no engine can answer this scenario: {'; '.join(reasons)}", path="engine", given=AUTO)


def _against_fluid(scenario: Scenario, metrics: Sequence[str]) -> str:
    """Why the fluid is not the one to ask; empty where it is."""
    try:
        found = engine_named("fluid").evaluate(scenario, scenario.run.seed)
    except (Unsupported, NotConverged) as error:
        return f"fluid: {_reason(error)}"
    missing = [name for name in metrics if name not in found.metrics]
    if missing:
        return f"fluid: it does not compute {' and '.join(missing)}"
    unsure = [found.outside[name] for name in metrics or ("utilisation", "drop_rate") if name in found.outside]
    return f"fluid: {unsure[0]}" if unsure else ""


def _reason(error: FootroomError) -> str:
    return error.reason if isinstance(error, Unsupported) else str(error)
