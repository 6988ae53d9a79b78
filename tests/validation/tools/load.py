"""Many clients beside running studies: ``python -m tests.validation.tools.load``.

A server is started on loopback with its default limits. One client measures the median time of small requests while
the server is idle; then ten studies are queued and 200 clients ask for a minute, each pausing two seconds on average
between an answer and its next request. Told are the answers by status, the median against the idle one, and memory
and processor time of the server. Both medians are of the same machine within two minutes, so that other programs
disturb both. A client that is told to come back (503 or 429 with Retry-After) does so once, as that header says; how
often is told, and only what the second answer says counts.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.validation.tools.dask_efficiency import processor_time, tell

SCENARIO: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
    "switch": {"buffer": "250 kB"},
    "traffic": [{"kind": "long_lived", "flows": 50, "congestion": {"kind": "newreno"}}],
    "run": {"duration": "10 s", "warmup": "1 s"},
}
#: Method and path of the small requests; "{study}" stands for the id of a study that runs.
ASKED: tuple[tuple[str, str], ...] = (
    ("GET", "/health/live"),
    ("GET", "/health"),
    ("GET", "/presets"),
    ("GET", "/studies?limit=20"),
    ("GET", "/studies/{study}"),
    ("POST", "/headroom"),
    ("POST", "/estimates"),
    ("POST", "/studies/cost"),
)
_PATIENCE = 30.0


def body_of(path: str, dice: random.Random) -> Any:
    """What is asked at ``path``, other numbers each time; none where nothing is sent."""
    if path == "/headroom":
        return {"speed": dice.choice(["10 Gb/s", "100 Gb/s", "400 Gb/s"]), "cable": dice.randint(1, 2000)}
    if path in ("/estimates", "/studies/cost"):
        engine = "theory" if path == "/estimates" else "packet"
        return {"scenario": SCENARIO | {"switch": {"buffer": dice.randint(20_000, 2_000_000)}}, "engines": [engine]}
    return None


class Client:
    """One connection that is kept. outcomes: status or name of the error, and how often; times: [s] by path;
    told_to_wait: answers that said when to come back.
    """

    def __init__(self, port: int, study: str) -> None:
        self._port, self._study = port, study
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.times: dict[str, list[float]] = collections.defaultdict(list)
        self.told_to_wait = 0
        self._wait = 0.0

    async def ask(self, method: str, path: str, dice: random.Random) -> None:
        """One request, counted and timed."""
        body = body_of(path, dice)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_PATIENCE):
                status = await self._send(method, path.replace("{study}", self._study), body)
            if self._wait:
                self.told_to_wait += 1
                await asyncio.sleep(self._wait)
                async with asyncio.timeout(_PATIENCE):
                    status = await self._send(method, path.replace("{study}", self._study), body)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
            self.outcomes[type(error).__name__] += 1
            self._streams = None
            return
        self.outcomes[str(status)] += 1
        if status == 200:
            self.times[f"{method} {path}"].append(time.perf_counter() - began)

    async def _send(self, method: str, path: str, body: Any) -> int:
        if self._streams is not None:
            try:
                return await self._exchange(method, path, body)
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                if getattr(error, "partial", b""):
                    raise
                # The server closes a connection that nobody uses for some seconds: as browsers do, ask on another.
                self._streams = None
        return await self._exchange(method, path, body)

    async def _exchange(self, method: str, path: str, body: Any) -> int:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = answer.split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        await reader.readexactly(int(headers["content-length"]))
        self._wait = float(headers.get("retry-after", 0.0))
        if headers.get("connection") == "close":
            writer.close()
            self._streams = None
        return int(status.split()[1])

    async def keep_asking(self, seconds: float, pause: float, dice: random.Random) -> None:
        """Random small requests, with pauses of ``pause`` seconds on average between them."""
        end = time.monotonic() + seconds
        while (wait := dice.expovariate(1.0 / pause) if pause else 0.0) < end - time.monotonic():
            await asyncio.sleep(wait)
            await self.ask(*dice.choice(ASKED), dice)


@contextmanager
def server(folder: str, database: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on a free port; its process and port."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "FOOTROOM_DATABASE": database or str(Path(folder) / "load.db"),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "footroom.cli", "serve", "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline().split()[-1].rstrip("/").rpartition(":")[2])
    finally:
        process.terminate()
        process.wait()


def memory(pid: int) -> float:
    """Memory of a process in use [MB]."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def fetch(port: int, method: str, path: str, body: Any = None) -> Any:
    """A document of the API."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(data)}\r\n"
    writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    return json.loads(answer.partition(b"\r\n\r\n")[2])


async def _until(port: int, path: str, field: str, *wanted: str) -> None:
    """Wait until what is at ``path`` has one of some values in ``field``."""
    for _ in range(6000):
        if (await fetch(port, "GET", path))[field] in wanted:
            return
        await asyncio.sleep(0.2)
    raise TimeoutError(f"{path}: {field} is not {' or '.join(wanted)}")


async def _queue(port: int, studies: int, runs: int) -> list[str]:
    """Studies of ``runs`` seconds each that keep both cores busy; their ids once one of them runs."""
    asked = []
    for number in range(studies):
        seeds = list(range(1 + 10_000 * number, 1 + runs + 10_000 * number))
        body = {"scenario": SCENARIO, "engines": ["packet"], "over": {"run.seed": seeds}, "replicas": 1}
        asked.append((await fetch(port, "POST", "/studies", body))["id"])
    if asked:
        await _until(port, f"/studies/{asked[0]}", "status", "running")
    return asked


def _median(clients: list[Client]) -> float:
    return statistics.median(value for client in clients for values in client.times.values() for value in values)


def _tell(clients: list[Client], idle: Client) -> None:
    for path in idle.times:
        before = statistics.median(idle.times[path])
        times = sorted(value for client in clients for value in client.times[path])
        if times:
            middle, late = statistics.median(times), times[int(0.99 * len(times))]
            tell(
                f"  {path:22} {1e3 * before:7.2f} ms idle, {1e3 * middle:7.2f} loaded ({middle / before:.1f}), "
                f"p99 {1e3 * late:.0f}"
            )


async def measure(chosen: argparse.Namespace, process: subprocess.Popen[str], port: int) -> int:
    """Idle, then loaded; 1 where a request failed or the median rose too far."""
    await _until(port, "/health", "engine", "warm")
    small = {"scenario": SCENARIO | {"run": {"duration": "2 s", "warmup": "1 s"}}, "engines": ["packet"]}
    first = (await fetch(port, "POST", "/studies", small))["id"]
    await _until(port, f"/studies/{first}", "status", "done")
    idle = Client(port, first)
    dice = random.Random(chosen.seed)
    for round_ in range(chosen.rounds):
        for asked in ASKED:
            await idle.ask(*asked, dice)
            await asyncio.sleep(0.005)
        if round_ == 4:  # what is imported at the first use is no longer measured
            idle.times.clear()
    tell(f"idle: median {1e3 * _median([idle]):.2f} ms, memory {memory(process.pid):.0f} MB")
    studies = await _queue(port, chosen.studies, chosen.runs)
    clients = [Client(port, studies[0] if studies else first) for _ in range(chosen.clients)]
    theirs = [random.Random(f"{chosen.seed} {number}") for number in range(chosen.clients)]
    used, mine, began = processor_time(process.pid), time.process_time(), time.monotonic()
    work = asyncio.gather(
        *(one.keep_asking(chosen.seconds, chosen.pause, die) for one, die in zip(clients, theirs, strict=True))
    )
    held = []
    while not work.done():
        held.append(memory(process.pid))
        await asyncio.wait([work], timeout=1.0)
    took = time.monotonic() - began
    outcomes = sum((client.outcomes for client in clients), collections.Counter[str]())
    states = [await fetch(port, "GET", f"/studies/{study}") for study in studies]
    for study in studies:
        await fetch(port, "DELETE", f"/studies/{study}/run")
    errors = sum(count for outcome, count in outcomes.items() if outcome != "200")
    ratio = _median(clients) / _median([idle])
    asked_, told = sum(outcomes.values()), sum(client.told_to_wait for client in clients)
    tell(
        f"{chosen.clients} clients, {took:.0f} s, {asked_} requests ({asked_ / took:.0f} a second): {dict(outcomes)}; "
        f"{told} were told to come back, and did"
    )
    tell(
        f"studies: {dict(collections.Counter(state['status'] for state in states))}, progress of each "
        + " ".join(f"{state['progress']:.2f}" for state in states)
    )
    tell(f"loaded: median {1e3 * _median(clients):.2f} ms, {ratio:.1f} times that of the idle server")
    _tell(clients, idle)
    third = max(1, len(held) // 3)
    thirds = [statistics.median(part) for part in (held[:third], held[third:-third] or held, held[-third:])]
    tell(
        f"memory: at most {max(held):.0f} MB; median {thirds[0]:.0f} MB in the first third, {thirds[1]:.0f} MB in the "
        f"second, {thirds[2]:.0f} MB in the last"
    )
    tell(
        f"processor time: server {processor_time(process.pid) - used:.1f} s, this program "
        f"{time.process_time() - mine:.1f} s; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    failed = errors > 0 or ratio >= chosen.most
    tell(f"{errors} answers other than 200, median under {chosen.most:g} times idle: {'no' if failed else 'yes'}")
    return int(failed)


def main() -> None:
    """Measure and print; the exit status is 1 where what is asked does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--studies", type=int, default=10)
    parser.add_argument("--runs", type=int, default=300, help="runs of each study; with few of them, studies end")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between answer and next request, on average")
    parser.add_argument("--rounds", type=int, default=100, help="times that the idle server is asked all requests")
    parser.add_argument("--database", default="", help="URL of a PostgreSQL database; SQLite by default")
    parser.add_argument("--most", type=float, default=10.0, help="how often the idle median is accepted")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server(folder, chosen.database) as (process, port):
        status = asyncio.run(measure(chosen, process, port))
    sys.exit(status)


if __name__ == "__main__":
    main()
