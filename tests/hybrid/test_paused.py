"""Pauses of lossless classes that fluid and packets share. Figures and bounds: docs/hybrid-agreement.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import check, coupled
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.paced import Paced
from footroom.engines.plan.lossless import PAUSE_FRAME
from footroom.kernel.answers import WHOLE
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


def scenario(fluid: bool = True, headroom: dict[str, Any] | None = HEADROOM, **changes: Any) -> Scenario:
    """Ten DCQCN flows to one host of a star without marks, which pauses the others, and transfers between all."""
    dcqcn = {"congestion": {"kind": "dcqcn"}}
    return Scenario.parse(
        {
            "topology": STAR,
            "switch": {"buffer": "1 MB", **({"headroom": headroom} if headroom else {})},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 10,
                    "start_jitter": "0.2 ms",
                    "sources": ["h1", "h2", "h3", "h4", "h5"],
                    "destinations": ["h0"],
                    **dcqcn,
                    **({"as": "fluid"} if fluid else {}),
                },
                {"kind": "poisson", "load": 0.03, "sizes": "30 kB", **dcqcn},
            ],
            "run": {"duration": "8 ms", "warmup": "2 ms", "mtu": "1500 B"},
            **changes,
        }
    )


def both(**changes: Any) -> tuple[fr.Result, fr.Result]:
    return fr.run(scenario(False, **changes), engine="packet"), fr.run(scenario(**changes), engine="hybrid")


def test_pauses_are_those_of_packets() -> None:
    packets, mixed = both()
    assert packets.metrics["pause_time"] > 5.0 * 0.5 * 6e-3  # hosts are held back for over half of the time
    assert mixed.metrics["pause_time"] == pytest.approx(packets.metrics["pause_time"], rel=0.25)
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], abs=0.1 * 1e6)
    assert mixed.metrics["lossless_drops"] == packets.metrics["lossless_drops"] == 0.0
    # A pause takes a quarter of the median completion time, and is shorter than among packets.
    assert {"fct_p50", "pause_frames", "headroom_max"} <= set(mixed.outside)
    assert not {"pause_time", "utilisation", "lossless_drops"} & set(mixed.outside)


def test_a_paused_port_sends_no_fluid_and_its_packets_wait_as_long_again() -> None:
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
    # What was added up here is what the engine reports of these ports.
    t = environment.simulation.tables
    now = environment.simulation.now
    for x in t.fluids:
        p = t.ports[int(x["port"])]
        held = int(p["held"]) + (now - int(p["held_at"]) if p["paused"] else 0)
        frames = int(x["stood"]) + (now - int(x["stood_at"]) if x["stood_at"] >= 0 else 0) - held
        assert 0 <= frames <= 5e-3 * now  # frames go ahead of what waits


def test_groups_hold_what_fluid_and_packets_wait() -> None:
    environment, background = coupled(scenario())
    for k in range(1, 60):
        environment.run(until=1e-4 * k)
        background.check_conservation()
        environment.simulation.check_conservation()
    t = environment.simulation.tables
    assert t.parts["charged"].sum() > 1e5
    t.parts["charged"][int(np.argmax(t.parts["charged"]))] += 1
    with pytest.raises(RuntimeError, match="groups hold"):
        background.check_conservation()


def test_bytes_on_a_wire_are_found() -> None:
    environment, background = coupled(scenario())
    assert isinstance(background, Paced)
    environment.run(until=1e-3)
    assert (background._passes[:, layout.LAG] > 1.0).any()
    background._wires[int(np.argmax(background._wires))] *= 0.5
    with pytest.raises(RuntimeError, match="a wire holds"):
        background.check_conservation()


def test_a_pause_frame_waits_for_no_fluid() -> None:
    """All hosts send to one and receive as well, so frames to them pass ports at which fluid waits."""
    traffic = scenario().to_dict()["traffic"]
    traffic[0] |= {"flows": 30, "sources": None, "destinations": None}
    environment, _ = coupled(scenario(traffic=traffic))
    t, plan = environment.simulation.tables, environment.plan
    assert plan.lossless is not None
    seen = 0
    for k in range(1, 3000):
        environment.run(until=1e-6 * k)
        t = environment.simulation.tables
        for number in np.flatnonzero(t.pauses["held_at"] >= 0).tolist():
            q = number // PAUSES
            came = int(t.pauses["begin"][number]) - int(plan.lossless.pause_response[q])
            back = int(plan.lossless.opposite[q])
            took = came - int(t.pauses["of"][number]) - int(plan.port_delay[back])
            most = (1500 + 2 * PAUSE_FRAME) * int(t.ports["rate"][back]) >> 16
            seen += 1
            assert took <= most
    assert seen > 100


def test_a_transfer_to_an_idle_host_waits_behind_a_paused_link() -> None:
    """A spine that may not send to a leaf pauses the other leaf, and with it what goes to other hosts."""
    flow = [{"time": "4 ms", "size": "150 kB", "source": "l0h3", "destination": "l1h3"}]
    dcqcn = {"congestion": {"kind": "dcqcn"}}
    times = []
    for long in ("as fluid", "as packets", "none"):
        entry = {
            "kind": "long_lived",
            "flows": 6 if long != "none" else 1,
            "start_jitter": "0.1 ms",
            "sources": ["l0h0", "l0h1", "l0h2"] if long != "none" else ["l1h1"],
            "destinations": ["l1h0"],
            "as": "fluid" if long != "as packets" else "packets",
            **dcqcn,
        }
        raw = scenario(
            topology=RACKS,
            traffic=[entry, {"kind": "arrivals", "flows": flow, **dcqcn}],
            run={"duration": "8 ms", "warmup": "2 ms"},
        )
        times.append(fr.run(raw, engine="packet" if long == "as packets" else "hybrid").metrics["fct_mean"])
    fluid, packets, alone = times
    assert packets > 1.5 * alone
    assert fluid == pytest.approx(packets, rel=0.25)


def test_where_nothing_pauses_all_is_as_without_headroom() -> None:
    traffic = scenario().to_dict()["traffic"]
    traffic[0] |= {"flows": 3, "sources": ["h1", "h2", "h3"], "destinations": ["h4", "h5", "h0"]}
    parts: dict[str, Any] = {"traffic": traffic, "switch": {"buffer": "4 MB"}}
    parts["switch"]["marking"] = {"kind": "red", "kmin": "50 kB", "kmax": "200 kB", "pmax": 0.1}
    without = fr.run(scenario(**parts), engine="hybrid").metrics
    parts["switch"] = {**parts["switch"], "headroom": HEADROOM}
    found = fr.run(scenario(**parts), engine="hybrid").metrics
    assert found["pause_time"] == found["pause_frames"] == 0.0
    assert found["utilisation"] == pytest.approx(without["utilisation"], abs=0.01)
    assert found["fct_p50"] == pytest.approx(without["fct_p50"], rel=0.05)


def test_what_a_full_headroom_refuses_is_lost_and_counted() -> None:
    small = {"kind": "static_independent", "size": "3 kB", "allowance": 0}
    packets, mixed = both(headroom=small)
    assert packets.metrics["lossless_drops"] > 100.0
    assert 0.5 < mixed.metrics["lossless_drops"] / packets.metrics["lossless_drops"] < 2.0
    assert any("because the headroom there was full" in note for note in mixed.notes)


def test_insurance_of_a_port_is_shared_by_fluid_and_packets() -> None:
    packets, mixed = both(headroom={"kind": "dynamic_shared"})
    assert packets.metrics["pause_time"] > 5.0 * 0.5 * 6e-3
    assert mixed.metrics["pause_time"] == pytest.approx(packets.metrics["pause_time"], rel=0.25)
    assert mixed.metrics["lossless_drops"] == 0.0


def test_a_pause_is_asked_for_once_by_both() -> None:
    """Of a class: bit 0; nothing asks twice, so Xoff and Xon alternate."""
    environment, _ = coupled(scenario())
    environment.run(until=4e-3)
    t = environment.simulation.tables
    for q in range(len(t.ingresses)):
        asked = bool(int(t.ingresses["pauses"][q]) & 1)
        assert asked == (t.pauses["asked_at"][q * PAUSES] >= 0)
        assert t.pauses["asked_at"][q * PAUSES + WHOLE] < 0


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"congestion": {"kind": "bbr"}}, "switch.headroom.kind"),
        ({"run": {"fabric": "0.1 ms"}}, "run.fabric"),
        ({"switch": {"watchdog": {}}}, "switch.watchdog"),
    ],
)
def test_what_pauses_of_fluid_do_not_answer_is_refused(changes: dict[str, Any], path: str) -> None:
    raw = scenario().to_dict()
    if "congestion" in changes:
        for entry in raw["traffic"]:
            entry["congestion"] = changes["congestion"]
            entry["host"].pop("recovery", None)
    else:
        name = next(iter(changes))
        raw[name] = {**raw[name], **changes[name]}
    with pytest.raises(Unsupported) as refused:
        check(Scenario.parse(raw))
    assert refused.value.path == path
