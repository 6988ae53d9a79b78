"""Compiled code is kept under the right name, whoever else compiles at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numba

from footroom.base import compile_cache

#: Two functions that Numba keeps under one name, told apart by a number.
CLOSURES = """
from numba import types

from footroom.base.compile_cache import callback


def made(number):
    def answer():
        return number

    return callback(types.int64())(answer)
"""

#: Compiles one of them once told to. Of two such processes without a lock, "reader" finds no files just before "writer"
#: keeps its own, and then writes files of the same number, the last of which is the writer's.
PROCESS = """
import sys, time
from numba.core.caching import IndexDataCacheFile as Files
from closures import made

def slowed(method, before, after=0.0):
    def slow(*given):
        time.sleep(before)
        found = method(*given)
        time.sleep(after)
        return found
    return slow

who, number = sys.argv[1], int(sys.argv[2])
if who == "writer":
    Files._save_index, Files._save_data = slowed(Files._save_index, 0.8), slowed(Files._save_data, 0.6)
if who == "reader":
    Files._load_index = slowed(Files._load_index, 0, 0.5)
print("ready", flush=True)
sys.stdin.readline()
compiled = made(number)
print(compiled.ctypes(), compiled.cache_hits)
"""


def begin(folder: Path, who: str, number: int) -> subprocess.Popen[str]:
    (folder / "closures.py").write_text(CLOSURES)
    path = os.pathsep.join([str(folder), *sys.path])
    environment = {**os.environ, "FOOTROOM_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": path}
    process = subprocess.Popen(
        [sys.executable, "-c", PROCESS, who, str(number)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def answers(*processes: subprocess.Popen[str]) -> list[str]:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate(timeout=300)[0].strip() for process in processes]


def test_processes_that_compile_at_once_leave_each_its_own_code(tmp_path: Path) -> None:
    assert answers(begin(tmp_path, "writer", 3), begin(tmp_path, "reader", 5)) == ["3 0", "5 0"]
    assert answers(begin(tmp_path, "", 3), begin(tmp_path, "", 5)) == ["3 1", "5 1"]


def test_threads_declare_one_after_another() -> None:
    before = numba.config.CACHE_DIR
    second: list[threading.Thread] = []
    inside = threading.Event()
    seen: list[Any] = []

    def first_decorates(function: Any) -> Any:
        second.append(threading.Thread(target=compile_cache._cached, args=(second_decorates, answers)))
        second[0].start()
        seen.append(inside.wait(0.1))  # it must not get in meanwhile
        seen.append(numba.config.CACHE_DIR)
        return function

    def second_decorates(function: Any) -> Any:
        inside.set()
        seen.append(numba.config.CACHE_DIR)
        return function

    compile_cache._cached(first_decorates, answers)
    second[0].join()
    assert seen == [False, str(compile_cache.directory()), str(compile_cache.directory())]
    assert before == numba.config.CACHE_DIR
