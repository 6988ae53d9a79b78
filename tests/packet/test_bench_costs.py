"""What the benchmark divides processor time by."""

from __future__ import annotations

import pytest

from footroom.bench.measure import costs
from footroom.bench.scenarios import dumbbell
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan


def test_costs_are_per_packet_delivered_sent_and_forwarded() -> None:
    """Their ratios are those of the counts of a run; with 50 flows and a small buffer BBR drops some."""
    scenario = dumbbell(0.004, congestion="bbr", buffer="100 kB")
    plan = build_plan(scenario)
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    tables = simulation.tables
    delivered, dropped = int(tables.state["delivered"][0]), int(tables.flows["dropped"].sum())
    found = costs(scenario)
    assert dropped > 0
    assert found["delivered"] / found["sent"] == pytest.approx(1.0 + dropped / delivered)
    assert found["delivered"] / found["hop"] == pytest.approx(tables.ports["sent"].sum() / delivered)
