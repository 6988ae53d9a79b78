"""What SimPy processes bring into a run: fluid of their own, flows that they start, other markings."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.packet import Environment
from footroom.parts.marking.step import Step
from footroom.scenario import Scenario


def scenario(**changes: Any) -> Scenario:
    """Up to 30 flows of 100 kB over 1 Gb/s, none of which has to start."""
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "1 ms"},
            "switch": {"buffer": "100 kB"},
            "traffic": [{"kind": "arrivals", "flows": [{"time": 0, "size": "100 kB"}] * 30}],
            "run": {"duration": "50 ms", "warmup": 0},
            **changes,
        }
    )


def test_fluid_beyond_the_link_is_lost_once_the_queue_is_full() -> None:
    """2 Gb/s for 10 ms: 2.5 MB come, 1.25 MB leave, 100 kB wait, the rest is lost."""
    env = Environment(scenario(), by_hand=[0])
    fluid = env.fluid("left", "right")
    fluid.rate = 2e9
    env.run(until=0.01)
    assert fluid.rate == pytest.approx(2e9)
    assert fluid.offered == pytest.approx(2.5e6, rel=1e-6)
    assert fluid.sent == pytest.approx(1.25e6, rel=1e-3)
    assert fluid.bytes == pytest.approx(100e3, abs=3000.0)
    assert fluid.offered == pytest.approx(fluid.sent + fluid.lost + fluid.bytes, abs=1.0)
    assert env.queue("left", "right").bytes == pytest.approx(fluid.bytes, abs=3000.0)


def test_packets_wait_for_fluid_of_ones_own() -> None:
    def time_of_one(rate: float) -> float:
        env = Environment(scenario(), by_hand=[0])
        env.fluid("left", "right").rate = rate
        done: list[float] = []

        def client() -> Any:
            yield env.timeout(0.001)
            yield env.completion(env.start(0))
            done.append(env.now - 0.001)

        env.process(client())
        env.run()
        return done[0]

    alone, beside = time_of_one(0.0), time_of_one(0.99e9)
    assert beside > alone + 0.8 * 100e3 * 8 / 1e9


@pytest.mark.parametrize("control", ["newreno", "dcqcn"])
def test_a_packet_waits_for_what_the_fluid_has_queued_up(control: str) -> None:
    """1.4 Gb/s leave 0.4 of the time so far before it, also before one of an RDMA host, which no fluid could be beside.
    It comes after 1 ms and at most half a round trip.
    """
    traffic = [{"kind": "arrivals", "flows": [{"time": 0.001, "size": "1 kB"}], "congestion": {"kind": control}}]
    ends = []
    for rate in (0.0, 1.4e9):
        env = Environment(scenario(traffic=traffic))
        env.fluid("left", "right").rate = rate
        env.run()
        ends.append(float(env.simulation.tables.flows["end"][0]) / 1e12)
    assert 0.4 * 1.0e-3 <= ends[1] - ends[0] <= 0.4 * 1.5e-3


def test_flows_held_back_start_when_and_with_what_they_are_told() -> None:
    env = Environment(scenario(), by_hand=[0])
    env.run(until=0.01)
    assert env.queue("left", "right").offered == 0
    numbers = [env.start(0, size=14480.0), env.start(0)]
    assert numbers == [0, 1]
    env.run()
    assert env.plan.flow_bytes[:2].tolist() == [14480, 100_000]
    assert env.result().metrics["fct_count"] == 2
    assert env.result().metrics["throughput"] > 0.0


def test_a_flow_starts_when_it_is_told_though_nothing_else_happens_for_long() -> None:
    """To find what happens next, 40 ms later, the engine had dealt out that time's bucket of its wheel."""
    later = {"kind": "arrivals", "flows": [{"time": "50 ms", "size": "1 kB"}]}
    flows = [later, {"kind": "arrivals", "flows": [{"time": "1 ms", "size": "30 kB"}]}]
    env = Environment(scenario(traffic=flows, run={"duration": "100 ms", "warmup": 0}), by_hand=[1])
    env.run(until=0.01)
    flow = env.start(1)
    env.run(until=0.09)
    assert env.simulation.tables.flows["end"][flow] == pytest.approx(0.0125e12, abs=0.003e12)


def test_a_marking_is_put_in_force_while_it_runs() -> None:
    marking = {"kind": "step", "threshold": "90 kB"}
    flows = [
        {
            "kind": "long_lived",
            "flows": 4,
            "start_jitter": "1 ms",
            "congestion": {"kind": "dctcp"},
            "host": {"ecn": True},
        }
    ]
    env = Environment(scenario(switch={"buffer": "100 kB", "marking": marking}, traffic=flows))
    queue = env.queue("left", "right")
    env.run(until=0.02)
    env.switch("left").mark(Step(threshold=3e3))
    before = queue.marked
    env.run(until=0.025)
    assert queue.marked > before
    assert queue.bytes < 90e3


def test_what_cannot_be_is_refused() -> None:
    env = Environment(scenario(), by_hand=[0])
    fluid = env.fluid("left", "right")
    with pytest.raises(InvalidInput, match="between 0 and 100 Tb/s"):
        fluid.rate = float("nan")
    with pytest.raises(Unsupported, match="a fluid at this port already"):
        env.fluid("left", "right")
    with pytest.raises(InvalidInput, match="no flow is left"):
        env.start(1)
    with pytest.raises(InvalidInput, match="between 1 B and 1 PB"):
        env.start(0, size=0.0)
    with pytest.raises(InvalidInput, match="numbered 0 to 0"):
        Environment(scenario(), by_hand=[3])
    cells = Environment(scenario(switch={"buffer": "100 kB", "cell_size": "208 B"}))
    with pytest.raises(Unsupported) as refused:
        cells.fluid("left", "right")
    assert refused.value.path == "switch.cell_size"
    telemetry = [{"kind": "long_lived", "flows": 1, "start_jitter": 0, "congestion": {"kind": "hpcc"}}]
    with pytest.raises(Unsupported, match="a fluid that a process adds does not work beside lossless classes"):
        Environment(scenario(traffic=telemetry)).fluid("left", "right")
