"""The server as a process: says where it is, stops when told to, and names what it cannot use."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom_api.serve import _bind, _bind_first_free, main
from footroom_api.settings import Limits, Settings, from_environment

START = "from footroom_api.serve import main; main(port=0)"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    environment = os.environ | {"FOOTROOM_DATABASE": str(tmp_path / "data" / "x.db")}
    with subprocess.Popen(
        [sys.executable, "-c", START],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        # It may say first that it is compiling.
        line = next(line for line in process.stdout if "http://127.0.0.1:" in line)
        yield process, line.split()[-1]
        process.kill()


def test_it_answers_once_it_says_where_it_is_and_stops_with_streams_open(
    server: tuple[subprocess.Popen[str], str], document: dict[str, Any], tmp_path: Path
) -> None:
    process, address = server
    health = json.load(urllib.request.urlopen(f"{address}api/v1/health"))
    assert health["status"] == "ok"
    assert (tmp_path / "data" / "x.db").is_file()
    document["run"] = {"duration": "3000 s", "warmup": "1 s"}
    ask = urllib.request.Request(
        f"{address}api/v1/studies", json.dumps({"scenario": document}).encode(), {"content-type": "application/json"}
    )
    study = json.load(urllib.request.urlopen(ask))["id"]
    stream = urllib.request.urlopen(f"{address}api/v1/studies/{study}/events")
    assert stream.readline().startswith(b"event: status")
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=300)
    assert process.returncode in (0, -signal.SIGTERM), output
    assert "Traceback" not in output


def test_listening_for_other_machines_is_warned_of_and_names_are_taken(tmp_path: Path) -> None:
    start = (
        "from footroom.cli.main import main; "
        'main(["serve", "--host", "0.0.0.0", "--port", "0", "--allow-host", "rack.example"])'
    )
    environment = os.environ | {"FOOTROOM_DATABASE": str(tmp_path / "x.db")}
    with subprocess.Popen(
        [sys.executable, "-c", start],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        port = next(line for line in process.stdout if "http://" in line).rstrip("/\n").rpartition(":")[2]
        assert any("no log-in" in line for line in process.stderr)
        found = {}
        for host in ("rack.example", "other.example", "0.0.0.0"):
            ask = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/health", headers={"Host": f"{host}:{port}"})
            try:
                found[host] = urllib.request.urlopen(ask).status
            except urllib.error.HTTPError as error:
                found[host] = error.code
        process.kill()
    assert found == {"rack.example": 200, "other.example": 403, "0.0.0.0": 200}


def test_an_address_that_is_taken_is_named(server: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    port = int(server[1].rstrip("/").rpartition(":")[2])
    with pytest.raises(InvalidInput, match=f"127.0.0.1:{port}"):
        main(port=port, database=str(tmp_path / "other.db"))


def test_servers_that_start_together_take_ports_of_their_own() -> None:
    first = _bind("127.0.0.1", 0)
    port = first.getsockname()[1]
    second = _bind_first_free("127.0.0.1", port)
    assert second.getsockname()[1] > port
    with pytest.raises(InvalidInput, match="cannot be listened on"):
        _bind("127.0.0.1", port)
    first.close()
    second.close()


def test_what_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"scheduler.*dask.*local, processes or the address"):
        main(scheduler="dask", database=str(tmp_path / "x.db"))
    with pytest.raises(InvalidInput, match="database"):
        main(database="nonsense://x")
    with pytest.raises(InvalidInput, match="port"):
        main(port=99999, database=str(tmp_path / "x.db"))
    monkeypatch.setenv("FOOTROOM_WORKERS", "many")
    with pytest.raises(InvalidInput, match="FOOTROOM_WORKERS"):
        from_environment()


def test_arguments_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTROOM_DATABASE", "one.db")
    monkeypatch.setenv("FOOTROOM_FRONTEND", "/pages")
    monkeypatch.setenv("FOOTROOM_WORKERS", "3")
    assert from_environment() == Settings(database="one.db", frontend=Path("/pages"), workers=3)
    assert from_environment(database="two.db", scheduler=None).database == "two.db"
    assert Settings().limits == Limits()
