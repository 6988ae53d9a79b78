"""Files of compiled code with a checksum, so that a damaged file is found before anything in it is run."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

from footroom.base.compile_cache.private import exposed
from footroom.base.compile_cache.unit import unit_hash

_LOG = logging.getLogger("footroom")
_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size


@functools.cache
def _say(text: str) -> None:
    """Log a sentence once, however many functions it concerns."""
    _LOG.warning(text)


class Damaged(Exception):
    """A file does not hold what was written to it."""


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files of one function, each followed by the SHA-256 of its content.

    A crash or a full disk leaves a file that is cut short; Numba would fail on it at every start.
    """

    def _load_index(self) -> Any:
        self._check(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        self._check(self._data_path(name))
        return super()._load_data(name)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Any:
        with super()._open_for_write(filepath) as file:
            yield file
            file.flush()
            content = Path(file.name).read_bytes()
            file.write(_DIGEST(content).digest())

    def _check(self, path: str) -> None:
        """Raises Damaged; PermissionError where others can write the directory by now."""
        if reason := exposed(Path(self._cache_path).parent):
            raise PermissionError(reason)
        try:
            content = Path(path).read_bytes()
        except FileNotFoundError:
            return
        if len(content) < _SIZE or _DIGEST(content[:-_SIZE]).digest() != content[-_SIZE:]:
            raise Damaged(path)

    def discard(self) -> None:
        """Remove every file of the function."""
        stem = self._index_name.removesuffix(".nbi")
        for path in Path(self._cache_path).iterdir():
            if path.name == self._index_name or (path.name.startswith(f"{stem}.") and path.suffix == ".nbc"):
                path.unlink(missing_ok=True)


def guard(function: Any, locked: Callable[[], contextlib.AbstractContextManager[None]]) -> None:
    """Make a function's disk cache check what it reads, and never stop a run: what cannot be read is compiled again,
    what cannot be written is compiled by the next process too. Both are logged.

    function: with Numba's disk cache enabled.  locked: keeps other threads and processes away meanwhile.
    """
    cache = function._cache  # noqa: SLF001 - Numba has no public way to choose the files
    before = cache._cache_file  # noqa: SLF001
    code = cache._py_func  # noqa: SLF001
    load, save = cache.load_overload, cache.save_overload

    @functools.cache
    def files() -> CheckedFiles:
        """Named when first needed: by then all that the function names has been defined."""
        name = re.sub(r"[^\w.-]", "", f"{code.__module__}.{code.__qualname__}")
        unit = unit_hash(function)
        # Not under the path of the source, as Numba has it: a copy of the package may use them as well.
        folder = Path(before._cache_path).parent / "code"  # noqa: SLF001
        folder.mkdir(mode=0o700, exist_ok=True)
        named = CheckedFiles(str(folder), f"{name}-{unit}", unit)
        cache._cache_file = named  # noqa: SLF001
        return named

    def checked_load(signature: Any, target: Any) -> Any:
        with locked():
            found = files()
            try:
                return load(signature, target)
            except Damaged as error:
                _say(f"compiled code in {Path(str(error)).parent} is damaged; it is discarded and compiled again")
            except (AttributeError, ImportError):  # kept for arguments of a class that other sources had
                pass
            except OSError as error:
                _say(f"compiled code cannot be read and is compiled again: {error.strerror or error}")
            with contextlib.suppress(OSError):
                found.discard()
            return None

    def checked_save(signature: Any, compiled: Any) -> None:
        with locked():
            files()
            try:
                save(signature, compiled)
            except OSError as error:
                _say(f"compiled code cannot be stored, the next start compiles again: {error.strerror or error}")

    cache.load_overload, cache.save_overload = checked_load, checked_save
