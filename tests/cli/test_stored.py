"""``footroom studies`` over a database that no server has open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from footroom.cli import main
from footroom.studies import Study, run
from footroom_api.persistence import StudyStore, open_database

SCENARIO = {
    "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "rtt": "20 ms"},
    "switch": {"buffer": "250 kB"},
    "traffic": [{"kind": "long_lived", "flows": 50}],
    "run": {"duration": "3 s", "warmup": "1 s"},
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a study that is done, and one that waits."""
    monkeypatch.chdir(tmp_path)
    found = str(tmp_path / "x.db")
    engine = open_database(found)
    store = StudyStore(engine)
    for name, buffers in (("Done one", [1e5, 2e5]), ("Waiting one", [3e5])):
        study = Study.of(SCENARIO, {"switch.buffer": buffers}, "theory")
        store.add(study.id, study.request, {"points": len(buffers), "cpu_seconds": 0.01}, name)
        if name == "Done one":
            for position, point in enumerate(run(study).to_dict()["points"]):
                store.add_point(study.id, position, point)
            store.move(study.id, ("queued",), "done")
    engine.dispose()
    return found


def ask(capsys: pytest.CaptureFixture[str], place: str, *words: str) -> Any:
    """What a command answers."""
    assert main(["studies", *words, "--database", place, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def told(capsys: pytest.CaptureFixture[str], place: str, *words: str, status: int = 0) -> str:
    """What a command says."""
    assert main(["studies", *words, "--database", place]) == status
    answer = capsys.readouterr()
    return answer.out if status == 0 else answer.err


def test_studies_are_listed_and_found(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = ask(capsys, place, "list")
    assert [study["name"] for study in listed["studies"]] == ["Waiting one", "Done one"]
    assert listed["more"] is False
    assert ask(capsys, place, "list", "--limit", "1")["more"] is True
    assert [study["name"] for study in ask(capsys, place, "search", "dONE")["studies"]] == ["Done one"]
    assert [study["name"] for study in ask(capsys, place, "list", "--status", "queued")["studies"]] == ["Waiting one"]
    text = told(capsys, place, "list")
    assert "Waiting one" in text
    assert "100 %" in text
    assert told(capsys, place, "search", "nothing") == "no study\n"


def test_a_study_is_shown_named_and_tagged(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    study = ask(capsys, place, "search", "done")["studies"][0]["id"]
    assert ask(capsys, place, "name", study[:8], "Rack 7")["name"] == "Rack 7"
    assert ask(capsys, place, "tag", study, "a", "b")["tags"] == ["a", "b"]
    assert ask(capsys, place, "tag", study, "c")["tags"] == ["a", "b", "c"]
    assert ask(capsys, place, "tag", study, "a", "c", "--remove")["tags"] == ["b"]
    assert len(ask(capsys, place, "list", "--tag", "b")["studies"]) == 1
    text = told(capsys, place, "show", study)
    for word in ("Rack 7", "done, 100 %", "2 of 2", "switch.buffer: 2 values", "theory"):
        assert word in text


def test_a_study_moves_to_another_database(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = ask(capsys, place, "search", "done")["studies"][0]
    assert "is in s.footroom-study" in told(capsys, place, "export", study["id"], "s.footroom-study")
    other = str(tmp_path / "other.db")
    assert ask(capsys, other, "import", "s.footroom-study")["points"] == 2
    assert "already exists" in told(capsys, other, "import", "s.footroom-study")
    told(capsys, other, "export", study["id"], "again")
    assert Path("again").read_bytes() == Path("s.footroom-study").read_bytes()


def test_a_study_is_run_again_cancelled_and_removed(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    study = ask(capsys, place, "search", "done")["studies"][0]["id"]
    assert "is queued" in told(capsys, place, "rerun", study)
    assert "queued or running already" in told(capsys, place, "rerun", study, status=2)
    assert "cancel it first" in told(capsys, place, "delete", study, status=2)
    assert "can be exported once" in told(capsys, place, "export", study, status=2)
    assert "is cancelled" in told(capsys, place, "cancel", study)
    assert "had ended before" in told(capsys, place, "cancel", study)
    assert "is removed" in told(capsys, place, "delete", study)
    assert len(ask(capsys, place, "list")["studies"]) == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["show", "zzz"], "there is no such study"),
        (["show", ""], "2 studies begin with this"),
        (["name", "WAIT", " "], "1 to 200 characters"),
        (["tag", "WAIT", "-"], "must be up to 40 letters"),
        (["import", "nosuch"], "cannot be read"),
        (["import", "x.db"], "not a gzip file"),
        (["list", "--limit", "0"], "at least 1"),
        (["export", "DONE", "/nowhere/x"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(
    place: str, capsys: pytest.CaptureFixture[str], words: list[str], found: str
) -> None:
    ids = {study["name"].split()[0].upper(): study["id"] for study in ask(capsys, place, "list")["studies"]}
    ids["WAIT"] = ids.pop("WAITING")
    assert found in told(capsys, place, *(ids.get(word, word) for word in words), status=2)


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no such file" in told(capsys, str(tmp_path / "no.db"), "list", status=2)
    assert not (tmp_path / "no.db").exists()
