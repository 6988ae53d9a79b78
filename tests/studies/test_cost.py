from __future__ import annotations

import copy
from typing import Any

import pytest

from footroom.scenario import Scenario
from footroom.studies import Study, cost_of
from footroom.studies.cost import PACKET_BYTES, cell_seconds, work_of


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
    assert cell_seconds("packet", Scenario.parse(raw)) > 5e-6 * work.flows


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
    assert cell_seconds("reference", scenario) > 10 * cell_seconds("packet", scenario) > 0.004


def test_a_deep_buffer_takes_memory(raw: dict[str, Any]) -> None:
    raw["run"]["duration"] = "1000 s"
    shallow = work_of(Scenario.parse(raw)).memory
    raw["switch"]["buffer"] = "1 GB"
    assert work_of(Scenario.parse(raw)).memory - shallow == pytest.approx(2 * (1e9 - 1e5) / 1500 * PACKET_BYTES)


def test_setting_up_a_large_fabric_takes_time_and_memory(raw: dict[str, Any]) -> None:
    # Measured on one core of a laptop: 80 000 ports in 2.8 s and 90 MB, 400 002 ports with 100 000 flows in 14 s.
    raw["topology"] = {"kind": "leaf_spine", "leaves": 200, "spines": 100, "hosts_per_leaf": 100}
    raw["traffic"] = [{"kind": "poisson", "load": 1e-6, "sizes": "1448 B"}]
    raw["run"] = {"duration": "1 us", "warmup": 0}
    fabric = work_of(Scenario.parse(raw))
    assert fabric.ports == 2 * (20_000 + 20_000)
    assert fabric.parts >= 20_000 + 300 + 2 * 80_000  # hosts, switches, ports and a queue each
    assert 2.8 < fabric.seconds("packet") < 3 * 2.8
    assert 50e6 + 90e6 <= fabric.memory < 50e6 + 2 * 90e6


def test_queues_of_line_cards_take_memory(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "star", "hosts": 1000}
    plain = work_of(Scenario.parse(raw))
    raw["switch"] |= {"queues": 8, "scheduling": {"kind": "drr"}, "architecture": {"kind": "voq", "cards": 64}}
    many = work_of(Scenario.parse(raw))
    assert many.parts - plain.parts == 2000 * (8 * 64 - 1)
    assert many.memory - plain.memory == pytest.approx(300.0 * 2000 * (8 * 64 - 1))


def test_a_series_of_many_ports_takes_memory(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "leaf_spine", "leaves": 10, "spines": 10, "hosts_per_leaf": 10}
    before = work_of(Scenario.parse(raw)).memory
    raw["run"]["series"] = "10 us"
    assert work_of(Scenario.parse(raw)).memory - before == pytest.approx(500.0 * 300 * 90_000)


def test_an_admission_sees_every_point_in_turn_and_may_end_it(raw: dict[str, Any]) -> None:
    class Enough(Exception):
        pass

    class Two:
        def __init__(self) -> None:
            self.begun: Any = None
            self.seen: list[float] = []

        def begin(self, points: int, engines: tuple[str, ...], replicas: int) -> None:
            self.begun = points, engines, replicas

        def add(self, scenario: Scenario) -> None:
            self.seen.append(scenario.switch.buffer)
            if len(self.seen) == 2:
                raise Enough

    admission = Two()
    with pytest.raises(Enough):
        Study.of(raw, {"switch.buffer": [1e5, 2e5, 3e5]}, "packet,theory", 4, admission=admission)
    assert admission.begun == (3, ("theory", "packet"), 4)
    assert admission.seen == [1e5, 2e5]


def test_memory_counts_every_switchs_own_buffer_but_no_endless_one(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "parallel_planes", "planes": 2, "bottleneck": "1 Gb/s", "access": "1 Gb/s"}
    raw["switch"]["buffer"] = "1 MB"
    small = work_of(Scenario.parse(raw)).memory
    raw["switches"] = {"b": {"buffer": "3 MB"}}
    large = work_of(Scenario.parse(raw)).memory
    mtu = Scenario.parse(raw).run.mtu
    assert large - small == pytest.approx(PACKET_BYTES * 2 * 2e6 / mtu)  # two routers with 2 MB more each


