"""Fluid of flows that a rate paces, beside packets: DCQCN. Figures and bounds: docs/hybrid-agreement.md."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
import simpy

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import check, coupled, simulate
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.paced import Paced
from footroom.parts.marking.step import Step
from footroom.scenario import Scenario


def scenario(fluid: bool = True, flows: int = 8, law: dict[str, Any] | None = None, **changes: Any) -> Scenario:
    """8 DCQCN flows on 10 Gb/s under RED, and 5 % of transfers."""
    control = {"congestion": {"kind": "dcqcn", **(law or {})}}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "50 us"},
            "switch": {
                "buffer": "1 MB",
                "marking": {"kind": "red", "kmin": "50 packets", "kmax": "250 packets", "pmax": 0.1},
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": "2 ms",
                    **control,
                    **({"as": "fluid"} if fluid else {}),
                },
                {"kind": "poisson", "load": 0.05, "sizes": "30 kB"},
            ],
            "run": {"duration": "60 ms", "warmup": "15 ms", "mtu": "1500 B"},
            **changes,
        }
    )


QUIET = [
    {"kind": "long_lived", "flows": 1, "start_jitter": 0, "congestion": {"kind": "dcqcn"}, "as": "fluid"},
    {"kind": "arrivals", "flows": [{"time": "50 ms", "size": "1 kB"}]},
]


def test_the_link_is_used_as_much_as_by_packets() -> None:
    """Rates overshoot and are cut too far by either, which leaves an eighth of the link idle."""
    packets, mixed = fr.run(scenario(False), engine="packet"), fr.run(scenario(), engine="hybrid")
    assert packets.metrics["utilisation"] < 0.9
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.03)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], abs=0.1 * 1e6)
    # A third of the transfers are cut by a mark, and take three times as long as the others: the median lies between.
    assert {"fct_p50", "fct_p99"} <= set(mixed.outside)
    assert not {"utilisation", "queue_mean", "goodput"} & set(mixed.outside)


def test_marks_drawn_at_departure_fall_on_what_leaves() -> None:
    """What leaves was sent a queue ago, so flows that were cut are hit again and the queue oscillates. Drawn from what
    comes, the fluid's queue would be a quarter longer and steady.
    """
    marking = {"kind": "red", "kmin": "50 packets", "kmax": "250 packets", "pmax": 0.1, "sample": "departure"}
    parts: dict[str, Any] = {"switch": {"buffer": "1 MB", "marking": marking}}
    parts["run"] = {"duration": "160 ms", "warmup": "40 ms", "mtu": "1500 B"}
    packets, mixed = fr.run(scenario(False, **parts), engine="packet"), fr.run(scenario(**parts), engine="hybrid")
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.1)
    assert mixed.metrics["marks"] == pytest.approx(packets.metrics["marks"], rel=0.2)


def test_transfers_take_as_long_as_beside_packets() -> None:
    """Of transfers that marks do not halve. The bounds are those of the documentation, not this case's own."""
    beside = {"kind": "poisson", "load": 0.05, "sizes": "30 kB", "congestion": {"kind": "dctcp"}}
    parts: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "40 Gb/s", "access": "40 Gb/s", "rtt": "8 us"}
    }
    found = []
    for fluid, engine in ((False, "packet"), (True, "hybrid")):
        long = scenario(fluid, flows=4).to_dict()["traffic"][0]
        found.append(fr.run(scenario(fluid, traffic=[long, beside], **parts), engine=engine))
    packets, mixed = found
    assert not {"fct_p50", "fct_p99"} & set(mixed.outside)
    assert mixed.metrics["fct_p50"] == pytest.approx(packets.metrics["fct_p50"], rel=0.1)
    assert mixed.metrics["fct_p99"] == pytest.approx(packets.metrics["fct_p99"], rel=0.25)


def test_a_transfer_that_began_in_the_warm_up_and_ended_later_counts() -> None:
    """As it does in the completion times: marks cut it, so no quantile holds."""
    long = scenario().to_dict()["traffic"][0]
    found = fr.run(
        scenario(traffic=[long, {"kind": "arrivals", "flows": [{"time": "14 ms", "size": "3 MB"}]}]), engine="hybrid"
    )
    assert found.metrics["fct_count"] == 1.0
    assert "100 % of the transfers were cut by a mark" in found.outside["fct_p50"]


def test_what_is_sent_again_is_not_goodput() -> None:
    """A buffer below the thresholds of the marking overflows."""
    marking = {"kind": "red", "kmin": "50 packets", "kmax": "250 packets", "pmax": 0.1}
    found = fr.run(scenario(switch={"buffer": "60 kB", "marking": marking}), engine="hybrid")
    assert found.metrics["drop_rate"] > 1e-3
    assert "go-back-N" in found.outside["goodput"]
    assert "goodput" not in fr.run(scenario(), engine="hybrid").outside


