"""Laws' code into machine code, without Numba's analysis of every function.

Numba takes 30 to 90 ms for each function that a hook calls, nearly all of it in Python, and a law such as BBR has fifty
of them. Hooks of laws use so little of Python (numbers, rows, arrays at an address, ``if``, loops, calls of one
another) that they can be translated statement by statement. Anything else raises ``Unsupported`` and is left to Numba.
The results are the same to the bit; the tests compile every law both ways.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from llvmlite import ir

from footroom.kernel.lowering.source import syntax
from footroom.kernel.lowering.statements import Again, Body
from footroom.kernel.lowering.values import (
    INTEGER,
    NOTHING,
    REAL,
    REALS,
    Kind,
    Unsupported,
    Value,
    converted,
    row_of,
)

#: Instructions, before LLVM's changes, above which a function is not inlined: LLVM would inline whatever is called
#: once, and it takes a third longer to compile all of BBR as one function than in parts.
_LARGE = 60

__all__ = ["INTEGER", "REALS", "Kind", "Unsupported", "Value", "lower", "row_of"]


def lower(builder: Any, function: FunctionType, arguments: list[Value]) -> Any:
    """Add ``function`` and all that it calls to the builder's module, and a call of it; its result as an int64."""
    return converted(builder, _Unit().call(builder, function, arguments), INTEGER)


class _Unit:
    """The functions of one hook, each once for every kind of arguments."""

    def __init__(self) -> None:
        self._made: dict[Any, tuple[Any, Kind]] = {}
        self._open: set[Any] = set()

    def call(self, builder: Any, function: FunctionType, arguments: list[Value]) -> Value:
        """A call of ``function``, which is made if it is not yet there."""
        kinds = tuple(each.kind for each in arguments)
        # Tables are compared by what they are, as a dtype is not hashed by its padding.
        key = (function, tuple((each.name, id(each.row)) for each in kinds))
        if key not in self._made:
            if key in self._open:
                raise Unsupported("a function that calls itself")
            self._open.add(key)
            self._made[key] = self._make(builder.module, function, list(kinds))
        made, kind = self._made[key]
        return Value(kind, builder.call(made, [each.at for each in arguments]))

    def _make(self, module: Any, function: FunctionType, given: list[Kind]) -> tuple[Any, Kind]:
        tree = syntax(function)
        names = [each.arg for each in tree.args.args]
        if len(names) != len(given):
            raise Unsupported("another number of arguments")
        answers = any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(tree))
        kinds: dict[str, Kind] = {"return": REAL if answers else NOTHING}
        while True:
            made = ir.Function(
                module,
                ir.FunctionType(kinds["return"].type, [each.type for each in given]),
                module.get_unique_name(f"{function.__module__}.{function.__name__}"),
            )
            made.linkage = "internal"
            made.attributes.add("nounwind")
            try:
                body = Body(function, ir.IRBuilder(made.append_basic_block("entry")), dict(kinds), self.call)
                for name, kind, at in zip(names, given, made.args, strict=True):
                    body.store(name, Value(kind, at))
                body.block(tree.body)
                if answers and body.returned != kinds["return"]:
                    assert body.returned is not None
                    raise Again("return", body.returned)
                if not body.builder.block.is_terminated:
                    if answers:
                        raise Unsupported("a result now and then")
                    body.builder.ret_void()
                if sum(len(each.instructions) for each in made.blocks) > _LARGE:
                    made.attributes.add("noinline")
                return made, kinds["return"]
            except Again as again:
                kinds[again.name] = again.kind
                del module.globals[made.name]
