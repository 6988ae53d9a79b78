"""The container's files, read closely; test_container builds the image and runs it."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml


def _stages(steps: list[str]) -> set[str]:
    return {step.split(" AS ")[1] for step in steps if step.startswith("FROM ")}


@pytest.fixture(scope="module")
def steps(root: Path) -> list[str]:
    """The Dockerfile's instructions, each on one line."""
    text = (root / "docker" / "Dockerfile").read_text()
    joined = re.sub(r"\\\n\s*", " ", text)
    return [line for line in joined.splitlines() if line and not line.startswith("#")]


def test_everything_copied_exists_and_reaches_the_builder(root: Path, steps: list[str]) -> None:
    allowed = {line[1:] for line in (root / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for step in steps:
        if step.startswith("COPY ") and "--from=" not in step:
            for source in step.split()[1:-1]:
                assert (root / source).exists(), f"{step}: {source} does not exist"
                assert {source, source.split("/")[0]} & allowed, f"{step}: .dockerignore keeps {source} out"


def test_the_page_is_built_from_the_whole_frontend(root: Path, steps: list[str]) -> None:
    """A list of its files would miss the next one that the build's configuration imports."""
    assert "COPY frontend ./" in steps
    kept_out = [line for line in (root / ".dockerignore").read_text().splitlines() if line.startswith("frontend/")]
    assert set(kept_out) == {"frontend/dist", "frontend/node_modules", "frontend/e2e"}


def test_stages_copied_from_exist(steps: list[str]) -> None:
    stages = _stages(steps)
    copied = {match[1] for step in steps if (match := re.match(r"COPY --from=(\w+) ", step))}
    assert copied <= stages


def test_bases_can_be_replaced(root: Path, steps: list[str]) -> None:
    bases = {step.split()[1] for step in steps if step.startswith("FROM ")}
    assert bases - _stages(steps) == {"${NODE_IMAGE}", "${BASE_IMAGE}"}
    assert {step[4:].split("=")[0] for step in steps if step.startswith("ARG ")} == {"NODE_IMAGE", "BASE_IMAGE"}
    # A syntax line makes every build fetch one more image.
    assert not re.search(r"^# *syntax=", (root / "docker" / "Dockerfile").read_text(), re.MULTILINE)


def test_the_server_is_nobody_special(steps: list[str]) -> None:
    last_user = [step for step in steps if step.startswith("USER ")][-1]
    assert re.fullmatch(r"USER [1-9]\d*:[1-9]\d*", last_user)
    after = steps[steps.index(last_user) :]
    assert not any(step.startswith(("RUN ", "COPY ")) for step in after)


def test_kernels_are_compiled_for_any_processor(steps: list[str]) -> None:
    at = {name: next(i for i, step in enumerate(steps) if name in step) for name in ("NUMBA_CPU_NAME=generic", ".warm")}
    assert at["NUMBA_CPU_NAME=generic"] < at[".warm"]


def test_what_the_image_warms_exists(root: Path, steps: list[str]) -> None:
    modules = [module for step in steps for module in re.findall(r"python3 -m (footroom[\w.]*)", step)]
    assert modules
    for module in modules:
        assert (root / "models" / f"{module.replace('.', '/')}.py").is_file()


def _composed(root: Path) -> dict[str, Any]:
    """The compose file with the defaults of its variables."""
    text = (root / "docker" / "compose.yaml").read_text()
    composed: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))
    return composed


def test_compose_gives_no_more_than_needed(root: Path) -> None:
    composed = _composed(root)
    assert composed.keys() == {"name", "services", "volumes"}
    server = composed["services"]["server"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in server["security_opt"]
    assert server["tmpfs"]
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    assert {volume.split(":")[0] for volume in server["volumes"]} == set(composed["volumes"])
    assert (root / "docker" / server["build"]["context"] / server["build"]["dockerfile"]).is_file()


def test_compose_runs_what_is_documented(root: Path) -> None:
    """As docs/container.md does, whose commands test_container runs."""
    text = (root / "docs" / "container.md").read_text().replace("\\\n", " ")
    command = next(shlex.split(line) for line in text.splitlines() if line.startswith("podman run"))
    server = _composed(root)["services"]["server"]
    said = {key: value for key, _, value in (word.removeprefix("--").partition("=") for word in command) if value}
    assert said["memory"] == server["mem_limit"]
    assert said["cpus"] == str(server["cpus"])
    assert said["pids-limit"] == str(server["pids_limit"])
    assert said["env"] == f"FOOTROOM_WORKERS={server['environment']['FOOTROOM_WORKERS']}"
    assert said["tmpfs"] == server["tmpfs"][0].split(",")[0]
    assert [said["publish"]] == server["ports"]
    assert said["volume"].split(":")[1] == server["volumes"][0].split(":")[1]
    assert said["security-opt"] == server["security_opt"][0].split(":")[0]
    assert "--read-only" in command
    assert command[-1] == server["image"]


def test_compose_sets_what_the_server_reads(root: Path) -> None:
    settings = (root / "backend" / "footroom_api" / "settings.py").read_text()
    for name in _composed(root)["services"]["server"]["environment"]:
        assert f'"{name}"' in settings


def test_the_readme_builds_the_image_as_documented(root: Path) -> None:
    named = re.findall(r"`(podman [^`]*)`", (root / "README.md").read_text())
    assert named
    assert set(named) <= set((root / "docs" / "container.md").read_text().splitlines())
