"""Long flows with exactly the same round trip: the answer says what that does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.traffic.drawing import document

import footroom as fr
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

DUMBBELL = {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"}
FABRIC = {"kind": "leaf_spine", "leaves": 2, "spines": 2, "hosts_per_leaf": 4}


def _notes(traffic: list[dict[str, Any]], topology: dict[str, Any]) -> list[str]:
    plan = build_plan(Scenario.parse(document(traffic, topology)))
    return [note for note in plan.notes if "same round trip" in note]


def _long(flows: int, **more: Any) -> dict[str, Any]:
    return {"kind": "long_lived", "flows": flows, "start_jitter": 0, **more}


def test_equal_round_trips_are_counted_and_the_field_named() -> None:
    (note,) = _notes([_long(5), _long(2)], DUMBBELL)
    assert note.startswith("7 long flows on the link left to right have exactly the same round trip (10 ms)")
    assert "topology.rtt_spread" in note


@pytest.mark.parametrize(("jitter", "said"), [(None, True), ("119 us", True), ("121 us", False)])
def test_phases_are_named_where_several_controls_lose_packets(jitter: str | None, said: bool) -> None:
    """1500 B take 120 us at 100 Mb/s."""
    host = {} if jitter is None else {"host": {"jitter": jitter}}
    both = [_long(2, congestion={"kind": kind}, **host) for kind in ("newreno", "cubic")]
    (note,) = _notes(both, DUMBBELL)
    assert ("Set host.jitter to 120 µs" in note) is said
    (alone,) = _notes(both[:1], DUMBBELL)
    assert "host.jitter" not in alone


def _of(kind: str, **more: Any) -> dict[str, Any]:
    return _long(4, congestion={"kind": kind}, **more)


@pytest.mark.parametrize("kind", ["dcqcn", "timely", "swift", "hpcc", "bbr"])
def test_flows_that_cut_no_window_at_a_loss_are_not_said_to(kind: str) -> None:
    """Hosts of RDMA pace their flows, and BBR sets its window by its model of the path."""
    entry = _of(kind, host={"ecn": True}) if kind == "dcqcn" else _of(kind)
    assert _notes([entry], DUMBBELL) == []


def test_the_measured_example_is_of_a_control_that_runs() -> None:
    (note,) = _notes([_of("newreno")], DUMBBELL)
    assert "50 NewReno flows" in note
    (note,) = _notes([_of("cubic")], DUMBBELL)
    assert "cut their windows at the same time" in note
    assert "NewReno" not in note


def test_phases_are_named_beside_bbr_and_only_the_others_cut() -> None:
    (note,) = _notes([_of("cubic"), _of("bbr")], DUMBBELL)
    assert note.startswith("8 long flows")
    assert "many of the 4 that cut windows lose packets and cut" in note
    assert "host.jitter" in note


def test_marks_are_named_where_flows_see_them() -> None:
    raw = document([_of("dctcp", host={"ecn": True})], DUMBBELL)
    raw["switch"]["marking"] = {"kind": "step", "threshold": "30 kB"}
    (note,) = (note for note in build_plan(Scenario.parse(raw)).notes if "same round trip" in note)
    assert "lose packets or are marked and cut" in note


@pytest.mark.parametrize(
    ("traffic", "topology"),
    [
        ([_long(5)], DUMBBELL | {"rtt_spread": 0.2}),
        ([_long(1)], DUMBBELL),
        ([{"kind": "incast", "degree": 5, "size": "20 kB"}], DUMBBELL),
    ],
)
def test_without_them_nothing_is_said(traffic: list[dict[str, Any]], topology: dict[str, Any]) -> None:
    assert _notes(traffic, topology) == []


def test_flows_of_lossless_classes_lose_nothing_together() -> None:
    raw = document([_long(5, priority=0), _long(3, priority=1)], DUMBBELL)
    raw["switch"] = {
        "buffer": "4 MB",
        "queues": 3,
        "scheduling": {"kind": "drr"},
        "headroom": {"kind": "static_independent", "lossless": [0]},
    }
    (note,) = (note for note in build_plan(Scenario.parse(raw)).notes if "same round trip" in note)
    assert note.startswith("3 long flows")


def test_flows_that_share_no_link_are_not_in_step() -> None:
    apart = [_long(1, sources=["l0h0"], destinations=["l1h0"]), _long(1, sources=["l0h1"], destinations=["l1h1"])]
    names = build_plan(Scenario.parse(document([_long(2)], FABRIC))).names
    for entry, (a, b) in zip(apart, ((0, 4), (1, 5)), strict=True):
        entry["sources"], entry["destinations"] = [names[a]], [names[b]]
    assert _notes(apart, FABRIC) == []
    for entry in apart:
        entry["destinations"] = [names[5]]
    (note,) = _notes(apart, FABRIC)
    assert note.startswith("2 long flows")
    assert "rtt_spread" not in note.split("0.51 %.")[1]


def test_both_packet_engines_say_it() -> None:
    raw = document([_long(3)], DUMBBELL, duration="100 ms")
    for engine in ("packet", "reference"):
        assert any("same round trip" in note for note in fr.run(raw, engine=engine).notes)
