"""A function's source as a tree."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import CodeType, FunctionType, ModuleType

from footroom.base.syntax import compiled, parse
from footroom.kernel.lowering.values import Unsupported


def syntax(function: FunctionType) -> ast.FunctionDef:
    """The source of a function as a tree. Raises Unsupported where it cannot be read, or has changed since."""
    try:
        tree = parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError) as error:
        raise Unsupported("no source") from error
    if not isinstance(tree, ast.FunctionDef):
        raise Unsupported("not a function of its own")
    given = tree.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs:
        raise Unsupported("arguments other than by position")
    tree.decorator_list = []
    if _essence(_compiled(tree, function)) != _essence(function.__code__):
        raise Unsupported("a source that has been edited since it was imported")
    return tree


def _compiled(tree: ast.FunctionDef, function: FunctionType) -> CodeType:
    """The code of ``tree``, compiled in the namespace of ``function``."""
    known = function.__globals__
    # Calls of a function of a module compile differently where the module was imported by name.
    modules = [name for name in function.__code__.co_names if isinstance(known.get(name), ModuleType)]
    imports = "".join(f"import {name}\n" for name in modules)
    around = parse(f"{imports}def around({', '.join(function.__code__.co_freevars)}): pass")
    outer = around.body[-1]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [tree]
    code = compiled(around)
    for _ in range(2):
        code = next(each for each in code.co_consts if isinstance(each, CodeType))
    return code


def _essence(code: CodeType) -> object:
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, repr(code.co_consts)
