"""The loop is compiled without what a run lacks, and the trace does not depend on that."""

from __future__ import annotations

from typing import Any

import pytest
from tests.packet.scenarios import dumbbell

from footroom.engines.packet import Simulation, setup
from footroom.engines.packet.features import ALLOTMENT, FEATURES, FLUID, LOSSLESS, RDMA, SAMPLES, TELEMETRY, variant
from footroom.engines.packet.tables import (
    AllottedTables,
    FluidTables,
    LosslessFluidTables,
    PlainTables,
    RdmaFluidTables,
    SampledTables,
    Tables,
)
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def entry(kind: str, **host: Any) -> dict[str, Any]:
    return {"kind": "long_lived", "flows": 3, "start_jitter": "10 ms", "congestion": {"kind": kind}, "host": host}


def run(traffic: list[dict[str, Any]], **switch: Any) -> Simulation:
    raw = dumbbell(traffic=traffic, switch=switch, run={"duration": "300 ms", "warmup": 0})
    plan = build_plan(Scenario.parse(raw))
    simulation = Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    return simulation


PLAIN = [entry("newreno", recovery="newreno"), entry("cubic", recovery="prr", tail_loss_probe=True)]
SAMPLED = [entry("bbr"), entry("cubic")]
ALLOTTED = [entry("ictcp"), entry("cubic")]


@pytest.mark.parametrize(
    ("traffic", "expected"), [(PLAIN, PlainTables), (SAMPLED, SampledTables), (ALLOTTED, AllottedTables)]
)
def test_a_variant_leaves_the_trace_as_it_is(
    traffic: list[dict[str, Any]], expected: type[Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    less = run(traffic)
    monkeypatch.setattr(setup, "variant", lambda used: Tables)
    everything = run(traffic)
    assert type(less.tables) is expected
    assert type(everything.tables) is Tables
    assert len(less.trace()) > 1000
    assert (less.trace() == everything.trace()).all()
    assert (less.tables.flows["cwnd"] == everything.tables.flows["cwnd"]).all()


def test_growing_a_table_keeps_its_variant() -> None:
    simulation = run(PLAIN)
    simulation._replace(segments=simulation.tables.segments.copy())
    assert type(simulation.tables) is PlainTables


def test_each_run_gets_what_it_makes_use_of() -> None:
    assert variant(set()) is PlainTables
    assert variant({SAMPLES}) is SampledTables
    assert variant({ALLOTMENT}) is AllottedTables
    assert variant({ALLOTMENT, SAMPLES}) is Tables
    for name in (LOSSLESS, RDMA, TELEMETRY):
        assert variant({name}) is Tables
    assert variant({FLUID}) is variant({FLUID, SAMPLES}) is FluidTables
    assert all(set(found) <= set(FEATURES["Tables"]) | {FLUID} for found in FEATURES.values())
    assert variant({FLUID, RDMA}) is RdmaFluidTables
    assert variant({FLUID, LOSSLESS}) is variant({FLUID, LOSSLESS, RDMA, SAMPLES}) is LosslessFluidTables
    beside = [name for name, found in FEATURES.items() if FLUID in found]
    assert beside == ["FluidTables", "RdmaFluidTables", "LosslessFluidTables"]


def test_a_timer_of_a_law_counts_as_rdma() -> None:
    simulation = run([entry("dcqcn", recovery="go_back_n")])
    assert type(simulation.tables) is Tables


def test_fluid_beside_rdma_hosts_takes_no_more_than_the_run_uses() -> None:
    """The tables of packets alone have every feature, those beside a fluid only what is used."""
    raw = dumbbell(traffic=[entry("dcqcn", recovery="go_back_n")], run={"duration": "300 ms", "warmup": 0})
    simulation = Simulation(build_plan(Scenario.parse(raw)))
    simulation.put_fluid([], 1500.0, 1.0)
    assert type(simulation.tables) is RdmaFluidTables
