"""The wheel in an empty environment: the science without a web framework, and the server with the page."""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_ALONE = """
import importlib.util, footroom as fr
present = [n for n in ("alembic", "fastapi", "sqlalchemy", "uvicorn") if importlib.util.find_spec(n)]
print(present, round(fr.run("wan-bottleneck", engine="theory").metrics["utilisation"], 3))
"""


def _uv() -> str:
    found = shutil.which(str(Path(sys.executable).with_name("uv"))) or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not installed")
    return found


def _run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, check=False, cwd=cwd, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (root / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the page is not built")
    folder = tmp_path_factory.mktemp("wheel")
    built = _run(_uv(), "build", "--quiet", "--wheel", "--out-dir", str(folder), cwd=root)
    if built.returncode != 0 and re.search(r"Failed to (fetch|download)|error sending request", built.stderr):
        pytest.skip("the build tool cannot be fetched")
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(root: Path, wheel: Path) -> Iterator[Path]:
    """The folder of programs of an environment with the wheel alone, at the locked versions of what it needs."""
    folder = wheel.parent
    locked = folder / "locked.txt"
    words = ("export", "--quiet", "--locked", "--no-emit-project", "--no-hashes", "--extra", "server")
    assert _run(_uv(), *words, "--output-file", str(locked), cwd=root).returncode == 0
    assert _run(_uv(), "venv", "--quiet", "--python", sys.executable, "env", cwd=folder).returncode == 0
    _install(folder, str(wheel))
    yield folder / "env" / "bin"
    shutil.rmtree(folder / "env")


def _install(folder: Path, what: str) -> None:
    words = ("pip", "install", "--quiet", "--python", "env/bin/python", "--constraints", "locked.txt", what)
    done = _run(_uv(), *words, cwd=folder)
    assert done.returncode == 0, done.stderr


def test_the_wheel_has_the_page_types_and_data_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"footroom_api/page/index.html", "footroom/py.typed", "footroom_api/py.typed"} <= names
    assert any(name.startswith("footroom/papers/data/") for name in names)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"footroom", "footroom_api"}


def test_the_science_alone_needs_no_web_framework(environment: Path, wheel: Path) -> None:
    done = _run(str(environment / "python"), "-c", _ALONE, cwd=wheel.parent)
    assert done.stdout.startswith("[] 0.9"), done.stderr
    refused = _run(str(environment / "footroom"), "serve", cwd=wheel.parent)
    assert refused.returncode == 2
    assert "pip install 'footroom[server]'" in refused.stderr


def test_the_installed_server_shows_the_page(environment: Path, wheel: Path) -> None:
    _install(wheel.parent, f"{wheel}[server]")
    words = (str(environment / "footroom"), "serve", "--port", "0", "--database", "sqlite:///studies.db")
    with subprocess.Popen(words, cwd=wheel.parent, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+/", server.stdout.readline())
            assert found is not None
            with urllib.request.urlopen(found[0]) as page:
                assert b'<div id="root">' in page.read()
            with urllib.request.urlopen(f"{found[0]}api/v1/health") as health:
                assert json.load(health)["status"] == "ok"
        finally:
            server.terminate()
