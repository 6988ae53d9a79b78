"""Pauses that fluid of windows and packets share. Figures and bounds: docs/hybrid-agreement.md."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import check, coupled, layout
from footroom.engines.hybrid.background import Background
from footroom.kernel.tables import PAUSES
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 6, "rate": "25 Gb/s", "rtt": "8 us"}
RACKS = {
    "kind": "leaf_spine",
    "leaves": 2,
    "spines": 1,
    "hosts_per_leaf": 4,
    "host_rate": "25 Gb/s",
    "fabric_rate": "50 Gb/s",
    "link_delay": "1 us",
}
HEADROOM = {"kind": "static_independent"}


def scenario(
    fluid: bool = True, control: str = "dctcp", host: dict[str, Any] | None = None, **changes: Any
) -> Scenario:
    """Ten flows to one host of a star without marks, which pauses the others, and transfers between all."""
    flows = {"congestion": {"kind": control}, "host": {"receive_window": "200 kB", "min_rto": "5 ms", **(host or {})}}
    return Scenario.parse(
        {
            "topology": STAR,
            "switch": {"buffer": "1 MB", "headroom": HEADROOM},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 10,
                    "start_jitter": "0.2 ms",
                    "sources": ["h1", "h2", "h3", "h4", "h5"],
                    "destinations": ["h0"],
                    **flows,
                    **({"as": "fluid"} if fluid else {}),
                },
                {"kind": "poisson", "load": 0.03, "sizes": "30 kB", **flows},
            ],
            "run": {"duration": "8 ms", "warmup": "2 ms", "mtu": "1500 B"},
            **changes,
        }
    )


def both(control: str = "dctcp", **changes: Any) -> tuple[fr.Result, fr.Result]:
    return (
        fr.run(scenario(False, control, **changes), engine="packet"),
        fr.run(scenario(True, control, **changes), engine="hybrid"),
    )


def switch(**changes: Any) -> dict[str, Any]:
    return {"buffer": "1 MB", "headroom": HEADROOM, **changes}


@pytest.mark.parametrize("control", ["newreno", "cubic", "dctcp"])
def test_pauses_are_those_of_packets(control: str) -> None:
    packets, mixed = both(control)
    assert packets.metrics["pause_time"] > 5.0 * 0.5 * 6e-3  # hosts are held back for over half of the time
    assert mixed.metrics["pause_time"] == pytest.approx(packets.metrics["pause_time"], rel=0.25)
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], abs=0.1 * 1e6)
    assert mixed.metrics["lossless_drops"] == packets.metrics["lossless_drops"] == 0.0
    assert {"pause_frames", "headroom_max"} <= set(mixed.outside)


def test_marks_below_the_threshold_of_pauses_prevent_them() -> None:
    packets, mixed = both(switch=switch(marking={"kind": "step", "threshold": "60 kB"}))
    assert packets.metrics["pause_time"] < 0.05 * 6e-3
    assert mixed.metrics["pause_time"] < 0.05 * 6e-3
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], abs=0.02 * 1e6)


def test_a_paused_port_sends_no_fluid() -> None:
    environment, _ = coupled(scenario())
    before: dict[int, tuple[float, int]] = {}
    paused = 0
    for k in range(1, 2000):
        environment.run(until=1e-3 + 1e-6 * k)
        t = environment.simulation.tables
        for n, x in enumerate(t.fluids):
            still = int(x["stood"]) + (environment.simulation.now - int(x["stood_at"]) if x["stood_at"] >= 0 else 0)
            if n in before and still - before[n][1] == 1_000_000:  # paused all the time since the last look
                paused += 1
                assert x["sent"] == pytest.approx(before[n][0], abs=1e-6 * float(x["sent"]) + 1e-3)
            before[n] = float(x["sent"]), still
    assert paused > 2000


def test_groups_hold_what_fluid_and_packets_wait() -> None:
    environment, background = coupled(scenario(topology=RACKS, traffic=_to_rack()))
    for k in range(1, 60):
        environment.run(until=1e-4 * k)
        background.check_conservation()
        environment.simulation.check_conservation()
    t = environment.simulation.tables
    assert t.parts["charged"].sum() > 1e5
    t.parts["charged"][int(np.argmax(t.parts["charged"]))] += 1
    with pytest.raises(RuntimeError, match="groups hold"):
        background.check_conservation()


def _to_rack(control: str = "dctcp") -> list[dict[str, Any]]:
    traffic: list[dict[str, Any]] = scenario(control=control).to_dict()["traffic"]
    traffic[0] |= {"sources": ["l0h0", "l0h1", "l0h2", "l0h3"], "destinations": ["l1h0"]}
    return traffic


def test_bytes_on_a_wire_and_in_parts_are_found() -> None:
    environment, background = coupled(scenario())
    assert isinstance(background, Background)
    environment.run(until=1e-3)
    wires, blocks = background._wires, background._blocks
    slot = int(np.flatnonzero(wires.lists[:, 0] >= 0)[0])
    k = int(wires.lists[slot, 0])
    blocks["bytes"][k] += 1e4
    blocks["answers"][k] += 1e4 * (blocks["answers"][k] > 0.0)
    with pytest.raises(RuntimeError, match="are in blocks"):
        background.check_conservation()
    environment, background = coupled(scenario())
    assert isinstance(background, Background)
    environment.run(until=1e-3)
    background._wires.held[int(np.argmax(background._wires.held))] *= 0.5
    with pytest.raises(RuntimeError, match="parts of ports"):
        background.check_conservation()


def test_fluid_takes_as_long_from_port_to_port_as_packets() -> None:
    """One flow alone in the racks: the first of it comes to each port as its first packet would, and its sender
    measures propagation and transmission of a packet on four links, two of 25 and two of 50 Gb/s.
    """
    traffic = _to_rack()
    traffic[0] |= {"flows": 1, "start_jitter": "0 s", "host": {**traffic[0]["host"], "initial_window": 1}}
    traffic[1]["load"] = 1e-6
    environment, background = coupled(scenario(topology=RACKS, traffic=traffic))
    assert isinstance(background, Background)
    row, way = background._routes[0], [n for n in background._hops[0].tolist() if n >= 0]
    first: dict[int, float] = {}
    measured = np.inf
    look = 2e-8
    for k in range(1, 800):
        environment.run(until=k * look)
        for n in way:
            if environment.simulation.tables.fluids["offered"][n] > 0.0:
                first.setdefault(n, k * look)
        measured = min(measured, float(row[layout.LATEST]) or np.inf)
    plan, packet, step = environment.plan, 1500.0 * 8.0, background.step
    for before, n in pairwise(way):
        port = int(environment.simulation.tables.fluids["port"][before])
        delay = float(plan.port_delay[port]) * 1e-12
        assert delay - step <= first[n] - first[before] <= delay + packet / float(plan.port_rate[port]) + step
    expected = float(background._plan.flow_rtt.max()) * 1e-12 + 2.0 * packet / 2.5e10 + 2.0 * packet / 5e10
    assert measured == pytest.approx(expected, abs=2.0 * step)


def test_a_lossy_switch_beside_lossless_ones_drops_as_among_packets() -> None:
    changes: dict[str, Any] = {
        "topology": RACKS,
        "switches": {"leaf": {"headroom": {"kind": "none"}, "buffer": "200 kB"}},
        "run": {"duration": "40 ms", "warmup": "10 ms", "mtu": "1500 B"},
    }
    packets = fr.run(scenario(False, "newreno", traffic=_as_packets(_to_rack("newreno")), **changes), engine="packet")
    environment, background = coupled(scenario(True, "newreno", traffic=_to_rack("newreno"), **changes))
    environment.run()
    background.check_conservation()
    mixed = environment.result()
    assert packets.metrics["drop_rate"] > 1e-4
    assert packets.metrics["lossless_drops"] == mixed.metrics["lossless_drops"] == 0.0
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)


def _as_packets(traffic: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**entry, "as": "packets"} for entry in traffic]


def test_a_pause_is_asked_for_once_by_both() -> None:
    """Of a class: bit 0; nothing asks twice, so Xoff and Xon alternate."""
    environment, _ = coupled(scenario())
    environment.run(until=4e-3)
    t = environment.simulation.tables
    for q in range(len(t.ingresses)):
        assert bool(int(t.ingresses["pauses"][q]) & 1) == (t.pauses["asked_at"][q * PAUSES] >= 0)


def test_insurance_of_a_port_is_shared_by_fluid_and_packets() -> None:
    packets, mixed = both(switch=switch(headroom={"kind": "dynamic_shared"}))
    assert packets.metrics["pause_time"] > 5.0 * 0.5 * 6e-3
    assert mixed.metrics["pause_time"] == pytest.approx(packets.metrics["pause_time"], rel=0.25)
    assert mixed.metrics["lossless_drops"] == 0.0


def test_what_a_full_headroom_refuses_is_lost_and_counted() -> None:
    small = {"kind": "static_independent", "size": "3 kB", "allowance": 0}
    packets, mixed = both(switch=switch(headroom=small))
    assert packets.metrics["lossless_drops"] > 10.0
    assert mixed.metrics["lossless_drops"] > 10.0
    assert any("because the headroom there was full" in note for note in mixed.notes)
    assert {"lossless_drops", "drop_rate", "pause_time", "fct_p50"} <= set(mixed.outside)


MARKS = {"kind": "step", "threshold": "100 kB"}


@pytest.mark.parametrize(
    ("control", "changes", "path"),
    [
        ("bbr", {}, "switch.headroom.kind"),
        ("newreno", {"switch": switch(marking=MARKS)}, "traffic.0.congestion.kind"),
        ("cubic", {"switch": switch(marking=MARKS)}, "traffic.0.congestion.kind"),
        ("dctcp", {"run": {"duration": "8 ms", "warmup": "2 ms", "fabric": "0.1 ms"}}, "run.fabric"),
        ("dctcp", {"switch": switch(watchdog={})}, "switch.watchdog"),
    ],
)
def test_what_pauses_of_fluid_do_not_answer_is_refused(control: str, changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Unsupported) as refused:
        check(scenario(control=control, **changes))
    assert refused.value.path == path
