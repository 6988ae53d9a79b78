"""What one compiled function depends on: the code of all that it calls and every value that is frozen into it.

Numba keys its disk cache by a function's own file and ignores all others. Here the key is made from the
function itself: its bytecode and constants, those of the compiled functions and intrinsics that it names, theirs in
turn, and the values of all global names on the way. Comments, docstrings, line numbers and code that it does not reach
do not count; the types of its arguments are Numba's own part of the key.

A name counts as everything of that name in its module: the key may cover too much, never too little.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import inspect
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

from footroom.base.syntax import parse

_OURS = "footroom"
#: Placeholders for the functions of hooks, and calls by address: compiled code refers to it by type, not by name.
_SHARED = Path(__file__).parents[2] / "kernel" / "calls.py"


def unit_hash(function: Callable[..., Any]) -> str:
    """Hash of ``function``, compiled or about to be, and of all that is compiled into it."""
    digest = hashlib.sha256(_environment().encode())
    for part in _Walk().value(function):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:24]


@functools.cache
def _environment() -> str:
    versions = numba.__version__, llvmlite.__version__, np.__version__, platform.python_version()
    return "\0".join([*versions, source(_SHARED) if _SHARED.exists() else ""])


@functools.cache
def source(path: Path) -> str:
    """The statements of a Python file, without comments, docstrings and line numbers."""
    tree = parse(path.read_bytes())
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
            and isinstance(node.body[0].value, ast.Constant)
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)


class _Walk:
    """One pass over a function and what it reaches; every function counts once."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}

    def value(self, value: Any) -> Iterator[str]:
        """Text that differs wherever compiled code that holds ``value`` may differ."""
        function = _function_of(value)
        if function is not None:
            yield from self._function(function, value)
        elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
            yield f"{type(value).__name__} {value!r}"
        elif isinstance(value, (tuple, list)):
            yield f"{type(value).__name__} of {len(value)}"
            for each in value:
                yield from self.value(each)
        elif isinstance(value, Mapping):
            yield f"mapping of {len(value)}"
            for key, each in value.items():
                yield from self.value(key)
                yield from self.value(each)
        elif isinstance(value, np.dtype):
            yield f"dtype {value!r} {value.itemsize}"
        elif isinstance(value, np.ndarray):
            yield f"array {value.dtype!r} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        elif isinstance(value, (set, frozenset)):
            yield f"set {sorted(map(repr, value))}"
        elif isinstance(value, ModuleType):
            yield f"module {value.__name__}"
        else:
            yield from self._other(value)

    def _other(self, value: Any) -> Iterator[str]:
        """A class, a type of Numba's, or an object of ours: its module counts as a whole."""
        kind = value if isinstance(value, type) else type(value)
        yield f"{kind.__module__}.{kind.__qualname__}"
        if kind.__module__.split(".")[0] == _OURS:
            yield source(Path(inspect.getfile(kind)))
        elif not isinstance(value, type):
            yield re.sub(r" at 0x[0-9a-f]+", "", repr(value))

    def _function(self, function: FunctionType, value: Any) -> Iterator[str]:
        if id(function) in self._seen:
            yield f"function {self._seen[id(function)]}"
            return
        self._seen[id(function)] = len(self._seen)
        yield f"{function.__module__}.{function.__qualname__}"
        if function.__module__.split(".")[0] in ("numba", "numpy", "math", "llvmlite"):
            return
        yield f"{type(value).__name__} {sorted(getattr(value, 'targetoptions', {}).items())}"
        for code in _codes(function.__code__):
            yield from self._code(code, function)
        for cell in function.__closure__ or ():
            yield from self.value(cell.cell_contents)
        yield from self.value(function.__defaults__)

    def _code(self, code: CodeType, function: FunctionType) -> Iterator[str]:
        yield f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {code.co_varnames} {code.co_names}"
        constants = code.co_consts
        if constants and constants[0] == function.__doc__:
            constants = constants[1:]
        yield from self.value([each for each in constants if not isinstance(each, CodeType)])
        for name in code.co_names:
            if name in function.__globals__:
                found = function.__globals__[name]
                yield from self.value(found)
                if isinstance(found, ModuleType) and found.__name__.split(".")[0] == _OURS:
                    for inner in code.co_names:
                        if hasattr(found, inner):
                            yield from self.value(getattr(found, inner))
            elif not hasattr(builtins, name):
                yield f"name {name}"


def _function_of(value: Any) -> FunctionType | None:
    """The plain function inside what Numba's decorators and hooks make of one; none where there is none."""
    for name in ("py_func", "_defn", "_pyfunc", "function"):
        inner = value if isinstance(value, FunctionType) else getattr(value, name, None)
        if isinstance(inner, FunctionType):
            return inner
    return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """``code`` and those of the functions defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
