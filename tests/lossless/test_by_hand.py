"""Pauses of one group worked out by hand; docs/lossless.md tells the first of them in full."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.small import slowing

from footroom.scenario import Scenario
from footroom.studies.engines import engine_named

ENGINES = ["packet", "reference"]
#: The engines round the 5 µs of a packet at 2.4 Gb/s down by one picosecond.
NEAR = 2e-11


def run(engine: str, raw: dict[str, Any]) -> Any:
    return engine_named(engine).evaluate(Scenario.parse(raw), 1)


def row(result: Any, klass: int | None = 0, port: str = "a>s") -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in result.priority_groups if (row["class"], row["port"]) == (klass, port))
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_a_group_with_its_own_headroom(engine: str) -> None:
    """Shared memory of 30 kB and α = 1: T = 30 kB − in use, so the group pauses at 10 packets.

    Packet k of 1500 B arrives at 5 + 1.2 k µs; the first passes, and packets leave the memory at 11.2, 16.2, 21.2 µs
    and so on. After packet 13, at 20.6 µs, 10 packets wait: pause. The frame (84 B, 67.2 ns) arrives at 25.6672 µs and
    takes effect at 27.6672 µs, 67.2 ns after packet 24 began. Packet 14 finds 9 packets in shared memory; from packet
    15 on all are headroom. Packets leave at 26.2 and 31.2 µs, headroom first, so that of 10 packets 8 are left when
    packet 24 is there, at 33.8 µs: 12 kB. With xon_offset 12 kB the group resumes at s ≤ 30 kB − s − 12 kB, which is 6
    packets: 8 of headroom and 4 more after 31.2 µs, at 91.2 µs. That frame arrives at 96.2672 µs.
    """
    found = run(engine, slowing({"kind": "static_independent", "size": 12_000, "xon_offset": 12_000}, 54_000, "100 us"))
    metrics = found.metrics
    assert metrics["pause_frames"] == 1
    assert metrics["xoff_time"] == pytest.approx(91.2e-6 - 20.6e-6, abs=NEAR)
    assert metrics["pause_time"] == pytest.approx(96.2672e-6 - 27.6672e-6, abs=NEAR)
    assert metrics["headroom_max"] == 12_000
    assert metrics["lossless_drops"] == metrics["drop_rate"] == 0
    one = row(found)
    assert one["first_pause"] == pytest.approx(20.6e-6, abs=NEAR)
    assert (one["shared_max"], one["headroom_max"], one["headroom"], one["drops"]) == (15_000, 12_000, 12_000, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_byte_less_loses_one_packet(engine: str) -> None:
    """With 11999 B the last of those packets finds no room."""
    # The switch has a group more, from b; shared memory stays 30 kB.
    found = run(engine, slowing({"kind": "static_independent", "size": 11_999, "xon_offset": 12_000}, 53_998, "100 us"))
    assert found.metrics["lossless_drops"] == 1
    assert row(found)["headroom_max"] == 10_500
    assert any(
        "Switch s dropped 1 packets of lossless classes" in note and "from a" in note and "headroom" in note
        for note in found.notes
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_packet_that_crosses_may_exceed_the_headroom(engine: str) -> None:
    headroom = {"kind": "static_independent", "size": 11_999, "xon_offset": 12_000, "allowance": 1}
    assert run(engine, slowing(headroom, 53_998, "100 us")).metrics["lossless_drops"] == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_group_and_its_port_with_insurance(engine: str) -> None:
    """Shared memory of 40 kB, insurance η = 20 kB, α = 1: T = 40 kB − s.

    The group pauses at s > T − η, which is 7 packets: after packet 9, at 15.8 µs. Its frame arrives at 20.8672 µs and
    takes effect at 22.8672 µs, after packet 20 began. Packet 19 finds 13 packets: 21 kB would exceed T = 20.5 kB, so
    the port pauses at 27.8 µs, and packets 19 and 20 are insurance, 3 kB. Packets leave at 31.2 and 36.2 µs and empty
    it; 13 packets are less than T: the port resumes at 36.2 µs. The group resumes where s < T − η − 4 kB, at 5 packets:
    after 8 more have left, at 76.2 µs, heard at 81.2672 µs.
    """
    found = run(engine, slowing({"kind": "dynamic_shared", "size": 20_000, "xon_offset": 4000}, 80_000, "85 us"))
    metrics = found.metrics
    assert metrics["pause_frames"] == 2
    assert metrics["xoff_time"] == pytest.approx(76.2e-6 - 15.8e-6 + 36.2e-6 - 27.8e-6, abs=NEAR)
    assert metrics["pause_time"] == pytest.approx(81.2672e-6 - 22.8672e-6, abs=NEAR)
    assert metrics["headroom_max"] == 3000
    assert metrics["lossless_drops"] == 0
    group, port = row(found), row(found, None)
    assert group["first_pause"] == pytest.approx(15.8e-6, abs=NEAR)
    assert group["pause_time"] == pytest.approx(58.4e-6, abs=NEAR)
    assert port["first_pause"] == pytest.approx(27.8e-6, abs=NEAR)
    assert port["pause_time"] == pytest.approx(41.2672e-6 - 34.8672e-6, abs=NEAR)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_timed_pause_is_repeated_while_it_holds(engine: str) -> None:
    """200 quanta are 10.24 µs, repeated every 5.12 µs from 20.6 to 91.2 µs: 13 times. Nothing is sent in between."""
    raw = slowing({"kind": "static_independent", "size": 12_000, "xon_offset": 12_000, "quanta": 200}, 54_000, "100 us")
    metrics = run(engine, raw).metrics
    assert metrics["pause_frames"] == 14
    assert metrics["pause_time"] == pytest.approx(68.6e-6, abs=NEAR)
    assert metrics["headroom_max"] == 12_000


@pytest.mark.parametrize("engine", ENGINES)
def test_on_off_and_timed_pauses_agree(engine: str) -> None:
    """A neighbour that hears one frame and no other stays stopped until it is told to resume."""
    raw = slowing(
        {"kind": "static_independent", "size": 12_000, "xon_offset": 12_000, "pause": "on_off"}, 54_000, "100 us"
    )
    metrics = run(engine, raw).metrics
    assert (metrics["pause_frames"], metrics["headroom_max"]) == (1, 12_000)
    assert metrics["pause_time"] == pytest.approx(68.6e-6, abs=NEAR)