def test_a_flow_alone_sends_at_the_rate_of_its_host() -> None:
    found = scenario(topology={"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "1 Gb/s", "rtt": "50 us"})
    environment, background = coupled(
        Scenario.parse({**found.to_dict(), "traffic": QUIET, "run": {"duration": "60 ms", "warmup": "15 ms"}})
    )
    environment.run()
    assert isinstance(background, Paced)
    assert background.rates == pytest.approx([1e9])
    assert environment.result().metrics["utilisation"] == pytest.approx(0.1, abs=2e-3)


def test_the_first_notifications_halve_the_rate_and_come_an_interval_apart() -> None:
    """Zhu et al., SIGCOMM 2015, §3 and §5: alpha is 1 at first; a receiver notifies every 50 us at most."""
    raw = {
        **scenario().to_dict(),
        "topology": {"kind": "dumbbell", "bottleneck": "5 Gb/s", "access": "10 Gb/s", "rtt": "40 us"},
        "traffic": QUIET,
        "switch": {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "1 packet"}},
    }
    environment, background = coupled(Scenario.parse(raw))
    assert isinstance(background, Paced)
    seen: list[tuple[float, float]] = []
    for k in range(1, 200):
        environment.run(until=k * 1e-6)
        if not seen or float(background.rates[0]) != seen[-1][0]:
            seen.append((float(background.rates[0]), k * 1e-6))
    rates, times = zip(*[each for each in seen if each[0] > 0.0], strict=True)
    assert rates[:3] == pytest.approx([10e9, 5e9, 2.5e9])
    # The first packet that finds a packet waiting is marked; its notification takes a round trip.
    assert 40e-6 <= times[1] - times[0] <= 60e-6
    assert 50e-6 - background.step <= times[2] - times[1] <= 60e-6


def test_flows_of_one_host_take_turns_at_its_link() -> None:
    racks = {
        "kind": "leaf_spine",
        "leaves": 2,
        "spines": 1,
        "hosts_per_leaf": 2,
        "host_rate": "10 Gb/s",
        "fabric_rate": "100 Gb/s",
        "link_delay": "1 us",
    }
    environment, background = coupled(scenario(topology=racks, flows=8))
    assert isinstance(background, Paced)
    flows, sent, full = background._flows, [], []
    for k in range(2):
        environment.run(until=0.01 + 0.005 * k)
        sent.append(background._sent())
        rates = np.bincount(flows[:, layout.HOST].astype(np.int64), weights=flows[:, layout.RATE])
        full.append(rates > 10e9 / 8.0)
        for host in np.unique(flows[:, layout.HOST]):
            mine = flows[flows[:, layout.HOST] == host]
            # Each waits as long for its next packet: 1/sends - 1/rate is the same for all.
            rate, sends = mine[:, layout.RATE], mine[:, layout.SENDS]
            waits = 1.0 / sends - 1.0 / rate
            assert waits == pytest.approx(np.full(len(waits), waits.max()), abs=1e-6 * float((1.0 / rate).max()))
    used = np.bincount(flows[:, layout.HOST].astype(np.int64), weights=sent[1] - sent[0]) / 0.005
    assert (full[0] & full[1]).any()
    # The rest is for packets, and for acknowledgements of what the host receives.
    assert (used[full[0] & full[1]] > 0.85 * 10e9 / 8.0).all()
    assert (used <= 1.01 * 10e9 / 8.0).all()


def test_a_controller_moves_the_threshold_that_this_fluid_sees() -> None:
    """From RED between 75 and 375 kB to a mark whenever two packets wait."""
    environment, _ = coupled(scenario())
    lengths: list[list[float]] = []

    def operator() -> Generator[simpy.Event, None, None]:
        for _ in range(2):
            yield environment.timeout(10e-3)
            lengths.append([])
            for _ in range(200):
                yield environment.timeout(1e-4)
                lengths[-1].append(environment.queue("left", "right").bytes)
            environment.switch("left").mark(Step(threshold=2e3))

    environment.process(operator())
    environment.run(until=0.0601)
    before, after = (sum(found) / len(found) for found in lengths)
    assert before > 75e3
    assert after < before / 2.0


def test_every_byte_is_accounted_for() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.0333)
    background.check_conservation()
    environment.simulation.check_conservation()
    environment.simulation.tables.fluids["offered"] += 20000.0
    with pytest.raises(RuntimeError, match="fluid is not conserved"):
        background.check_conservation()


def test_bytes_that_flows_sent_and_no_port_saw_are_found() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.03)
    assert isinstance(background, Paced)
    background._flows[0, layout.SENT] += 1e6
    with pytest.raises(RuntimeError, match="flows sent"):
        background.check_conservation()


