"""Every field has two ends, and no value at or beyond them makes anything crash.

Driven by the registries: a new kind is tried without a line here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from tests.components.fields import beyond, documents, ends, numeric_fields, put, small, within

from footroom.base.component import Document
from footroom.base.errors import FootroomError, InvalidInput, Unsupported
from footroom.calculators.ecn.advice import advise
from footroom.calculators.ecn.question import EcnQuestion
from footroom.calculators.emulator import Question as EmulatorQuestion
from footroom.calculators.emulator import emulate
from footroom.calculators.headroom.compute import headroom
from footroom.calculators.headroom.question import HeadroomQuestion
from footroom.calculators.pool import Question as PoolQuestion
from footroom.calculators.pool import assess
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.critical import critical
from footroom.calculators.voq import VoqQuestion
from footroom.calculators.voq import answer as voq
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.formulas.headroom.schemes import SCHEMES
from footroom.parts.sharing import REGISTRY as SHARING
from footroom.scenario import Scenario
from footroom.scenario.scaling import scale
from footroom.scenario.source import load
from footroom.studies.cost import work_of
from footroom.studies.derived import derive
from footroom.studies.engines import engine_named

DOCUMENTS = documents()
FIELDS = {name: list(numeric_fields(Scenario.parse(document))) for name, document in DOCUMENTS.items()}
#: A run this small is carried out; of a larger one its first microsecond is.
SECONDS, MEMORY = 0.1, 2e8
EVER = 2e4


def cases(values: Callable[[Any], list[Any]]) -> Iterator[tuple[str, str, Any]]:
    """Every field of every kind with each of its values; a field that many documents share is tried once."""
    seen = set()
    for name, fields in FIELDS.items():
        for path, field in fields:
            declared = (path, repr(field))
            if declared in seen:
                continue
            seen.add(declared)
            for value in values(field):
                yield name, path, value


def sane(value: Any, path: str = "") -> None:
    """No number anywhere is NaN or infinite."""
    if isinstance(value, float):
        assert math.isfinite(value), path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for key, inner in items:
        sane(inner, f"{path}.{key}")


def in_our_words(error: FootroomError) -> None:
    """A refusal says something, and names the field where it is about one."""
    assert str(error)
    assert all(problem.path for problem in getattr(error, "problems", ())), error


def answered(ask: Callable[[], Any]) -> Any:
    """What ``ask`` returns, once it is sane; None where it refuses in one of our own words, with a path."""
    try:
        found = ask()
    except FootroomError as error:
        in_our_words(error)
        return None
    sane(
        found
        if isinstance(found, dict)
        else found.model_dump()
        if isinstance(found, BaseModel)
        else found.to_dict()
        if hasattr(found, "to_dict")
        else vars(found)
        if hasattr(found, "__dict__")
        else found
    )
    return found


def packets(scenario: Scenario) -> Any:
    """A small run, the first moment of a large one, or nothing of one that would not fit."""
    work = work_of(scenario)
    sane(vars(work))
    if work.seconds("packet") < SECONDS and work.memory < MEMORY:
        return engine_named("packet").evaluate(scenario, 1)
    if work.flows + work.ports < EVER:
        simulation = Simulation(build_plan(scenario))
        simulation.run_until(min(simulation.plan.duration, 10**6))
    return {}


def everything() -> list[tuple[str, Callable[[Scenario], Any]]]:
    """What may be asked of a scenario."""
    return [
        ("derived", derive),
        ("theory", lambda s: engine_named("theory").evaluate(s, 1)),
        ("fluid", lambda s: engine_named("fluid").evaluate(s, 1)),
        ("stability", analyse),
        ("scale", lambda s: scale(s, 10.0)[1]),
        ("scale far", lambda s: scale(s, 1e6)[1]),
        ("packet", packets),
    ]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_field_has_two_ends(name: str) -> None:
    for path, field in FIELDS[name]:
        low, high = ends(field)
        assert math.isfinite(low), path
        assert math.isfinite(high), path


def test_what_no_field_takes_is_refused_by_name() -> None:
    for name, path, value in cases(beyond):
        answered(partial(Scenario.parse, put(DOCUMENTS[name], path, value)))


def ask_all(label: str, document: dict[str, Any]) -> None:
    scenario = answered(lambda: Scenario.parse(document))
    if scenario is None:
        return
    for what, ask in everything():
        try:
            answered(partial(ask, scenario))
        except Exception as error:
            error.add_note(f"{what}: {label}")
            raise


def test_a_field_at_its_ends_is_answered_or_refused() -> None:
    every = list(cases(within))
    for name, path, value in random.Random(1).sample(every, 100):
        ask_all(f"{name} {path}={value!r}", put(DOCUMENTS[name], path, value))


def test_fields_at_their_ends_together_are_answered_or_refused() -> None:
    draw = random.Random(2)
    for _ in range(150):
        name = draw.choice(list(DOCUMENTS))
        document, label = DOCUMENTS[name], name
        for path, field in draw.sample(FIELDS[name], min(len(FIELDS[name]), draw.randint(2, 5))):
            value = draw.choice(within(field))
            document, label = put(document, path, value), f"{label} {path}={value!r}"
        ask_all(label, document)


PORTS = [{"count": 32, "speed": 1e11, "cable": 300.0}]
#: The calculators that take one flat question: its declaration, an example, and what answers it.
CALCULATORS: dict[str, tuple[type[Document], dict[str, Any], Callable[[dict[str, Any]], Any]]] = {
    "headroom": (
        HeadroomQuestion,
        {
            "speed": 1e11,
            "cable": 300.0,
            "ports": 32,
            "buffer": 6.4e7,
            "configured": 1e5,
            "watermark": 5e4,
            "watermark_speed": 1e11,
            "watermark_cable": 100.0,
            "watermark_mtu": 1500.0,
        },
        lambda q: headroom(**q),
    ),
    "headroom by delay": (HeadroomQuestion, {"speed": 1e11, "delay": 1e-6}, lambda q: headroom(**q)),
    "pool": (
        PoolQuestion,
        {
            "buffer": 6.4e7,
            "ports": PORTS,
            "incast": {"degree": 16, "size": 1e5},
            "pauses": {"probability": 0.1},
            "marking": {"kmin": 1e5, "kmax": 4e5},
        },
        assess,
    ),
    "voq": (VoqQuestion, {"limit": 1e6}, lambda q: voq(VoqQuestion.model_validate(q))),
    **{
        f"pool with {scheme}": (PoolQuestion, {"buffer": 6.4e7, "ports": PORTS, "scheme": {"kind": scheme}}, assess)
        for scheme in SCHEMES.names
    },
    **{
        f"emulate {policy}": (
            EmulatorQuestion,
            {"degree": 4, "size": 65536.0, "bursts": 2, "steps": 20, "policies": [{"kind": policy}]},
            emulate,
        )
        for policy in SHARING.names
    },
    **{
        f"ecn of {control}": (EcnQuestion, {"congestion": {"kind": control}}, lambda q: advise(EcnQuestion.parse(q)))
        for control in ("dcqcn", "dctcp")
    },
}


def questions(values: Callable[[Any], list[Any]]) -> Iterator[tuple[str, str, Any]]:
    """Every field of every calculator with each of its values; a field that many share is tried once."""
    seen = set()
    for name, (declaration, example, _) in CALCULATORS.items():
        for path, field in numeric_fields(declaration.model_validate(example)):
            declared = (declaration, path, repr(field), path.startswith(("scheme.", "policies.")) and name)
            if declared not in seen:
                seen.add(declared)
                for value in values(field):
                    yield name, path, value


def ask_calculator(name: str, path: str, value: Any) -> None:
    _, example, ask = CALCULATORS[name]
    try:
        answered(lambda: ask(put(example, path, value)))
    except ValidationError:
        pass  # the command line and the API name the field
    except Exception as error:
        error.add_note(f"{name} {path}={value!r}")
        raise


def test_calculators_refuse_what_no_field_takes() -> None:
    for name, path, value in random.Random(4).sample(list(questions(beyond)), 500):
        ask_calculator(name, path, value)


def test_calculators_answer_or_refuse_at_the_ends_of_their_fields() -> None:
    every = list(questions(within))
    quick = [one for one in every if not one[0].startswith("ecn")]
    slow = [one for one in every if one[0].startswith("ecn")]
    draw = random.Random(3)
    for name, path, value in [*draw.sample(quick, 300), *draw.sample(slow, 8)]:
        ask_calculator(name, path, value)


@pytest.mark.parametrize("preset", ["short-flows", "microbursts", "incast-degree"])
def test_a_scenario_without_a_verdict_has_no_critical_value_either(preset: str) -> None:
    with pytest.raises(Unsupported):
        critical(load(preset), "topology.rtt")


@pytest.mark.parametrize(
    ("path", "value", "most"),
    [
        ("run.series", 0.026, "0.025 s"),
        ("run.memories", 0.026, "0.025 s"),
        ("run.timeline", {"start": 0.01, "end": 0.02, "step": 0.011}, "0.01 s"),
    ],
)
def test_a_window_is_no_longer_than_what_it_divides(path: str, value: Any, most: str) -> None:
    with pytest.raises(InvalidInput, match=f"must be at most {most}"):
        Scenario.parse(put(small(), path, value))


def test_a_time_that_no_engine_counts_in_is_refused_with_what_is_accepted() -> None:
    for path, words in (
        ("traffic.0.host.initial_rto", "at least 1 ps"),
        ("traffic.0.start_jitter", "must be 0, or at least 1 ps"),
        ("topology.bottleneck", "at least 1"),
        ("topology.rtt_spread", "must be 0, or at least 1e-15"),
    ):
        with pytest.raises(InvalidInput, match=words) as refused:
            Scenario.parse(put(small(), path, 1e-300))
        assert refused.value.problems[0].path == path


def test_a_link_too_slow_for_the_packet_engines_is_refused_by_them_alone() -> None:
    slow = Scenario.parse(put(small(), "topology.bottleneck", 100.0))
    assert answered(lambda: engine_named("theory").evaluate(slow, 1)) is not None
    with pytest.raises(InvalidInput, match="takes 120 s on the slowest link"):
        build_plan(slow)
