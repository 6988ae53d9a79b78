from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.scenario import Scenario, lookup, presets, replace
from footroom.scenario.scaling import ScalingReport, scale
from footroom.studies import Study

RAW: dict[str, Any] = {
    "name": "backbone",
    "switch": {"buffer": "2000 packets"},
    "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "1 Gb/s", "rtt": "40 ms", "rtt_spread": 0.1},
    "traffic": [{"kind": "long_lived", "flows": 1000}, {"kind": "poisson", "load": 0.1, "sizes": "1 MB"}],
    "run": {"duration": "20 s", "warmup": "5 s"},
}


def values(report: ScalingReport, *, kept: bool) -> dict[str, float]:
    return {f"{q.name} {q.path}".strip(): q.ratio for q in (report.kept if kept else report.changed)}


def test_a_shallow_buffer_divides_by_the_root_and_keeps_the_rule_of_many_flows() -> None:
    document, report = scale(RAW, 25)
    assert document["topology"]["bottleneck"] == 4e8
    assert document["topology"]["access"] == 4e7
    assert document["switch"]["buffer"] == 600_000
    assert document["traffic"][0]["flows"] == 40
    unchanged = ("topology.rtt", "topology.rtt_spread", "traffic.1", "traffic.0.host", "run")
    original = Scenario.parse(RAW).to_dict()
    assert all(lookup(document, path) == lookup(original, path) for path in unchanged)
    kept = values(report, kept=True)
    assert {
        "base RTT",
        "window per flow, W = BDP/n",
        "access over capacity",
        "load of short flows",
        "B·√n/BDP switch",
    } == set(kept)
    assert all(ratio == pytest.approx(1.0, rel=1e-9) for ratio in kept.values())
    changed = values(report, kept=False)
    assert changed["B/BDP switch"] == pytest.approx(5)
    assert changed["flows per bottleneck, n"] == pytest.approx(1 / 25)
    assert changed["spread of the sum of n windows, 1/√(27·n)"] == pytest.approx(5)
    assert changed["buffer switch"] == pytest.approx(1 / 5)
    assert changed["initial window over buffer switch"] == pytest.approx(5)


def test_a_deep_buffer_divides_by_s_and_keeps_its_share_of_the_product() -> None:
    _, report = scale(replace(RAW, "switch.buffer", "20 MB"), 25)
    kept = values(report, kept=True)
    assert kept["B/BDP switch"] == pytest.approx(1)
    assert kept["drain time B/C switch"] == pytest.approx(1)
    assert "B·√n/BDP switch" in values(report, kept=False)
    assert not any("counts as deep" in note for note in report.notes)
    # At a tenth of the product the rule for many flows is not kept, and with 40 flows it binds.
    _, report = scale(replace(RAW, "switch.buffer", "5 MB"), 25)
    assert any("counts as deep" in note for note in report.notes)


def test_published_planes_come_out_as_their_laptop_version() -> None:
    """The two presets of the backbone planes were written independently, by hand."""
    small, full = presets.load("facebook-ebb"), presets.load("facebook-ebb-full")
    laptop = Study.of(small.scenario, small.over).points
    scaled = Study.of(full.scenario, full.over, scale=25).points
    assert len(laptop) == len(scaled) == 3
    for ours, theirs in zip(scaled, laptop, strict=True):
        for path in ("topology", "switch", "traffic.0.flows", "traffic.0.host", "traffic.1.sizes"):
            assert lookup(ours.scenario.to_dict(), path) == lookup(theirs.scenario.to_dict(), path), path


def test_what_belongs_to_the_buffer_goes_with_it() -> None:
    raw = copy.deepcopy(RAW)
    raw["switch"] = {
        "buffer": "2000 packets",
        "reserved": "3000 B",
        "marking": {"kind": "step", "threshold": "1.2 MB"},
        "sharing": {"kind": "static", "per_queue": "2 MB"},
    }
    document, report = scale(raw, 25)
    switch = document["switch"]
    assert (switch["buffer"], switch["reserved"]) == (600_000, 600)
    assert (switch["marking"]["threshold"], switch["sharing"]["per_queue"]) == (240_000, 400_000)
    paths = {change.path: change.divisor for change in report.changes}
    assert paths["switch.marking.threshold"] == paths["switch.buffer"] == 5


def test_every_plane_goes_by_its_own_buffer_and_the_edge_stays() -> None:
    raw = copy.deepcopy(RAW)
    raw["topology"] = {
        "kind": "parallel_planes",
        "planes": 3,
        "bottleneck": "100 Gb/s",
        "access": "10 Gb/s",
        "rtt": "30 ms",
        "feeds": 2,
        "feed": "80 Gb/s",
    }
    raw["switch"]["buffer"] = "200 packets"
    raw["switches"] = {
        "a": {"buffer": "500000 packets"},
        "b": {"buffer": "2000 packets"},
        "c-west": {"sharing": {"kind": "dynamic_threshold", "alpha": 2}},
    }
    raw["traffic"][0]["flows"] = 6000
    document, report = scale(raw, 25)
    assert document["switch"] == Scenario.parse(raw).to_dict()["switch"] | {"buffer": 60_000}
    assert document["switches"] == {
        "a": {"buffer": 30_000_000},
        "b": {"buffer": 600_000},
        "c-west": {"sharing": {"kind": "dynamic_threshold", "alpha": 2}},
    }
    assert document["topology"]["feed"] == 3.2e9
    assert document["traffic"][0]["flows"] == 240
    kept = values(report, kept=True)
    assert kept["window per flow, W = BDP/n"] == pytest.approx(1)
    assert {"B/BDP switches.a", "B·√n/BDP switches.b", "B·√n/BDP switch"} < set(kept)
    window = next(q for q in report.kept if q.name.startswith("window"))
    assert window.before == pytest.approx(125)  # 250000 packets over 2000 flows of one plane


