"""``--engine auto``: the quickest engine whose model holds for the scenario, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from footroom.base.errors import FootroomError, InvalidInput, NotConverged, Unsupported
from footroom.scenario import Scenario
from footroom.studies.cost import cell_seconds
from footroom.studies.engines import engine_named

#: Given instead of an engine's name.
AUTO = "auto"
#: Computing time [s] of one run beyond which the hybrid engine is taken instead of packets alone.
BUDGET = 60.0
#: Largest budget: a month.
LARGEST = 2.6e6


@dataclass(frozen=True)
class Choice:
    """engine: its name.  reason: why, for a reader."""

    engine: str
    reason: str


def checked_budget(budget: object) -> float:
    """A budget [s]. Raises InvalidInput."""
    if isinstance(budget, bool) or not isinstance(budget, (int, float)) or not 0.0 < budget <= LARGEST:
        raise InvalidInput.at("budget", budget, f"seconds of one core, above 0 and at most {LARGEST:g}")
    return float(budget)


def engine_or_auto(name: str, path: str) -> str:
    """The name of an engine, or "auto". Raises InvalidInput."""
    return name if name == AUTO else engine_named(name, path).name


def choose(scenario: Scenario, metrics: Sequence[str] = (), budget: float = BUDGET) -> Choice:
    """The engine to ask when the user names none.

    The fluid, where it answers and its model holds; else packets, where one run is expected to take no more than
    ``budget`` s of one core; else the hybrid, where entries are marked as fluid; else packets, however long they take;
    else closed forms.  metrics: those that the answer must have.  Raises Unsupported, with every engine's reason,
    where none can answer.
    """
    against = _against_fluid(scenario, metrics)
    if not against:
        return Choice("fluid", "auto picked fluid: it answers at once and its model is valid here.")
    reasons = [against]
    refused = _refusal("packet", scenario)
    if refused:
        reasons.append(f"packet: {refused}")
    else:
        seconds = cell_seconds("packet", scenario)
        if seconds <= budget:
            return _chosen("packet", reasons, f"A run takes about {seconds:.2g} s of one core")
        if any(entry.fluid for entry in scenario.traffic):
            refused = _refusal("hybrid", scenario)
            if not refused and cell_seconds("hybrid", scenario) >= seconds:
                refused = "it takes longer than packets here"
            if not refused:
                reasons.append(f"packet: a run takes about {seconds:.2g} s, beyond the budget of {budget:g} s")
                return _chosen(
                    "hybrid", reasons, f"A run takes about {cell_seconds('hybrid', scenario):.2g} s of one core"
                )
            reasons.append(f"hybrid: {refused}")
        cost = f"A run takes about {seconds:.2g} s of one core, beyond the budget of {budget:g} s"
        return _chosen("packet", reasons, cost + _as_fluid(scenario))
    refused = _refusal("theory", scenario)
    if not refused:
        return _chosen("theory", reasons, "")
    reasons.append(f"theory: {refused}")
    raise Unsupported(f"no engine can answer this scenario: {'; '.join(reasons)}", path="engine", given=AUTO)


def _chosen(name: str, reasons: Sequence[str], cost: str) -> Choice:
    """The choice, with why the others were left out and what it costs."""
    parts = (f"auto picked {name}", "; ".join(reasons).rstrip("."), cost)
    return Choice(name, ". ".join(part for part in parts if part) + ".")


def _as_fluid(scenario: Scenario) -> str:
    """What could be marked as fluid so that a run costs less; empty where nothing can."""
    could = [i for i, entry in enumerate(scenario.traffic) if entry.kind in ("long_lived", "poisson")]
    if not could or len(scenario.traffic) < 2 or any(entry.fluid for entry in scenario.traffic):
        return ""
    return f'. Background marked "as": "fluid", such as traffic.{could[0]}, costs less with the engine hybrid'


def _refusal(name: str, scenario: Scenario) -> str:
    """Why an engine cannot answer; empty where it can."""
    try:
        engine_named(name).check(scenario)
    except (Unsupported, NotConverged) as error:
        return _reason(error)
    return ""


def _against_fluid(scenario: Scenario, metrics: Sequence[str]) -> str:
    """Why the fluid cannot be used; empty where it can."""
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
