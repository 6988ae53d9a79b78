"""How switches divide their memory, held to what is computed by hand."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.lossless.small import star

from footroom.base.errors import InvalidInput
from footroom.cli.main import main
from footroom.engines.plan.memory import Level, Memory, Race, memory

SHARED = 4_000_000 - 21 * 44_340


def one(raw: dict[str, Any]) -> Memory:
    found = memory(raw)
    assert len(found) == 1
    return found[0]


def levels(found: Memory) -> dict[str, int]:
    return {level.name: level.size for level in found.levels}


def test_static_headroom_takes_its_bytes_off_what_is_shared() -> None:
    """Seven classes of three ports at 44 340 B; x = α·(S − n·x) gives Xoff: 3 068 860 / 17, / 19, / 37."""
    found = one(star())
    assert [(line.name, line.count, line.size) for line in found.lines] == [
        ("headroom", 21, 931_140),
        ("shared", 1, SHARED),
    ]
    assert levels(found) == {"xoff_one": 180_521, "xon_one": 180_521 - 3072, "xoff_ports": 161_518, "xoff_all": 82_942}


def test_dynamic_headroom_pauses_one_insurance_earlier_and_has_a_level_for_ports() -> None:
    """Shan et al.: Xqoff = T − η, Xpoff = Nq·T. With S = 3 866 980, alone (S/16 − 44 340)·16/17 and 7S/(16 + 7)."""
    found = one(star(headroom={"kind": "dynamic_shared"}))
    shared = 4_000_000 - 3 * 44_340
    assert found.lines[-1].size == shared
    assert levels(found)["xoff_one"] == int((shared / 16 - 44_340) * 16 / 17)
    assert levels(found)["xoff_port"] == int(7 * shared / 23)


@pytest.mark.parametrize(
    "switch",
    [
        {},
        {"headroom": {"kind": "dynamic_shared", "reserved": "3 KiB"}},
        {"headroom": {"kind": "none"}, "reserved": 300},
        {"headroom": {"kind": "static_independent", "oversubscription": 3, "lossless": [3, 4]}, "reserved": 777},
        {"headroom": {"kind": "static_independent", "lossless_share": 0.3}},
    ],
)
def test_the_parts_add_up_to_the_memory(switch: dict[str, Any]) -> None:
    found = one(star(5, **switch))
    assert sum(line.size for line in found.lines) == found.buffer
    assert sum(line.share for line in found.lines) == pytest.approx(1.0)


def test_marking_and_pause_are_compared_for_every_degree() -> None:
    """Two sources pause at a queue of 2·S/18, eight at 8·S/24; 400 kB lies between them."""
    raw = star(9, buffer="8 MB", marking={"kind": "red", "kmin": "400 kB", "kmax": "1600 kB", "pmax": 0.2})
    shared = 8_000_000 - 9 * 7 * 44_340
    found = one(raw)
    assert [(race.sources, race.first) for race in found.races] == [(2, "marking"), (8, "marking")]
    assert abs(found.races[0].queue - 2 * shared / 18) < 2
    raw["switch"]["marking"]["kmin"] = 2 * shared // 18 + 2
    assert [race.first for race in one(raw).races] == ["pause", "marking"]


def test_a_list_of_arrivals_is_no_number_of_sources() -> None:
    raw = star(5)
    raw["traffic"] = [{"kind": "arrivals", "flows": [{"time": 0, "size": "1 MB", "source": "h1", "destination": "h0"}]}]
    assert [race.sources for race in one(raw).races] == [2, 4]


def test_switches_that_divide_alike_are_one_entry() -> None:
    raw = star()
    raw["topology"] = {
        "kind": "leaf_spine",
        "leaves": 4,
        "spines": 2,
        "hosts_per_leaf": 4,
        "host_rate": "100 Gb/s",
        "fabric_rate": "100 Gb/s",
        "link_delay": "1.5 us",
    }
    assert [(found.ports, len(found.switches)) for found in memory(raw)] == [(6, 4), (4, 2)]


def test_without_headroom_nothing_pauses() -> None:
    found = one(star(headroom={"kind": "none"}))
    assert (found.lossless, found.levels, found.races) == ((), (), ())
    assert [line.name for line in found.lines] == ["shared"]


def test_a_step_marks_at_its_threshold() -> None:
    found = one(star(marking={"kind": "step", "threshold": "100 kB"}))
    assert found.levels[-1] == Level("mark", "All marked", 100_000, "queue", "switch.marking.threshold")
    assert found.races[0] == Race(2, found.races[0].queue, "marking")


def test_what_does_not_fit_is_refused_with_the_way_out() -> None:
    with pytest.raises(InvalidInput, match="leaves no shared memory") as refused:
        memory(star(buffer="900 kB"))
    assert refused.value.problems[0].path == "switch.headroom"


def test_a_terminal_shows_parts_levels_and_what_comes_first(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "star.json"
    file.write_text(json.dumps(star(marking={"kind": "step", "threshold": "100 kB"})))
    assert main(["memory", str(file)]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^Headroom +21 x 44340 +931140 ", text, re.MULTILINE)
    assert "2 ports filling one queue evenly pause when it holds 340984 B: marking comes first." in text
    assert main(["memory", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memories"][0]["lines"][0]["bytes"] == 931_140
