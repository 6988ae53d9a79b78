"""Every question that claims an answer has one: its command runs, its link leads to values that the API takes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from footroom import questions
from footroom.cli import main
from footroom.scenario import presets
from footroom_api.app import create_app
from footroom_api.settings import Settings

ANSWERED = [question for question in questions.QUESTIONS if question.answerable]
by_id = pytest.mark.parametrize("question", ANSWERED, ids=lambda question: str(question.id))

Values = dict[str, Any]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(database=str(tmp_path_factory.mktemp("api") / "x.db"), warm=False, frontend=Path("/nowhere"))
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
        yield client


def document(leaves: Values) -> Any:
    """The document of the leaves: a level whose keys are numbers is a list."""
    if list(leaves) == [""]:
        return leaves[""]
    parts: dict[str, Values] = {}
    for path, value in leaves.items():
        first, _, rest = path.partition(".")
        parts.setdefault(first, {})[rest] = value
    inside = {key: document(part) for key, part in parts.items()}
    return list(inside.values()) if all(key.isdigit() for key in inside) else inside


def buffer(api: TestClient, values: Values) -> None:
    own = {"preset", "need", "engines"}
    scenario = {path: value for path, value in values.items() if path not in own and not path.startswith("a.")}
    other = {path[2:]: value for path, value in values.items() if path.startswith("a.")}
    preset = presets.load(values["preset"])
    for leaves in filter(None, ([scenario, other] if scenario else [dict(preset.scenario)])):
        asked = document(leaves) if scenario else leaves
        answered = api.post("estimates", json={"scenario": asked, "over": {"switch.buffer": "250kB,2.5MB"}})
        assert answered.status_code == 200
        if tuple(preset.engines) == ("packet",):  # the page offers the packet run at once
            assert all("packet" in refusal["engines"] for refusal in answered.json()["unsupported"])
            continue
        assert answered.json()["points"]
        if "need" in values:
            sized = api.post("size", json={"scenario": asked, "require": values["need"].split(",")})
            assert sized.json()["feasible"]


def headroom(api: TestClient, values: Values) -> None:
    """The link's question as it stands; the pool's with the link's chip, ports and cable, as the page asks it."""
    state = document(values)
    pool, page = state.pop("pool", None), state.pop("page", {})
    link = api.post("headroom", json=state).json()
    assert link["schemes"].keys() >= {page.get("scheme", "vendor")}
    if page.get("section") == "pool":
        ports = {} if "pools" in (pool or {}) else {"ports": f"16x{state['speed']}"}
        question = {"asic": state["asic"], "cable": state["cable"], "scheme": "vendor", **ports, **(pool or {})}
        answered = api.post("pool", json=question)
        found = answered.json()
        # What does not fit is refused with the whole answer.
        assert answered.status_code == 200 or found["answer"]["would_fit"]


def controls(api: TestClient, values: Values) -> None:
    scenario = presets.load(values["preset"]).to_dict()["scenario"]
    answered = api.post(
        "controls", json={"scenario": scenario, "require": values["need"].split(","), "engines": ["theory"]}
    )
    assert answered.json()["headline"].startswith("Yes.")


def voq(api: TestClient, values: Values) -> None:
    assert api.post("voq", json=values).status_code == 200


def ecn(api: TestClient, values: Values) -> None:
    assert api.post("ecn", json=values).status_code == 200


def sharing(api: TestClient, values: Values) -> None:
    assert api.post("emulate", json=document(values)).status_code == 200


#: How the values of each view reach the API.
VIEWS: dict[str, Callable[[TestClient, Values], None]] = {
    "buffer": buffer,
    "controls": controls,
    "headroom": headroom,
    "voq": voq,
    "ecn": ecn,
    "sharing": sharing,
}
#: What no value can meet is an answer too.
DONE, OUT_OF_REACH = 0, 3


def test_there_are_nineteen_and_each_is_told_apart() -> None:
    assert sorted(question.number for question in questions.QUESTIONS) == list(range(1, 20))
    assert len({question.id for question in questions.QUESTIONS}) == 19
    assert len(ANSWERED) == 19
    assert all(question.source.startswith(("https://", "http://")) for question in questions.QUESTIONS)


@by_id
def test_the_command_works(question: questions.Question, capsys: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(question.command)
    assert program == "footroom"
    assert main(arguments) == (OUT_OF_REACH if question.id == "fits-the-chip" else DONE)
    assert capsys.readouterr().out


@by_id
def test_the_values_are_accepted(question: questions.Question, api: TestClient) -> None:
    VIEWS[question.view](api, question.values)


@by_id
def test_the_link_says_the_values(question: questions.Question) -> None:
    parts = urlsplit(question.link)
    assert parts.path == f"/{question.view}"
    written = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert written == {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in question.values.items()
    }


def test_a_question_without_an_answer_says_what_is_missing_and_leads_nowhere() -> None:
    for question in questions.QUESTIONS:
        assert question.answerable is (question.missing == "")
        assert bool(question.link) is question.answerable
        assert bool(question.command) or not question.answerable


def test_the_api_lists_them(api: TestClient) -> None:
    answered = api.get("questions")
    assert answered.json() == {"questions": questions.index()}
    assert api.get("questions", headers={"if-none-match": answered.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("name", ["13", "voq-limit"])
def test_one_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", name]) == 0
    out = capsys.readouterr().out
    assert "footroom voq --rate 100G" in out
    assert "https://people.ucsc.edu" in out


def test_the_list_leads_with_topics(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions"]) == 0
    out = capsys.readouterr().out
    assert "Lossless headroom\n" in out
    assert "footroom headroom --speed 400G --cable 300m" in out
    assert "not answered yet" not in out


def test_an_unknown_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "20"]) == 2
    assert "a number from 1 to 19" in capsys.readouterr().err
