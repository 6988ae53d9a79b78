"""The image is built and run as docs/container.md says, where Podman works; elsewhere the skip says what is missing."""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.repository.containers import Podman, Unavailable, base, opened, secrets

import footroom
from footroom_api.persistence.studies import FINAL

API = "/api/v1"
PATIENCE = 300  # of a busy machine [s]
SCENARIO: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
    "switch": {"buffer": "50 kB", "sharing": {"kind": "dynamic_threshold"}},
    "traffic": [{"kind": "long_lived", "flows": 5, "congestion": {"kind": "newreno"}}],
    "run": {"duration": "2 s", "warmup": "1 s"},
}


@pytest.fixture(scope="module")
def documented(root: Path) -> dict[str, list[str]]:
    """The documented commands without the word podman, by their verb; the command line's own under its image."""
    text = (root / "docs" / "container.md").read_text().replace("\\\n", " ")
    first = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    one_off = re.search(r"`podman (run --rm [^`]*)`", text)
    assert first is not None
    assert one_off is not None
    commands = [shlex.split(line)[1:] for line in first[1].splitlines()]
    return {**{words[0]: words for words in commands}, "once": shlex.split(one_off[1])}


def _build(podman: Podman, command: list[str], root: Path, folder: Path) -> None:
    image = base(podman)
    bases = [f"--build-arg={name}={image}" for name in ("NODE_IMAGE", "BASE_IMAGE")]
    done = subprocess.run(
        ["nice", "-n", "5", "podman", *command[:-1], *bases, *secrets(folder), command[-1]],
        cwd=root,
        env=podman.env,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    # Layers of earlier sources; those of the last two days make the next build short.
    podman.run("image", "prune", "--force", "--filter=until=48h")


@contextlib.contextmanager
def _served(podman: Podman, command: list[str], *options: str) -> Iterator[httpx.Client]:
    """Start a container in the background on a free port; a client once its server answers."""
    words = [word.replace("127.0.0.1:8000:8000", "127.0.0.1::8000") for word in command]
    podman.ask(*words[:-1], *options, words[-1])
    address = podman.ask("port", "footroom", "8000/tcp")
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE, trust_env=False) as client:
        _until(lambda: _healthy(client), podman)
        yield client


def _healthy(client: httpx.Client) -> bool:
    try:
        return bool(client.get(f"{API}/health").json()["status"] == "ok")
    except httpx.TransportError:
        return False


def _until(true: Callable[[], bool], podman: Podman) -> None:
    last = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < last, podman.run("logs", "footroom").stderr
        time.sleep(0.2)


def _stop(podman: Podman, command: list[str]) -> str:
    """Stop and remove the container; its exit status. Without enough patience it would be killed: 137."""
    podman.ask(*(word.replace("--time=10", "--time=60") for word in command))
    status = podman.ask("inspect", "--format={{.State.ExitCode}}", "footroom")
    podman.ask("rm", "footroom")
    return status


@pytest.mark.slow
def test_the_image_builds_and_serves_as_documented(
    root: Path, tmp_path: Path, documented: dict[str, list[str]], subtests: pytest.Subtests
) -> None:
    """One test, so that one worker builds and the others go on."""
    try:
        with opened() as podman:
            _build(podman, documented["build"], root, tmp_path)
            _serves(podman, documented, subtests)
            _starts_and_stops(podman, documented, subtests)
    except Unavailable as error:
        pytest.skip(f"no container can be run here: {error}")


def _serves(podman: Podman, documented: dict[str, list[str]], subtests: pytest.Subtests) -> None:
    with _served(podman, documented["run"]) as client:
        with subtests.test("the server has no rights and nothing to write but its data"):
            lines = podman.ask("exec", "footroom", "cat", "/proc/1/status").splitlines()
            status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
            assert set(status["Uid"].split()) == {"10001"}
            assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
            assert status["NoNewPrivs"] == "1"
            refused = podman.run("exec", "--user=0", "footroom", "touch", "/opt/page/index.html")
            assert "Read-only file system" in refused.stderr
        with subtests.test("the page is there"):
            assert "<title>Footroom" in client.get("/").text
        with subtests.test("an estimate is the one that the package computes"):
            answer = client.post(f"{API}/estimates", json={"scenario": SCENARIO, "engines": ["theory"]})
            assert answer.status_code == 200, answer.text
            ours = footroom.run(SCENARIO, engine="theory").to_dict()["metrics"]
            assert answer.json()["points"][0]["result"]["metrics"] == pytest.approx(ours, nan_ok=True)
        with subtests.test("a packet study runs to its end and compiles nothing"):
            study = client.post(f"{API}/studies", json={"scenario": SCENARIO, "engines": ["packet", "fluid"]})
            assert study.status_code in (201, 202), study.text
            where = study.headers["location"].rpartition("/")[2]
            _until(lambda: client.get(f"{API}/studies/{where}").json()["status"] in FINAL, podman)
            assert client.get(f"{API}/studies/{where}").json()["status"] == "done"
            _until(lambda: client.get(f"{API}/health").json()["engine"] == "warm", podman)
            changed = podman.run("exec", "footroom", "diff", "--recursive", "/opt/kernels", "/tmp/footroom-kernels")
            assert changed.stdout == ""
        with subtests.test("the health check passes"):
            podman.ask("healthcheck", "run", "footroom")
    with subtests.test("SIGTERM ends it"):
        assert _stop(podman, documented["stop"]) == "143"
    with _served(podman, documented["run"]) as client, subtests.test("the volume keeps the studies"):
        assert [kept["id"] for kept in client.get(f"{API}/studies").json()["studies"]] == [where]
    _stop(podman, documented["stop"])


def _starts_and_stops(podman: Podman, documented: dict[str, list[str]], subtests: pytest.Subtests) -> None:
    with subtests.test("any user in group 0 can run it"):
        other = [word.replace("footroom:/data", "other:/data") for word in documented["run"]]
        with _served(podman, other, "--user=12345"):
            pass
        assert _stop(podman, documented["stop"]) == "143"
    with subtests.test("SIGTERM ends it while it starts"):
        podman.ask(*(word for word in documented["run"] if not word.startswith("--publish")))
        _until(lambda: podman.run("exec", "footroom", "test", "-e", "/tmp/footroom-kernels").returncode == 0, podman)
        assert _stop(podman, documented["stop"]) == "143"
    with subtests.test("the command line runs in it"):
        assert "wan-bottleneck" in podman.ask(*documented["once"])
