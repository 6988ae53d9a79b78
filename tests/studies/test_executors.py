"""Studies on processes and on the workers of a real Dask scheduler give the same bytes as threads of this process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import Cancelled, InvalidInput, Unreachable
from footroom.studies import Study, run
from footroom.studies.executors import check_executor

PATIENCE = 120


@dataclass
class Cluster:
    address: str
    workers: list[subprocess.Popen[bytes]]
    words: list[str]
    environment: dict[str, str]

    def grow(self) -> None:
        self.workers.append(
            subprocess.Popen(self.words, env=self.environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    folder = tmp_path_factory.mktemp("dask")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    dask = [sys.executable, "-m", "dask"]
    told = folder / "scheduler.json"
    quiet: dict[str, Any] = {"env": environment, "stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)],
        **quiet,
    )
    words = [
        *dask,
        "worker",
        "--scheduler-file",
        str(told),
        "--host",
        "127.0.0.1",
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
        "--local-directory",
        str(folder),
        "--death-timeout",
        str(PATIENCE),
    ]
    made = Cluster("", [], words, environment)
    try:
        for _ in range(2):
            made.grow()
        patience = time.monotonic() + PATIENCE
        while not told.exists() or not told.read_text():
            assert scheduler.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.05)
        made.address = json.loads(told.read_text())["address"]
        yield made
    finally:
        for process in [*made.workers, scheduler]:
            process.kill()
            process.wait()


@pytest.fixture
def study(raw: dict[str, Any]) -> Study:
    raw["run"] = {"duration": "20 s", "warmup": "1 s"}
    return Study.of(raw, {"switch.buffer": [float(b) for b in range(50_000, 74_000, 2_000)]}, "theory,packet", 2)


def told(sweep: Any) -> str:
    """All of the answer but the time it took."""
    document = sweep.to_dict()
    for point in document["points"]:
        del point["result"]["wall_s"]
    del document["wall_s"]
    return json.dumps(document)


def test_dask_gives_the_same_bytes_though_a_worker_dies(cluster: Cluster, study: Study) -> None:
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
    killed: list[int] = []

    def kill(_: int, answer: dict[str, Any]) -> None:
        if not killed and answer.get("result", {}).get("engine") == "packet":
            killed.append(cluster.workers[0].pid)
            cluster.workers[0].kill()

    fractions: list[float] = []
    there = run(study, executor=cluster.address, on_point=kill, on_progress=lambda done, _: fractions.append(done))
    assert killed
    assert told(there) == told(run(study, workers=2))
    assert fractions[-1] == 1.0


def test_a_worker_that_dies_before_it_has_compiled_is_not_waited_for(cluster: Cluster, raw: dict[str, Any]) -> None:
    from distributed import Client

    cluster.grow()
    with Client(cluster.address, set_as_default=False) as client:
        while cluster.workers[-1].pid not in client.run(os.getpid).values():
            time.sleep(0.1)
    dying = cluster.workers[-1]
    dying.send_signal(signal.SIGSTOP)  # it has no chance to answer
    killing = threading.Timer(2.0, dying.kill)
    killing.start()
    raw["run"] = {"duration": "2 s", "warmup": "1 s"}
    study = Study.of(raw, {"switch.buffer": [50_000.0, 60_000.0]}, "packet", 1)
    assert told(run(study, executor=cluster.address)) == told(run(study))
    killing.join()


def test_a_study_on_dask_is_stopped_while_a_run_is_under_way(cluster: Cluster, raw: dict[str, Any]) -> None:
    from distributed import Client

    raw["run"] = {"duration": "80000 s", "warmup": "1 s"}  # hours
    stop = threading.Event()

    def progress(fraction: float, _: float | None) -> None:
        if fraction > 0.0:  # told by the worker
            stop.set()

    with Client(cluster.address, set_as_default=False) as client:
        with pytest.raises(Cancelled):
            run(Study.of(raw), executor=client, stop=stop, on_progress=progress)
        # The worker is free again: it answers something else.
        assert client.submit(pow, 2, 5, pure=False).result(timeout=PATIENCE) == 32


def test_other_code_on_a_worker_is_refused(cluster: Cluster, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("footroom.studies.executors.dask.fingerprint", lambda name: "another")
    with pytest.raises(InvalidInput, match="other code of the engines"):
        run(study, executor=cluster.address)


def test_a_scheduler_that_does_not_answer_is_named(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr("footroom.studies.executors.dask._CONNECT", 0.5)
    with pytest.raises(Unreachable, match=r"tcp://127\.0\.0\.1:9 cannot be reached"):
        run(study, executor="tcp://127.0.0.1:9")


@pytest.mark.parametrize("given", ["dask", "http://x:1", "tcp://", 3, ""])
def test_what_names_no_executor_is_refused(given: Any) -> None:
    with pytest.raises(InvalidInput, match="local, processes or the address"):
        check_executor(given)


def test_processes_give_the_same_bytes(raw: dict[str, Any]) -> None:
    study = Study.of(raw, {"switch.buffer": [1e5, 2e5]}, "packet", 2)
    assert told(run(study, executor="processes", workers=1)) == told(run(study, workers=2))


def test_processes_end_while_a_run_is_under_way(raw: dict[str, Any]) -> None:
    raw["run"] = {"duration": "80000 s", "warmup": "1 s"}
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    with pytest.raises(Cancelled):
        run(Study.of(raw), executor="processes", workers=1, stop=stop)


def test_the_command_line_asks_the_scheduler(cluster: Cluster, tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "footroom.cli",
        "sweep",
        "wan-bottleneck",
        "--engine",
        "packet",
        "--over",
        "switch.buffer=100kB,1MB",
        "--set",
        "run.duration=3s",
        "--set",
        "run.warmup=1s",
        "--replicas",
        "1",
        "--csv",
    ]
    environment = cluster.environment
    for file, more in (("there.csv", ["--scheduler", cluster.address]), ("here.csv", [])):
        subprocess.run([*words, str(tmp_path / file), *more], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    refused = subprocess.run(
        [*words, "/dev/null", "--scheduler", "nonsense"], check=False, env=environment, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "local, processes or the address" in refused.stderr
