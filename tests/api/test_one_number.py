"""The same question has one answer: Python, command line, API, and the points that the page draws."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom as fr
from footroom.cli import main
from footroom.presets import PRESETS, load
from footroom.studies import Requirement

#: Presets that the fluid answers at once, one of each kind of path and control.
ASKED = ("wan-bottleneck", "tor-10g", "cubic-wan", "pacing")
QUESTIONS = ("utilisation>=0.97", "drop_rate<=0.02")


@pytest.mark.parametrize("preset", ASKED)
@pytest.mark.parametrize("require", QUESTIONS)
def test_every_surface_gives_the_same_size(
        preset: str, require: str, client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert preset in {known.id for known in PRESETS}
    scenario: dict[str, Any] = load(preset).scenario
    found = fr.size(scenario, [require], engine="fluid")
    assert main(["size", preset, "--require", require, "--engine", "fluid", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    sent = client.post("size", json={"scenario": scenario, "require": [require], "engine": "fluid"}).json()
    assert found.interval is not None
    for answer in (printed, sent):
        assert answer["value"] == found.value
        assert answer["interval"] == list(found.interval)
        assert answer["binding"] == found.binding
    # What the page draws meets the requirement there, and misses it at the low end of the interval.
    missed, met = found.interval
    drawn = client.post("estimates", json={
        "scenario": scenario, "over": {"switch.buffer": sorted({missed, met})}, "engines": ["fluid"]}).json()["points"]
    wanted = Requirement.parse(require)
    at = {point["at"]["switch.buffer"]: point["result"] for point in drawn}

    def holds(buffer: float) -> bool:
        result = at[buffer]
        return wanted.metric not in result.get("outside_validity", {}) and wanted.met(result["metrics"][wanted.metric])

    assert holds(met)
    assert missed == met or not holds(missed)
