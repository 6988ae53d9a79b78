"""What the container's process 1 does with SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

#: A command that loses the exception by which it should end, as one raised in a finalizer is lost.
LOSES = """
import time
def main():
    try:
        print("runs", flush=True)
        time.sleep(60)
    except SystemExit:
        time.sleep(60)
"""
#: A command in which the exception turns into another, as it does where a module of C is imported.
TURNS = """
import time
def main():
    try:
        print("runs", flush=True)
        time.sleep(60)
    except SystemExit:
        raise ImportError("initialization failed")
"""
#: A command that returns a status of its own after all.
RETURNS = """
import time
def main():
    try:
        print("runs", flush=True)
        time.sleep(60)
    except SystemExit:
        return 1
"""


@pytest.mark.parametrize("command", [LOSES, TURNS, RETURNS], ids=["loses", "turns", "returns"])
def test_sigterm_ends_a_command_that_loses_the_exception(root: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "footroom").mkdir()
    (tmp_path / "footroom" / "__init__.py").touch()
    (tmp_path / "footroom" / "cli.py").write_text(command)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "FOOTROOM_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, str(root / "docker" / "entrypoint.py")], env=environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"runs\n"
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(timeout=40) == 128 + signal.SIGTERM
        finally:
            process.kill()
