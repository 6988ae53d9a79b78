from __future__ import annotations

import json
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.engines.fluid.adapter import inputs_of as fluid_inputs
from footroom.scenario import Scenario, switch_at, switch_for
from footroom.scenario.axes import field_at, is_whole
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.kinds import set_field
from footroom.studies import Study


@pytest.fixture
def planes(raw: dict[str, Any]) -> dict[str, Any]:
    raw["topology"] = {"kind": "parallel_planes", "planes": 3}
    raw["switch"] = {"buffer": "400 packets", "sharing": {"kind": "dynamic_threshold", "alpha": 2}}
    return raw


def test_a_name_beats_a_role_and_both_beat_the_common_switch(planes: dict[str, Any]) -> None:
    planes["switches"] = {"b": {"buffer": "40 packets", "sharing": {"alpha": 1}}, "b-west": {"buffer": "50 packets"}}
    scenario = Scenario.parse(planes)
    assert switch_for(scenario, "a-west", "a") == scenario.switch
    east, west = switch_for(scenario, "b-east", "b"), switch_for(scenario, "b-west", "b")
    assert (east.buffer, west.buffer) == (60_000, 75_000)
    assert east.sharing == west.sharing
    assert east.sharing.model_dump()["alpha"] == 1.0
    assert switch_at(scenario, "b") == east
    assert switch_at(scenario, "b-west") == west


def test_another_kind_brings_its_own_parameters(planes: dict[str, Any]) -> None:
    planes["switches"] = {"a": {"sharing": {"kind": "complete"}}}
    assert switch_for(Scenario.parse(planes), "a-west", "a").sharing.model_dump() == {"kind": "complete"}


def test_overrides_stay_partial_and_canonical(planes: dict[str, Any]) -> None:
    planes["switches"] = {"a": {"buffer": "30 MB"}, "c": {}}
    scenario = Scenario.parse(planes)
    document = scenario.to_dict()
    assert document["switches"] == {"a": {"buffer": 3e7}}
    assert Scenario.parse(json.loads(json.dumps(document))) == scenario
    planes["switches"] = {"a": {"buffer": "20000 packets"}}
    assert Scenario.parse(planes).digest == scenario.digest
    # What an override leaves out still follows the common switch.
    other = Scenario.parse(set_field(document, "switch.sharing.alpha", 8))
    assert switch_for(other, "a-west", "a").sharing.model_dump()["alpha"] == 8


@pytest.mark.parametrize(
    ("switches", "path", "word"),
    [
        ({"q": {"buffer": 1e5}}, "switches.q", "a-west"),
        ({"": {"buffer": 1e5}}, "switches", "no such switch"),
        ({"b": {"bufer": 1e5}}, "switches.b.bufer", "unknown key"),
        ({"b": {"buffer": "1 Gb/s"}}, "switches.b.buffer", "unit of rate"),
        ({"b": {"buffer": None}}, "switches.b.buffer", "not a quantity"),
        ({"b": {"buffer": "0.5 packets"}}, "switches.b.buffer", "one full packet"),
        ({"b": {"buffer": float("inf")}}, "switches.b.buffer", "not finite"),
        ({"b": {"queues": 1}}, "switches.b.queues", "switch.queues"),
        ({"b": {"sharing": {"kind": "magic"}}}, "switches.b.sharing.kind", "must be one of"),
        ({"b": {"sharing": {"per_queue": 5}}}, "switches.b.sharing.per_queue", "unknown key"),
        ({"b": {"sharing": {"alpha": -1}}}, "switches.b.sharing.alpha", "above 0"),
        ({"b": 5}, "switches.b", "object"),
        ([], "switches", "object"),
    ],
)
def test_what_is_wrong_is_named_by_path(planes: dict[str, Any], switches: Any, path: str, word: str) -> None:
    planes["switches"] = switches
    with pytest.raises(InvalidInput) as caught:
        Scenario.parse(planes)
    assert [problem.path for problem in caught.value.problems] == [path]
    assert word in caught.value.problems[0].message


def test_every_fault_is_reported_and_the_common_switchs_only_once(planes: dict[str, Any]) -> None:
    planes["switches"] = {"a": {"buffer": "x"}, "b": {"colour": 1}}
    with pytest.raises(InvalidInput) as caught:
        Scenario.parse(planes)
    assert {problem.path for problem in caught.value.problems} == {"switches.a.buffer", "switches.b.colour"}
    planes["switch"]["buffer"] = "x"
    with pytest.raises(InvalidInput) as caught:
        Scenario.parse(planes)
    assert [problem.path for problem in caught.value.problems] == ["switch.buffer"]


def test_an_override_that_is_not_there_can_be_swept(planes: dict[str, Any]) -> None:
    study = Study.of(planes, {"switches.b.buffer": "10 packets:1000 packets:log3"})
    assert [point.at["switches.b.buffer"] for point in study.points] == [15_000, 150_000, 1_500_000]
    assert [switch_at(point.scenario, "b").buffer for point in study.points] == [15_000, 150_000, 1_500_000]
    assert is_whole(field_at(study.base, "switches.c.buffer"))
    assert Study.from_request(study.request).id == study.id
    with pytest.raises(InvalidInput, match="no such switch"):
        Study.of(planes, {"switches.z.buffer": ["1 MB", "2 MB"]})
    changed = set_field(planes, "switches.b.sharing.kind", "complete")
    assert switch_at(Scenario.parse(changed), "b").sharing.kind == "complete"


def test_the_engines_of_one_bottleneck_ask_its_own_switch(raw: dict[str, Any]) -> None:
    raw["switches"] = {
        "left": {"buffer": "500 kB", "marking": {"kind": "step", "threshold": "30 kB"}},
        "right": {"buffer": "1 MB"},
    }
    scenario = Scenario.parse(raw)
    assert bottleneck_of(scenario, "theory").buffer == 500_000
    assert bottleneck_of(scenario, "theory").switch == switch_for(scenario, "left")
    alone = Scenario.parse({**raw, "switch": {**raw["switch"], **raw["switches"]["left"]}, "switches": {}})
    assert fluid_inputs(scenario) == fluid_inputs(alone)


def test_what_the_topology_sets_can_be_set_anew(planes: dict[str, Any]) -> None:
    assert switch_for(Scenario.parse(planes), "west", "edge").buffer == 1e12
    planes["switches"] = {"edge": {"buffer": "9 MB"}, "east": {"buffer": "8 MB"}}
    scenario = Scenario.parse(planes)
    assert [switch_for(scenario, name, "edge").buffer for name in ("west", "east")] == [9e6, 8e6]
    assert switch_for(scenario, "west", "edge").sharing.kind == "complete"