def test_memory_counts_what_rdma_sends_at_line_rate_before_it_hears_anything() -> None:
    """Ten flows at 198 Gb/s over 28.6 ms have 7 million packets on the way: a run took 940 MB, estimated as 52."""
    document: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "2 Gb/s", "access": "198 Gb/s", "rtt": "28.6 ms"},
        "switch": {"buffer": "4 MB"},
        "traffic": [{"kind": "long_lived", "flows": 10, "start_jitter": 0, "congestion": {"kind": "powertcp"}}],
        "run": {"duration": "0.1 s", "warmup": 0, "mtu": 1000},
    }
    assert work_of(Scenario.parse(document)).memory > 0.94e9
    document["traffic"] = [{"kind": "long_lived", "flows": 10, "start_jitter": 0}]
    assert work_of(Scenario.parse(document)).memory < 0.2e9


def test_few_flows_of_a_large_fabric_send_no_more_than_their_hosts(raw: dict[str, Any]) -> None:
    """Eight flows of 64 hosts were expected to fill all 64 links: 36 s expected, 1.5 s taken."""
    raw["topology"] = {"kind": "leaf_spine", "leaves": 4, "spines": 4, "hosts_per_leaf": 16, "host_rate": "10 Gb/s"}
    raw["traffic"] = [{"kind": "long_lived", "flows": 8, "start_jitter": 0, "congestion": {"kind": "hpcc"}}]
    raw["run"] = {"duration": "100 ms", "warmup": 0, "mtu": 1000}
    assert work_of(Scenario.parse(raw)).hops == pytest.approx(8 * 10e9 * 0.1 / 8000 * 4, rel=0.3)


def test_windows_of_tcp_grow_from_the_first_one(raw: dict[str, Any]) -> None:
    """Three round trips of slow start send 10 + 20 + 40 packets a flow, not what the link could carry."""
    raw["topology"] |= {"bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"}
    raw["run"] = {"duration": "60 ms", "warmup": 0}
    flows = raw["traffic"][0]["flows"]
    assert 3 * 70 * flows <= work_of(Scenario.parse(raw)).hops <= 4 * 3 * 70 * flows


@pytest.mark.parametrize(
    ("congestion", "marking", "pressed"),
    [("dcqcn", "none", True), ("dcqcn", "red", False), ("timely", "none", True), ("swift", "none", False)],
)
def test_rdma_that_does_not_hear_of_a_full_switch_presses_on(congestion: str, marking: str, pressed: bool) -> None:
    """Measured with 20 hosts at one port: 4.3 million events where nothing slows them down, 0.7 million otherwise."""
    document: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "20 us"},
        "switch": {"buffer": "4 MB", "marking": {"kind": marking}},
        "traffic": [{"kind": "long_lived", "flows": 20, "start_jitter": 0, "congestion": {"kind": congestion}}],
        "run": {"duration": "0.12 s", "warmup": 0, "mtu": 1500},
    }
    if marking == "red":
        document["switch"]["marking"] |= {"kmin": "150 kB", "kmax": "600 kB"}
    if congestion == "timely":  # of a lossless class nothing is dropped; classes 3 and 4 are so unless it says others
        spared = copy.deepcopy(document)
        spared["switch"] |= {"queues": 8, "headroom": {"kind": "static_independent"}, "scheduling": {"kind": "drr"}}
        spared["traffic"][0]["priority"] = 3
        assert work_of(Scenario.parse(spared)).hops == pytest.approx(3 * 10e9 * 0.12 / 12_000)
    bottleneck = 3 * 10e9 * 0.12 / 12_000
    beyond = 19 * 10e9 * 0.12 / 12_000 if pressed else 0.0
    assert work_of(Scenario.parse(document)).hops == pytest.approx(bottleneck + beyond)


def test_queries_are_answered_at_the_rate_of_one_host(raw: dict[str, Any]) -> None:
    raw["topology"] = {"kind": "star", "hosts": 40, "rate": "10 Gb/s", "rtt": "8 us"}
    raw["traffic"] = [{"kind": "query", "workers": 12, "total": "1 MB", "pause": 0}]
    raw["run"] = {"duration": "0.1 s", "warmup": 0}
    assert work_of(Scenario.parse(raw)).flows <= 12 * (0.1 * 10e9 / 8e6 + 1)
