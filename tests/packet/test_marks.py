"""Marks: when they are set, how they are reported, what senders make of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.packet.replay import FULL, LinesOf, both
from tests.packet.scenarios import dumbbell
from tests.reference.agreement import plain

from footroom.engines import packet
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.clock import Clock
from footroom.engines.reference.marking import RedMarker
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.receiver import Receiver
from footroom.parts.marking import Red
from footroom.scenario import Scenario

MetricsOf = Callable[[Plan], dict[str, float]]
either = pytest.mark.parametrize(
    "metrics_of", [lambda plan: packet.simulate(plan).metrics, lambda plan: plain(plan)[1]], ids=["packet", "reference"]
)


def burst(marking: dict[str, Any], seconds: float = 15e-3, law: str = "newreno", **host: Any) -> Plan:
    """Ten segments reach an 8 Mb/s link, one every 0.15 ms, while the first is being sent (1.5 ms).

    Segment k finds k - 1 packets waiting. Nothing else happens before 17.9 ms, when the first acknowledgement is back.
    """
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "8 Mb/s", "access": "80 Mb/s", "rtt": "16 ms"},
                "switch": {"buffer": "1 MB", "marking": marking},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 1,
                        "start_jitter": 0,
                        "congestion": {"kind": law},
                        "host": {"jitter": 0, **host},
                    }
                ],
                "run": {"duration": seconds, "warmup": 0},
            }
        )
    )


@either
@pytest.mark.parametrize(
    ("marking", "marked"),
    [
        ({"kind": "step", "threshold": 2 * FULL}, 6),  # segments 4 to 9
        ({"kind": "step", "threshold": 2 * FULL - 1}, 7),
        ({"kind": "step", "threshold": 0}, 8),  # segment 0 does not wait, 1 finds nothing waiting
        ({"kind": "step", "threshold": 8 * FULL}, 0),
        ({"kind": "red", "kmin": 3 * FULL, "kmax": 4 * FULL, "pmax": 1}, 5),  # at kmin none, at kmax and above all
        ({"kind": "red", "kmin": 3 * FULL, "kmax": 4 * FULL, "pmax": 1e-9}, 4),  # above kmax all
    ],
)
def test_those_are_marked_who_find_more_than_the_threshold(
    metrics_of: MetricsOf,
    marking: dict[str, Any],
    marked: int,
) -> None:
    metrics = metrics_of(burst(marking))
    assert metrics["marks"] == marked
    assert metrics["drop_rate"] == 0.0


@both
def test_without_ecn_a_mark_is_a_drop(lines_of: LinesOf) -> None:
    lines = lines_of(burst({"kind": "step", "threshold": 2 * FULL}, ecn=False))
    # Three wait; the next is taken in only once a packet has left.
    assert [seq for _, what, _, _, _, seq in lines if what == "drop"] == list(range(4, 10))
    assert not [line for line in lines_of(burst({"kind": "step", "threshold": 2 * FULL})) if line[1] == "drop"]


@either
@pytest.mark.parametrize("weight", [1.0, 0.02])
def test_red_marks_as_often_as_its_line_says(metrics_of: MetricsOf, weight: float) -> None:
    # Windows of two, the least that marks leave: what waits does not depend on the marks.
    flows, kmin, kmax, pmax = 20, 10 * FULL, 60 * FULL, 0.5
    metrics = metrics_of(
        build_plan(
            Scenario.parse(
                {
                    "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "1 Gb/s", "rtt": "3 ms"},
                    "switch": {
                        "buffer": "1 MB",
                        "marking": {"kind": "red", "kmin": kmin, "kmax": kmax, "pmax": pmax, "weight": weight},
                    },
                    "traffic": [
                        {
                            "kind": "long_lived",
                            "flows": flows,
                            "start_jitter": "10 ms",
                            "host": {"receive_window": 2 * 1448, "ack_every": 1},
                        }
                    ],
                    "run": {"duration": 3, "warmup": 0.5},
                }
            )
        )
    )
    sent = metrics["throughput"] * 2.5 / 8 / FULL
    chance = pmax * (metrics["queue_mean"] - kmin) / (kmax - kmin)
    assert 0.2 < chance < 0.3
    assert metrics["marks"] / sent == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / sent))


def test_the_moving_average_forgets_by_the_weight_every_packet_time() -> None:
    red = Red(kmin=1e9, kmax=2e9, weight=0.01)
    marker = RedMarker(red, seed=1)
    for step in range(1, 101):
        marker.marks(6000, 1200.0, 600 * step)  # twice per packet time
    assert marker.average == pytest.approx(6000 * (1 - 0.99**50), rel=1e-12)


def dctcp(threshold: int, duration: float = 8.0, **host: Any) -> Plan:
    """One DCTCP flow over 100 Mb/s and 10 ms, marked above ``threshold`` packets."""
    return build_plan(
        Scenario.parse(
            dumbbell(
                switch={"buffer": "500 packets", "marking": {"kind": "step", "threshold": threshold * FULL}},
                traffic=[
                    {"kind": "long_lived", "flows": 1, "start_jitter": 0, "congestion": {"kind": "dctcp"}, "host": host}
                ],
                run={"duration": duration, "warmup": duration / 4},
            )
        )
    )


@pytest.mark.parametrize("threshold", [20, 40])
def test_dctcp_settles_at_the_share_of_marks_of_its_own_sawtooth(threshold: int) -> None:
    plan = dctcp(threshold, ack_every=1)
    simulation = Simulation(plan)
    shares = []
    for step in range(200, 800):
        simulation.run_until(step * SECOND // 100)
        shares.append(float(simulation.law_words(0)[0]))
    # Alizadeh et al. 2010, eq. 5 and 6: the window at which marks begin is what the path and K packets hold.
    window = 100e6 * 0.01 / 8 / FULL + threshold
    expected = brentq(lambda a: a * a * (1 - a / 4) - (2 * window + 1) / (window + 1) ** 2, 1e-6, 1.0)
    assert np.mean(shares) == pytest.approx(expected, rel=0.03)
    metrics = packet.simulate(plan).metrics
    assert metrics["queue_max"] / FULL == pytest.approx(threshold + 1, abs=1.01)  # eq. 10: K + N
    assert (metrics["retransmissions"], metrics["drop_rate"]) == (0, 0)
    assert metrics["utilisation"] > 0.9999


@both
@pytest.mark.parametrize(
    ("first_marked", "ack_every", "acks"),
    [
        (4, 4, [4, 5, 9]),  # nothing waits when 4 brings the change: it is acknowledged alone; 9 waits
        (6, 4, [4, 6, 7]),  # 4 and 5 wait: they are reported first, then 6 alone; 7, 8 and 9 wait
        (5, 2, [2, 4, 5, 6, 8, 10]),
    ],
)  # 4 waits and is reported first, then 5 alone; then pairs again
def test_a_change_of_marks_is_reported_at_once(
    lines_of: LinesOf,
    first_marked: int,
    ack_every: int,
    acks: list[int],
) -> None:
    """By hand, after RFC 8257 §3.2: a change sends an acknowledgement at once; Linux reports what waits before it."""
    plan = burst({"kind": "step", "threshold": (first_marked - 2) * FULL}, 25e-3, "dctcp", ack_every=ack_every)
    assert [seq for _, what, port, _, ack, seq in lines_of(plan) if (what, port, ack) == ("arrival", 5, 1)] == acks


def test_a_change_back_is_reported_at_once_and_each_with_its_own_mark() -> None:
    sent: list[tuple[int, bool]] = []
    plan = dctcp(20, ack_every=3)
    receiver = Receiver(
        plan.stacks[0], 1000, Clock(0), lambda seq, stamp, left, right, echo, telemetry: sent.append((seq, echo))
    )
    for seq, marked in enumerate([True, True, False, False, False, False, True, False, False]):
        receiver.on_data(Packet(0, False, seq, FULL, 0, 0, marked=marked))
    # 0 changes; 1 waits and is reported before 2, which changes back; 3 to 5 go together; 6 and 7 change; 8 waits.
    assert sent == [(1, True), (2, True), (3, False), (6, False), (7, True), (8, False)]


@pytest.mark.parametrize("ack_every", [1, 2, 3])
def test_an_accurate_receiver_reports_every_mark_once(ack_every: int) -> None:
    network = Network(dctcp(20, 1.0, ack_every=ack_every))
    law = network.flows[0].sender.law
    reported = 0
    react = law.on_marks

    def count(marked: int, *more: Any) -> None:
        nonlocal reported
        reported += marked
        react(marked, *more)

    law.on_marks = count  # type: ignore[method-assign, assignment]
    set_there = 0
    port = network.ports[0]
    assert port.output is not None
    for queue in (queue for card in port.output.queues for queue in card):
        put = queue.put

        def note(arriving: Any, size: int, put: Callable[[Any, int], None] = put, queue: Any = queue) -> None:
            nonlocal set_there
            set_there += queue.bytes > 20 * FULL
            put(arriving, size)

        queue.put = note  # type: ignore[method-assign, assignment]
    network.run(SECOND)
    assert set_there > 200
    under_way = network.flows[0].sender.nxt - network.flows[0].sender.una
    assert set_there - under_way <= reported <= set_there


def test_newreno_halves_once_per_marked_window_and_sends_nothing_again() -> None:
    # Marked above the path's own 83 packets, half the window still fills it (RFC 3168 as a loss without the loss).
    raw = dumbbell(
        switch={"buffer": "500 packets", "marking": {"kind": "step", "threshold": 84 * FULL}},
        traffic=[{"kind": "long_lived", "flows": 1, "start_jitter": 0, "window": 100, "host": {"ack_every": 1}}],
        run={"duration": "20 s", "warmup": "4 s"},
    )
    plan = build_plan(Scenario.parse(raw))
    simulation = Simulation(plan)
    windows = []
    for step in range(400, 2000):
        simulation.run_until(step * SECOND // 100)
        windows.append(float(simulation.tables.flows["cwnd"][0]))
    assert min(windows) == pytest.approx(max(windows) / 2, abs=1.0)
    # On the path, in transmission, waiting, the one that is marked, and one more until its mark is back.
    assert max(windows) == pytest.approx(100e6 * 0.01 / 8 / FULL + 1 + 84 + 1 + 1, abs=1.0)
    metrics = packet.simulate(plan).metrics
    assert metrics["marks"] > 0
    assert (metrics["retransmissions"], metrics["timeouts"], metrics["drop_rate"]) == (0, 0, 0)
    assert metrics["utilisation"] > 0.999


@both
@pytest.mark.parametrize("sample", ["arrival", "departure"])
def test_without_ecn_packets_are_dropped_as_they_come_whenever_marks_are_set(lines_of: LinesOf, sample: str) -> None:
    """Segments 1 to 3 find at most two packets waiting, 4 to 9 find three; with ECN nobody is dropped."""
    marking = {"kind": "step", "threshold": 2 * FULL, "sample": sample}
    dropped = [line[5] for line in lines_of(burst(marking, ecn=False)) if line[1] == "drop"]
    assert dropped == [4, 5, 6, 7, 8, 9]
    assert not [line for line in lines_of(burst(marking, ecn=True)) if line[1] == "drop"]
