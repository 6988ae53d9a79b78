"""Hosts that run RDMA: pacing, turns, recovery, notifications, and DCQCN against numbers worked out by hand."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.packet import Simulation, simulate
from footroom.engines.packet.tables import DELIVERY, DEPARTURE
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.kernel.tables import ACK, CNP, DATA
from footroom.scenario import Scenario

LINE = 10e9


def plan_of(
    flows: int = 1,
    *,
    size: str | None = None,
    host: dict[str, Any] | None = None,
    seed: int = 1,
    congestion: dict[str, Any] | None = None,
    duration: str = "20 ms",
    **switch: Any,
) -> Plan:
    law = {"kind": "dcqcn", **(congestion or {})}
    own = {"jitter": 0, **(host or {})}
    entry: dict[str, Any] = {"kind": "long_lived", "flows": flows, "start_jitter": 0, "congestion": law, "host": own}
    if size is not None:
        entry = {"kind": "incast", "degree": flows, "size": size, "congestion": law, "host": own}
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "star", "hosts": flows + 1, "rate": LINE, "rtt": "8 us"},
                "switch": {"buffer": "1 MB", **switch},
                "traffic": [entry],
                "run": {"duration": duration, "warmup": "1 us", "mtu": "1000 B", "seed": seed},
            }
        )
    )


def lines(simulation: Simulation, what: int, sort: int) -> np.ndarray:
    trace = simulation.trace()
    found: np.ndarray = trace[(trace["what"] == what) & (trace["ack"] == sort)]
    return found


def test_a_flow_sends_at_line_rate_from_the_first_packet_on() -> None:
    plan = plan_of(host={"receive_window": "1 MB"})
    simulation = Simulation(plan, trace=True)
    simulation.run_until(100 * SECOND // 10**6)
    left = lines(simulation, DEPARTURE, DATA)
    times = left["time"][left["port"] == plan.routes[plan.flow_forward[0]]]
    assert times[0] == plan.flow_start[0] + 800_000  # 1000 B at 10 Gb/s, no handshake before it
    assert (np.diff(times) == 800_000).all()


def test_a_window_limits_what_is_outstanding() -> None:
    plan = plan_of(host={"receive_window": "5 kB", "ack_every": 1})
    simulation = Simulation(plan)
    simulation.run_until(SECOND // 1000)
    flow = simulation.tables.flows[0]
    assert flow["nxt"] - flow["una"] <= 5
    # Five packets per round trip: 8 us of propagation and two transmissions of packet and acknowledgement each.
    trip = 8e-6 + 2 * (1000 + 64) * 8 / LINE
    assert flow["una"] == pytest.approx(1e-3 / trip * 5, rel=0.02)


def test_flows_of_one_host_take_turns() -> None:
    raw = plan_of(1).scenario.to_dict()
    raw["traffic"][0] |= {"flows": 4, "sources": ["h0"], "destinations": ["h1"]}
    simulation = Simulation(build_plan(Scenario.parse(raw)), trace=True)
    simulation.run_until(50 * SECOND // 10**6)
    left = lines(simulation, DEPARTURE, DATA)
    first = left[left["port"] == left["port"][0]]["flow"][4:]
    assert (first[4:] == first[:-4]).all()
    assert simulation.tables.flows["at_host"].max() <= 1


class Reaction:
    """A flow whose notifications are handed out by the test, with the clock in its hands."""

    def __init__(self, **congestion: Any) -> None:
        self.simulation = Simulation(plan_of(duration="1 s", congestion=congestion))
        self.simulation.run_until(10 * SECOND // 10**6)

    def notify(self) -> None:
        """A notification now: the mark of the oldest packet of data on its way to the receiver."""
        s = self.simulation
        before = int(s.tables.flows["notices"][0])
        s.tables.flows["cnp_at"][0] = 0
        packets, ports = s.tables.packets, s.tables.ports
        head = int(ports["line_head"][s.plan.routes[s.plan.flow_forward[0] + 1]])
        packets["flags"][head] |= 2
        cut = self.cuts
        while self.cuts == cut:
            s.run_until(s.now + 1000)
        assert s.tables.flows["notices"][0] == before + 1

    @property
    def cuts(self) -> float:
        return float(self.simulation.law_words(0)[1])

    @property
    def rate(self) -> float:
        return float(self.simulation.tables.flows["rate"][0])

    @property
    def alpha(self) -> float:
        return float(self.simulation.law_words(0)[0])

    def wait(self, microseconds: float) -> None:
        self.simulation.run_until(self.simulation.now + round(microseconds * 1e6))


def test_a_notification_halves_and_fast_recovery_halves_the_distance() -> None:
    flow = Reaction()
    assert flow.rate == LINE
    flow.notify()
    expected = LINE / 2.0
    assert flow.rate == expected  # alpha is 1
    for _ in range(5):
        flow.wait(55)
        expected = (expected + LINE) / 2.0
        assert flow.rate == pytest.approx(expected, rel=1e-12)
    flow.notify()
    alpha = (1.0 - 1.0 / 256.0) ** 5  # 1, and the five periods since; the sixth has not passed
    assert flow.rate == pytest.approx(expected * (1.0 - alpha / 2.0), rel=1e-12)
    assert flow.alpha == pytest.approx(alpha * 255.0 / 256.0 + 1.0 / 256.0, rel=1e-12)


def test_the_target_grows_after_fast_recovery() -> None:
    flow = Reaction(byte_counter=None)
    flow.notify()
    flow.notify()  # at once: the target is now half of the line rate
    rate, target = LINE / 4.0, LINE / 2.0
    assert flow.rate == pytest.approx(rate, rel=1e-12)
    for step in range(1, 9):
        flow.wait(55)
        target += 40e6 if step > 5 else 0.0
        rate = (rate + target) / 2.0
        assert flow.rate == pytest.approx(rate, rel=1e-12), step


def test_a_target_that_does_not_follow_stays_until_something_was_raised() -> None:
    flow = Reaction(target_follows=False, byte_counter=None)
    flow.notify()
    flow.notify()
    assert flow.rate == LINE / 4.0
    flow.wait(55)
    assert flow.rate == pytest.approx((LINE / 4.0 + LINE) / 2.0)


@pytest.mark.parametrize(("grows", "steps"), [(True, (0.0, 40e6, 200e6, 400e6)), (False, (0.0, 40e6, 200e6, 200e6))])
def test_hyper_increase(grows: bool, steps: tuple[float, ...]) -> None:
    flow = Reaction(byte_counter=None, fast_recovery=1, hyper_increase=200e6, hyper_grows=grows)
    flow.notify()
    flow.notify()
    rate, target = LINE / 4.0, LINE / 2.0
    for step in steps:
        flow.wait(55)
        target += step
        rate = (rate + target) / 2.0
        assert flow.rate == pytest.approx(rate, rel=1e-12), step


def test_the_byte_counter_raises_by_bytes_sent() -> None:
    flow = Reaction(rate_timer=10.0, byte_counter=100_000, fast_recovery=1)
    flow.notify()
    flow.notify()
    flow.simulation.run_until(flow.simulation.now + round(99_000 * 8 / (LINE / 4) * 1e12))
    assert flow.rate == LINE / 4.0
    flow.wait(10)
    assert flow.rate == pytest.approx((LINE / 4.0 + LINE / 2.0) / 2.0)


def test_alpha_halves_in_177_idle_periods() -> None:
    flow = Reaction()
    flow.notify()
    flow.wait(177.1 * 55.0)
    before = flow.rate
    flow.notify()
    # ln 2 / -ln(1 - 1/256) = 177.1 periods; 177 of them have passed.
    assert 2.0 * (1.0 - flow.rate / before) == pytest.approx(0.5, rel=1e-3)


def test_notifications_are_as_far_apart_as_they_must() -> None:
    plan = plan_of(
        4, duration="5 ms", congestion={"additive_increase": 1e9}, marking={"kind": "step", "threshold": "3 kB"}
    )
    simulation = Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    found = lines(simulation, DELIVERY, CNP)
    assert len(found) > 50
    for flow in range(4):
        assert np.diff(found["time"][found["flow"] == flow]).min() >= 49.9e6
    simulation.check_conservation()


@pytest.mark.parametrize("recovery", ["go_back_n", "selective"])
@pytest.mark.parametrize("number", range(6))
def test_nothing_is_lost_for_good(recovery: str, number: int) -> None:
    """Small buffers drop much of what flows at line rate send; every byte arrives, every packet is accounted for."""
    draw = random.Random(number)
    plan = plan_of(
        draw.randint(2, 8),
        size=f"{draw.choice([900, 30_000, 300_000])} B",
        duration="200 ms",
        seed=number + 1,
        host={
            "recovery": recovery,
            "min_rto": "1 ms",
            "ack_every": draw.choice([1, 4]),
            "jitter": "1 us",
            "low_rto": "50 us",
        },
        buffer=f"{draw.choice([3, 10, 30])} kB",
        queues=2,
        scheduling={"kind": "drr"},
        marking=draw.choice([{"kind": "none"}, {"kind": "red", "kmin": "2 kB", "kmax": "8 kB", "pmax": 0.2}]),
    )
    simulation = Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    simulation.check_conservation()
    flows = simulation.tables.flows
    assert (flows["end"] > 0).all()
    assert (flows["rcv"] == flows["segments"]).all()
    if recovery == "selective" and flows["timeouts"].sum() == 0:
        sent = lines(simulation, DEPARTURE, DATA)
        hosts = sent[np.isin(sent["port"], np.flatnonzero(plan.port_switch < 0))]
        _, copies = np.unique(np.stack([hosts["flow"], hosts["seq"]]), axis=1, return_counts=True)
        assert (copies - 1).sum() == simulation.tables.state["dropped"][0]


def test_go_back_n_goes_back_once_a_report_and_skips_nothing() -> None:
    plan = plan_of(
        3,
        size="200 kB",
        buffer="10 kB",
        duration="50 ms",
        host={"min_rto": "20 ms", "nack_interval": "1 s", "jitter": "1 us"},
    )
    simulation = Simulation(plan, trace=True)
    simulation.run_until(plan.duration)
    sent = lines(simulation, DEPARTURE, DATA)
    flows, backs = simulation.tables.flows, 0
    for flow in range(3):
        seq = sent["seq"][(sent["flow"] == flow) & (sent["port"] == plan.routes[plan.flow_forward[flow]])]
        steps = np.diff(seq)
        assert (steps[steps > 0] == 1).all()
        backs += int((steps < 0).sum())
    dropped = int(simulation.tables.state["dropped"][0])
    # One report for each gap, however many packets came beyond it, and one timeout where nothing did.
    assert 0 < backs <= dropped
    assert flows["retransmissions"].sum() > dropped
    assert len(lines(simulation, DELIVERY, ACK)) < 0.75 * len(lines(simulation, DELIVERY, DATA))


def test_a_tail_of_one_packet_waits_for_the_short_timeout() -> None:
    """Every packet dropped once: nothing comes beyond the gap, so only the timeout can tell."""
    plan = plan_of(
        8,
        size="900 B",
        buffer="1 kB",
        duration="10 ms",
        host={"recovery": "selective", "low_rto": "50 us", "high_rto": "5 ms"},
    )
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    flows = simulation.tables.flows
    assert flows["timeouts"].sum() > 0
    assert ((flows["end"] - flows["start"]) < SECOND // 1000).all()


def test_selective_recovery_keeps_within_the_bandwidth_delay_product() -> None:
    plan = plan_of(host={"recovery": "selective"})
    # 8 us of propagation and two transmissions each of 1000 B and 64 B: 97.0 kbit.
    assert plan.stacks[0].receive_window == math.ceil((8e-6 * LINE + 2 * 8 * 1064) / 8000)
    result = simulate(plan)
    assert result.metrics["utilisation"] > 0.99


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ({"recovery": "prr"}, "traffic.0.host.recovery"),
        ({"recovery": "selective", "high_rto": "5 us"}, "traffic.0.host.high_rto"),
        ({"min_rto": "8 us"}, "traffic.0.host.min_rto"),
        ({"rate_limit": "1 Gb/s"}, "traffic.0.host.rate_limit"),
    ],
)
def test_what_cannot_work_is_refused_with_its_path(host: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        plan_of(host=host)
    assert [problem.path for problem in refused.value.problems] == [path]


def test_hosts_that_do_not_understand_marks_are_refused() -> None:
    with pytest.raises(Unsupported, match="reacts to marks alone"):
        plan_of(host={"ecn": False})


def test_an_incast_says_how_its_flows_start() -> None:
    assert "starts at the rate of its host's link" in plan_of(2, size="10 kB").notes[0]


def test_tcp_does_not_recover_as_rdma_does() -> None:
    with pytest.raises(InvalidInput, match="runs over TCP"):
        plan_of(congestion={"kind": "newreno"}, host={"recovery": "go_back_n"})