def test_bytes_of_a_route_that_no_port_holds_are_found() -> None:
    environment, background = coupled(scenario())
    environment.run(until=0.03)
    assert isinstance(background, Paced)
    background._passes[0, layout.HELD] += 1e6
    with pytest.raises(RuntimeError, match="routes hold"):
        background.check_conservation()


def test_the_same_seed_gives_the_same_run() -> None:
    first = simulate(scenario()).metrics
    assert simulate(scenario()).metrics == first
    assert simulate(scenario(), seed=2).metrics != first


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"host": {"recovery": "selective"}}, "traffic.0.host.recovery"),
        ({"host": {"receive_window": "1 MB"}}, "traffic.0.host.receive_window"),
        ({"host": {"ecn": False}}, "traffic.0.host.ecn"),
        ({"kind": "poisson", "load": 0.5, "sizes": "1 MB"}, "traffic.0.as"),
    ],
)
def test_what_was_not_compared_is_refused(entry: dict[str, Any], path: str) -> None:
    first = {
        "kind": "long_lived",
        "flows": 8,
        "start_jitter": 0,
        "congestion": {"kind": "dcqcn"},
        "as": "fluid",
        **entry,
    }
    if first["kind"] == "poisson":
        del first["flows"], first["start_jitter"]
    other = {"kind": "poisson", "load": 0.05, "sizes": "30 kB"}
    with pytest.raises(Unsupported) as refused:
        check(scenario(traffic=[first, other]))
    assert refused.value.path == path


def test_what_may_not_be_beside_this_fluid_is_refused() -> None:
    first = {"kind": "long_lived", "flows": 8, "start_jitter": 0, "congestion": {"kind": "dcqcn"}, "as": "fluid"}
    rdma = {"kind": "poisson", "load": 0.05, "sizes": "30 kB", "congestion": {"kind": "hpcc"}}
    with pytest.raises(Unsupported, match="newreno, cubic, dctcp and dcqcn"):
        check(scenario(traffic=[first, rdma]))
    with pytest.raises(Unsupported, match="all fluid must be DCQCN"):
        check(scenario(traffic=[first, {"kind": "long_lived", "flows": 8, "start_jitter": 0, "as": "fluid"}, rdma]))


STAR = {"kind": "star", "hosts": 6, "rate": "25 Gb/s", "rtt": "6 us"}
DYNAMIC = {
    "buffer": "2 MB",
    "sharing": {"kind": "dynamic_threshold", "alpha": 1.0},
    "marking": {"kind": "red", "kmin": "100 kB", "kmax": "400 kB", "pmax": 0.1},
}


def transfers(size: str, load: float = 0.05) -> dict[str, Any]:
    return {"kind": "poisson", "load": load, "sizes": size, "congestion": {"kind": "dcqcn"}}


@pytest.mark.parametrize(
    ("flows", "size", "parts"),
    [
        (8, "30 kB", {}),
        (18, "100 kB", {"topology": STAR, "switch": DYNAMIC, "run": {"duration": "100 ms", "warmup": "25 ms"}}),
    ],
    ids=["dumbbell", "hosts that send several flows"],
)
def test_transfers_of_rdma_hosts_take_as_long_as_beside_packets(flows: int, size: str, parts: dict[str, Any]) -> None:
    """Bounds are the targets: 2 points, a tenth of the buffer, a tenth of the median, a quarter of the 99th percentile.

    On a star fluid and packets share the links of hosts. Without that, utilisation was nine points too low there and
    transfers took up to forty times as long.
    """
    long = scenario(False, flows=flows).to_dict()["traffic"][0]
    both = []
    for fluid, engine in ((False, "packet"), (True, "hybrid")):
        traffic = [{**long, "as": "fluid" if fluid else "packets"}, transfers(size)]
        run = parts.get("run", {"duration": "60 ms", "warmup": "15 ms"})
        given = [{**parts, "traffic": traffic, "run": {**run, "mtu": "1500 B", "seed": n}} for n in (1, 2, 3)]
        both.append([fr.run(scenario(**one), engine=engine) for one in given])

    def mean(results: list[Any], metric: str) -> float:
        return float(np.mean([result.metrics[metric] for result in results]))

    packets, mixed = both
    assert mean(mixed, "utilisation") == pytest.approx(mean(packets, "utilisation"), abs=0.02)
    assert mean(mixed, "queue_mean") == pytest.approx(mean(packets, "queue_mean"), abs=0.1 * 1e6)
    assert mean(mixed, "fct_p50") == pytest.approx(mean(packets, "fct_p50"), rel=0.1)
    assert mean(mixed, "fct_p99") == pytest.approx(mean(packets, "fct_p99"), rel=0.25)


