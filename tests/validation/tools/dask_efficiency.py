"""How much faster two Dask workers are than one: ``python -m tests.validation.tools.dask_efficiency``.

A scheduler and workers of one thread are started on loopback, and one study of equal points runs with one, then with
two. Wall time says what a machine with idle cores gains. Processor time, which other programs change little, says
what Dask itself costs: per point, and by what the busier of two workers had to do more than its half.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client

from footroom.studies import Study, run

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(pid: int) -> float:
    """Processor time of a process, all its threads and what it has waited for [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / _TICKS


def study_of(points: int, duration: float) -> Study:
    """Points of 50 NewReno flows at 1 Gb/s that differ in their seed alone."""
    scenario: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
        "switch": {"buffer": "250 kB"},
        "traffic": [{"kind": "long_lived", "flows": 50, "congestion": {"kind": "newreno"}}],
        "run": {"duration": duration, "warmup": "1 s"},
    }
    return Study.of(scenario, {"run.seed": list(range(1, points + 1))}, "packet", 1)


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[int], int]]:
    """A scheduler and its workers: address, process ids of the workers and of the scheduler."""
    quiet: dict[str, Any] = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "dask"]
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "scheduler.json"
        file = ["--scheduler-file", str(told), "--host", "127.0.0.1", "--no-dashboard"]
        started = [subprocess.Popen([*dask, "scheduler", "--port", "0", *file], **quiet)]
        here = ["--nthreads", "1", "--no-nanny", "--local-directory", folder]
        started += [subprocess.Popen([*dask, "worker", *file, *here], **quiet) for _ in range(workers)]
        try:
            while not told.exists() or not told.read_text():
                time.sleep(0.05)
            address: str = json.loads(told.read_text())["address"]
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=120)
            yield address, [process.pid for process in started[1:]], started[0].pid
        finally:
            for process in started:
                process.kill()
                process.wait()


def measure(study: Study, workers: int) -> dict[str, Any]:
    """Wall time, and processor time of every worker, of the scheduler and of this process [s]."""
    with cluster(workers) as (address, pids, scheduler):
        run(study_of(workers, 1.5), executor=address)  # code is loaded, every worker knows its functions
        before = [processor_time(pid) for pid in (*pids, scheduler, os.getpid())]
        began = time.monotonic()
        run(study, executor=address)
        wall = time.monotonic() - began
        used = [processor_time(pid) - was for pid, was in zip((*pids, scheduler, os.getpid()), before, strict=True)]
    return {"wall": wall, "workers": used[:-2], "scheduler": used[-2], "client": used[-1]}


def tell(line: str) -> None:
    """A line on standard output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--points", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of a point; default 1")
    chosen = parser.parse_args()
    run(study_of(1, 1.5), workers=1)
    began = time.process_time()
    run(study_of(1, 10.0), workers=1)
    duration = max(2.0, 10.0 * chosen.seconds / (time.process_time() - began))
    study = study_of(chosen.points, duration)
    began = time.process_time()
    run(study, workers=1)
    alone = time.process_time() - began
    tell(f"{chosen.points} points of {alone / chosen.points:.3f} s of processor time each, without Dask")
    walls = []
    for workers in (1, 2):
        found = measure(study, workers)
        walls.append(found["wall"])
        total = sum(found["workers"]) + found["scheduler"] + found["client"]
        each = ", ".join(f"{seconds:.2f}" for seconds in found["workers"])
        tell(
            f"{workers} worker(s): {found['wall']:.2f} s; processor time {each} s, scheduler "
            f"{found['scheduler']:.2f} s, client {found['client']:.2f} s"
        )
        tell(
            f"  Dask costs {1e3 * (total - alone) / chosen.points:.1f} ms of processor time a point, or "
            f"{(total - alone) / alone:.1%} of the runs"
        )
        tell(f"  {alone / (workers * max(found['workers'])):.3f} of linear speed, were processor time all that counts")
    tell(
        f"measured from one to two workers, by the clock: {walls[0] / (2.0 * walls[1]):.3f} of linear speed; load of "
        f"this machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


if __name__ == "__main__":
    main()
