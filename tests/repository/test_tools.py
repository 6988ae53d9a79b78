"""Scripts, versions and lock files agree with one another."""

import json
import re
import tomllib
from pathlib import Path

from footroom.base.version import VERSION

PUBLIC = {"https://pypi.org", "https://files.pythonhosted.org"}


def test_every_npm_script_is_a_verb_of_run(texts: dict[Path, str]) -> None:
    scripts = json.loads(texts[Path("package.json")])["scripts"]
    table = re.search(r"^const VERBS = \{\n(.*?)^\};", texts[Path("run.mjs")], re.MULTILINE | re.DOTALL)
    assert table is not None
    verbs = set(re.findall(r"^  (\w+)[:,]", table[1], re.MULTILINE))
    assert {script: f"node run.mjs {script}" for script in verbs} == scripts


def test_ci_runs_the_same_tests_as_a_person(root: Path) -> None:
    ci = root / ".ci" / "run"
    assert ci.stat().st_mode & 0o111, "not executable"
    assert "exec npm test" in ci.read_text()


def test_python_packages_come_from_the_public_index(texts: dict[Path, str]) -> None:
    hosts = set(re.findall(r"https?://[^/\"]+", texts[Path("uv.lock")]))
    assert hosts == PUBLIC


def test_node_packages_name_no_registry(texts: dict[Path, str]) -> None:
    packages = json.loads(texts[Path("frontend/package-lock.json")])["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    unsigned = [name for name, package in packages.items() if name and "integrity" not in package]
    assert unsigned == []


def test_frontend_versions_are_exact(texts: dict[Path, str]) -> None:
    frontend = json.loads(texts[Path("frontend/package.json")])
    ranges = frontend["dependencies"] | frontend["devDependencies"]
    assert {name: wanted for name, wanted in ranges.items() if not re.fullmatch(r"\d+\.\d+\.\d+", wanted)} == {}


def test_one_version_everywhere(texts: dict[Path, str]) -> None:
    version = tomllib.loads(texts[Path("pyproject.toml")])["project"]["version"]
    locked = {package["name"]: package for package in tomllib.loads(texts[Path("uv.lock")])["package"]}
    assert locked["footroom"]["version"] == version
    assert json.loads(texts[Path("frontend/package.json")])["version"] == version
    assert version == VERSION


def test_run_installs_the_uv_that_wrote_the_lock(texts: dict[Path, str]) -> None:
    """The container and run.mjs use one and the same uv."""
    pinned = re.search(r'UV_PINNED = "([\d.]+)"', texts[Path("run.mjs")])
    assert pinned is not None
    assert f"uv=={pinned[1]}" in texts[Path("docker/Dockerfile")]
