"""BBR as fluid: each flow by the law of packets, told the delivery rate of its own path."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from numba import njit

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import check, coupled, simulate
from footroom.engines.hybrid import sampled_layout as layout
from footroom.engines.hybrid.background import Background
from footroom.engines.hybrid.check import averaged
from footroom.engines.packet.backlog import _paced_room
from footroom.parts.congestion.bbr_v1_words import MAX_BW, MIN_RTT
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 8, "rate": "1 Gb/s", "rtt": "4 ms"}
BBR = {"kind": "bbr"}


def scenario(fluid: bool = True, flows: int = 16, version: int = 1, packets: Any = None, **changes: Any) -> Scenario:
    """BBR flows over a star, 500 kB for each port, and 5 % of transfers that are packets."""
    control = {"kind": "bbr", "version": version}
    return Scenario.parse(
        {
            "topology": STAR,
            "switch": {"buffer": "4 MB", "sharing": {"kind": "static"}},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": "100 ms",
                    "congestion": control,
                    "as": "fluid" if fluid else "packets",
                },
                {"kind": "poisson", "load": 0.05, "sizes": "30 kB", "congestion": packets or control},
            ],
            "run": {"duration": "6 s", "warmup": "2 s", "mtu": "1500 B"},
            **changes,
        }
    )


def senders(given: Scenario, until: float) -> tuple[Any, Background]:
    environment, background = coupled(given)
    environment.run(until=until)
    assert isinstance(background, Background)
    return environment, background


def test_a_lone_flow_measures_its_path() -> None:
    """The bottleneck's rate and the round trip without queues are known in closed form: 1 Gb/s, 4 ms and packets."""
    quiet = [scenario(flows=1).traffic[0], scenario().traffic[1].model_copy(update={"load": 1e-4})]
    environment, background = senders(scenario(flows=1).model_copy(update={"traffic": tuple(quiet)}), 3.0)
    (row,) = background._sampled.rows
    own = np.ctypeslib.as_array((ctypes.c_double * 48).from_address(int(row["scratch"])))
    packets_per_second = 1e9 / 8.0 / background.packet
    assert own[MAX_BW] == pytest.approx(packets_per_second, rel=0.02)
    assert own[MIN_RTT] == pytest.approx(4.02e9, rel=0.01)
    assert row["losses"] == 0
    sent = float(background._sampled.own[0, layout.SENT])
    environment.run(until=5.0)
    rate = (float(background._sampled.own[0, layout.SENT]) - sent) / 2.0
    assert 0.95 * packets_per_second < rate < packets_per_second


def test_a_flow_that_joins_counts_the_queue_as_its_path() -> None:
    """Until ProbeRTT it never sees the path empty: its handshake meets the queue (``packet.handshake``)."""
    _, background = senders(scenario(flows=40, topology={**STAR, "hosts": 3}), 1.0)
    idle, handshakes = 4.02e9, background._sampled.rows["handshake"]
    assert handshakes.min() == pytest.approx(idle, rel=0.02)
    assert handshakes.max() > 1.2 * idle


@pytest.mark.parametrize("version", [1, 3])
def test_a_star_agrees_with_packets_alone(version: int) -> None:
    """Bounds: those of the documentation."""
    packets, mixed = (
        fr.run(scenario(fluid, version=version), engine=engine).metrics
        for fluid, engine in ((False, "packet"), (True, "hybrid"))
    )
    assert mixed["utilisation"] == pytest.approx(packets["utilisation"], abs=0.03)
    assert mixed["goodput"] == pytest.approx(packets["goodput"], rel=0.04)
    assert mixed["queue_mean"] == pytest.approx(packets["queue_mean"], abs=0.1 * 5e5)
    assert mixed["drop_rate"] > 1e-4


@pytest.mark.parametrize(("hosts", "few"), [(8, True), (3, False)])
def test_what_does_not_hold_is_marked(hosts: int, few: bool) -> None:
    """Sixteen flows: about two at each port, or five and more."""
    found = fr.run(
        scenario(topology={**STAR, "hosts": hosts}, run={"duration": "2 s", "warmup": "1 s"}), engine="hybrid"
    )
    assert {"drop_rate", "fct_p50", "fct_p99"} <= set(found.outside)
    assert ("utilisation" in found.outside) == few
    assert "queue_mean" not in found.outside


def test_every_byte_and_every_loss_is_accounted_for() -> None:
    environment, background = senders(scenario(packets={"kind": "newreno"}), 0.01)
    for until in (0.1, 0.5, 1.5):
        environment.run(until=until)
        background.check_conservation()
        environment.simulation.check_conservation()
    assert background._sampled.rows["losses"].sum() > 100
    assert environment.simulation.tables.fluids["lost"].sum() > 0.0


