"""Arithmetic of a law's code, the same to the bit as in Numba and Python; but a division by zero is never an error: it
gives infinity, or 0 for integers.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from footroom.kernel.lowering.values import (
    INTEGER,
    REAL,
    TRUTH,
    WORD,
    Unsupported,
    Value,
    constant,
    converted,
    joined,
)

_FOLDED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_REAL = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_WHOLE = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_BITS = {ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"}
_COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_TESTED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
#: Functions of one number, and what computes them.
_OF_ONE = {
    math.sqrt: "llvm.sqrt",
    math.exp: "llvm.exp",
    math.log: "llvm.log",
    math.log10: "llvm.log10",
    math.fabs: "llvm.fabs",
    math.log2: "log2",
}


def binary(builder: Any, how: ast.operator, a: Value, b: Value) -> Value:
    """``a how b``."""
    if a.known is not None and b.known is not None and type(how) in _FOLDED:
        base_is_real = isinstance(a.known, float) or not isinstance(how, ast.Pow)
        divides = isinstance(how, ast.Div) and b.known == 0
        if base_is_real and not divides and TRUTH not in (a.kind, b.kind):
            return constant(_FOLDED[type(how)](a.known, b.known))
    if WORD in (a.kind, b.kind):
        return _words(builder, how, a, b)
    kind = joined(joined(a.kind, b.kind), INTEGER)
    if isinstance(how, ast.Pow):
        return _power(builder, a, b)
    if isinstance(how, ast.Div) or (type(how) in _REAL and kind == REAL):
        x, y = converted(builder, a, REAL), converted(builder, b, REAL)
        return Value(REAL, getattr(builder, _REAL[type(how)])(x, y))
    x, y = converted(builder, a, kind), converted(builder, b, kind)
    if isinstance(how, ast.FloorDiv | ast.Mod):
        share = _real_share if kind == REAL else _whole_share
        return Value(kind, share(builder, x, y)[isinstance(how, ast.Mod)])
    name = (_WHOLE | _BITS).get(type(how))
    if name is None or kind != INTEGER:
        raise Unsupported(type(how).__name__)
    return Value(kind, getattr(builder, name)(x, y))


def _words(builder: Any, how: ast.operator, a: Value, b: Value) -> Value:
    name = {**_WHOLE, **_BITS, ast.RShift: "lshr", ast.LShift: "shl"}.get(type(how))
    if name is None or a.kind != b.kind:
        raise Unsupported("an unsigned integer with another number")
    return Value(WORD, getattr(builder, name)(a.at, b.at))


def _power(builder: Any, a: Value, b: Value) -> Value:
    if a.kind != REAL:
        raise Unsupported("a power of an integer")
    if b.kind == INTEGER and (b.known is None or not 0 <= b.known <= 8):
        raise Unsupported("this power")
    if b.kind == INTEGER:
        result, square, rest = REAL.type(1.0), a.at, int(b.known or 0)
        while rest:
            if rest & 1:
                result = builder.fmul(result, square)
            rest >>= 1
            square = builder.fmul(square, square)
        return Value(REAL, result)
    return Value(REAL, intrinsic(builder, "llvm.pow", a.at, converted(builder, b, REAL)))


def _whole_share(builder: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Quotient, rounded down, and what is left; 0 where ``y`` is."""
    zero = INTEGER.type(0)
    none = builder.icmp_signed("==", y, zero)
    divisor = builder.select(none, INTEGER.type(1), y)
    quotient, rest = builder.sdiv(x, divisor), builder.srem(x, divisor)
    other_side = builder.icmp_signed("<", builder.xor(rest, divisor), zero)
    down = builder.and_(builder.icmp_signed("!=", rest, zero), other_side)
    quotient = builder.select(down, builder.sub(quotient, INTEGER.type(1)), quotient)
    rest = builder.select(down, builder.add(rest, divisor), rest)
    return builder.select(none, zero, quotient), builder.select(none, zero, rest)


