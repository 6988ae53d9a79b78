"""Where compiled code is kept, so that compiling happens once and an edited helper never runs stale.

Numba keys its disk cache by one function's own file: helpers in other files are not tracked, and neither are jit flags.
The cache directory is therefore named by a hash of every source file that takes part in compiled code; changing any of
them leads to a new, empty directory.

The base directory is ``FOOTROOM_CACHE_DIR`` if set, else ``~/.cache/footroom``, else a directory under the system's
temporary directory when neither can be written. Nobody else may write it (``private``). Files carry a checksum
(``stored``): a damaged one is discarded and compiled again.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from footroom.compile_cache.private import choose
from footroom.compile_cache.stored import guard
from footroom.compile_cache.untimed import register

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]
# Folders whose Python files hold compiled functions or what those functions freeze in at compile time.
SOURCES = ("compile_cache", "kernel", "packet", "congestion", "sharing", "marking", "headroom", "scheduling", "traffic",
           "fluid", "emulator")


register()


def source_hash(package: Path = _PACKAGE) -> str:
    """Hash of all sources that compiled code depends on, of Numba's version and of its CPU setting."""
    digest = hashlib.sha256(f"{numba.__version__} {os.environ.get('NUMBA_CPU_NAME', '')}".encode())
    files: list[Path] = []
    for folder in SOURCES:
        files += sorted((package / folder).rglob("*.py"))
    for path in files:
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def directory() -> Path:
    """The directory compiled code is kept in for the sources as they are now; see ``private.choose``.

    Raises InvalidInput where others can write the directory that FOOTROOM_CACHE_DIR names.
    """
    return choose(source_hash())


class _Lock:
    """Keeps other threads and other processes from the directory.

    Numba numbers the files of a function without regard for others who do the same: two processes that compile two
    closures of one function would leave one's code under the other's name, for good. It is told of the directory
    through a variable of the whole process, which two threads would take from one another.

    Taken after Numba's own lock, which the compiler holds already when it comes to keep what it has made.
    """

    def __init__(self) -> None:
        self._depth = 0

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Alone for the time of a ``with`` block, which may be inside another."""
        with global_compiler_lock, contextlib.ExitStack() as opened:
            if self._depth == 0:
                with contextlib.suppress(OSError):  # no locks here, or the directory is gone: as safe as can be
                    file = opened.enter_context((directory() / "lock").open("ab"))
                    fcntl.flock(file, fcntl.LOCK_EX)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1


_LOCK = _Lock()


def _cached(decorate: Callable[[Function], Any], function: Function) -> Any:
    with _LOCK.held():
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(directory())
        try:
            return decorate(function)
        finally:
            numba.config.CACHE_DIR = before


def helper(function: Function) -> Function:
    """Compile a function that only other compiled functions call, inlined into its callers.

    Without the reference counting of the runtime (``_nrt=False``) the same code runs 6 to 50 times faster. Calling
    the result from Python crashes the interpreter.
    """
    compiled: Function = njit(_nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def routine(function: Function) -> Function:
    """Compile a function that only other compiled functions call, and seldom: kept apart, so that they stay short."""
    compiled: Function = njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a function that Python calls: kept on disk, and run without the global interpreter lock."""
    compiled: Function = _cached(njit(cache=True, nogil=True, _nrt=False), function)
    guard(compiled, _LOCK.held)  # its files are read and written when the function is first called, not here
    return compiled


def callback(signature: Any) -> Callable[[Function], Any]:
    """Compile a function of fixed signature that compiled code calls by address: one more recompiles nothing."""

    def compiled(function: Function) -> Any:
        made = CFunc(function, normalize_signature(signature), locals={}, options={})
        made.enable_caching()
        guard(made, _LOCK.held)
        made.compile()
        return made

    return functools.partial(_cached, compiled)
