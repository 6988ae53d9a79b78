"""Compiled code is kept under what it is made from: no more is compiled again than an edit concerns, and no less."""

from __future__ import annotations

import importlib
import itertools
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import footroom
from footroom.base.compile_cache.unit import _Walk, unit_hash

CALLED = '''"""A module."""
import numpy as np

from footroom.base.compile_cache import helper, routine

LIMIT = 3
SIZES = np.dtype([("a", "i8")])


@helper
def inner(x):
    """Twice."""
    return x * 2


@routine
def outer(x):
    """At most."""
    return min(inner(x), LIMIT) + SIZE


SIZE = SIZES.itemsize


def aside(x):
    return x
'''
ENTRY = '''"""Another."""
from footroom.base.compile_cache import entry
from called import outer


@entry
def start(x):
    """What Python calls."""
    return outer(x) + 1
'''
_numbers = itertools.count()


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Hash of ``start`` with some text of either module replaced."""

    def hashed(old: str = "", new: str = "") -> str:
        folder = tmp_path / str(next(_numbers))
        folder.mkdir()
        assert not old or old in CALLED + ENTRY
        (folder / "called.py").write_text(CALLED.replace(old, new) if old else CALLED)
        (folder / "started.py").write_text(ENTRY.replace(old, new) if old else ENTRY)
        for name in ("called", "started"):
            sys.modules.pop(name, None)
        with monkeypatch.context() as patch:
            patch.syspath_prepend(folder)
            importlib.invalidate_caches()
            return unit_hash(importlib.import_module("started").start)

    return hashed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Twice."""', '"""Two times."""'),
        ('"""A module."""', '"""A\nlonger\nmodule."""'),
        ("return x\n", "return -x\n"),
        ('"""What Python calls."""', "# nothing\n"),
        ("    return min", "\n    # why\n    return min"),
    ],
)
def test_an_edit_that_does_not_reach_the_function_keeps_its_code(modules: Any, old: str, new: str) -> None:
    assert modules(old, new) == modules()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x * 2", "x * 4"),
        ("LIMIT = 3", "LIMIT = 4"),
        ('("a", "i8")', '("a", "i8"), ("b", "i8")'),
        ("min(", "max("),
        ("@routine", "@helper"),
        ("outer(x) + 1", "outer(x) + 2"),
        ("LIMIT = 3", "LIMIT = 3.0"),
    ],
)
def test_an_edit_that_reaches_it_compiles_it_again(modules: Any, old: str, new: str) -> None:
    assert modules(old, new) != modules()


def _compiled(package: str) -> Iterator[Dispatcher]:
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__, package + "."):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, Dispatcher) and value.py_func.__module__ == info.name:
                yield value


def test_every_helper_of_the_packet_engine_counts() -> None:
    """From the functions that Python calls, the walk comes to every one that is compiled.

    Python calls some of them through the hybrid engine alone."""
    walk = _Walk()
    everything = [*_compiled("footroom.engines.packet"), *_compiled("footroom.kernel")]
    for each in [*everything, *_compiled("footroom.engines.hybrid")]:
        if "no_cpython_wrapper" not in each.targetoptions:  # Python may call it
            list(walk.value(each))
    missing = {each.py_func.__qualname__ for each in everything if id(each.py_func) not in walk._seen}
    assert missing == set()
    assert len(walk._seen) > 80


PROBE = """
from footroom.engines.packet.loop import run
from footroom.base.compile_cache.unit import unit_hash
print(unit_hash(run))
"""


def engine_hash(package: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    return subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_edits_elsewhere_do_not_compile_the_engine_again(tmp_path: Path) -> None:
    package = tmp_path / "footroom"
    shutil.copytree(Path(footroom.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    before = engine_hash(package)
    for name, line in (
        ("calculators/pool/compute.py", "\nADDED = 1\n"),
        ("calculators/headroom/compute.py", "\nADDED = 1\n"),
        ("parts/congestion/newreno.py", "\nADDED = 1\n"),
        ("engines/packet/sender.py", "\n# a comment\n"),
    ):
        path = package / name
        path.write_text(path.read_text() + line)
    law = package / "parts/congestion/cubic.py"
    law.write_text(law.read_text().replace('"""', '"""\n', 1))
    assert engine_hash(package) == before
    sender = package / "engines/packet/sender.py"
    text = sender.read_text()
    assert "3 * f.rttvar" in text
    sender.write_text(text.replace("3 * f.rttvar", "5 * f.rttvar"))
    assert engine_hash(package) != before
