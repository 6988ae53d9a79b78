"""``--scale`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from footroom.cli import main

SCENARIO: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "1 Gb/s", "rtt": "40 ms"},
    "switch": {"buffer": "2000 packets"},
    "traffic": [{"kind": "long_lived", "flows": 1000}],
    "run": {"duration": "20 s", "warmup": "5 s"},
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "backbone.json"
    path.write_text(json.dumps(SCENARIO))
    return str(path)


def test_run_shows_what_was_kept_beside_the_result(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, "--engine", "theory", "--scale", "25"]) == 0
    shown = capsys.readouterr().out
    assert "S = 25" in shown
    assert "B·√n/BDP (switch)" in shown
    assert "note: scaled by S = 25" in shown
    assert main(["run", file, "--engine", "theory", "--scale", "25", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["scenario"]["topology"]["bottleneck"] == 4e8
    assert {change["path"] for change in document["scaling"]["changes"]} == {
        "topology.bottleneck",
        "topology.access",
        "switch.buffer",
        "traffic.0.flows",
    }


def test_sweep_shows_both_sizes_of_an_axis(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    over = ["--over", "switch.buffer=200 packets,2000 packets"]
    assert main(["sweep", file, *over, "--engine", "theory", "--scale", "25"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == [
        "switch.buffer",
        "switch.buffer",
        "scaled",
        "engine",
        "utilisation",
        "drop_rate",
        "queue_mean",
        "transfer_p50",
        "transfer_p99",
    ]
    assert shown[2].split()[:4] == ["300", "kB", "60", "kB"]


@pytest.mark.parametrize(
    ("factor", "status", "word"),
    [("0.5", 2, "from 1 to"), ("2000", 2, "at most 1000"), ("many", 2, "invalid float"), ("nan", 2, "from 1 to")],
)
def test_a_factor_that_is_none_is_refused(
    file: str, capsys: pytest.CaptureFixture[str], factor: str, status: int, word: str
) -> None:
    try:
        ended = main(["run", file, "--engine", "theory", "--scale", factor])
    except SystemExit as exit_:
        ended = int(exit_.code or 0)
    assert ended == status
    assert word in capsys.readouterr().err
