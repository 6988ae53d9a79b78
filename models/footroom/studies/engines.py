"""The engines a study may ask, in the order they are shown. Their code is imported when first used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from footroom.base.errors import InvalidInput, Unsupported

if TYPE_CHECKING:
    from footroom.result import Result
    from footroom.scenario import Scenario
    from footroom.studies.catalogue_document import EngineDocument

Progress = Callable[[float], None]


class Stop(Protocol):
    """What an engine polls; ``threading.Event`` is one."""

    def is_set(self) -> bool: ...


class Simulate(Protocol):
    """An engine that needs a seed: one scenario in, one result out. Raises Cancelled once ``stop`` is set."""

    def __call__(self, scenario: Scenario, seed: int, *, stop: Stop | None, progress: Progress | None) -> Result: ...


EstimateMany = Callable[[list["Scenario"]], list["Result"]]
#: Raises Unsupported or InvalidInput where an engine cannot answer, without answering.
Check = Callable[["Scenario"], None]


def _anything(scenario: Scenario) -> None:
    """A check that refuses nothing."""


@dataclass(frozen=True)
class Engine:
    """One way of answering a scenario.

    answers: how fast, in words.  Exactly one of two is given: ``simulate`` for an engine that draws random numbers
    (replicas differ), ``estimate_many`` for one that does not and takes a whole sweep at once.  check: a quick test
    whether it can answer, so that a refusal names only other engines that can.
    """

    name: str
    title: str
    answers: str
    simulate: Simulate | None = None
    estimate_many: EstimateMany | None = None
    check: Check = _anything

    @property
    def random(self) -> bool:
        """Whether runs with different seeds differ."""
        return self.simulate is not None

    def evaluate(
        self, scenario: Scenario, seed: int, stop: Stop | None = None, progress: Progress | None = None
    ) -> Result:
        """The answer for one scenario. Raises Unsupported when this engine cannot give one, Cancelled when stopped."""
        try:
            if self.simulate is not None:
                return self.simulate(scenario, seed, stop=stop, progress=progress)
            assert self.estimate_many is not None
            return self.estimate_many([scenario])[0]
        except Unsupported as error:
            raise able_only(error, scenario) from error

    def evaluate_many(self, scenarios: Sequence[Scenario]) -> list[Result | Unsupported]:
        """Answers of an engine without random numbers, in order; a scenario it cannot answer gets its reason."""
        assert self.estimate_many is not None
        try:
            return list(self.estimate_many(list(scenarios)))
        except Unsupported as error:
            if len(scenarios) == 1:
                return [able_only(error, scenarios[0])]
        # Some scenario of the batch is beyond the engine: ask one by one which.
        return [self.evaluate_many([scenario])[0] for scenario in scenarios]


def _theory(scenarios: list[Scenario]) -> list[Result]:
    from footroom.engines.theory.adapter import estimate_many

    return list(estimate_many(scenarios))


def _fluid(scenarios: list[Scenario]) -> list[Result]:
    from footroom.engines.fluid.adapter import estimate_many

    return list(estimate_many(scenarios))


def _packet(scenario: Scenario, seed: int, *, stop: Stop | None, progress: Progress | None) -> Result:
    from footroom.engines.packet import simulate
    from footroom.engines.plan import build_plan

    return simulate(build_plan(scenario, seed), stop=stop, progress=progress)


def _reference(scenario: Scenario, seed: int, *, stop: Stop | None, progress: Progress | None) -> Result:
    from footroom.engines.plan import build_plan
    from footroom.engines.reference import simulate

    return simulate(build_plan(scenario, seed, "reference"), stop=stop, progress=progress)


def _hybrid(scenario: Scenario, seed: int, *, stop: Stop | None, progress: Progress | None) -> Result:
    from footroom.engines.hybrid import simulate

    return simulate(scenario, seed, stop=stop, progress=progress)


def _check_theory(scenario: Scenario) -> None:
    _theory([scenario])  # as quick as any check


def _check_fluid(scenario: Scenario) -> None:
    from footroom.engines.fluid.adapter import system_of

    system_of(scenario)


def _check_packets(scenario: Scenario) -> None:
    from footroom.engines.plan import check

    check(scenario)


def _check_reference(scenario: Scenario) -> None:
    from footroom.engines.plan import check

    check(scenario, "reference")


def _check_hybrid(scenario: Scenario) -> None:
    from footroom.engines.hybrid import check

    check(scenario)


ENGINES: tuple[Engine, ...] = (
    Engine(
        "theory",
        "Closed forms: sizing rules, loss and completion-time formulas",
        "at once",
        estimate_many=_theory,
        check=_check_theory,
    ),
    Engine(
        "fluid",
        "Delay-differential models, one per congestion control",
        "at once",
        estimate_many=_fluid,
        check=_check_fluid,
    ),
    Engine(
        "hybrid",
        'Traffic marked "as": "fluid" as a fluid, the rest as packets, in the same queues',
        "seconds",
        simulate=_hybrid,
        check=_check_hybrid,
    ),
    Engine("packet", "The compiled packet simulator", "seconds", simulate=_packet, check=_check_packets),
    Engine(
        "reference",
        "The same switch in plain SimPy: readable and slow",
        "small cases",
        simulate=_reference,
        check=_check_reference,
    ),
)


def able_only(error: Unsupported, scenario: Scenario) -> Unsupported:
    """The refusal with only those of the engines it names that can answer ``scenario``; why not, where none can."""
    able: list[str] = []
    refusals: dict[str, list[str]] = {}  # reason to engines
    for name in error.engines:
        try:
            engine_named(name).check(scenario)
            able.append(name)
        except (Unsupported, InvalidInput) as other:
            reason = other.reason if isinstance(other, Unsupported) else str(other)
            refusals.setdefault(reason, []).append(name)
    if not refusals:
        return error
    message = error.reason
    if not able:
        why = "; ".join(f"{' and '.join(names)}: {reason}" for reason, names in refusals.items())
        message = f"{message}. No engine can answer this scenario; {why}"
    return Unsupported(message, path=error.path, given=error.given, engines=able)


def engine_named(name: Any, path: str = "engines") -> Engine:
    """The engine of that name. Raises InvalidInput."""
    for engine in ENGINES:
        if engine.name == name:
            return engine
    raise InvalidInput.at(path, name, f"engines are {', '.join(engine.name for engine in ENGINES)}; auto picks one")


def engine_names(names: Sequence[str] | str, path: str = "engines") -> tuple[str, ...]:
    """Names in the order of the registry, each once; a string may hold several, joined by commas.

    Raises InvalidInput.
    """
    wanted = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
    if not wanted:
        raise InvalidInput.at(path, list(names), f"name at least one engine of {', '.join(e.name for e in ENGINES)}")
    chosen = {engine_named(name, path).name for name in wanted}
    return tuple(engine.name for engine in ENGINES if engine.name in chosen)


def describe_engines() -> list[EngineDocument]:
    """Every engine as plain data."""
    return [{"engine": e.name, "title": e.title, "answers": e.answers, "random": e.random} for e in ENGINES]
