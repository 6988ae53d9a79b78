"""A flow that finds a table full in the midst of what it sends goes on before anything else of the same instant."""

from __future__ import annotations

from typing import Any

from tests.lossless.test_waiting_frames import short_packets
from tests.reference.agreement import agree

from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def crowded() -> dict[str, Any]:
    """Cables without length and packets of 64 B: much happens at one picosecond while windows of 1000 are sent."""
    raw = short_packets("2 us", fabric="1 us", seed=7)
    raw["switch"] = {
        "buffer": 120_000,
        "queues": 3,
        "scheduling": {"kind": "drr"},
        "headroom": {"kind": "static_independent", "alpha": 2, "xon_offset": 0, "lossless": [0, 1]},
    }
    raw["traffic"][0] |= {"priority": "any_lossless"}
    for link in raw["topology"]["links"]:
        near = link["ends"][0] != "b0"
        link.update({"rate": "100 Gb/s", "delay": 0} if near else {"rate": "40 Gb/s", "delay": "5 ns"})
    return raw


def test_a_burst_during_which_tables_grow_is_not_cut_short() -> None:
    plan = build_plan(Scenario.parse(crowded()))
    simulation = Simulation(plan)
    packets, segments = len(simulation.tables.packets), len(simulation.tables.segments)
    simulation.run_until(plan.duration)
    assert len(simulation.tables.packets) > packets
    assert len(simulation.tables.segments) > segments
    agree(plan)