@pytest.mark.parametrize(("column", "more"), [(layout.SENT, 2.0), (layout.GONE, 1.0)])
def test_packets_that_a_sender_does_not_know_of_are_found(column: int, more: float) -> None:
    _, background = senders(scenario(), 0.3)
    background._sampled.own[0, column] += more
    with pytest.raises(RuntimeError, match="fluid is not conserved"):
        background.check_conservation()


_beside_paced: Any = _paced_room


@njit
def _room(ports: Any, fluids: Any, port: int, opens: float) -> float:
    return float(_beside_paced(ports[port], fluids[0], opens))


def test_one_bottleneck_follows_flows_unless_their_packets_or_marks_were_not_compared() -> None:
    topology = {"kind": "dumbbell", "bottleneck": "400 Mb/s", "access": "4 Gb/s", "rtt": "15 ms"}
    assert not averaged(scenario())
    assert not averaged(scenario(topology=topology))
    marks = {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "50 kB"}}
    assert averaged(scenario(topology=topology, switch=marks))
    assert averaged(scenario(topology=topology, traffic=[LONG, {**SHORT, "congestion": {"kind": "dctcp"}}]))


@pytest.mark.parametrize(("flows", "excess", "least", "most"), [(10, 1.16, 0.20, 0.23), (30, 1.18, 0.165, 0.195)])
def test_packets_find_no_room_beside_paced_senders_as_often_as_periodic_arrivals_leave_none(
    flows: int, excess: float, least: float, most: float
) -> None:
    """Flows with one packet a period and random phases, by a simulation of their arrivals written for this test."""
    draw = np.random.default_rng(1)
    none = 0
    for _ in range(4000):
        back = np.sort(draw.random(flows)) * flows / excess  # packet times since each arrival
        sent = np.floor(back + draw.random())
        none += bool((sent - np.arange(flows)).max() < 1.0)
    assert least < none / 4000 < most
    environment, _ = coupled(scenario())
    tables = environment.simulation.tables
    fluid, port = tables.fluids[0], tables.ports[int(tables.fluids["port"][0])]
    fluid["paced"], fluid["burst"], fluid["packet"] = flows, 1.0, 1500.0
    opens = 65536.0 / float(port["rate"])
    fluid["rate"] = excess * opens
    found = 0
    for _ in range(4000):
        fluid["service_since"] = draw.random() * 1500.0
        found += bool(_room(tables.ports, tables.fluids, int(fluid["port"]), opens) < 1.0)
    assert found == pytest.approx(none, rel=0.12)


def test_the_same_seed_gives_the_same_run() -> None:
    short: dict[str, Any] = {"run": {"duration": "500 ms", "warmup": "100 ms", "mtu": "1500 B"}}
    first = simulate(scenario(**short)).metrics
    assert simulate(scenario(**short)).metrics == first
    assert simulate(scenario(**short), seed=2).metrics != first


LONG = {"kind": "long_lived", "flows": 8, "congestion": BBR, "as": "fluid"}
SHORT = {"kind": "poisson", "load": 0.03, "sizes": "30 kB"}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"switch": {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "50 kB"}}}, "switch.marking.kind"),
        ({"traffic": [{**LONG, "host": {"autosize": True}}, SHORT]}, "traffic.0.host.autosize"),
        ({"traffic": [{**LONG, "host": {"rate_limit": "40 Mb/s"}}, SHORT]}, "traffic.0.host.rate_limit"),
        ({"traffic": [{**LONG, "host": {"recovery": "sack"}}, SHORT]}, "traffic.0.host.recovery"),
        ({"traffic": [LONG, {**SHORT, "congestion": BBR, "as": "fluid"}, SHORT]}, "traffic.1.as"),
        ({"traffic": [LONG, {**LONG, "congestion": {"kind": "cubic"}}, SHORT]}, "traffic.1.congestion.kind"),
        ({"traffic": [LONG, {**SHORT, "congestion": {"kind": "dctcp"}}]}, "traffic.1.congestion.kind"),
    ],
)
def test_what_was_not_compared_is_refused(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Unsupported) as refused:
        check(scenario(**changes))
    assert refused.value.path == path


def test_a_block_that_lost_all_its_bytes_leaves_whole() -> None:
    """Two flows and a buffer of eleven packets, which they fill all the time: parts of nothing were not numbers."""
    environment, background = coupled(
        scenario(
            flows=2,
            topology={"kind": "dumbbell", "bottleneck": "195 Mb/s", "access": "1.95 Gb/s", "rtt": "6.5 ms"},
            switch={"buffer": 16500.0},
        )
    )
    assert isinstance(background, Background)
    environment.run(until=8.0)
    background.check_conservation()
    assert np.isfinite(background._sampled.own).all()
    assert environment.result().metrics["utilisation"] > 0.9