def _real_share(builder: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """The same for floats, as in CPython's float_divmod."""
    zero = REAL.type(0.0)
    rest = builder.frem(x, y)
    quotient = builder.fdiv(builder.fsub(x, rest), y)
    left = builder.fcmp_unordered("!=", rest, zero)
    sides = builder.xor(builder.fcmp_ordered("<", y, zero), builder.fcmp_ordered("<", rest, zero))
    down = builder.and_(left, sides)
    quotient = builder.select(down, builder.fsub(quotient, REAL.type(1.0)), quotient)
    rest = builder.select(down, builder.fadd(rest, y), rest)
    rest = builder.select(left, rest, intrinsic(builder, "llvm.copysign", zero, y))
    whole = intrinsic(builder, "llvm.floor", quotient)
    off = builder.fcmp_ordered(">", builder.fsub(quotient, whole), REAL.type(0.5))
    whole = builder.select(off, builder.fadd(whole, REAL.type(1.0)), whole)
    nought = intrinsic(builder, "llvm.copysign", zero, builder.fdiv(x, y))
    any_ = builder.fcmp_unordered("!=", quotient, zero)
    return builder.select(any_, whole, nought), rest


def compared(builder: Any, how: ast.cmpop, a: Value, b: Value) -> Value:
    """``a how b``, a truth."""
    sign = _COMPARED.get(type(how))
    if sign is None:
        raise Unsupported(type(how).__name__)
    if a.known is not None and b.known is not None:
        return constant(_TESTED[sign](a.known, b.known))
    if WORD in (a.kind, b.kind):
        if a.kind != b.kind:
            raise Unsupported("an unsigned integer beside another number")
        return Value(TRUTH, builder.icmp_unsigned(sign, a.at, b.at))
    kind = joined(joined(a.kind, b.kind), INTEGER)
    x, y = converted(builder, a, kind), converted(builder, b, kind)
    if kind == INTEGER:
        return Value(TRUTH, builder.icmp_signed(sign, x, y))
    if sign == "!=":
        return Value(TRUTH, builder.fcmp_unordered(sign, x, y))
    return Value(TRUTH, builder.fcmp_ordered(sign, x, y))


def extreme(builder: Any, how: ast.cmpop, values: list[Value]) -> Value:
    """The largest (``how`` is Gt) or smallest (Lt), with Python's order of comparing."""
    best = values[0]
    for value in values[1:]:
        kind = joined(best.kind, value.kind)
        best, other = Value(kind, converted(builder, best, kind)), Value(kind, converted(builder, value, kind))
        better = compared(builder, how, other, best)
        best = Value(kind, builder.select(better.at, other.at, best.at))
    return best


def of_one(builder: Any, function: Any, value: Value) -> Value:
    """``function(value)``, of the module math or built in."""
    if function is float:
        return Value(REAL, converted(builder, value, REAL), None if value.known is None else float(value.known))
    if function is int and value.kind != WORD:
        return Value(INTEGER, converted(builder, value, INTEGER))
    if function is abs and value.kind == REAL:
        return Value(REAL, intrinsic(builder, "llvm.fabs", value.at))
    if function in (math.floor, math.ceil) and value.kind == REAL:
        rounded = intrinsic(builder, f"llvm.{function.__name__}", value.at)
        return Value(INTEGER, builder.fptosi(rounded, INTEGER.type))
    if function in _OF_ONE:
        return Value(REAL, intrinsic(builder, _OF_ONE[function], converted(builder, value, REAL)))
    raise Unsupported(getattr(function, "__name__", repr(function)))


def intrinsic(builder: Any, name: str, *reals: Any) -> Any:
    """Call a function of reals that LLVM or the C library has."""
    if name.startswith("llvm."):
        name += ".f64"
    kind = ir.FunctionType(REAL.type, [REAL.type] * len(reals))
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, reals)
