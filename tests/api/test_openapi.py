"""The description of the API is complete, and the API keeps to it whatever it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.api import specification

from footroom_api.app import create_app
from footroom_api.openapi import main
from footroom_api.settings import Settings

OPERATIONS = {
    "getCatalog",
    "listQuestions",
    "listAsics",
    "getAsic",
    "listPresets",
    "getPreset",
    "estimate",
    "costStudy",
    "createStudy",
    "listStudies",
    "getStudy",
    "deleteStudy",
    "labelStudy",
    "rerunStudy",
    "exportStudy",
    "importStudy",
    "watchStudy",
    "getResults",
    "cancelStudy",
    "findSize",
    "costSize",
    "getSize",
    "cancelSize",
    "listControls",
    "compareControls",
    "costControls",
    "getControls",
    "cancelControls",
    "scaleScenario",
    "computeVoq",
    "computeHeadroom",
    "describeHeadroom",
    "compareStudies",
    "divideMemory",
    "listAlternatives",
    "assessPool",
    "describePool",
    "emulate",
    "describeEmulate",
    "computeStability",
    "findCriticalValue",
    "mapStability",
    "listPublishedMargins",
    "computeEcn",
    "listEcnControls",
    "describeExport",
    "exportSonic",
    "exportNxos",
    "exportEos",
    "exportJunos",
    "importSonic",
    "listPapers",
    "getPaper",
    "listPaperCases",
    "runPaper",
    "getPaperRun",
    "cancelPaperRun",
    "getEngineErrors",
    "chooseEngine",
    "getHealth",
    "getLive",
}


@cache
def described() -> dict[str, Any]:
    return create_app(Settings(warm=False)).openapi()


def operations() -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation for path in described()["paths"].values() for operation in path.values()
    }


def test_every_operation_has_a_readable_name() -> None:
    assert operations().keys() == OPERATIONS


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_answer_has_a_shape(name: str) -> None:
    operation = operations()[name]
    assert operation["description"]
    for status, response in operation["responses"].items():
        if status in ("204", "304"):
            continue
        for media_type, content in response["content"].items():
            assert content["schema"], f"{status} {media_type}"
            if int(status) >= 400 and status != "503":
                assert media_type == "application/problem+json"
                assert content["schema"] == {"$ref": "#/components/schemas/ProblemDocument"}


@pytest.mark.parametrize("name", ["ControlsJobDocument", "PaperRunDocument", "SizeJobDocument", "StudyDocument"])
def test_a_failed_job_tells_a_problem(name: str) -> None:
    error = described()["components"]["schemas"][name]["properties"]["error"]
    assert error["anyOf"] == [{"$ref": "#/components/schemas/ProblemDocument"}, {"type": "null"}]


def test_no_two_schemas_have_one_title() -> None:
    titles = [schema["title"] for schema in described()["components"]["schemas"].values() if "title" in schema]
    assert len(titles) > 50
    assert sorted(titles) == sorted(set(titles))


def test_every_quantity_of_a_question_tells_its_bounds() -> None:
    schemas = described()["components"]["schemas"]
    quantities = {
        f"{name}.{field}": keys
        for name, schema in schemas.items()
        if name.endswith(("Question", "Request"))
        for field, keys in schema.get("properties", {}).items()
        if keys.get("unit") in {"bit/s", "B", "s", "m"}
    }
    assert {"HeadroomQuestion.speed", "HeadroomQuestion.cable", "VoqQuestion.delay"} <= quantities.keys()
    # Without them a form refuses a number only after the server did, which has no unit to write it with.
    for name, keys in quantities.items():
        assert keys.keys() & {"minimum", "exclusiveMinimum"}, name
        assert keys.keys() & {"maximum", "exclusiveMaximum"}, name


def test_settings_change_nothing_of_the_description(tmp_path: Path) -> None:
    changed = Settings(database=str(tmp_path / "x.db"), frontend=tmp_path, workers=3, allow_hosts=("testserver",))
    assert create_app(changed).openapi() == described()


def test_the_description_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert json.loads(capsys.readouterr().out) == described()


@pytest.fixture
def app(tmp_path: Path, work: Any) -> Iterator[FastAPI]:
    made = create_app(
        Settings(database=str(tmp_path / "x.db"), warm=False, frontend=tmp_path, allow_hosts=("testserver",)), work
    )
    # As it describes itself, which takes longer than the requests.
    made.openapi = described  # type: ignore[method-assign]
    with TestClient(made):
        yield made


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_the_api_keeps_to_its_description(app: FastAPI, name: str) -> None:
    specification.trial(app, name, 10)()
