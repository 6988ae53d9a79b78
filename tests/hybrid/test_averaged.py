"""Fluid of which only the mean is known, beside packets: marks, DCTCP and BBR.

Figures and bounds: docs/hybrid-agreement.md.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
import simpy

import footroom as fr
from footroom.base.errors import NotConverged, Unsupported
from footroom.engines.fluid import history
from footroom.engines.hybrid import averaged_kernel as kernel
from footroom.engines.hybrid import coupled, simulate
from footroom.engines.hybrid.averaged import Averaged
from footroom.parts.marking.pi import Pi
from footroom.parts.marking.step import Step
from footroom.scenario import Scenario


def scenario(fluid: bool = True, size: float = 30e3, **changes: Any) -> Scenario:
    """20 DCTCP flows on 10 Gb/s under a step of 65 packets, and 5 % of transfers. Packets are marked as they leave,
    which flows that are followed one by one do not see.
    """
    control = {"congestion": {"kind": "dctcp"}}
    marking = {"kind": "step", "threshold": "65 packets", "sample": "departure"}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "100 Gb/s", "rtt": "500 us"},
            "switch": {"buffer": "1.5 MB", "marking": marking},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 20,
                    "start_jitter": "10 ms",
                    **control,
                    **({"as": "fluid"} if fluid else {}),
                },
                {"kind": "poisson", "load": 0.05, "sizes": size, **control},
            ],
            "run": {"duration": "200 ms", "warmup": "50 ms", "mtu": "1500 B"},
            **changes,
        }
    )


def test_marks_hold_the_queue_where_they_do_with_packets() -> None:
    """Of one packet run: the bounds are those of the documentation, not this case's own."""
    packets, mixed = fr.run(scenario(False), engine="packet"), fr.run(scenario(), engine="hybrid")
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], abs=0.1 * 1.5e6)
    assert mixed.metrics["fct_p50"] == pytest.approx(packets.metrics["fct_p50"], rel=0.1)
    assert mixed.metrics["fct_p99"] == pytest.approx(packets.metrics["fct_p99"], rel=0.25)
    assert not {"utilisation", "queue_mean", "fct_p50", "fct_p99"} & set(mixed.outside)
    # The threshold is what holds it: 65 packets, of a buffer of 1000.
    assert 20 * 1500 < mixed.metrics["queue_mean"] < 80 * 1500
    assert mixed.metrics["marks"] > 1000


def test_transfers_that_last_are_outside() -> None:
    found = fr.run(scenario(size=1e6), engine="hybrid").outside
    assert {"fct_p50", "fct_p99"} <= set(found)
    assert "queue_mean" not in found


def test_red_drops_packets_of_hosts_without_ecn() -> None:
    """Both lose: what the marking drops of the fluid counts as lost, and so do packets."""
    switch = {"buffer": "1.5 MB", "marking": {"kind": "red", "kmin": "50 packets", "kmax": "500 packets"}}
    run = {"duration": "2 s", "warmup": "500 ms", "mtu": "1500 B"}
    topology = {"kind": "dumbbell", "bottleneck": "400 Mb/s", "access": "4 Gb/s", "rtt": "15 ms"}
    for ecn in (True, False):
        host = {"host": {"ecn": ecn}}
        traffic = [
            {"kind": "long_lived", "flows": 40, "start_jitter": "200 ms", **host, "as": "fluid"},
            {"kind": "poisson", "load": 0.05, "sizes": 30e3, **host},
        ]
        found = fr.run(scenario(switch=switch, run=run, topology=topology, traffic=traffic), engine="hybrid").metrics
        assert (found["drop_rate"] > 1e-3, found["marks"] > 0.0) == (not ecn, ecn)


def test_bbr_shares_its_queue_and_says_what_does_not_hold() -> None:
    traffic = [
        {"kind": "long_lived", "flows": 10, "congestion": {"kind": "bbr"}, "as": "fluid"},
        {"kind": "poisson", "load": 0.05, "sizes": 30e3},
    ]
    found = fr.run(
        scenario(
            switch={"buffer": "375 kB"},
            run={"duration": "5 s", "warmup": "2 s", "mtu": "1500 B"},
            topology={"kind": "dumbbell", "bottleneck": "400 Mb/s", "access": "4 Gb/s", "rtt": "15 ms"},
            traffic=traffic,
        ),
        engine="hybrid",
    )
    assert 0.95 < found.metrics["utilisation"] <= 1.0
    assert {"drop_rate", "fct_p50", "fct_p99"} <= set(found.outside)
    assert "utilisation" not in found.outside


def test_every_byte_is_accounted_for() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.1)
    background.check_conservation()
    environment.simulation.check_conservation()
    environment.simulation.tables.fluids["offered"] += 20000.0
    with pytest.raises(RuntimeError, match="fluid is not conserved"):
        background.check_conservation()


def test_bytes_that_flows_sent_and_no_port_saw_are_found() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.05)
    assert isinstance(background, Averaged)
    background._clock[kernel.GIVEN] += 20000.0
    with pytest.raises(RuntimeError, match="flows sent"):
        background.check_conservation()


def test_equations_that_break_off_say_so() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.01)
    assert isinstance(background, Averaged)
    background._past[history.STATUS] = history.NOT_FINITE
    with pytest.raises(NotConverged, match=r"fluid beside packets broke off at 0\.01"):
        environment.run(until=0.02)


def test_a_controller_moves_the_threshold_that_the_equations_see() -> None:
    """Four times the threshold: DCTCP's queue stands near it (RFC 8257), of packets as of this fluid."""
    environment, _ = coupled(scenario())
    lengths: dict[float, list[float]] = {}

    def operator() -> Generator[simpy.Event, None, None]:
        for threshold in (65 * 1500.0, 260 * 1500.0):
            environment.switch("left").mark(Step(threshold=threshold))
            yield environment.timeout(30e-3)
            for _ in range(60):
                yield environment.timeout(0.5e-3)
                lengths.setdefault(threshold, []).append(environment.queue("left", "right").bytes)

    environment.process(operator())
    environment.run(until=0.15)
    few, many = (sum(found) / len(found) for found in lengths.values())
    assert 0.3 * 65 * 1500 < few < 1.3 * 65 * 1500
    assert 0.7 * 260 * 1500 < many < 1.2 * 260 * 1500


def test_a_marking_without_equations_is_refused_while_it_runs() -> None:
    environment, _ = coupled(scenario())
    with pytest.raises(Unsupported, match="compared"):
        environment.switch("left").mark(Pi(target=30e3))


def test_the_same_seed_gives_the_same_run() -> None:
    first = simulate(scenario()).metrics
    assert simulate(scenario()).metrics == first
    assert simulate(scenario(), seed=2).metrics != first
