"""HPCC in the packet engine: telemetry and windows by hand, and the fixed point that follows from the paper."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.packet import Simulation, simulate
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.kernel.tables import HOP_BYTES, HOP_QUEUE, HOP_TIME, HOP_WORDS
from footroom.scenario import Scenario

LINE = 100e9
MICROSECOND = SECOND // 10**6


def plan_of(
    flows: int,
    *,
    mtu: str = "1000 B",
    host: dict[str, Any] | None = None,
    start_jitter: str = "100 us",
    topology: dict[str, Any] | None = None,
    **law: Any,
) -> Plan:
    return build_plan(
        Scenario.parse(
            {
                "topology": topology
                or {"kind": "dumbbell", "bottleneck": LINE, "access": LINE, "rtt": "13 us", "pairs": flows},
                "switch": {"buffer": "64 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": flows,
                        "start_jitter": start_jitter,
                        "host": {"jitter": 0, **(host or {})},
                        "congestion": {"kind": "hpcc", **law},
                    }
                ],
                "run": {"duration": "1 s", "warmup": "1 us", "mtu": mtu},
            }
        )
    )


def windows(simulation: Simulation) -> np.ndarray:
    """Reference windows of all flows [B]."""
    return np.array([simulation.law_words(flow)[0] for flow in range(simulation.plan.flows)])


def test_telemetry_says_when_a_packet_left_and_what_was_there() -> None:
    """One flow at line rate into a link of half its rate: the n-th packet leaves n packets behind."""
    plan = plan_of(
        1, start_jitter="0 s", topology={"kind": "dumbbell", "bottleneck": LINE / 2, "access": LINE, "rtt": "13 us"}
    )
    simulation = Simulation(plan)
    simulation.run_until(plan.stacks[0].base_rtt)
    tables = simulation.tables
    packets = [k for k in range(len(tables.packets)) if tables.packets["sort"][k] == 1 and tables.telemetry[k, 0] == 2]
    assert len(packets) > 30
    packet, slow = 1000 * 80, 1000 * 160  # transmissions [ps]
    cable = tables.ports["delay"][plan.routes[plan.flow_forward[0]]]
    for k in packets:
        n = int(tables.packets["seq"][k]) - 1
        first, second = tables.telemetry[k, : HOP_WORDS + 1], tables.telemetry[k, HOP_WORDS : 2 * HOP_WORDS + 1]
        assert first[HOP_TIME] == packet + cable + n * slow
        assert first[HOP_BYTES] == n * 1000
        # 2 n have come by then, perhaps at this very instant, and n + 1 have left.
        assert first[HOP_QUEUE] in ((n - 1) * 1000, n * 1000) or n == 0
        assert second[HOP_BYTES] == n * 1000
        assert second[HOP_QUEUE] == 0  # a link twice as fast as what comes


def test_a_flow_starts_with_the_window_of_its_line() -> None:
    plan = plan_of(1, start_jitter="0 s")
    simulation = Simulation(plan)
    simulation.run_until(plan.stacks[0].base_rtt // 2)
    flow = simulation.tables.flows[0]
    # 13 us, and three transmissions each of a packet and of an acknowledgement that carries telemetry.
    assert plan.stacks[0].base_rtt == pytest.approx(13e6 + 3 * 80 * (1000 + 52 + 42), abs=2)
    assert flow["cwnd"] * 1000 == pytest.approx(LINE / 8 * plan.stacks[0].base_rtt * 1e-12)
    assert flow["rate"] == pytest.approx(LINE)


def test_one_flow_settles_at_the_target() -> None:
    """U = tx/C = W/(C T), so W = eta C T + W_AI, and the rate is W/T."""
    plan = plan_of(1)
    simulation = Simulation(plan)
    simulation.run_until(2000 * MICROSECOND)
    pipe = LINE / 8 * plan.stacks[0].base_rtt * 1e-12
    assert windows(simulation).sum() / pipe == pytest.approx(0.95 + 80 / pipe, abs=1e-3)


@pytest.mark.parametrize("stages", [0, 5])
def test_windows_add_up_to_the_fixed_point(stages: int) -> None:
    """Sum W = eta BDP + N W_AI (section 3.3, appendix A), in the limit of small packets."""
    plan = plan_of(16, mtu="152 B", telemetry_header=0, max_stage=stages, minimum_rate="1 Mb/s")
    simulation = Simulation(plan)
    pipe = LINE / 8 * plan.stacks[0].base_rtt * 1e-12
    found = []
    for n in range(100):
        simulation.run_until((6000 + 50 * n) * MICROSECOND)
        found.append(windows(simulation).sum() / pipe)
    assert np.mean(found) == pytest.approx(0.95 + 16 * 80 / pipe, abs=1e-3)


def test_the_fixed_point_is_missed_by_the_length_of_packets() -> None:
    """With 100 flows the link is nearly full. Packets that wait for one another make U larger, and windows smaller."""
    missed = {}
    for mtu in (1000, 500):
        plan = plan_of(100, mtu=f"{mtu} B", telemetry_header=0, minimum_rate="1 Mb/s")
        simulation = Simulation(plan)
        pipe = LINE / 8 * plan.stacks[0].base_rtt * 1e-12
        found = []
        for n in range(40):
            simulation.run_until((8000 + 50 * n) * MICROSECOND)
            found.append(windows(simulation).sum() / pipe)
        missed[mtu] = 0.95 + 100 * 80 / pipe - float(np.mean(found))
    assert 0.0 < missed[500] < 0.7 * missed[1000] < 0.7 * 0.03


def test_the_window_of_a_round_trip_ago_keeps_acknowledgements_from_compounding() -> None:
    kept, present = (
        simulate(
            build_plan(
                Scenario.parse(
                    {
                        "topology": {
                            "kind": "dumbbell",
                            "bottleneck": LINE,
                            "access": LINE,
                            "rtt": "13 us",
                            "pairs": 16,
                        },
                        "switch": {"buffer": "64 MB"},
                        "traffic": [
                            {
                                "kind": "long_lived",
                                "flows": 16,
                                "start_jitter": "100 us",
                                "congestion": {"kind": "hpcc", "reference_window": reference},
                            }
                        ],
                        "run": {"duration": "3 ms", "warmup": "2 ms", "mtu": "1000 B"},
                    }
                )
            )
        ).metrics["utilisation"]
        for reference in (True, False)
    )
    assert kept == pytest.approx(0.955, abs=5e-3)
    assert present < 0.9


def test_telemetry_takes_room_in_every_packet() -> None:
    plan, plain = plan_of(1), plan_of(1, telemetry_header=0)
    assert plan.stacks[0].segment == plain.stacks[0].segment == 1000
    assert plain.stacks[0].payload - plan.stacks[0].payload == 42
    given = plan_of(1, mtu="1094 B", host={"mss": 1000})
    assert given.stacks[0].segment == 1000 + 52 + 42
    with pytest.raises(InvalidInput, match="94 B of headers"):
        plan_of(1, mtu="1093 B", host={"mss": 1000})


def test_who_asks_for_no_telemetry_pays_for_none() -> None:
    scenario = plan_of(2).scenario.to_dict()
    scenario["traffic"][0]["congestion"] = {"kind": "dcqcn"}
    simulation = Simulation(build_plan(Scenario.parse(scenario)))
    assert len(simulation.tables.telemetry) == 1
    assert len(Simulation(plan_of(2)).tables.telemetry) == len(simulation.tables.packets)


def test_tables_grow_with_the_telemetry_of_packets_under_way() -> None:
    plan = plan_of(60, start_jitter="0 s")
    simulation = Simulation(plan)
    before = len(simulation.tables.packets)
    simulation.run_until(100 * MICROSECOND)
    assert len(simulation.tables.packets) == len(simulation.tables.telemetry) > before
    simulation.check_conservation()
    simulation.run_until(4000 * MICROSECOND)
    pipe = LINE / 8 * plan.stacks[0].base_rtt * 1e-12
    assert windows(simulation).sum() / pipe == pytest.approx(0.95 + 60 * 80 / pipe, abs=0.03)


def test_paths_over_more_switches_than_telemetry_has_room_for_are_refused() -> None:
    def chain(switches: int) -> Plan:
        names = ["a", *(f"s{n}" for n in range(switches)), "b"]
        links = [{"ends": list(ends), "rate": "10 Gb/s", "delay": "1 us"} for ends in itertools.pairwise(names)]
        return plan_of(
            1,
            topology={"kind": "graph", "hosts": ["a", "b"], "switches": names[1:-1], "links": links},
            start_jitter="0 s",
        )

    assert chain(5).flows == 1
    with pytest.raises(Unsupported, match="room for 5 switches") as refused:
        chain(6)
    assert refused.value.path == "traffic.0.congestion.kind"


def test_an_incast_on_a_lossless_fabric_loses_nothing() -> None:
    scenario = {
        "topology": {"kind": "star", "hosts": 17, "rate": "100 Gb/s", "rtt": "4 us"},
        "switch": {
            "buffer": "4 MB",
            "queues": 2,
            "scheduling": {"kind": "strict_priority"},
            "sharing": {"kind": "dynamic_threshold", "alpha": 0.125},
            "headroom": {"kind": "static_independent", "lossless": [0]},
        },
        "traffic": [{"kind": "incast", "degree": 16, "size": "500 kB", "congestion": {"kind": "hpcc"}}],
        "run": {"duration": "2 ms", "warmup": "0 s", "mtu": "1100 B"},
    }
    found = simulate(build_plan(Scenario.parse(scenario)))
    assert found.metrics["lossless_drops"] == 0
    assert found.metrics["fct_count"] == 16
    first: Any = scenario["traffic"]
    bare = simulate(
        build_plan(Scenario.parse({**scenario, "traffic": [{**first[0], "congestion": {"kind": "dcqcn"}}]}))
    )
    assert found.metrics["queue_mean"] < bare.metrics["queue_mean"]
