"""Settings of lossless classes that cannot be: every surface names the field and what would be right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.lossless.small import star

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.cli.main import main
from footroom.engines.plan import build_plan
from footroom.engines.plan.memory import least_buffer, memory
from footroom.scenario import Scenario
from footroom_api.app import create_app
from footroom_api.settings import Settings

#: Settings of headroom, with the path that is at fault and words of the way out.
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"lossless": [9]}, "switch.headroom.lossless.0", "at most 7"),
    ({"lossless": [-1]}, "switch.headroom.lossless.0", "at least 0"),
    ({"lossless": [8]}, "switch.headroom.lossless.0", "at most 7"),
    ({"lossless": [True]}, "switch.headroom.lossless.0", "from 0 to 7, not true or false"),
    ({"lossless": [3, 3]}, "switch.headroom.lossless", "named once"),
    ({"lossless": []}, "switch.headroom.lossless", "needs 1 entries or more"),
    ({"xon": "10 MB"}, "switch.headroom.xon", "180521 B of 3068860 B shared memory"),
    ({"xon_offset": "10 MB"}, "switch.headroom.xon_offset", "3068860 B of shared memory: give 3068860 B or less"),
    ({"kind": "dynamic_shared", "xon_offset": "10 MB"}, "switch.headroom.xon_offset", "B or less"),
    ({"kind": "dynamic_shared", "port_xon_offset": "10 MB"}, "switch.headroom.port_xon_offset", "B or less"),
    ({"size": "1 MB"}, "switch.headroom", "Raise switch.buffer, name fewer lossless classes"),
    ({"reserved": "1 MB"}, "switch.headroom", "21000000 B reserved, of 4000000 B"),
    ({"reserved": "2 MB"}, "switch.headroom", "or reserve less"),
    ({"pool": "2 MB"}, "switch.headroom.pool", "931140 B: give less"),
    ({"pool": "10 kB"}, "switch.headroom.pool", "give 44340 B or more"),
    ({"pool": "100 kB", "oversubscription": 2}, "switch.headroom.oversubscription", "not both"),
    ({"lossless_share": 0.0001}, "switch.headroom.lossless_share", "must hold a full packet of 1500 B"),
    ({"quanta": 1}, "switch.headroom.quanta", "set pause to on_off"),
    ({"size": "10 kb"}, "switch.headroom.size", "a size in bits"),
    ({"xoff": "1 MB"}, "switch.headroom.xoff", "give alpha"),
    ({"refresh": 0.9999999}, "switch.headroom.refresh", "move refresh towards 0.5"),
    ({"alpha": 0}, "switch.headroom.alpha", "above 0"),
    ({"alpha": -1}, "switch.headroom.alpha", "above 0"),
    ({"quanta": 0}, "switch.headroom.quanta", "at least 1"),
    ({"scheme": "broadcom"}, "switch.headroom.scheme", "'sih', 'dsh', 'ieee', 'sonic' or 'vendor'"),
    ({"size": "sih", "scheme": "ieee"}, "switch.headroom.size", "scheme says ieee"),
    ({"size": "10 MB"}, "switch.headroom", "210000000 B of headroom and 0 B reserved, of 4000000 B"),
    (
        {"sizes": [{"rate": "100G", "delay": "1 us", "size": size} for size in (1, 2)]},
        "switch.headroom.sizes",
        "one size",
    ),
    ({"kind": "none", "lossless": [3]}, "switch.headroom.lossless", "set it to static_independent or dynamic_shared"),
    ({"kind": "dynamic_shared", "pool": "100 kB"}, "switch.headroom.pool", "unknown key"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("api")
    settings = Settings(database=str(folder / "x.db"), warm=False, frontend=folder / "dist")
    with TestClient(create_app(settings), base_url="http://localhost/api/v1") as found:
        yield found


def with_headroom(**headroom: Any) -> dict[str, Any]:
    return star(headroom={"kind": "static_independent", **headroom})


@pytest.mark.parametrize(("headroom", "path", "words"), BAD, ids=lambda value: json.dumps(value)[:40])
def test_python_names_the_field_and_the_way_out(headroom: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory(with_headroom(**headroom))
    found = next(problem for problem in refused.value.problems if problem.path == path)
    assert words in found.message


@pytest.mark.parametrize(("headroom", "path", "words"), BAD, ids=lambda value: json.dumps(value)[:40])
def test_a_terminal_says_the_same_and_ends_with_2(
    headroom: dict[str, Any], path: str, words: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(with_headroom(**headroom)))
    for verb in (["memory", str(file)], ["run", str(file), "--engine", "reference"]):
        assert main(verb) == 2
        said = capsys.readouterr()
        assert f"{path}: given" in said.err
        assert words in said.err
        assert said.out == ""


@pytest.mark.parametrize(("headroom", "path", "words"), BAD, ids=lambda value: json.dumps(value)[:40])
def test_the_api_refuses_with_the_same_path_and_words(
    headroom: dict[str, Any], path: str, words: str, client: TestClient
) -> None:
    scenario = with_headroom(**headroom)
    for operation, body in (
        ("memory", {"scenario": scenario}),
        ("studies", {"scenario": scenario, "over": {"run.seed": [1, 2]}, "engines": ["packet"]}),
    ):
        refused = client.post(operation, json=body)
        assert refused.status_code == 422, operation
        assert refused.headers["content-type"] == "application/problem+json"
        # A scenario within a body has the body's path before its own.
        found = [each for each in refused.json()["errors"] if each["path"].removeprefix("scenario.") == path]
        assert found, (operation, refused.json())
        assert words in found[0]["message"]


def test_a_size_may_be_the_name_of_a_scheme() -> None:
    assert memory(with_headroom(size="ieee")) == memory(with_headroom(scheme="ieee"))
    assert memory(with_headroom(size="sih")) == memory(with_headroom())


def test_no_headroom_for_a_lossless_class_is_said_with_the_size_to_set() -> None:
    notes = build_plan(Scenario.parse(with_headroom(size=0, allowance=0))).notes
    assert any("0 B are let in" in note and "Set switch.headroom.size to" in note for note in notes)


def test_a_sweep_answers_where_the_memory_holds_the_headroom() -> None:
    found = fr.sweep(star(), over={"switch.buffer": ["500 kB", "4 MB"]}, engines=["packet"])
    assert [point.at["switch.buffer"] for point in found.points] == [4e6]
    (refused,) = found.unsupported
    assert refused.path == "switch.headroom"
    assert "432640 B are missing" in refused.message
    with pytest.raises(InvalidInput, match="are missing"):
        fr.sweep(star(), over={"switch.buffer": ["400 kB", "500 kB"]}, engines=["packet"])


@pytest.mark.parametrize("headroom", [{}, {"lossless_share": 0.2}, {"kind": "dynamic_shared"}, {"pool": "100 kB"}])
def test_the_least_buffer_leaves_one_packet_to_share(headroom: dict[str, Any]) -> None:
    least = least_buffer(Scenario.parse(with_headroom(**headroom)))
    memory({**star(headroom={"kind": "static_independent", **headroom}, buffer=least)})
    with pytest.raises(InvalidInput):
        memory(star(headroom={"kind": "static_independent", **headroom}, buffer=least - 10))


def test_the_buffer_for_no_loss_is_looked_for_beyond_the_headroom() -> None:
    found = fr.size(star(), require=["lossless_drops<=0", "pause_time<=1"], engine="packet", replicas=1)
    assert found.feasible
    assert found.value is not None
    assert found.value >= 21 * 44_340 + 1500


def test_a_class_beyond_the_queues_does_not_exist() -> None:
    with pytest.raises(InvalidInput, match=r"lossless.0: given 7; class 7 does not exist: switch.queues is 4"):
        memory(star(queues=4, headroom={"kind": "static_independent", "lossless": [7]}))


def test_other_lossless_needs_a_class_that_nobody_names() -> None:
    raw = star(headroom={"kind": "static_independent", "lossless": [0]})
    raw["traffic"].append(raw["traffic"][0] | {"priority": "other_lossless"})
    raw["traffic"][0]["priority"] = 0
    with pytest.raises(InvalidInput, match=r"traffic.1.priority.*names every lossless class"):
        memory(raw)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"priority": "any_lossless"}, "no class is lossless"),
        ({"priority": "other_lossless"}, "no class is lossless"),
        ({"host": {"ack_priority": 9}}, "at most 7"),
    ],
)
def test_traffic_in_classes_that_are_not_there(entry: dict[str, Any], words: str) -> None:
    raw = star(headroom={"kind": "none"})
    raw["traffic"][0].update(entry)
    with pytest.raises(InvalidInput, match=words):
        memory(raw)


@pytest.mark.parametrize("given", [9, -1, 2.5, True, "３", "high", None])
def test_a_class_that_is_none_is_answered_once_with_all_that_is_accepted(given: Any, client: TestClient) -> None:
    raw = star(headroom={"kind": "static_independent"})
    raw["traffic"][0]["priority"] = given
    with pytest.raises(InvalidInput) as refused:
        Scenario.parse(raw)
    (problem,) = refused.value.problems
    assert (problem.path, problem.given) == ("traffic.0.priority", given)
    assert problem.message == "must be a whole number from 0 to 7, any_lossless or other_lossless"
    answer = client.post("memory", json={"scenario": raw})
    assert answer.status_code == 422
    assert [each["message"] for each in answer.json()["errors"]] == [problem.message]
