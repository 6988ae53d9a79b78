"""The same question gives the same bytes, however it is computed."""

from __future__ import annotations

import importlib
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.packet.scenarios import dumbbell

from footroom.engines.packet import Simulation, setup, simulate
from footroom.engines.plan import SECOND, build_plan
from footroom.scenario import Scenario

_ADDRESSES = {
    "flow_base",
    "queue_base",
    "memory_base",
    "packet_base",
    "policy",
    "params",
    "marker_params",
    "scratch",
    "rate_at",
    "ring",
    "ring_size",
    "choose",
    "choose_own",
    "choose_params",
}


def state_of(simulation: Simulation) -> dict[str, Any]:
    """Everything the simulation knows, addresses left out."""
    tables = simulation.tables
    found = {"histogram": tables.histogram.copy(), "scratch": tables.scratch.copy()}
    for name in ("ports", "queues", "switches", "flows"):
        table = getattr(tables, name)
        for field in set(table.dtype.names or ()) - _ADDRESSES:
            found[f"{name}.{field}"] = table[field].copy()
    return found


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(np.array_equal(a[k], b[k]) for k in a)


def run(scenario: Scenario, stops: int = 1, seed: int | None = None) -> Simulation:
    simulation = Simulation(build_plan(scenario, seed))
    for i in range(1, stops + 1):
        simulation.run_until(2 * SECOND * i // stops)
    return simulation


def test_slicing_does_not_matter(scenario: Scenario) -> None:
    assert same(state_of(run(scenario)), state_of(run(scenario, stops=977)))


def test_the_width_of_a_bucket_does_not_matter(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = state_of(run(scenario))
    for shift in (8, 20, 34):
        monkeypatch.setattr(setup, "_bucket_shift", lambda plan, shift=shift: shift)
        assert same(reference, state_of(run(scenario)))


def test_growing_tables_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = dumbbell(
        switch={"buffer": "6000 packets"},
        topology={"rtt": "200 ms"},
        traffic=[{"kind": "long_lived", "flows": 3, "start_jitter": "10 ms"}],
    )
    large = run(Scenario.parse(raw))
    original = setup.build_tables

    def tiny(plan: Any, trace: int = 0) -> Any:
        tables, kept = original(plan, trace)
        tables.state["free_count"] = 8
        return tables._replace(packets=setup.packets_table(8), segments=tables.segments[:16].copy()), kept

    monkeypatch.setattr("footroom.engines.packet.simulation.build_tables", tiny)
    small = run(Scenario.parse(raw))
    assert len(small.tables.packets) > 1000
    assert len(small.tables.segments) > 1000
    for name in ("sent", "dropped"):
        assert np.array_equal(large.tables.ports[name], small.tables.ports[name])
    assert np.array_equal(large.tables.flows["una"], small.tables.flows["una"])


class Clock:
    """A clock on which every stretch of computing takes as long as the next of ``stretches`` says [s]."""

    def __init__(self, *stretches: float) -> None:
        self._next, self._now = itertools.cycle(stretches), 0.0

    def perf_counter(self) -> float:
        self._now += next(self._next)
        return self._now


@pytest.mark.parametrize("stretches", [(0.03,), (0.05, 0.5), (0.001, 0.2, 0.2)])
def test_a_slow_machine_comes_to_the_same_end(monkeypatch: pytest.MonkeyPatch, stretches: tuple[float, ...]) -> None:
    raw = dumbbell(run={"series": "50 ms", "memories": "30 ms"})
    plan = build_plan(Scenario.parse(raw))
    quick = simulate(plan)
    # The package has a function of the module's name.
    monkeypatch.setattr(importlib.import_module("footroom.engines.packet.simulate"), "time", Clock(*stretches))
    assert replace(simulate(plan), wall_s=quick.wall_s) == quick


def test_threads_do_not_matter(scenario: Scenario) -> None:
    plans = [build_plan(scenario, seed) for seed in range(1, 7)]
    alone = [simulate(plan).metrics for plan in plans]
    with ThreadPoolExecutor(3) as pool:
        together = [r.metrics for r in pool.map(simulate, plans)]
    assert alone == together


def test_the_seed_does_matter(scenario: Scenario) -> None:
    assert not same(state_of(run(scenario, seed=1)), state_of(run(scenario, seed=2)))


def test_another_class_does_not_change_the_draws_of_the_first() -> None:
    one = build_plan(Scenario.parse(dumbbell()))
    more = dumbbell()
    more["traffic"] = [*more["traffic"], {"kind": "poisson", "load": 0.1, "sizes": "10 kB"}]
    two = build_plan(Scenario.parse(more))
    assert set(one.flow_start) <= set(two.flow_start)
