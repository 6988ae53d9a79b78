"""Promises that every kind of every axis keeps; a new one is held to them by being registered."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from footroom.base.component import Component
from footroom.base.registry import Registry
from footroom.engines.fluid.laws import BUILDERS
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, build_plan
from footroom.parts import congestion, sharing, sizes
from footroom.scenario import Scenario
from footroom.scenario.kinds import REGISTRIES
from footroom.studies import catalog

ALL = [(registry, kind) for registry in REGISTRIES for kind in registry]


def made(kind: type[Component]) -> Component:
    return kind.model_validate({"kind": kind.model_fields["kind"].default, **kind.example})


def name_of(value: object) -> str:
    return value.axis if isinstance(value, Registry) else getattr(value, "__name__", "")


@pytest.mark.parametrize(("registry", "kind"), ALL, ids=name_of)
def test_it_says_what_it_is(registry: Registry, kind: type[Component]) -> None:
    assert kind.about.title
    assert kind.about.summary.endswith(".")
    assert kind.__doc__
    assert registry.get(kind.model_fields["kind"].default) is kind


@pytest.mark.parametrize(("registry", "kind"), ALL, ids=name_of)
def test_its_example_is_whole_and_stands_in_a_scenario(registry: Registry, kind: type[Component]) -> None:
    """A form starts from the example of the catalogue; a menu must not offer what is then refused."""
    axis = next(axis for axis in catalog()["axes"] if axis["axis"] == registry.axis)
    example = next(item for item in axis["kinds"] if item["kind"] == kind.model_fields["kind"].default)["example"]
    assert set(example) >= {name for name, field in kind.model_fields.items() if field.is_required()}
    whole = scenario(queues=1)
    match registry.axis:
        case "topology":
            whole["topology"] = example
        case "traffic":
            whole["traffic"] = [example]
        case "congestion":
            whole["traffic"][0]["congestion"] = example
        case "sizes":
            whole["traffic"] = [{"kind": "poisson", "load": 0.2, "sizes": example}]
        case axis_of_switch:
            whole["switch"][axis_of_switch] = example
    # Starts are spread over up to a second by default.
    parsed = Scenario.parse({**whole, "run": {"duration": "5 s", "warmup": "1 s"}})
    assert type(parsed).parse(parsed.to_dict()) == parsed


@pytest.mark.parametrize(("registry", "kind"), ALL, ids=name_of)
def test_every_parameter_has_a_description_and_a_unit(registry: Registry, kind: type[Component]) -> None:
    for name, field in kind.model_fields.items():
        if name == "kind":
            continue
        assert field.description, name
        extra = field.json_schema_extra
        if isinstance(extra, dict) and "axis" not in extra:  # the others are made of parts that have units of their own
            assert str(extra["unit"]) in {"1", "B", "s", "m", "bit/s", "packet"}, name


@pytest.mark.parametrize(("registry", "kind"), ALL, ids=name_of)
def test_it_survives_a_round_trip_and_refuses_strangers(registry: Registry, kind: type[Component]) -> None:
    component = made(kind)
    assert kind.model_validate(component.model_dump(mode="json")) == component
    with pytest.raises(ValidationError, match="Extra inputs"):
        kind.model_validate({**component.model_dump(mode="json"), "stranger": 1})
    with pytest.raises(ValidationError, match="frozen"):
        component.kind = "other"  # type: ignore[misc]


@pytest.mark.parametrize("registry", REGISTRIES, ids=name_of)
def test_names_are_given_once_and_planned_ones_are_not_offered(registry: Registry) -> None:
    assert len(set(registry.names)) == len(registry.names)
    assert not set(registry.names) & set(registry.planned)


def scenario(**switch: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "50 Mb/s", "access": "500 Mb/s", "rtt": "5 ms"},
        "switch": {"buffer": "20 kB", **switch},
        "traffic": [{"kind": "long_lived", "flows": 4, "start_jitter": "5 ms"}],
        "run": {"duration": "1 s", "warmup": "200 ms"},
    }


@pytest.mark.parametrize("kind", list(sharing.REGISTRY), ids=name_of)
def test_a_policy_never_holds_more_than_it_says(kind: type[Component]) -> None:
    policy = made(kind)
    if isinstance(policy, sharing.Edt):
        policy = sharing.Edt(enqueues=3, dequeues=10)  # else the burst ends with the second packet sent
    assert isinstance(policy, sharing.Policy)
    plan = build_plan(Scenario.parse(scenario(sharing=policy.model_dump(mode="json"))))
    simulation = Simulation(plan)
    simulation.run_until(SECOND)
    simulation.check_conservation()
    largest = float(simulation.tables.ports["largest"][plan.watched[0]])
    # The other queues stay empty, so the bottleneck's reaches the limit of a lone queue, to within a packet: a falling
    # threshold is asked before the packet is taken.
    limit = policy.lone_limit(20_000.0, plan.queues_of(0))
    assert abs(largest - limit) < 1500.0


LAWS = [kind for kind in congestion.REGISTRY if issubclass(kind, congestion.Law)]


@pytest.mark.parametrize(("kind", "recovery"), [(kind, style) for kind in LAWS for style in kind.recoveries])
def test_a_law_fills_the_link_and_loses_nothing_for_good(kind: type[congestion.Law], recovery: str) -> None:
    raw = scenario(buffer="150 kB")
    host: dict[str, Any] = {"recovery": recovery}
    if recovery in congestion.RDMA:  # for fast links with marks and short round trips
        raw["topology"] |= {"bottleneck": "10 Gb/s", "access": "25 Gb/s", "rtt": "20 us"}
        raw["switch"] |= {"buffer": "1 MB", "marking": {"kind": "red", "kmin": "20 kB", "kmax": "200 kB", "pmax": 0.1}}
        raw["run"] = {"duration": "20 ms", "warmup": "1 ms"}
    law = made(kind).model_dump(mode="json")
    if "start_rate" in law:  # without a window, line rate would lose nearly everything on a fabric that drops
        law["start_rate"] = 1e9
    raw["traffic"] = [
        {"kind": "long_lived", "flows": 4, "start_jitter": "1 ms", "host": host, "congestion": law},
        {"kind": "poisson", "load": 0.1, "sizes": "30 kB", "host": host, "congestion": law},
    ]
    plan = build_plan(Scenario.parse(raw))
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    flows = simulation.tables.flows
    port = plan.watched[0]
    assert simulation.tables.ports["sent_bytes"][port] * 8 > 0.75 * plan.port_rate[port] * plan.duration / SECOND
    finished = flows["end"] >= 0
    assert finished.sum() > 5
    assert (flows["rcv"][finished] == flows["segments"][finished]).all()


@pytest.mark.parametrize("kind", LAWS, ids=name_of)
def test_a_law_names_the_fluid_where_the_fluid_has_it(kind: type[congestion.Law]) -> None:
    assert ("fluid" in kind.engines) == (kind.model_fields["kind"].default in BUILDERS)


@pytest.mark.parametrize("name", sizes.index())
def test_a_measured_distribution_draws_its_own_mean(name: str) -> None:
    distribution = sizes.Empirical(name=name)
    levels = (np.arange(2_000_000) + 0.5) / 2_000_000
    drawn = distribution.quantile(levels)
    assert (np.diff(drawn) >= 0).all()
    assert drawn.mean() == pytest.approx(distribution.mean(), rel=2e-3)
    assert distribution.mean() == pytest.approx(sizes.index()[name]["mean"], rel=2e-3)


def test_a_planned_kind_is_refused_by_name() -> None:
    registry = Registry("sizes", "", sizes.Kinds, planned=("measured_tomorrow",))
    with pytest.raises(ValidationError, match="not yet supported"):
        TypeAdapter(Annotated[sizes.Kinds, registry.check()]).validate_python({"kind": "measured_tomorrow"})
