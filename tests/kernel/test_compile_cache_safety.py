"""Compiled code is read only from where nobody else can write, and a damaged cache mends itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from footroom.base.compile_cache import private, stored
from footroom.base.errors import InvalidInput

PROBE = """
from numba import types

from footroom.base.compile_cache import callback, directory, entry


def seven():
    return 7


@entry
def next_number(x):
    return x + 1


made = callback(types.int64())(seven)
print(made.ctypes(), next_number(2), made.cache_hits, sum(next_number.stats.cache_hits.values()), directory().parent)
"""

NOBODY = 65534


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and an empty temporary directory of their own."""
    for name, mode in (("home", 0o755), ("tmp", 0o1777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FOOTROOM_CACHE_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def no_home(places: Path) -> Path:
    """Make the home unusable for everybody, root too. Returns where the cache goes then."""
    (places / "home" / ".cache").write_text("a file where a directory would be")
    return places / "tmp" / f"footroom-{os.getuid()}"


def owned_by(other: int, monkeypatch: pytest.MonkeyPatch, which: Path) -> None:
    """Let ``which`` look as if it belonged to another user."""
    before = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = before(path)
        return os.stat_result((*found[:4], other, *found[5:10])) if path == which else found

    monkeypatch.setattr(Path, "lstat", lstat)


def test_new_directories_are_for_their_owner_alone(places: Path) -> None:
    chosen = private.choose("abc")
    assert chosen == places / "home" / ".cache" / "footroom" / "abc"
    assert chosen.stat().st_mode & 0o777 == 0o700
    assert not list((places / "tmp").iterdir())


def test_a_home_opened_to_its_group_by_umask_is_closed_again(places: Path) -> None:
    base = places / "home" / ".cache" / "footroom"
    base.mkdir(parents=True)
    base.chmod(0o775)
    assert private.choose("abc") == base / "abc"
    assert base.stat().st_mode & 0o777 == 0o700


def test_without_a_home_the_temporary_directory_serves_if_it_is_ours(places: Path) -> None:
    base = no_home(places)
    assert private.choose("abc") == base / "abc"
    assert private.choose("abc") == base / "abc"
    assert base.stat().st_mode & 0o777 == 0o700


def plant(base: Path) -> None:
    (base / "abc").mkdir(parents=True)


@pytest.mark.parametrize("case", ["another's", "another's inside", "symlink", "open inside"])
def test_what_others_can_write_is_never_used(case: str, places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = no_home(places)
    if case == "symlink":
        plant(places / "elsewhere")
        base.symlink_to(places / "elsewhere")
    else:
        plant(base)
        base.chmod(0o700)
    if case == "open inside":
        (base / "abc").chmod(0o777)
    if case.startswith("another's"):
        owned_by(os.getuid() + 1, monkeypatch, base / "abc" if case.endswith("inside") else base)
    chosen = private.choose("abc")
    assert chosen.parent.parent == places / "tmp"
    assert chosen.parent != base
    assert chosen.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_chosen_directory_that_others_can_write_is_refused(
    mode: int, places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = places / "chosen"
    chosen.mkdir()
    chosen.chmod(mode)
    monkeypatch.setenv("FOOTROOM_CACHE_DIR", str(chosen))
    with pytest.raises(InvalidInput, match=r"FOOTROOM_CACHE_DIR: .*other users can write .*chosen"):
        private.choose("abc")


def test_a_place_open_to_all_is_used_only_when_it_was_chosen(
    places: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usual = no_home(places)
    monkeypatch.setenv("FOOTROOM_CACHE_DIR", str(places / "tmp" / "mine"))
    assert private.choose("abc") == places / "tmp" / "mine" / "abc"
    assert not caplog.records  # sticky: nobody else can rename it
    (places / "tmp").chmod(0o777)
    assert private.choose("abc") == places / "tmp" / "mine" / "abc"
    assert "other users can write" in caplog.text
    monkeypatch.delenv("FOOTROOM_CACHE_DIR")
    assert private.choose("abc").parent != usual


def test_a_chosen_directory_that_cannot_be_written_is_named_and_another_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (places / "file").write_text("")
    monkeypatch.setenv("FOOTROOM_CACHE_DIR", str(places / "file" / "cache"))
    assert private.choose("abc") == places / "home" / ".cache" / "footroom" / "abc"
    assert "FOOTROOM_CACHE_DIR" in caplog.text
    assert "cannot be written" in caplog.text


def probe(cache: Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Compile two functions in a process of its own, or read them from ``cache``."""
    program = cache.parent / "probe.py"
    program.write_text(PROBE)
    environment = {
        **os.environ,
        "FOOTROOM_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(sys.path),
        **settings.pop("environment", {}),
    }
    return subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        **settings,
    )


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "cut": cut,
    "empty": lambda path: os.truncate(path, 0),
    "garbage": lambda path: path.write_bytes(b"\0" * 200),
    "one bit": flip,
}


def test_a_damaged_cache_is_discarded_and_compiled_once(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert probe(cache).stdout.split()[:4] == ["7", "3", "0", "0"]
    intact = probe(cache)
    assert (intact.stdout.split()[:4], intact.stderr) == (["7", "3", "1", "1"], "")
    for pattern in ("*.nbc", "*.nbi"):
        for name, damage in DAMAGES.items():
            for path in cache.rglob(pattern):
                damage(path)
            mending = probe(cache)
            assert mending.stdout.split()[:4] == ["7", "3", "0", "0"], (pattern, name, mending.stderr)
            assert "is damaged; it is discarded and compiled again" in mending.stderr, (pattern, name)
            assert "Traceback" not in mending.stderr
            mended = probe(cache)
            assert (mended.stdout.split()[:4], mended.stderr) == (["7", "3", "1", "1"], ""), (pattern, name)


def test_a_disk_that_takes_no_more_stops_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from footroom.base.compile_cache import entry

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored.CheckedFiles, "_save_index", full)

    @entry
    def doubled(x: int) -> int:
        return 2 * x

    assert doubled(21) == 42
    assert "No space left on device" in caplog.text


@pytest.mark.skipif(os.getuid() != 0, reason="needs to become another user")
def test_nothing_is_read_from_what_another_user_planted() -> None:
    # Not below pytest's own folder: every pytest that starts on the machine closes that one to other users again.
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        shared = Path(folder)
        shared.chmod(0o1777)
        planted(shared)


def planted(shared: Path) -> None:
    ours = shared / "footroom-0"
    subprocess.run(["mkdir", "-m", "0777", str(ours)], check=True, user=NOBODY)
    home = {"HOME": "/proc/nowhere", "TMPDIR": str(shared), "FOOTROOM_CACHE_DIR": ""}
    found = probe(shared / "ignored", environment=home)
    assert found.stdout.split()[:2] == ["7", "3"], found.stderr
    assert found.stdout.split()[4] != str(ours)
    assert not list(ours.iterdir())
    assert [path.name for path in shared.iterdir() if path.name.startswith("footroom-")] == ["footroom-0"]
    refused = probe(ours, environment={"TMPDIR": str(shared)})
    assert refused.returncode != 0
    assert "FOOTROOM_CACHE_DIR" in refused.stderr
    assert f"belongs to user {NOBODY}, not to user 0" in refused.stderr
