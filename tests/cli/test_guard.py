"""What a command costs is said when it is much, and refused when the memory is not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import SCENARIO, Answer

from footroom.cli import guard

#: 2 flows at 100 Tb/s over 20 ms: 167 million packets on the way each way.
HUGE: dict[str, Any] = SCENARIO | {
    "topology": {"kind": "dumbbell", "bottleneck": "100 Tb/s", "access": "100 Tb/s", "rtt": "20 ms"},
    "traffic": [{"kind": "long_lived", "flows": 2, "start_jitter": "10 ms"}],
}
COMMANDS = {
    "run": ("run",),
    "sweep": ("sweep", "--over", "switch.buffer=1MB,2MB", "--engine", "packet"),
    "size": ("size", "--require", "utilisation>=0.5", "--engine", "packet", "--between", "1MB:2MB"),
}


@pytest.fixture
def file(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    def write(document: dict[str, Any]) -> Path:
        path = tmp_path / "scenario.json"
        path.write_text(json.dumps(document))
        return path

    return write


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_more_memory_than_is_free_is_refused_unless_forced(
    footroom: Callable[..., Answer], file: Any, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(guard, "free_memory", lambda: 8e9)
    verb, *options = command
    status, out, err = footroom(verb, file(HUGE), *options, "--workers", 1)
    assert (status, out) == (2, "")
    assert "8 GB are free" in err
    assert "--force" in err
    status, out, err = footroom(verb, file(HUGE), *options, "--workers", 1, "--force", "--json")
    assert status == 0
    json.loads(out)
    assert "GB of memory" in err


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_what_costs_little_says_nothing(
    footroom: Callable[..., Answer], file: Any, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(guard, "free_memory", lambda: 8e9)
    verb, *options = command
    status, _, err = footroom(verb, file(SCENARIO), *options)
    assert (status, err) == (0, "")


def test_a_long_run_says_how_long(footroom: Callable[..., Answer], file: Any) -> None:
    status, out, err = footroom("run", file(SCENARIO), "--set", "run.duration=10000 s", "--json")
    assert status == 0
    assert "1 run, about " in err
    assert json.loads(out)["engine"] == "packet"


def test_a_search_is_refused_at_the_value_that_is_too_much(
    footroom: Callable[..., Answer], file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "free_memory", lambda: 1e9)
    status, _, err = footroom(
        "size",
        file(SCENARIO | {"run": {"duration": "1000 s", "warmup": 0}}),
        "--require",
        "utilisation>=0.99999999",
        "--engine",
        "packet",
        "--between",
        "1MB:1TB",
        "--workers",
        1,
    )
    assert status == 2
    assert "are free" in err


def test_the_memory_is_that_of_the_control_group_where_it_is_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "meminfo"
    memory.write_text("MemTotal:       16000000 kB\nMemAvailable:     1000 kB\n")
    monkeypatch.setattr(guard, "_MEMORY", memory)
    monkeypatch.setattr(guard, "_GROUP", tmp_path)
    assert guard.free_memory() == 1_024_000
    (tmp_path / "memory.max").write_text("500000\n")
    (tmp_path / "memory.current").write_text("100000\n")
    (tmp_path / "memory.stat").write_text("anon 70000\ninactive_file 30000\n")
    assert guard.free_memory() == 430_000
    (tmp_path / "memory.max").write_text("max\n")
    assert guard.free_memory() == 1_024_000
