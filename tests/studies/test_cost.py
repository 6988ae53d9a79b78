from __future__ import annotations

from typing import Any

import pytest

from footroom.scenario import Scenario
from footroom.studies import Study, cost_of
from footroom.studies.cost import PACKET_BYTES, cell_seconds, path_of, work_of


def test_a_dumbbell_full_of_long_flows(raw: dict[str, Any]) -> None:
    # 100 Mb/s for 1 s are 8333.3 packets of 1500 B over three links; every second one is acknowledged.
    work = work_of(Scenario.parse(raw))
    assert work.hops == pytest.approx(25_000)
    assert work.served == pytest.approx(37_500)
    assert work.flows == 4


def test_open_loop_work_follows_the_load(raw: dict[str, Any]) -> None:
    raw["traffic"] = [{"kind": "poisson", "load": 0.5, "sizes": "1448 B"}]
    work = work_of(Scenario.parse(raw))
    assert work.hops == pytest.approx(0.5 * 25_000 * 1500 / 1448)
    assert work.flows == pytest.approx(0.5 * 1e8 / 8 / 1448)
    assert cell_seconds("packet", Scenario.parse(raw)) > 2e-5 * work.flows


def test_cost_grows_with_points_replicas_and_engines(raw: dict[str, Any]) -> None:
    one = cost_of(Study.of(raw), workers=1)
    many = cost_of(Study.of(raw, {"switch.buffer": [1e5, 2e5]}, "theory,packet", 3), workers=2)
    assert (one.points, one.runs) == (1, 1)
    assert (many.points, many.runs) == (4, 8)
    assert many.packet_hops == pytest.approx(6 * one.packet_hops)
    assert many.seconds == pytest.approx(many.cpu_seconds / 2)
    assert all(isinstance(value, (int, float)) and value >= 0 for value in many.to_dict().values())


def test_more_workers_than_runs_do_not_help(raw: dict[str, Any]) -> None:
    study = Study.of(raw)
    assert cost_of(study, workers=8).seconds == cost_of(study, workers=1).seconds


def test_a_plain_simulator_costs_more_than_a_compiled_one(raw: dict[str, Any]) -> None:
    scenario = Scenario.parse(raw)
    assert cell_seconds("reference", scenario) > 10 * cell_seconds("packet", scenario) > 0.02


def test_a_deep_buffer_takes_memory(raw: dict[str, Any]) -> None:
    raw["run"]["duration"] = "1000 s"
    shallow = work_of(Scenario.parse(raw)).memory
    raw["switch"]["buffer"] = "1 GB"
    assert work_of(Scenario.parse(raw)).memory - shallow == pytest.approx(2 * (1e9 - 1e5) / 1500 * 160)


def test_the_shape_of_a_star(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "star", "hosts": 5, "rate": "10 Gb/s", "rtt": "80 us"}
    shape = path_of(Scenario.parse(raw))
    assert (shape.links, shape.switches, shape.ports) == (2.0, 1, 10)
    assert shape.rtt == pytest.approx(80e-6)
    assert shape.capacity == shape.watched_capacity == 1e10


def test_memory_counts_every_switchs_own_buffer_but_no_endless_one(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "parallel_planes", "planes": 2, "bottleneck": "1 Gb/s", "access": "1 Gb/s"}
    raw["switch"]["buffer"] = "1 MB"
    small = work_of(Scenario.parse(raw)).memory
    raw["switches"] = {"b": {"buffer": "3 MB"}}
    large = work_of(Scenario.parse(raw)).memory
    mtu = Scenario.parse(raw).run.mtu
    assert large - small == pytest.approx(PACKET_BYTES * 2 * 2e6 / mtu)  # two routers with 2 MB more each
