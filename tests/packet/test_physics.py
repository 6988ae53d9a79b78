"""Laws that hold whatever the parameters: conservation, Little, queueing theory, monotonicity, limits."""

from __future__ import annotations

import numpy as np
import pytest
from tests.packet.scenarios import dumbbell, single_packets

import footroom as fr
from footroom.engines.packet import Simulation, simulate
from footroom.engines.packet.metrics import Window
from footroom.engines.plan import SECOND, build_plan
from footroom.engines.theory.equal_packets import md1b_loss
from footroom.scenario import Scenario


@pytest.mark.parametrize("recovery", ["newreno", "sack", "prr"])
@pytest.mark.parametrize("buffer", ["1 packets", "7 packets", "200 packets"])
def test_packets_and_bytes_are_conserved(recovery: str, buffer: str) -> None:
    raw = dumbbell(
        switch={"buffer": buffer, "reserved": "1500 B" if buffer == "200 packets" else 0},
        traffic=[
            {"kind": "long_lived", "flows": 6, "start_jitter": "10 ms", "host": {"recovery": recovery}},
            {"kind": "poisson", "load": 0.2, "sizes": "30 kB", "host": {"recovery": recovery}},
        ],
    )
    simulation = Simulation(build_plan(Scenario.parse(raw)))
    for step in range(1, 9):
        simulation.run_until(step * SECOND // 4)
        simulation.check_conservation()
    state = simulation.tables.state[0]
    assert state["dropped"] > 0
    assert state["created"] == state["arrived"] + state["dropped"] + simulation.packets_in_network()


def test_a_missing_packet_is_noticed(scenario: Scenario) -> None:
    simulation = Simulation(build_plan(scenario))
    simulation.run_until(SECOND)
    simulation.tables.state["arrived"] -= 1
    with pytest.raises(RuntimeError, match="not conserved"):
        simulation.check_conservation()


def test_every_segment_arrives_once_and_in_order() -> None:
    raw = dumbbell(
        switch={"buffer": "5 packets"},
        traffic=[{"kind": "poisson", "load": 0.5, "sizes": "150 kB"}],
        run={"duration": "8 s"},
    )
    simulation = Simulation(build_plan(Scenario.parse(raw)))
    simulation.run_until(8 * SECOND)
    flows = simulation.tables.flows
    done = flows["end"] >= 0
    assert done.sum() > 300
    assert flows["retransmissions"].sum() > 100
    assert (flows["rcv"][done] == flows["segments"][done]).all()
    assert (flows["una"][done] == flows["segments"][done]).all()
    assert (flows["beyond"][done] == 0).all()


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_single_packet_flows_make_an_m_d_1_queue(load: float) -> None:
    result = simulate(build_plan(single_packets(load, duration="40 s")))
    service = 1500.0
    waiting = load**2 / (2.0 * (1.0 - load)) * service  # Pollaczek–Khinchine, packets waiting, not in service
    assert result.metrics["utilisation"] == pytest.approx(load, rel=0.01)
    assert result.metrics["queue_mean"] == pytest.approx(waiting, rel=0.04)
    assert result.metrics["drop_rate"] == 0.0


def test_a_small_buffer_drops_what_m_d_1_b_says() -> None:
    load, waiting_places = 0.9, 9
    raw = single_packets(load, buffer=f"{waiting_places} packets", duration="40 s").to_dict()
    # A dropped packet must not come back within the run, or arrivals are no Poisson process.
    raw["traffic"][0]["host"]["min_rto"] = 60.0
    simulation = Simulation(build_plan(Scenario.parse(raw)))
    simulation.tables.flows["rto"] = 10**15
    simulation.run_until(SECOND)
    window = Window(simulation)
    simulation.run_until(40 * SECOND)
    expected = md1b_loss(load, waiting_places + 1)  # the formula counts the packet in service
    assert window.metrics()["drop_rate"] == pytest.approx(expected, rel=0.06)


def test_little_s_law_at_the_bottleneck(scenario: Scenario) -> None:
    simulation = Simulation(build_plan(scenario), trace=True)
    simulation.run_until(2 * SECOND)
    port = int(simulation.plan.watched[0])
    lines = simulation.trace()
    lines = lines[lines["port"] == port]
    size = 1500
    tx = (size * int(simulation.tables.ports["rate"][port])) >> 16
    offered = lines[lines["what"] == 0]
    dropped = {(int(r["flow"]), int(r["seq"]), int(r["time"])) for r in lines[lines["what"] == 2]}
    accepted = np.array([r["time"] for r in offered if (int(r["flow"]), int(r["seq"]), int(r["time"])) not in dropped])
    started = lines[lines["what"] == 1]["time"] - tx
    served = min(len(accepted), len(started))
    waits = started[:served] - accepted[:served]
    assert (waits >= 0).all()
    area = waits.sum() + (2 * SECOND - accepted[served:]).sum()
    queue = simulation.tables.ports[port]
    measured = queue["area"] + float(queue["bytes"]) * float(2 * SECOND - queue["changed"])
    assert measured == pytest.approx(float(area) * size, rel=1e-9)


def test_more_buffer_means_fewer_drops_and_no_less_utilisation() -> None:
    results = [
        simulate(
            build_plan(
                Scenario.parse(
                    dumbbell(
                        switch={"buffer": f"{packets} packets"},
                        traffic=[{"kind": "long_lived", "flows": 20, "start_jitter": "100 ms"}],
                        run={"duration": "12 s", "warmup": "2 s"},
                    )
                )
            )
        )
        for packets in (10, 40, 160)
    ]
    drops = [r.metrics["drop_rate"] for r in results]
    used = [r.metrics["utilisation"] for r in results]
    assert drops[0] > drops[1] > drops[2] > 0
    assert used[0] < used[2]
    assert used[2] > 0.99


def test_a_buffer_that_holds_every_window_loses_nothing() -> None:
    raw = dumbbell(
        switch={"buffer": "400 packets"},
        traffic=[{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms", "host": {"receive_window": "100 kB"}}],
    )
    result = simulate(build_plan(Scenario.parse(raw)))
    assert result.metrics["drop_rate"] == 0.0
    assert result.metrics["utilisation"] > 0.999
    in_flight = 4 * (100_000 // 1448) * 1500
    pipe = 100e6 / 8 * 0.010
    assert result.metrics["queue_mean"] == pytest.approx(in_flight - pipe, rel=0.03)


def test_one_window_limited_flow_gets_window_over_round_trip() -> None:
    raw = dumbbell(
        traffic=[
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "host": {"receive_window": 14480, "jitter": 0, "ack_every": 1},
            }
        ]
    )
    result = simulate(build_plan(Scenario.parse(raw)))
    per_hop = (1500 * 8 / 1e9, 1500 * 8 / 1e8, 1500 * 8 / 1e9, 64 * 8 / 1e9, 64 * 8 / 1e8, 64 * 8 / 1e9)
    expected = 10 * 1448 * 8 / (0.010 + sum(per_hop))
    assert result.metrics["goodput"] == pytest.approx(expected, rel=0.005)


def test_fairness_of_equal_flows_over_a_long_time() -> None:
    raw = dumbbell(switch={"buffer": "84 packets"}, run={"duration": "60 s", "warmup": "5 s"})
    assert simulate(build_plan(Scenario.parse(raw))).metrics["fairness"] > 0.97


@pytest.mark.parametrize("rate", ["70 Mb/s", "99.07529722589169 Mb/s"])
def test_a_rate_without_a_whole_number_of_picoseconds_per_packet(rate: str) -> None:
    raw = dumbbell(
        topology={"bottleneck": rate},
        switch={"buffer": "2000 packets"},
        traffic=[{"kind": "long_lived", "flows": 8, "start_jitter": 0, "host": {"receive_window": "200 kB"}}],
    )
    used = simulate(build_plan(Scenario.parse(raw))).metrics["utilisation"]
    assert used == pytest.approx(1.0, abs=1e-9)
    assert used <= 1.0


def test_a_full_link_whose_rate_is_rounded_has_a_share_of_one() -> None:
    """The time of a byte is a whole number of 2^-16 ps. At 31.51 Gb/s this rounding gains 1e-8 on top of whole
    picoseconds, which counted as a link that sent more than it can.
    """
    rate = 31514839103.571644
    found = fr.run(
        {
            "topology": {"kind": "dumbbell", "bottleneck": rate, "access": rate, "rtt": 1.9192810162100502e-4},
            "switch": {"buffer": 668014.97, "marking": {"kind": "step", "threshold": 127470.445}},
            "traffic": [
                {"kind": "long_lived", "flows": 4, "start_jitter": 2e-3, "congestion": {"kind": "dctcp"}},
            ],
            "run": {"duration": 0.1, "warmup": 0.025, "mtu": 1500, "seed": 2},
        }
    )
    assert found.metrics["utilisation"] == 1.0
