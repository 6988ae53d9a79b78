"""Frames and cells against arithmetic, in both packet engines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.packet.scenarios import dumbbell
from tests.reference.agreement import agree, plain
from tests.reference.test_agreement_switch import scenario as random_scenario

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.base.framing import FRAMINGS, in_cells
from footroom.engines.plan import Plan, build_plan
from footroom.engines.reference.memory import Memory
from footroom.engines.reference.packet import Packet
from footroom.parts.asics import asic_named
from footroom.parts.sharing import Complete
from footroom.scenario import Scenario


@pytest.mark.parametrize(
    ("packet", "frame", "wire"),
    [(46, 64, 84), (20, 64, 84), (47, 65, 85), (52, 70, 90), (1500, 1518, 1538), (9000, 9018, 9038)],
)
def test_an_ethernet_frame(packet: int, frame: int, wire: int) -> None:
    assert (FRAMINGS["ethernet"].frame(packet), FRAMINGS["ethernet"].wire(packet)) == (frame, wire)
    assert (FRAMINGS["ip"].frame(packet), FRAMINGS["ip"].wire(packet)) == (packet, packet)


def test_the_line_rate_of_the_shortest_frames() -> None:
    """14.88 million a second at 10 Gb/s: the figure by which packet generators and switches are rated."""
    plan = one_burst("10 Gb/s", 400)
    plan = replace(plan, stacks=[replace(plan.stacks[0], segment=64)])
    agree(plan)
    departures = np.array(
        [
            time
            for time, what, port, _, ack, _ in plain(plan)[0]
            if what == "departure" and port == plan.watched[0] and not ack
        ]
    )
    assert len(departures) == 400
    assert set(np.diff(departures).tolist()) == {67_200}
    assert pytest.approx(14.88e6, rel=1e-4) == 1e12 / 67_200


def one_burst(rate: str, packets: int, framing: str = "ethernet", **switch: Any) -> Plan:
    """``packets`` sent at once, a hundred times as fast as the bottleneck carries them."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": rate, "access": "1 Tb/s", "rtt": "1 ms"},
                "switch": {"buffer": "10 MB", **switch},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 1,
                        "start_jitter": 0,
                        "host": {"initial_window": packets, "small_queue": None, "jitter": 0},
                    }
                ],
                "run": {"duration": "0.9 ms", "warmup": 0, "framing": framing},
            }
        )
    )


@pytest.mark.parametrize(("framing", "frame"), [("ip", 1500), ("ethernet", 1518)])
@pytest.mark.parametrize("cell", [None, 64, 208, 254, 500, 1518, 2000])
def test_the_memory_holds_as_many_packets_as_cells_allow(framing: str, frame: int, cell: int | None) -> None:
    plan = one_burst("1 Gb/s", 200, framing, buffer=100_000, **({} if cell is None else {"cell_size": cell}))
    found = agree(plan)
    each = 1 if cell is None else cell
    taken = -(-frame // each) * each
    fits = (100_000 // each) // -(-frame // each)
    assert found["queue_max"] == fits * taken
    # One more is on the wire; 200 packets arrive before it has left.
    assert found["drop_rate"] == pytest.approx((200 - fits - 1) / 200)


def test_an_acknowledgement_takes_whole_cells_too() -> None:
    plan = one_burst("1 Gb/s", 1, cell_size=208)
    assert plan.acknowledgement == 70
    memory = Memory(1000, 0, 4, Complete(), cell=208)
    assert memory.taken(Packet(0, True, 0, plan.acknowledgement, 0, 0)) == 208
    assert one_burst("1 Gb/s", 1, "ip").acknowledgement == 64


def test_utilisation_counts_the_link_and_goodput_the_payload() -> None:
    raw = dumbbell(switch={"buffer": "200 packets"}, run={"framing": "ethernet"})
    found = fr.run(Scenario.parse(raw), engine="packet").metrics
    assert 0.999 < found["utilisation"] <= 1.0
    assert found["throughput"] == pytest.approx(found["utilisation"] * 100e6)
    assert found["goodput"] / found["throughput"] == pytest.approx(1448 / 1538, rel=2e-3)
    raw["run"]["framing"] = "ip"
    plain_ip = fr.run(Scenario.parse(raw), engine="packet").metrics
    assert plain_ip["goodput"] == pytest.approx(1448 / 1500 * 100e6, rel=2e-3)


def test_the_wait_is_that_of_the_link_and_not_of_the_memory() -> None:
    raw = one_burst("1 Gb/s", 200, cell_size=208).scenario.to_dict()
    raw["run"]["series"] = 1e-5
    found = fr.run(Scenario.parse(raw), engine="packet").series
    assert found is not None
    (port,) = found["ports"].values()
    packets, delay = np.array(port["queue"]) / 1664, np.array(port["delay"])
    assert packets.max() > 100
    left = delay - packets * 1538 * 8e-9  # of the packet being sent
    assert left.min() >= -1e-15
    assert left.max() <= 1538 * 8e-9


@pytest.mark.parametrize("number", range(16))
def test_both_engines_agree_on_frames_and_cells(number: int) -> None:
    raw = random_scenario(number).to_dict()
    raw["run"]["framing"] = ("ethernet", "ip")[number % 4 == 3]
    raw["switch"]["cell_size"] = (208, None, 64, 1000)[number // 2 % 4]
    agree(build_plan(Scenario.parse(raw)))


def test_a_cell_may_be_that_of_a_chip() -> None:
    raw = dumbbell(switch={"cell_size": "tomahawk2"})
    assert Scenario.parse(raw).switch.cell_size == asic_named("tomahawk2").cell == 208
    for wrong, why in (("tomahawk-99", "no such ASIC"), ("20.5", "whole"), ("0 B", "at least"), ("3 Gb/s", "rate")):
        with pytest.raises(InvalidInput, match=why) as refusal:
            Scenario.parse(dumbbell(switch={"cell_size": wrong}))
        assert refusal.value.problems[0].path == "switch.cell_size"


def test_a_buffer_in_packets_holds_so_many() -> None:
    made = Scenario.parse(dumbbell(switch={"buffer": "40 packets", "cell_size": 208}, run={"framing": "ethernet"}))
    assert made.switch.buffer == 40 * in_cells(1518, 208) == 40 * 1664
    own = Scenario.parse(
        {
            **dumbbell(switch={"buffer": "40 packets", "cell_size": 208}),
            "switches": {"left": {"buffer": "10 packets"}, "right": {"cell_size": 1024}},
        }
    )
    assert own.switches["left"]["buffer"] == 10 * 1664
    assert Scenario.parse(own.to_dict()) == own
    with pytest.raises(InvalidInput, match="1664 B"):
        Scenario.parse(dumbbell(switch={"buffer": 1600, "cell_size": 208}))


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize(
    ("changes", "path"),
    [({"run": {"framing": "ethernet"}}, "run.framing"), ({"switch": {"cell_size": 208}}, "switch.cell_size")],
)
def test_engines_that_know_neither_say_so(engine: str, changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(Scenario.parse(dumbbell(**changes)), engine=engine)
    assert refusal.value.path == path
    assert "packet" in str(refusal.value)
