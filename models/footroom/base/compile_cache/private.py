"""A directory that nobody else can write.

Compiled code is stored as pickles, and reading a pickle runs what it says. Whoever can write the directory can run code
as the user who reads it, so a directory is used only if it belongs to the present user and nobody else may write it.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from footroom.base.errors import InvalidInput

VARIABLE = "FOOTROOM_CACHE_DIR"
_LOG = logging.getLogger("footroom")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class NotWritable(Exception):
    """The directory is private or missing, but files cannot be kept in it."""


def exposed(path: Path) -> str:
    """Why others could put files in ``path``, an existing directory; empty if they cannot.

    Raises OSError where its owner and mode cannot be read.
    """
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{path} is not a directory"
    if found.st_uid != os.getuid():
        return f"{path} belongs to user {found.st_uid}, not to user {os.getuid()}"
    if found.st_mode & _OTHERS_WRITE:
        return f"other users can write {path}"
    return ""


def _exposed_above(path: Path) -> str:
    """Why others could put another directory in place of ``path``; empty if they cannot.

    A directory above it may be open to others only if it is sticky, as /tmp is. Raises OSError.
    """
    for above in path.parents:
        mode = above.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"other users can write {above}"
    return ""


def _private(path: Path) -> str:
    """Make the directory if it is missing, for this user alone. Returns why it is not private; empty if it is.

    Raises NotWritable where it cannot be made, or no files can be kept in it.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if reason := exposed(path):
            return reason
        with tempfile.TemporaryFile(dir=path):  # each thread and process tries with a file of its own
            pass
    except OSError as error:
        raise NotWritable(f"{path} cannot be written: {error.strerror}") from None
    return ""


def choose(name: str) -> Path:
    """The first usable of: ``name`` in FOOTROOM_CACHE_DIR, in ~/.cache/footroom, in a directory under the system's
    temporary directory, in a new directory that is removed at exit.

    Raises InvalidInput where others can write FOOTROOM_CACHE_DIR, or where nothing at all can be written.
    """
    if given := os.environ.get(VARIABLE, ""):
        with _saying():
            return _chosen_by_user(given, name)
    with contextlib.suppress(RuntimeError, OSError):  # no home directory
        home = Path.home().resolve()
        # Under sudo the home directory may be that of another user, who must not find files of ours there.
        if home.stat().st_uid == os.getuid():
            base = home / ".cache" / "footroom"
            with contextlib.suppress(NotWritable):
                if _usable(base, name):
                    return base / name
    try:
        base = Path(tempfile.gettempdir()).resolve() / f"footroom-{os.getuid()}"
        with contextlib.suppress(NotWritable):
            if _usable(base, name):
                return base / name
        return _fresh() / name
    except OSError as error:
        raise InvalidInput.at(
            VARIABLE,
            given,
            "compiled code must be stored, and neither the home directory nor a temporary directory can be written: "
            f"{error}",
        ) from None


def _chosen_by_user(given: str, name: str) -> Path:
    """Raises InvalidInput where others can write it, NotWritable where we cannot."""
    base = Path(given).expanduser().absolute().resolve()
    for path in (base, base / name):
        if reason := _private(path):
            raise InvalidInput.at(
                VARIABLE,
                given,
                f"{reason}; whoever can write compiled code can run code as you: "
                "choose another directory, or make this one yours with chown and "
                "chmod 700",
            )
    _all_writable(base / name)
    if reason := _exposed_above(base):  # so are volumes of containers, where there is nobody else
        _LOG.warning("%s: %s; they could put another directory in place of %s", VARIABLE, reason, base)
    return base / name


@contextlib.contextmanager
def _saying() -> Iterator[None]:
    """Log that the chosen directory cannot be used, and go on."""
    try:
        yield
    except NotWritable as error:
        _LOG.warning("%s: %s; compiled code is kept elsewhere", VARIABLE, error)


def _usable(base: Path, name: str) -> bool:
    """Whether ``name`` in ``base`` is private to this user; makes both if missing. Raises NotWritable."""
    # Made under umask 002, ours may be open to our group; only directories are in it.
    with contextlib.suppress(OSError):
        found = base.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and found.st_mode & _OTHERS_WRITE:
            base.chmod(0o700)
    if _private(base) or _exposed_above(base) or _private(base / name):
        return False
    _all_writable(base / name)
    return True


def _all_writable(path: Path) -> None:
    """Raises NotWritable for a folder inside that another user left, as a run under sudo does."""
    for inner in path.iterdir():
        if inner.is_dir() and not os.access(inner, os.R_OK | os.W_OK | os.X_OK):
            raise NotWritable(f"{inner} cannot be written")


def _fresh() -> Path:
    """A new directory of this process, removed at exit. Raises OSError."""
    made = Path(tempfile.mkdtemp(prefix="footroom-"))
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not in a process that was forked from this one
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(remove)
    _LOG.warning("no directory for compiled code can be used; it is compiled again by every process: set %s", VARIABLE)
    return made
