"""Promises that every kind of traffic keeps, and who refuses which."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.scenario import Scenario
from footroom.scenario.kinds import set_field
from footroom.studies.cost import work_of

KINDS: dict[str, dict[str, Any]] = {
    "long_lived": {"flows": 3, "start_jitter": "10 ms"},
    "poisson": {"load": 0.3, "sizes": "100 kB"},
    "incast": {"degree": 4, "size": "20 kB", "load": 0.1},
    "query": {"workers": 3, "total": "60 kB", "pause": "10 ms"},
    "staircase": {"flows": 3, "interval": "100 ms"},
    "rpc": {"pairs": 3, "size": "50 kB", "pause": "10 ms"},
    "arrivals": {"flows": [{"time": 0.1 * k, "size": "20 kB"} for k in range(5)]},
}
ENTRIES = [{"kind": kind, **rest} for kind, rest in KINDS.items()]


def named(entry: dict[str, Any]) -> str:
    return str(entry["kind"])


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_flows_of_an_entry_do_not_depend_on_the_others(entry: dict[str, Any]) -> None:
    alone = drawn(document([entry, ENTRIES[1]]))
    beside = drawn(document([entry, ENTRIES[1], ENTRIES[2]]))
    for name in ("start", "size", "gap", "handshake", "window"):
        mine, theirs = getattr(alone, name)[alone.stack == 0], getattr(beside, name)[beside.stack == 0]
        assert np.array_equal(mine, theirs), name


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_an_estimate_of_the_work_bounds_the_flows(entry: dict[str, Any]) -> None:
    scenario = Scenario.parse(document([entry]))
    flows = len(drawn(document([entry])).start)
    # The estimate knows the round trip, the drawing here has none: only an open loop is to be met closely.
    expected = work_of(scenario).flows
    assert 0 < expected <= max(1.2 * flows + 50, 10)


@pytest.mark.parametrize("kind", ["incast", "query", "rpc", "staircase", "arrivals"])
@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_closed_forms_and_fluids_refuse_what_only_packets_know(kind: str, engine: str) -> None:
    raw = document([ENTRIES[0], {"kind": kind, **KINDS[kind]}])
    with pytest.raises(Unsupported) as refusal:
        fr.run(raw, engine=engine)
    assert refusal.value.path == "traffic.1.kind"
    assert refusal.value.engines == ("packet", "reference")


def test_stability_is_asked_of_what_the_fluid_knows() -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.stability(document([ENTRIES[0], ENTRIES[2]]))
    assert refusal.value.path == "traffic.1.kind"


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_where_windows_start_does_not_change_a_steady_state(engine: str) -> None:
    def answer(**more: Any) -> dict[str, float]:
        raw = document([{**ENTRIES[0], "flows": 20, **more}], duration="5 s", warmup="1 s")
        return fr.run(raw, engine=engine).metrics

    assert answer(window=50) == answer()


def test_a_warm_window_is_drawn_between_half_and_whole() -> None:
    window = drawn(document([{**ENTRIES[0], "flows": 1000, "window": 80}])).window
    assert window.min() >= 40.0
    assert window.max() <= 80.0
    assert window.mean() == pytest.approx(60.0, abs=4 * 40 / np.sqrt(12 * 1000))


def test_a_size_changes_its_kind_like_any_part() -> None:
    raw = Scenario.parse(document([ENTRIES[2]])).to_dict()
    changed = Scenario.parse(set_field(raw, "traffic.0.size", {"kind": "empirical", "name": "websearch_dctcp"}))
    again = set_field(changed.to_dict(), "traffic.0.size.kind", "bounded_pareto")
    assert Scenario.parse(again).to_dict()["traffic"][0]["size"]["minimum"] == 1e6


@pytest.mark.parametrize("kind", ["long_lived", "poisson", "staircase", "rpc"])
def test_the_only_receiver_named_does_not_send_to_itself(kind: str) -> None:
    star = {"kind": "star", "hosts": 5}
    flows = drawn(document([{"kind": kind, **KINDS[kind], "destinations": ["h2"]}], star))
    assert set(flows.destination.tolist()) == {2}
    assert 2 not in flows.source
