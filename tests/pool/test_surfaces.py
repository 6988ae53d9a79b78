"""The same numbers in Python, on the command line and over HTTP, and the same refusals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom
from footroom.calculators.pool import Question, assess
from footroom.cli import main
from footroom_api.app import create_app
from footroom_api.schemas import ProblemDocument
from footroom_api.settings import Settings

ASKED: dict[str, Any] = {
    "asic": "tomahawk",
    "ports": "24x100G@300m,2x400G@5m",
    "lossless_classes": 2,
    "scheme": "vendor",
    "over_subscribe_ratio": 4,
    "incast": {"degree": 40, "size": "64 kB"},
    "pauses": {"probability": 0.05, "correlation": 0.1},
    "marking": {"kmin": "100 kB", "kmax": "400 kB"},
}
OPTIONS = [
    "--asic",
    "tomahawk",
    "--ports",
    "24x100G@300m,2x400G@5m",
    "--lossless-classes",
    "2",
    "--scheme",
    "vendor",
    "--over-subscribe-ratio",
    "4",
    "--incast-degree",
    "40",
    "--incast-size",
    "64 kB",
    "--pauses-probability",
    "0.05",
    "--pauses-correlation",
    "0.1",
    "--marking-kmin",
    "100 kB",
    "--marking-kmax",
    "400 kB",
]
TOO_MUCH: dict[str, Any] = {"asic": "tomahawk", "lossless_classes": 8, "scheme": "ieee"}
Answer = tuple[int, str, str]
#: For a type checker the package of that name is no function.
fr: Any = footroom


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("pool")
    with TestClient(
        create_app(Settings(database=str(folder / "x.db"), warm=False, frontend=folder)),
        base_url="http://localhost/api/v1",
    ) as made:
        yield made


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def run(*arguments: object) -> Answer:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse
            status = int(ended.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


def numbers(document: dict[str, Any]) -> dict[str, Any]:
    """All but the question as it was written, which may be written differently."""
    return {key: value for key, value in document.items() if key != "question"}


def test_all_surfaces_say_the_same(client: TestClient, command: Callable[..., Answer]) -> None:
    status, out, err = command("pool", *OPTIONS, "--json")
    assert (status, err) == (0, "")
    answered = client.post("pool", json=ASKED)
    assert answered.status_code == 200
    here = json.loads(json.dumps(fr.pool(**ASKED).to_dict()))
    assert numbers(json.loads(out)) == numbers(answered.json()) == numbers(here)
    assert all(here[part] for part in ("incast", "pauses", "marking", "split", "thresholds", "schemes"))


def test_the_question_comes_back_and_asks_the_same(client: TestClient) -> None:
    answered = client.post("pool", json=ASKED).json()
    again = client.post("pool", json=answered["question"]).json()
    assert again == answered
    assert Question.parse(answered["question"]) == Question.parse(ASKED)


def test_what_does_not_fit_is_refused_on_each_surface(client: TestClient, command: Callable[..., Answer]) -> None:
    with pytest.raises(fr.Infeasible, match="of 76840 cells") as refusal:
        fr.pool(**TOO_MUCH)
    status, out, err = command("pool", "--asic", "tomahawk", "--lossless-classes", 8, "--scheme", "ieee", "--json")
    assert status == 3
    assert "of 76840 cells" in err
    answered = client.post("pool", json=TOO_MUCH)
    document = answered.json()
    assert (answered.status_code, document["type"]) == (422, "urn:footroom:problem:infeasible")
    assert answered.headers["content-type"] == "application/problem+json"
    assert {"path": "lossless_classes", "given": 8, "message": "at most 5 lossless classes"} in document["errors"]
    ProblemDocument.model_validate_json(answered.content, strict=True)
    assert refusal.value.answer is not None
    assert (
        numbers(json.loads(out)) == numbers(document["answer"]) == numbers(json.loads(json.dumps(refusal.value.answer)))
    )
    unrefused = client.post("pool?refuse=false", json=TOO_MUCH)
    assert (unrefused.status_code, unrefused.json()["feasible"]) == (200, False)
    assert unrefused.json() == document["answer"]
    assert client.post("pool?refuse=false", json={**TOO_MUCH, "buffer": "nothing"}).status_code == 422
    status, out, _ = command("pool", "--asic", "tomahawk", "--lossless-classes", 8, "--scheme", "ieee")
    assert status == 3
    assert "at most 5 lossless classes" in out


def test_a_sonic_configuration_is_checked_from_its_file(command: Callable[..., Answer], tmp_path: Path) -> None:
    path = tmp_path / "buffers.json"
    path.write_text(
        json.dumps(
            {
                "CABLE_LENGTH": {},
                "BUFFER_POOL": {
                    "ingress_lossless_pool": {
                        "size": "258035400",
                        "type": "ingress",
                        "mode": "dynamic",
                        "xoff": "81553920",
                    }
                },
            }
        )
    )
    status, out, err = command("pool", path, "--buffer", 636_183 * 420, "--cell-size", 420)
    assert status == 3
    assert "808546 of 636183 cells" in err
    assert "442007 cells" in out


def test_fields_deep_inside_are_set_by_path(command: Callable[..., Answer]) -> None:
    status, out, _ = command(
        "pool",
        "--asic",
        "spectrum-3",
        "--scheme",
        "sonic",
        "--ports",
        "32x400G",
        "--set",
        "scheme.port_mtu=9216",
        "--set",
        "ports.0.cable=5",
        "--json",
    )
    assert status == 0
    same = assess(asic="spectrum-3", scheme={"kind": "sonic", "port_mtu": 9216}, ports="32x400G@5m")
    assert json.loads(out)["lines"] == json.loads(json.dumps(same.to_dict()["lines"]))


def test_a_person_reads_every_part(command: Callable[..., Answer]) -> None:
    status, out, _ = command("pool", *OPTIONS)
    assert status == 0
    for words in (
        "15982720 B, 76840 cells of 208 B",
        "Shared headroom pool, 4 times over-subscribed",
        "Footroom, shared",
        "sih",
        "incast of 2.56 MB",
        "correlation 0.1",
        "marking first",
        "split: lossless",
        "note:",
    ):
        assert words in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "--buffer: given nothing; name an asic"),
        (["--asic", "tomahawx"], "--asic: given 'tomahawx'; no such ASIC"),
        (["--asic", "tomahawk", "--ports", "0x100G"], "--ports (ports.0.count): given 0"),
        (["--asic", "tomahawk", "--incast-size", "64kB"], "--incast-degree: given nothing; this field is required"),
        (["--asic", "tomahawk", "--scheme", "magic"], '"kind" must be one of: sih'),
        (["--asic", "tomahawk", "--buffer", "16Mb"], "a size in bits"),
        (["--asic", "tomahawk", "--set", "ports.0.cable=5"], "there is nothing at ports"),
        (["--asic", "tomahawk", "--set", "asic.x.y=5"], "there is nothing at x"),
        (["--asic", "tomahawk", "--set", "colour=red"], "colour: given 'red'; unknown key"),
        (["nothing.json"], "cannot be read"),
    ],
)
@pytest.mark.parametrize("machine", [False, True])
def test_bad_options_are_named(command: Callable[..., Answer], options: list[str], words: str, machine: bool) -> None:
    status, out, err = command("pool", *options, *(["--json"] if machine else []))
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "buffer"),
        ({"asic": "tomahawx"}, "asic"),
        ({"asic": "tomahawk", "ports": "0x100G"}, "ports.0.count"),
        ({"asic": "tomahawk", "scheme": {"kind": "sih", "response_quanta": -1}}, "scheme.response_quanta"),
        ({"asic": "tomahawk", "pools": [{"name": "x", "size": 1}]}, "pools.0.side"),
        ({"asic": "tomahawk", "x": 1}, "x"),
    ],
)
def test_bad_bodies_are_named(client: TestClient, body: dict[str, Any], path: str) -> None:
    answered = client.post("pool", json=body)
    assert answered.status_code == 422
    assert [error["path"] for error in answered.json()["errors"]] == [path]
    assert client.post("pool", json=[body]).status_code == 422


def test_the_schema_of_the_question_has_units_and_bounds(client: TestClient) -> None:
    schema = client.get("pool").json()
    assert schema["properties"]["reserved_pg"]["unit"] == "B"
    assert schema["properties"]["cable"]["unit"] == "m"
    assert schema["properties"].keys() == Question.model_fields.keys()
    tag = client.get("pool").headers["etag"]
    assert client.get("pool", headers={"if-none-match": tag}).status_code == 304


def test_a_table_and_a_figure(client: TestClient) -> None:
    found = fr.pool(asic="tomahawk", lossless_classes=2)
    frame = found.to_frame()
    assert frame["cells"].sum() == 76_840
    drawn = found.figure().to_dict()
    heights = [trace["y"][0] for trace in drawn["data"] if list(trace["x"]) == ["asked"]]
    assert sum(heights) == 15_982_720
    assert {"sih", "dsh"} <= {x for trace in drawn["data"] for x in trace["x"]}
    refused = assess(TOO_MUCH).figure().to_dict()
    assert refused["data"]
