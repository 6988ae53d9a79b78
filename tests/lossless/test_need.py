"""What can arrive after Xoff, by hand and at the worst moment of a run."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named


def crossing(size: int, release: str = "start", **switch: Any) -> dict[str, Any]:
    """a sends to b over a link that carries next to nothing; packets of c to a begin 10 ns before those of a arrive."""
    host = {"initial_window": 1000, "jitter": 0, "ack_every": 64, "ack_delay": 1}
    return {
        "topology": {
            "kind": "graph",
            "hosts": ["a", "b", "c"],
            "switches": ["s"],
            "links": [
                {"ends": ["a", "s"], "rate": "10 Gb/s", "delay": "5 us"},
                {"ends": ["c", "s"], "rate": "10 Gb/s", "delay": "4.99 us"},
                {"ends": ["s", "b"], "rate": "1 Mb/s", "delay": "1 ms"},
            ],
        },
        "switch": {
            "buffer": 30_000 + 3 * size,
            "release": release,
            "headroom": {"kind": "static_independent", "alpha": 1, "allowance": 0, "response": "2 us", "size": size},
            **switch,
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "sources": [source],
                "destinations": [target],
                "host": host,
            }
            for source, target in ("ab", "ca")
        ],
        "run": {"duration": "50 us", "warmup": 0, "mtu": "1500 B"},
    }


def warnings(raw: dict[str, Any]) -> list[str]:
    return [note for note in build_plan(Scenario.parse(raw)).notes if note.startswith("Headroom may not suffice")]


def test_the_sum_by_hand() -> None:
    """1.2672 µs for a packet and the frame, 10 µs of cable and 2 µs response are 11.06 packets of 1.2 µs.

    So 12 begin before a stops, and one crossed the threshold: 19.5 kB. The 0.0672 µs that 11 packets leave
    of the window are 84 B, and a acknowledges packets of c in the same class, with 64 B each.
    """
    (told,) = warnings(crossing(17_000))
    assert "15 packets of 64 to 1500 B, 19584 B of memory, can arrive after Xoff" in told
    assert "1.2672 µs for a packet of 1500 B and the pause frame, 10 µs for the cable both ways, 2 µs for" in told
    assert "17000 B are let in (17000 B of headroom and 0 B of allowance)" in told
    assert "Set switch.headroom.size to 19584 B or more" in told
    assert warnings(crossing(19_584)) == []


def test_cells_and_the_few_short_packets_that_there_are() -> None:
    """In cells of 254 B a packet of 1500 B takes 1524 B: 13 packets take 19 812 B.

    Ten answers of 1600 B end with a packet of 204 B, in 254 B of memory, ten in 1.632 µs: 9 full packets follow in the
    11.63 µs that are left and one begins in time. Both ends may be full: 2540 + 9 · 1524 + 2 · 1524 B.
    """
    raw = crossing(17_000, cell_size=254, queues=2, scheduling={"kind": "drr"})
    (told,) = warnings(raw)
    assert "13 packets of 1500 B, 19812 B of memory" in told
    raw["traffic"].append(
        {"kind": "incast", "degree": 10, "size": 1600, "sources": ["a"], "destinations": ["b"], "host": {"jitter": 0}}
    )
    (told,) = warnings(raw)
    assert f"21 packets of 204 to 1500 B, {2540 + 11 * 1524} B of memory" in told


@pytest.mark.parametrize("release", ["start", "end"])
@pytest.mark.parametrize("engine", ["packet", "reference"])
def test_the_worst_moment_uses_all_but_a_frame_of_it(engine: str, release: str) -> None:
    """The frame waits 1.19 µs: 12 packets follow the one that crossed the threshold, which is shared memory."""
    found = engine_named(engine).evaluate(Scenario.parse(crossing(19_500, release)), 1)
    assert found.metrics["lossless_drops"] == 0
    assert found.metrics["headroom_max"] == 18_000
    lost = engine_named(engine).evaluate(Scenario.parse(crossing(17_999, release)), 1)
    assert lost.metrics["lossless_drops"] == 1


def test_what_must_not_be_marked_is_named() -> None:
    raw = crossing(19_500, marking={"kind": "step", "threshold": "3 kB"})
    assert any(
        "instead of marking them: acknowledgements do not" in note for note in build_plan(Scenario.parse(raw)).notes
    )
    raw["switch"] |= {"queues": 2, "scheduling": {"kind": "drr"}}
    assert not any("instead of marking" in note for note in build_plan(Scenario.parse(raw)).notes)


def test_a_shared_pool_says_how_many_groups_it_holds() -> None:
    raw = crossing(19_500)
    raw["switch"]["headroom"]["pool"] = 40_000
    (told,) = [note for note in build_plan(Scenario.parse(raw)).notes if note.startswith("The headroom pool")]
    assert "40000 B, holds what can arrive for 2 of its 3 priority groups at once" in told


def test_packets_that_differ_fill_the_window_that_full_ones_leave() -> None:
    """Of the 13.2672 µs, 16 584 B, eleven full packets leave 84 B: as much as the end of an answer of 1480 B takes."""
    raw = crossing(17_000, queues=2, scheduling={"kind": "drr"})
    (told,) = warnings(raw)
    assert "13 packets of 1500 B, 19500 B of memory" in told
    raw["traffic"].append(
        {"kind": "incast", "degree": 2, "size": 1480, "sources": ["a"], "destinations": ["b"], "host": {"jitter": 0}}
    )
    (told,) = warnings(raw)
    assert "14 packets of 84 to 1500 B, 19584 B of memory" in told