def test_a_transfer_takes_turns_with_the_fluid_of_its_host() -> None:
    """A flow of packets and one of fluid from one host to two receivers have half of its link each."""
    flows = [{"time": "10 ms", "size": "20 MB", "source": "h4", "destination": "h0"}]
    raw = scenario(
        topology=STAR,
        switch={"buffer": "2 MB"},
        traffic=[
            {"kind": "long_lived", "flows": 1, "start_jitter": 0, "congestion": {"kind": "dcqcn"}, "as": "fluid"},
            {"kind": "arrivals", "flows": flows, "congestion": {"kind": "dcqcn"}},
        ],
    )
    environment, background = coupled(raw)
    assert isinstance(background, Paced)
    environment.run(until=9e-3)
    assert background.rates == pytest.approx([25e9])
    environment.run(until=12e-3)
    before = float(background._sent()[0])
    environment.run(until=14e-3)
    assert (float(background._sent()[0]) - before) * 8.0 / 2e-3 == pytest.approx(12.5e9, rel=0.1)
    environment.run(until=50e-3)
    assert background.rates == pytest.approx([25e9])


def test_acknowledgements_take_their_part_of_a_host_s_link() -> None:
    """Those of what a host receives: the rest is what its flows send, and of each no more than a packet waits."""
    raw = scenario(
        topology={**STAR, "hosts": 2},
        switch={"buffer": "2 MB"},
        traffic=[
            {"kind": "long_lived", "flows": 8, "start_jitter": 0, "congestion": {"kind": "dcqcn"}, "as": "fluid"},
            {"kind": "arrivals", "flows": [{"time": "59 ms", "size": "1 kB"}], "congestion": {"kind": "dcqcn"}},
        ],
    )
    environment, background = coupled(raw)
    assert isinstance(background, Paced)
    senders = set(background._flows[:, layout.HOST].tolist())
    assert len(senders) == 2
    environment.run(until=30e-3)
    assert (environment.simulation.tables.fluids["inside"] < 9.0 * 1500.0).all()


def test_only_what_is_kept_is_marked() -> None:
    """A queue that stays full at twice its rate: a mark for each packet that is sent, not for each that comes."""
    raw = scenario(
        flows=2,
        topology={"kind": "dumbbell", "bottleneck": "5 Gb/s", "access": "5 Gb/s", "rtt": "50 us"},
        law={"rate_timer": 1e-6, "additive_increase": 5e9, "fast_recovery": 1},
        switch={"buffer": "60 kB", "marking": {"kind": "step", "threshold": "1 packet"}},
    )
    found = fr.run(raw, engine="hybrid").metrics
    sent = found["utilisation"] * 5e9 * 45e-3 / 8.0 / 1500.0
    assert found["drop_rate"] > 0.2
    assert found["marks"] <= 1.02 * sent


def test_heavy_and_rare_losses_are_outside() -> None:
    red = {"kind": "red", "kmin": "50 packets", "kmax": "250 packets", "pmax": 0.1}
    long = scenario(law={"additive_increase": 4e8}).to_dict()["traffic"][0]
    few = {"buffer": "200 kB", "marking": {**red, "pmax": 0.02}}
    heavy = scenario(traffic=[long, transfers("3 kB")], switch=few)
    found = fr.run(heavy, engine="hybrid")
    assert found.metrics["drop_rate"] > 0.1
    assert "lost in phase" in found.outside["drop_rate"]
    assert "lost in phase" in found.outside["fct_p50"]
    rare = scenario(
        switch={"buffer": "600 kB", "marking": red}, run={"duration": "20 ms", "warmup": 0, "mtu": "1500 B"}
    )
    found = fr.run(rare, engine="hybrid")
    assert found.metrics["drop_rate"] > 0.0
    assert "spell" in found.outside["drop_rate"]


def test_flows_of_less_than_two_packets_of_path_are_outside() -> None:
    """The path holds 44 packets, what is sent among them. Where it is mostly idle, short windows decide nothing."""
    few, many = (fr.run(scenario(flows=flows), engine="hybrid") for flows in (8, 30))
    assert not any("packets for each flow" in why for why in few.outside.values())
    held = {metric for metric, why in many.outside.items() if "The path holds 1.5 packets for each flow" in why}
    assert held == {"utilisation", "throughput", "drop_rate"}  # for goodput and quantiles other reasons are named
    idle = scenario(
        flows=30, topology={"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "100 Mb/s", "rtt": "50 us"}
    )
    assert not any("packets for each flow" in why for why in fr.run(idle, engine="hybrid").outside.values())


def test_a_run_that_measures_its_start_is_outside() -> None:
    begins = scenario(run={"duration": "4 ms", "warmup": "0.5 ms", "mtu": "1500 B"})
    assert "recover from the cuts at their start" in fr.run(begins, engine="hybrid").outside["utilisation"]
    lasts = scenario(run={"duration": "60 ms", "warmup": "20 ms", "mtu": "1500 B"})
    assert "utilisation" not in fr.run(lasts, engine="hybrid").outside