def test_a_limit_of_virtual_output_queues_is_the_buffer_that_counts() -> None:
    raw = replace(RAW, "switch", {"buffer": "3 GB", "architecture": {"kind": "voq", "cards": 4, "limit_packets": 2000}})
    document, _ = scale(raw, 25)
    assert document["switch"]["architecture"] == {"kind": "voq", "cards": 4, "limit_packets": 400, "limit_bytes": None}
    assert document["switch"]["buffer"] == 3e9 / 5


def test_counts_are_rounded_and_said_so() -> None:
    document, report = scale(RAW, 30)
    assert document["traffic"][0]["flows"] == 33
    assert any("33.33 rounded to 33" in note for note in report.notes)
    # Three flows instead of 2.5 have windows a sixth smaller: that is no longer kept.
    _, report = scale(replace(RAW, "traffic.0.flows", 10), 4)
    assert values(report, kept=False)["window per flow, W = BDP/n"] == pytest.approx(2.5 / 3)


def test_a_factor_of_one_changes_nothing() -> None:
    document, report = scale(RAW, 1)
    assert document == Scenario.parse(RAW).to_dict()
    assert not any((report.changes, report.changed, report.notes))


@pytest.mark.parametrize(
    ("change", "factor", "word"),
    [
        ({}, 0.5, "from 1 to"),
        ({}, math.nan, "from 1 to"),
        ({}, math.inf, "from 1 to"),
        ({}, "25", "from 1 to"),
        ({}, True, "from 1 to"),
        ({}, 1001, "at most 1000"),
        ({"traffic.0.flows": 8}, 9, r"traffic\.0\.flows is 8"),
        ({"switch.buffer": "3 packets"}, 25, "one full packet"),
    ],
)
def test_what_cannot_be_scaled_so_far_is_refused(change: dict[str, Any], factor: Any, word: str) -> None:
    raw = RAW
    for path, value in change.items():
        raw = replace(raw, path, value)
    with pytest.raises(InvalidInput, match=word) as caught:
        scale(raw, factor)
    assert caught.value.problems[0].path == "scale"


def test_clients_of_a_closed_loop_are_thinned_out_like_flows() -> None:
    raw = {**RAW, "traffic": [*RAW["traffic"], {"kind": "rpc", "pairs": 100, "size": "10 MB", "pause": "100 ms"}]}
    document, _ = scale(raw, 25)
    assert document["traffic"][2]["pairs"] == 4
    assert document["traffic"][2]["size"] == Scenario.parse(raw).to_dict()["traffic"][2]["size"]
    with pytest.raises(InvalidInput, match="at most 100"):
        scale(raw, 101)


def test_bursts_that_have_no_smaller_equal_are_refused() -> None:
    raw = {**RAW, "traffic": [*RAW["traffic"], {"kind": "incast", "degree": 40, "size": "64 kB"}]}
    with pytest.raises(Unsupported, match="incast") as caught:
        scale(raw, 5)
    assert caught.value.path == "traffic.2.kind"


@pytest.mark.parametrize(
    ("topology", "hosts"),
    [({"kind": "star", "hosts": 9}, None), ({"kind": "leaf_spine"}, None), (RAW["topology"], ("s0",))],
)
def test_what_has_no_smaller_equal_is_refused_with_the_reason(topology: dict[str, Any], hosts: Any) -> None:
    raw = {**RAW, "topology": topology, "traffic": [{"kind": "long_lived", "flows": 50, "sources": hosts}]}
    with pytest.raises(Unsupported) as caught:
        scale(raw, 5)
    assert caught.value.path == ("topology.kind" if hosts is None else "traffic.0.sources")


def test_results_carry_the_report_and_axes_keep_the_full_size() -> None:
    sweep = fr.sweep(RAW, {"switch.buffer": ["200 packets", "2000 packets"]}, ["theory"], scale=25)
    points = sweep.to_dict()["points"]
    assert [point["at"]["switch.buffer"] for point in points] == [300_000, 3_000_000]
    assert [point["result"]["scenario"]["switch"]["buffer"] for point in points] == [60_000, 600_000]
    assert all(point["result"]["scaling"]["factor"] == 25 for point in points)
    assert all(any("S = 25" in note for note in point["result"]["notes"]) for point in points)
    assert sweep.to_csv().splitlines()[0].startswith("switch.buffer,scale,engine")
    json.dumps(points, allow_nan=False)
    plain = fr.run(RAW, "theory").to_dict()
    assert "scaling" not in plain
    assert fr.run(scale(RAW, 25)[0], "theory").metrics == fr.run(RAW, "theory", scale=25).metrics
    study = Study.of(RAW, {"switch.buffer": ["200 packets", "2000 packets"]}, ["theory"], scale=25)
    assert Study.from_request(study.request).id == study.id
    assert Study.of(RAW, {"switch.buffer": ["200 packets", "2000 packets"]}, ["theory"]).id != study.id
