"""Where compiled code is kept, so that compiling happens once and an edited helper never runs stale.

Files are named by a hash of what the compiled function itself depends on (``unit``): editing a law compiles that law
again, and nothing else. All versions of the package share one directory.

The base directory is ``FOOTROOM_CACHE_DIR`` if set, else ``~/.cache/footroom``, else a directory under the system's
temporary directory when neither can be written. Nobody else may write it (``private``). Files carry a checksum
(``stored``): a damaged one is discarded and compiled again.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from footroom.base.compile_cache.private import choose
from footroom.base.compile_cache.stored import guard
from footroom.base.compile_cache.untimed import register

if sys.platform == "win32":
    raise ImportError("Footroom runs on Linux and macOS. On Windows, run it inside WSL.")

import fcntl

Function = TypeVar("Function", bound=Callable[..., Any])

#: Name of the directory: a new one whenever the format of its files changes.
_LAYOUT = "units-2"

register()


@functools.cache
def directory() -> Path:
    """The directory compiled code is kept in; see ``private.choose``.

    Raises InvalidInput where others can write the directory that FOOTROOM_CACHE_DIR names.
    """
    return choose(_LAYOUT)


class _Lock:
    """Locks the directory against other threads and other processes.

    Numba numbers the files of a function without any lock: two processes that compile two closures of one function
    would leave one's code under the other's name, for good. Numba reads the directory's path from a variable of the
    whole process, so two threads would overwrite each other's.

    Taken after Numba's own lock, which the compiler already holds when it saves compiled code.
    """

    def __init__(self) -> None:
        self._depth = 0

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock during a ``with`` block; blocks may be nested."""
        with global_compiler_lock, contextlib.ExitStack() as opened:
            if self._depth == 0:
                with contextlib.suppress(OSError):  # no file locks here, or the directory is gone: go on without
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
    compiled: Function = njit(
        error_model="numpy", _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    return compiled


def routine(function: Function) -> Function:
    """Compile a function that only other compiled functions call, and seldom: not inlined, so that they stay short."""
    compiled: Function = njit(error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a function that Python calls: kept on disk, and run without the global interpreter lock."""
    compiled: Function = _cached(njit(error_model="numpy", cache=True, nogil=True, _nrt=False), function)
    guard(compiled, _LOCK.held)  # its files are read and written when the function is first called, not here
    return compiled


def callback(signature: Any) -> Callable[[Function], Any]:
    """Compile a function of fixed signature that compiled code calls by address: adding one recompiles nothing."""

    def compiled(function: Function) -> Any:
        made = CFunc(function, normalize_signature(signature), locals={}, options={})
        made.enable_caching()
        guard(made, _LOCK.held)
        made.compile()
        return made

    return functools.partial(_cached, compiled)
