"""A sweep that is interrupted keeps what it finished, and goes on from there."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from footroom.studies import engines
from footroom.studies.journal import Journal

AXIS = "switch.buffer=100kB,200kB,300kB,400kB"


class Interrupted:
    """A packet engine at whose n-th run Ctrl-C is pressed. n: none for never."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        known = {engine.name: engine for engine in engines.ENGINES}
        packet = known["packet"].simulate
        assert packet is not None
        self._simulate = packet
        self.at: int | None = None
        self.runs: list[float] = []
        monkeypatch.setattr(
            engines,
            "ENGINES",
            (*(known[name] for name in ("theory", "fluid")), replace(known["packet"], simulate=self)),
        )

    def __call__(self, scenario: Any, seed: int, **more: Any) -> Any:
        if len(self.runs) == self.at:
            raise KeyboardInterrupt
        self.runs.append(scenario.switch.buffer)
        return self._simulate(scenario, seed, **more)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOOTROOM_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "sweeps-1"


def test_a_sweep_goes_on_where_it_was_interrupted(
    footroom: Any, scenario: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Interrupted(monkeypatch)
    words = ("sweep", scenario, "--over", AXIS, "--engine", "theory,packet", "--workers", 1)
    table = tmp_path / "x.csv"
    engine.at = 2
    status, shown, said = footroom(*words, "--csv", table)
    assert status == 130
    assert "2 finished runs are kept" in said
    assert "6 of 8 points were finished and are shown" in said
    assert sum("packet" in line for line in shown.splitlines()) == 2
    assert sum("theory" in line for line in shown.splitlines()) == 4
    with table.open() as file:
        assert [row["engine"] for row in csv.DictReader(file)].count("packet") == 2
    engine.at = None
    status, out, said = footroom(*words, "--csv", table)
    assert status == 0
    assert "2 runs were finished before" in said
    assert len(engine.runs) == len(set(engine.runs)) == 4
    assert list(folder.iterdir()) == []
    resumed = table.read_bytes()
    status, whole, said = footroom(*words, "--csv", table)
    assert (status, whole, said) == (0, out, "")
    assert table.read_bytes() == resumed
    assert len(engine.runs) == 8


def test_a_torn_line_is_skipped_and_the_journal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    first = Journal(path)
    first.put("a", {"x": 1})
    first.put("b", {"x": 2})
    first.close()
    path.write_bytes(path.read_bytes()[:-5])
    second = Journal(path)
    assert (second.found, second.get("a"), second.get("b")) == (1, {"x": 1}, None)
    second.put("b", {"x": 3})
    second.close()
    third = Journal(path)
    assert (len(third), third.get("b")) == (2, {"x": 3})
    assert json.loads(path.read_text().splitlines()[-1]) == {"key": "b", "run": {"x": 3}}
    third.discard()
    assert not path.exists()


def test_a_pipe_is_written_once(footroom: Any, scenario: Path, folder: Path) -> None:
    status, _, _ = footroom("sweep", scenario, "--over", AXIS, "--engine", "theory", "--csv", "/dev/null")
    assert status == 0


def test_whoever_interrupts_does_not_wait_for_a_thread_that_cannot_be_stopped(tmp_path: Path) -> None:
    """As while it compiles: a run that sees no flag for ten minutes, in a process that gets the signal of Ctrl-C."""
    program = """
import os, signal, sys, threading, time
from dataclasses import replace
from footroom.cli import main
from footroom.studies import engines

# A shell without job control starts what runs in the background with this signal ignored, which is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)

def deaf(*_, **__):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    time.sleep(600)

engines.ENGINES = tuple(replace(e, simulate=deaf) if e.name == "packet" else e for e in engines.ENGINES)
sys.argv[1:] = "sweep wan-bottleneck --engine theory,packet --over switch.buffer=100kB --workers 1".split()
sys.exit(main())
"""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "FOOTROOM_CACHE_DIR": str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 130, ended.stderr
    assert "1 of 2 points were finished and are shown" in ended.stderr
    assert "theory" in ended.stdout
