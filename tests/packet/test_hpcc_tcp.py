"""HPCC over TCP in the packet engine: probes and echoed telemetry by hand, and what follows from its fixed point."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import Unsupported
from footroom.engines.fluid.adapter import inputs_of
from footroom.engines.packet import Simulation, simulate
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.kernel.tables import ACK, HOP_TIME, PROBE, PROBE_REPLY
from footroom.parts.congestion import Hpcc
from footroom.scenario import Scenario

LINE = 100e9
MICROSECOND = SECOND // 10**6
#: Lines of the trace.
DEPARTURE, DROP, DELIVERY = 1, 2, 3


def plan_of(
    flows: int = 4,
    *,
    mtu: str = "1000 B",
    host: dict[str, Any] | None = None,
    buffer: str = "64 MB",
    duration: str = "6 ms",
    bottleneck: float = LINE,
    start_jitter: str = "100 us",
    **law: Any,
) -> Plan:
    return build_plan(
        Scenario.parse(
            {
                "topology": {
                    "kind": "dumbbell",
                    "bottleneck": bottleneck,
                    "access": LINE,
                    "rtt": "20 us",
                    "pairs": flows,
                },
                "switch": {"buffer": buffer},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": flows,
                        "start_jitter": start_jitter,
                        "host": {
                            "recovery": "prr",
                            "ack_every": 1,
                            "ack_delay": "20 us",
                            "min_rto": "2 ms",
                            "jitter": 0,
                            **(host or {}),
                        },
                        "congestion": {"kind": "hpcc", **law},
                    }
                ],
                "run": {"duration": duration, "warmup": "3 ms" if duration == "6 ms" else "0 s", "mtu": mtu},
            }
        )
    )


def pipe_of(plan: Plan) -> float:
    """C T [B]."""
    return float(plan.port_rate.min()) / 8 * plan.stacks[0].base_rtt * 1e-12


def windows(plan: Plan) -> float:
    """Sum of the reference windows over C T, mean of 3 ms."""
    simulation = Simulation(plan)
    found = []
    for n in range(60):
        simulation.run_until((3000 + 50 * n) * MICROSECOND)
        found.append(sum(simulation.law_words(flow)[0] for flow in range(plan.flows)))
    return float(np.mean(found)) / pipe_of(plan)


@pytest.mark.parametrize("flows", [1, 4, 16])
def test_probes_keep_the_link_at_the_target(flows: int) -> None:
    """tx/C = U = eta W/(W - W_AI) of every flow, so utilisation = eta + N W_AI/(C T), however windows are rounded."""
    plan = plan_of(flows, max_stage=0)
    assert simulate(plan).metrics["utilisation"] == pytest.approx(0.95 + flows * 80 / pipe_of(plan), abs=1.5e-3)


@pytest.mark.parametrize("flows", [1, 4, 16])
def test_windows_exceed_the_fixed_point_by_no_more_than_a_packet_each(flows: int) -> None:
    """A window of w segments lets floor(w) out, so that the sum exceeds eta C T + N W_AI by less than N packets."""
    plan = plan_of(flows, max_stage=0)
    excess = windows(plan) * pipe_of(plan) - 0.95 * pipe_of(plan) - flows * 80
    assert -0.002 * pipe_of(plan) < excess < flows * plan.stacks[0].segment


def test_delayed_acknowledgements_hold_back_half_of_what_they_cover() -> None:
    """Of every flow, (m - 1)/2 packets on average have arrived and are not acknowledged: windows are larger by that."""
    one, eight = (windows(plan_of(4, host={"ack_every": m}, mtu="250 B")) for m in (1, 8))
    plan = plan_of(4, mtu="250 B")
    assert (eight - one) * pipe_of(plan) == pytest.approx(4 * 3.5 * 250, rel=0.3)


def test_bursts_of_delayed_acknowledgements_make_the_queue_and_pacing_takes_it_away() -> None:
    """Section 2.2 of Miao et al.; a queue of N flows' bursts stays below N bursts of m packets."""
    queue = {m: simulate(plan_of(4, host={"ack_every": m})).metrics for m in (1, 8)}
    paced = simulate(plan_of(4, host={"ack_every": 8, "pacing": True})).metrics
    assert queue[8]["queue_mean"] > 10 * queue[1]["queue_mean"]
    assert paced["queue_mean"] < 0.5 * queue[8]["queue_mean"]
    assert queue[8]["queue_p99"] < 4 * 8 * 1000
    assert queue[1]["queue_p99"] < 4 * 1000


def lines(plan: Plan, what: int, sort: int, flow: int = 0) -> list[int]:
    simulation = Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    trace = simulation.trace()
    found = trace[(trace["what"] == what) & (trace["ack"] == sort) & (trace["flow"] == flow)]
    if what == DEPARTURE:  # of its host alone
        found = found[found["port"] == plan.routes[plan.flow_forward[flow]]]
    return [int(time) for time in found["time"]]


