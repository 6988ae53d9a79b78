"""The repository's own files, as its rules see them."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = {".git", ".venv", ".footroom", "node_modules", "dist", "__pycache__", "test-results", "playwright-report"}
CACHES = {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".import_linter_cache", ".ipynb_checkpoints"}
TEXT = {".css", ".csv", ".html", ".ipynb", ".js", ".json", ".lock", ".md", ".mjs", ".py", ".sh", ".toml"}
TEXT |= {".ts", ".tsx", ".yaml", ".yml", ""}


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def texts() -> dict[Path, str]:
    """Every text file of the repository that no tool made, by its path below the top folder."""
    found = {}
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in MADE | CACHES]
        for path in (Path(folder, name) for name in names):
            # A working tree of git's has a file of that name, which says where the repository is.
            if path.suffix in TEXT and path.name != ".git":
                found[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
    return found
