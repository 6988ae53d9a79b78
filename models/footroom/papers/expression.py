"""Arithmetic and comparisons over named numbers, as the papers' data write them: ``A > B > C``, ``100 * (A - C)``.

A small part of Python's grammar, read by Python's own parser and evaluated here, so data can hold formulas but no code.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from footroom.base.syntax import parse

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[float, float], bool]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": math.sqrt,
    "log10": math.log10,
}


@dataclass(frozen=True)
class Link:
    """One comparison of an assertion: what was written, both sides' numbers, and whether it holds."""

    text: str
    left: float
    right: float
    holds: bool

    def __str__(self) -> str:
        return f"{self.text}: {self.left:.4g} against {self.right:.4g}"


def names_in(text: str) -> frozenset[str]:
    """Names that the expression needs. Raises ValueError where it is not an expression of this small language."""
    tree = _parse(text)
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called)


def number(text: str, names: Mapping[str, float]) -> float:
    """Value of an arithmetic expression.

    Raises ValueError for text that is not arithmetic, KeyError for an unknown name, ArithmeticError for no value.
    """
    value = _number(_parse(text).body, names)
    if not math.isfinite(value):
        raise ArithmeticError(f"{text} has no finite value")
    return value


def links(text: str, names: Mapping[str, float]) -> tuple[Link, ...]:
    """Every comparison of an assertion, in the order written; the assertion holds when all of them do.

    ``A > B > C`` is two comparisons, ``and`` joins more. Raises as ``number`` does.
    """
    return tuple(_links(_parse(text).body, names))


def _parse(text: str) -> ast.Expression:
    try:
        tree = parse(text, "eval")
    except SyntaxError:
        raise ValueError(f"{text!r} is no formula") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS):
            raise ValueError(f"{text!r}: functions are {', '.join(_FUNCTIONS)}")
        if not isinstance(node, _KNOWN):
            raise ValueError(f"{text!r}: {type(node).__name__} is not part of formulas")
    return tree


_KNOWN = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.USub,
    ast.Constant,
    ast.Name,
    ast.Load,
    ast.Call,
    ast.Compare,
    ast.BoolOp,
    ast.And,
    *_BINARY,
    *_COMPARE,
)


def _number(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return float(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return float(_BINARY[type(op)](_number(left, names), _number(right, names)))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return float(_FUNCTIONS[name](*(_number(argument, names) for argument in arguments)))
    raise ValueError(f"{ast.unparse(node)} is no number")


def _links(node: ast.expr, names: Mapping[str, float]) -> list[Link]:
    if isinstance(node, ast.BoolOp):
        return [link for part in node.values for link in _links(part, names)]
    if not isinstance(node, ast.Compare):
        raise ValueError(f"{ast.unparse(node)} compares nothing")
    found = []
    sides = [node.left, *node.comparators]
    for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
        sign, compare = _COMPARE[type(op)]
        a, b = _number(left, names), _number(right, names)
        found.append(Link(f"{ast.unparse(left)} {sign} {ast.unparse(right)}", a, b, compare(a, b)))
    return found
