from __future__ import annotations

import json
from importlib import resources

import pytest

from footroom.base.errors import InvalidInput
from footroom.engines.theory.adapter import estimate_many
from footroom.scenario import presets
from footroom.studies import Study, cost_of


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda p: p.id)
def test_a_preset_is_a_study_that_can_be_run(preset: presets.Preset) -> None:
    study = Study.of(preset.scenario, preset.over, preset.engines)
    assert len(study.points) >= 3
    assert Study.of(study.request["scenario"], study.request["over"], preset.engines).id == study.id
    # The scenario alone, without its axes, is one a person starts from.
    assert Study.of(preset.scenario).points[0].scenario.name


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda p: p.id)
def test_a_preset_asks_a_question_and_says_where_it_comes_from(preset: presets.Preset) -> None:
    assert preset.question.endswith("?")
    assert len(preset.about) > 100
    assert preset.source
    json.dumps(preset.to_dict(), allow_nan=False)


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda p: p.id)
def test_a_point_takes_seconds_unless_it_is_called_heavy(preset: presets.Preset) -> None:
    study = Study.of(preset.scenario, preset.over, ["packet"])
    per_point = cost_of(study, workers=1).seconds / len(study.points)
    assert (per_point > 20) == preset.heavy


@pytest.mark.parametrize("preset", [p for p in presets.PRESETS if "theory" in p.engines], ids=lambda p: p.id)
def test_theory_answers_where_a_preset_asks_it(preset: presets.Preset) -> None:
    study = Study.of(preset.scenario, preset.over, ["theory"])
    assert len(estimate_many([point.scenario for point in study.points])) == len(study.points)


def test_every_file_is_offered() -> None:
    data = resources.files("footroom.scenario.presets").joinpath("data")
    files = {file.name.removesuffix(".json") for file in data.iterdir()}
    assert files == {preset.id for preset in presets.PRESETS} == {entry["id"] for entry in presets.index()}
    assert presets.load("wan-bottleneck").id == "wan-bottleneck"
    with pytest.raises(InvalidInput, match="wan-bottleneck"):
        presets.load("nothing")


def test_a_copy_is_free_to_change() -> None:
    presets.load("tor-10g").to_dict()["scenario"]["switch"]["buffer"] = 1
    assert presets.load("tor-10g").scenario["switch"]["buffer"] != 1


def test_the_planes_keep_their_scaling() -> None:
    """Deep buffers divide by S = 25 and shallow ones by its root; window per flow and buffer terms stay."""
    small, full = presets.load("facebook-ebb"), presets.load("facebook-ebb-full")
    a, b, c = (point.at["switch.buffer"] for point in Study.of(small.scenario, small.over).points)
    deep, shallow, shallower = (point.at["switch.buffer"] for point in Study.of(full.scenario, full.over).points)
    assert (deep / a, shallow / b, shallower / c) == (25, 5, 5)
    small_flows, full_flows = small.scenario["traffic"][0]["flows"], full.scenario["traffic"][0]["flows"]
    assert full_flows / small_flows == 25