def test_one_probe_is_sent_per_round_trip() -> None:
    plan = plan_of(1, duration="1 ms", start_jitter="0 s")
    sent, back = lines(plan, DEPARTURE, PROBE), lines(plan, DELIVERY, PROBE_REPLY)
    assert len(sent) - len(back) in (0, 1)
    # 94 B each way over three links, and one full packet before it at the most on every link.
    least, most = 20 * MICROSECOND + 6 * 94 * 80, 20 * MICROSECOND + 6 * 94 * 80 + 3 * 1000 * 80
    trips = [there - here for here, there in itertools.pairwise(sent)]
    assert len(trips) > 40
    assert least <= min(trips)
    assert np.median(trips) <= most


def test_probes_take_the_room_of_their_telemetry_and_data_takes_none() -> None:
    plan = plan_of(1)
    assert plan.stacks[0].payload == 1000 - 52
    assert plan.acknowledgement == 64
    assert Simulation(plan).tables.classes["probe_size"][0] == 52 + 42
    by_data = plan_of(1, telemetry_by="data")
    assert by_data.stacks[0].payload == 1000 - 52 - 42
    assert Simulation(by_data).tables.classes["ack_size"][0] == 52 + 42
    assert Simulation(by_data).tables.classes["probe_size"][0] == 0


@pytest.mark.parametrize("delay", ["20 us", "0.2 us"])
def test_an_acknowledgement_echoes_the_telemetry_of_the_newest_packet_it_covers(delay: str) -> None:
    """One flow, four packets to an acknowledgement, withheld for long or for less than two packets take."""
    plan = plan_of(
        1,
        host={"ack_every": 4, "ack_delay": delay},
        telemetry_by="data",
        duration="60 us",
        start_jitter="0 s",
        bottleneck=LINE / 2,
    )
    simulation = Simulation(plan)
    simulation.run_until(20 * MICROSECOND)
    tables = simulation.tables
    slow, cable = 1000 * 160, int(tables.ports["delay"][plan.routes[plan.flow_forward[0]]])
    found = [k for k in range(len(tables.packets)) if tables.packets["sort"][k] == ACK and tables.telemetry[k, 0] == 2]
    assert found
    for k in found:
        newest = int(tables.packets["seq"][k]) - 1
        assert newest % 4 == 3 or delay == "0.2 us"
        assert tables.telemetry[k, HOP_TIME] == 1000 * 80 + cable + newest * slow


def test_a_lost_probe_is_missed_when_later_data_is_acknowledged() -> None:
    """A buffer of three packets drops probes too; they go on, and so does what they steer."""
    plan = plan_of(8, buffer="3 kB", duration="3 ms", mtu="1000 B", host={"min_rto": "1 ms"}, line_start=True)
    dropped = sum(len(lines(plan, DROP, PROBE, flow)) for flow in range(8))
    assert dropped > 0
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    flows = simulation.tables.flows
    running = flows["mode"] != 2  # the others wait for a timeout, for want of anything that could come back
    assert running.sum() >= 6
    assert (flows["asked_at"][running] > plan.duration - 200 * MICROSECOND).all()


def test_losses_halve_windows_unless_that_is_left_to_telemetry() -> None:
    halved, left = (
        simulate(plan_of(8, buffer="3 kB", host={"min_rto": "1 ms"}, line_start=True, loss_response=response)).metrics
        for response in ("halve", "none")
    )
    assert halved["drop_rate"] > 0
    assert left["drop_rate"] > halved["drop_rate"]


def test_windows_never_fall_below_the_smallest() -> None:
    """40 flows of 2 packets hold more than the link: the queue is what exceeds it, byte for byte."""
    plan = plan_of(40, bottleneck=10e9, minimum_window=2)
    found = simulate(plan).metrics
    assert found["utilisation"] == pytest.approx(1.0, abs=1e-3)
    # 40 probes are under way as well, half of the time on their way there; packets being sent do not wait.
    assert found["queue_mean"] == pytest.approx(40 * 2 * 1000 - pipe_of(plan), rel=0.08)


def test_the_start_is_that_of_tcp_or_of_the_line() -> None:
    first = {}
    for at_line in (False, True):
        plan = plan_of(1, line_start=at_line, start_jitter="0 s")
        simulation = Simulation(plan)
        simulation.run_until(10 * MICROSECOND)
        first[at_line] = float(simulation.tables.flows["cwnd"][0])
    assert first[False] == 10
    assert first[True] * 1000 == pytest.approx(pipe_of(plan))


def test_the_fluid_refuses_hpcc_over_tcp() -> None:
    scenario = plan_of(4).scenario
    with pytest.raises(Unsupported, match="over RDMA") as refused:
        inputs_of(scenario)
    assert refused.value.path == "traffic.0.host.recovery"


def test_over_rdma_nothing_is_probed() -> None:
    scenario = plan_of(4).scenario.to_dict()
    scenario["traffic"][0]["host"] = {}
    plan = build_plan(Scenario.parse(scenario))
    assert plan.stacks[0].telemetry == "data"
    assert not Simulation(plan).tables.classes["probe_size"].any()
    assert Hpcc().probes()
