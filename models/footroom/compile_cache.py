"""Where compiled code is kept, so that compiling happens once and an edited helper never runs stale.

Numba keys its disk cache by one function's own file: helpers in other files are not tracked, and neither are jit flags.
The cache directory is therefore named by a hash of every source file that takes part in compiled code; changing any of
them leads to a new, empty directory.

The base directory is ``FOOTROOM_CACHE_DIR`` if set, else ``~/.cache/footroom``, else a directory under the system's
temporary directory when neither can be written.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import cfunc, njit
from numba.core.compiler_lock import global_compiler_lock

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
# Folders whose Python files hold compiled functions or what those functions freeze in at compile time.
SOURCES = ("kernel", "packet", "congestion", "sharing", "marking", "fluid", "emulator")


def source_hash(package: Path = _PACKAGE) -> str:
    """Hash of all sources that compiled code depends on, of Numba's version and of its CPU setting."""
    digest = hashlib.sha256(f"{numba.__version__} {os.environ.get('NUMBA_CPU_NAME', '')}".encode())
    files = [package / "compile_cache.py"]
    for folder in SOURCES:
        files += sorted((package / folder).rglob("*.py"))
    for path in files:
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):  # each thread and process tries with a file of its own
            pass
    except OSError:
        return False
    return True


@functools.cache
def directory() -> Path:
    """The directory compiled code is kept in for the sources as they are now."""
    bases = [Path(os.environ["FOOTROOM_CACHE_DIR"])] if "FOOTROOM_CACHE_DIR" in os.environ else []
    bases += [Path.home() / ".cache" / "footroom", Path(tempfile.gettempdir()) / f"footroom-{os.getuid()}"]
    for base in bases:
        if _writable(base / source_hash()):
            return base / source_hash()
    return Path(tempfile.mkdtemp(prefix="footroom-"))


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
                file = opened.enter_context((directory() / "lock").open("ab"))
                with contextlib.suppress(OSError):  # a file system without locks: as safe as it can be there
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


def _alone(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def locked(*given: Any) -> Any:
        with _LOCK.held():
            return method(*given)

    return locked


def helper(function: Function) -> Function:
    """Compile a function that only other compiled functions call, inlined into its callers.

    Without the reference counting of the runtime (``_nrt=False``) the same code runs 6 to 50 times faster. Calling
    the result from Python crashes the interpreter.
    """
    compiled: Function = njit(_nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a function that Python calls: kept on disk, and run without the global interpreter lock."""
    compiled = _cached(njit(cache=True, nogil=True, _nrt=False), function)
    files = compiled._cache  # noqa: SLF001 - read and written when the function is first called, not here
    files.load_overload, files.save_overload = _alone(files.load_overload), _alone(files.save_overload)
    return compiled


def callback(signature: Any) -> Callable[[Function], Any]:
    """Compile a function of fixed signature that compiled code calls by address: one more recompiles nothing."""
    return functools.partial(_cached, cfunc(signature, cache=True))
