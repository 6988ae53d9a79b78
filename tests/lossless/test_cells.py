"""In cells, headroom by a scheme that counts bytes of the line is the memory that they fill at most."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.lossless.test_need import crossing, warnings

import footroom as fr
from footroom.engines.plan import Plan, build_plan
from footroom.formulas.headroom.kept import in_memory
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named

#: η of 10 Gb/s over 5 µs with packets of 1500 B: 2 · (6250 + 1500) + 3840 B.
FORMULA = 19_340


def plan_of(raw: dict[str, Any]) -> Plan:
    return build_plan(Scenario.parse(raw))


def of_scheme(packet: int, cell: int | None, scheme: str = "sih", **headroom: Any) -> dict[str, Any]:
    """The link of ``crossing`` with headroom by a scheme; a sends packets of ``packet`` bytes, one after another."""
    raw = crossing(0, cell_size=cell)
    raw["switch"]["headroom"] = {"kind": "static_independent", "alpha": 1, "scheme": scheme, **headroom}
    raw["switch"]["buffer"] = 1_000_000
    raw["traffic"][0]["host"] = raw["traffic"][0]["host"] | {"mss": packet - 52}
    return raw


@pytest.mark.parametrize("cell", [32, 64, 80, 127, 128, 129, 176, 208, 254, 384, 1000])
def test_no_frame_fills_more_cells_than_the_factor_says(cell: int) -> None:
    sizes = np.arange(64, 9001)
    worst = float((-(-sizes // cell) * cell / sizes).max())
    assert in_memory(1e6, cell) >= worst * 1e6
    if cell >= 64:  # to the cell: some frame fills as many
        assert in_memory(1e6, cell) < worst * 1e6 + cell


def test_the_bytes_of_the_formula_by_hand() -> None:
    """64 B in a cell of 208 B are 3.25 times as much memory: 62 855 B, so 303 cells.

    A full packet takes 8 of them, and the 84 B of the frame up to 273 B, so 2.
    """
    lossless = plan_of(of_scheme(1500, 208)).lossless
    assert lossless is not None
    port = int(np.argmax(lossless.group_headroom[:, 0]))
    assert lossless.group_headroom[port, 0] == 303 * 208
    # The calculator, which gives the bytes of the line, says so beside them.
    answer = fr.headroom(speed="10G", delay="5us", mtu=1500, cell_size=208, scheme=["sih", "sonic"]).to_dict()
    sih, sonic = answer["schemes"]["sih"], answer["schemes"]["sonic"]
    assert sih["headroom"] == FORMULA
    assert any("63024 B of memory (303 cells)" in note for note in sih["notes"])
    assert not any("of memory" in note for note in sonic["notes"])
    slow = plan_of(of_scheme(1500, None)).lossless
    assert slow is not None
    assert slow.group_headroom[port, 0] == FORMULA
    assert lossless.group_limit[port, 0] == lossless.group_headroom[port, 0] + 10 * 208


def test_the_result_says_what_cells_make_of_the_formula() -> None:
    (told,) = [note for note in plan_of(of_scheme(1500, 208)).notes if note.startswith("Scheme sih")]
    assert "3.25 times as much memory in cells of 208 B" in told
    for silent in (of_scheme(1500, None), of_scheme(1500, 208, "sonic"), of_scheme(1500, 208, size=50_000)):
        assert not any(note.startswith("Scheme ") for note in plan_of(silent).notes)


@pytest.mark.parametrize("framing", ["ip", "ethernet"])
@pytest.mark.parametrize("scheme", ["sih", "dsh", "ieee"])
@pytest.mark.parametrize("cell", [80, 128, 208, 254, 420])
def test_packets_just_over_a_cell_need_no_warning(cell: int, scheme: str, framing: str) -> None:
    for packet in (82, cell + 3, 2 * cell + 1, 1500):
        raw = of_scheme(packet, cell, scheme)
        raw["run"]["framing"] = framing
        assert warnings(raw) == []


@pytest.mark.parametrize("engine", ["packet", "reference"])
@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_short_frames_fill_it_and_are_not_lost(kind: str, engine: str) -> None:
    """Packets of 209 B take two cells, twice the bytes of the line; with these bytes as headroom they are lost."""
    raw = of_scheme(209, 208)
    raw["switch"] |= {"buffer": 400_000, "release": "end"}
    raw["switch"]["headroom"] |= {"kind": kind, "alpha": 0.125}
    if kind == "dynamic_shared":  # else classes pause so early that no port has to
        raw["switch"]["headroom"]["pauses"] = "ports"
    found = engine_named(engine).evaluate(Scenario.parse(raw), 1)
    assert found.metrics["headroom_max"] > FORMULA + 1500 + 84
    assert found.metrics["lossless_drops"] == 0
    raw["switch"]["headroom"]["size"] = FORMULA
    assert warnings(raw) != []
    assert engine_named(engine).evaluate(Scenario.parse(raw), 1).metrics["lossless_drops"] > 0
