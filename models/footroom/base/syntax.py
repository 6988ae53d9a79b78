"""Python's own parser, one thread at a time.

Python 3.11 counts how deep it is in a tree for all threads together. Of two threads that parse at a time one may get a
SystemError, "AST constructor recursion depth mismatch" (https://github.com/python/cpython/issues/106905).
"""

from __future__ import annotations

import ast
import threading
from types import CodeType
from typing import Literal, overload

_ALONE = threading.Lock()


@overload
def parse(text: str | bytes) -> ast.Module: ...
@overload
def parse(text: str | bytes, mode: Literal["eval"]) -> ast.Expression: ...
def parse(text: str | bytes, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """``ast.parse``. Raises SyntaxError, and ValueError for text with null bytes."""
    with _ALONE:
        return ast.parse(text, mode="eval") if mode == "eval" else ast.parse(text)


def compiled(tree: ast.Module) -> CodeType:
    """The code of a tree. Raises SyntaxError, TypeError and ValueError as ``compile`` does."""
    with _ALONE:
        code: CodeType = compile(tree, "", "exec", dont_inherit=True)
    return code
