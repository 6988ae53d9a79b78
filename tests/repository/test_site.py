"""The site of the documents: every link leads somewhere, and nothing is fetched from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # Not --quiet: it hides warnings from --strict too.
    words = (sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", "website/mkdocs.yml")
    environment = {name: value for name, value in os.environ.items() if name != "FOOTROOM_NOTEBOOKS"}
    built = subprocess.run(
        (*words, "--site-dir", str(folder)),
        check=False,
        cwd=root,
        capture_output=True,
        text=True,
        env={**environment, "NO_MKDOCS_2_WARNING": "1"},
        timeout=300,
    )
    assert built.returncode == 0, f"{built.stdout}{built.stderr}"
    return folder


def test_every_kind_command_question_and_figure_has_its_place(site: Path) -> None:
    def text(page: str) -> str:
        return re.sub(r"<[^>]+>", "", (site / page / "index.html").read_text("utf-8"))

    assert "dynamic_threshold" in text("reference/sharing")
    assert "footroom headroom" in text("reference/command-line")
    assert "footroom size" in text("questions")
    assert (site / "gallery" / "index.html").read_text("utf-8").count('class="figure"') > 10
    assert "import footroom as fr" in text("notebooks/01_quickstart")


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="(https?:)?//[^"]*"')
    assert [str(page) for page in site.rglob("*.html") if loaded.search(page.read_text("utf-8"))] == []
