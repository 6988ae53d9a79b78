"""Calling compiled functions by address, and the one machine instruction Python lacks."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import carray, from_dtype, types
from numba.extending import intrinsic, overload, register_jitable

from footroom.base.compile_cache import callback
from footroom.kernel.flow_tables import FLOW, REPORT
from footroom.kernel.hooks import integers, parts, row, words
from footroom.kernel.lowering import REALS, Unsupported, Value, lower, row_of
from footroom.kernel.tables import GROUP, INGRESS, MEMORY, PACKET, PORT, QUEUE

_F64 = types.CPointer(types.float64)
_I64 = types.CPointer(types.int64)
_SIGNATURES = {
    "law": types.int64(types.CPointer(from_dtype(FLOW)), _F64, _F64, types.CPointer(from_dtype(REPORT))),
    "policy": types.int64(
        types.CPointer(from_dtype(MEMORY)),
        types.CPointer(from_dtype(QUEUE)),
        _F64,
        types.CPointer(from_dtype(FLOW)),
        types.CPointer(from_dtype(PACKET)),
        types.int64,
        types.int64,
    ),
    "scheduler": types.int64(types.CPointer(from_dtype(PORT)), _F64, _F64),
    "headroom": types.int64(
        types.CPointer(from_dtype(MEMORY)),
        types.CPointer(from_dtype(INGRESS)),
        types.CPointer(from_dtype(GROUP)),
        types.int64,
    ),
}


@overload(row)  # Numba compares the two argument lists, annotations included
def _row(pointer):
    def first(pointer):
        return carray(pointer, 1)[0]

    return first


@intrinsic
def _float_pointer(typing: Any, address: Any) -> Any:
    """An address as a pointer to float64."""
    signature = _F64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(_F64))

    return signature, generate


@intrinsic
def _integer_pointer(typing: Any, address: Any) -> Any:
    """An address as a pointer to int64."""
    signature = _I64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(_I64))

    return signature, generate


@overload(integers)
def _integers(address):
    def pointer(address):
        return _integer_pointer(address)

    return pointer


@overload(words)
def _words(address):
    def pointer(address):
        return _float_pointer(address)

    return pointer


def compile_hook(function: Any, kind: str) -> Any:
    """Compile ``function`` to the signature of its kind, or read it from the cache."""
    if kind == "law":
        with contextlib.suppress(Unsupported):
            return callback(_SIGNATURES[kind])(_lowered(function))
    return compile_by_numba(function, kind)


def compile_by_numba(function: Callable[..., Any], kind: str) -> Any:
    """Compile ``function`` and what it calls by Numba, or read it from the cache."""
    while parts:
        register_jitable(parts.pop())
    return callback(_SIGNATURES[kind])(function)


def _shell(flow, own, params, report):
    return _code(flow, own, params, report)


def _code(flow, own, params, report):
    """Placeholder for the code of a hook; ``_lowered`` replaces it."""
    raise TypeError("inside compiled hooks only")


def _lowered(function: FunctionType) -> Callable[..., Any]:
    """What Numba compiles in place of a law's hook: a call of code that is generated without Numba."""

    @intrinsic
    def code(typing: Any, flow: Any, own: Any, params: Any, report: Any) -> Any:
        signature = _SIGNATURES["law"]

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = row_of(FLOW), REALS, REALS, row_of(REPORT)
            given = [Value(kind, builder.bitcast(at, kind.type)) for kind, at in zip(kinds, args, strict=True)]
            return lower(builder, function, given)

        return signature, generate

    # Not a closure: Numba's cache goes by the content of its cells, and an intrinsic is a new object in every process.
    hook = FunctionType(_shell.__code__, {**function.__globals__, "_code": code}, function.__name__)
    hook.__module__, hook.__qualname__ = function.__module__, function.__qualname__
    return hook


def _indirect(builder: Any, args: Any, pointers: int) -> Any:
    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    count = len(args) - 1
    kind = ir.FunctionType(word, [pointer] * pointers + [word] * (count - pointers))
    function = builder.inttoptr(args[0], kind.as_pointer())
    values = [builder.inttoptr(a, pointer) if i < pointers else a for i, a in enumerate(args[1:])]
    return builder.call(function, values)


@intrinsic
def call_law(typing: Any, address: Any, flow: Any, own: Any, params: Any, report: Any) -> Any:
    """Call the law hook at ``address``; all arguments are addresses as int64."""
    signature = types.int64(*[types.int64] * 5)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=4)

    return signature, generate


@intrinsic
def call_policy(
    typing: Any, address: Any, switch: Any, queue: Any, params: Any, flow: Any, packet: Any, size: Any, now: Any
) -> Any:
    """Call the policy hook at ``address``; all arguments are int64, the first five of them addresses."""
    signature = types.int64(*[types.int64] * 8)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=5)

    return signature, generate


@intrinsic
def call_scheduler(typing: Any, address: Any, port: Any, own: Any, params: Any) -> Any:
    """Call the scheduler hook at ``address``; all arguments are addresses as int64."""
    signature = types.int64(*[types.int64] * 4)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=3)

    return signature, generate


@intrinsic
def call_headroom(typing: Any, address: Any, pool: Any, ingress: Any, group: Any, value: Any) -> Any:
    """Call the headroom hook at ``address``; all arguments are int64, all but the last of them addresses."""
    signature = types.int64(*[types.int64] * 5)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=3)

    return signature, generate


@intrinsic
def prefetch(typing: Any, address: Any) -> Any:
    """Ask for the cache line at ``address``, an int64, which need not be valid; nothing waits for it."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", (pointer,), kind)
        builder.call(function, [builder.inttoptr(args[0], pointer), word(1), word(3), word(1)])
        return args[0]

    return signature, generate


@intrinsic
def leading_zeros(typing: Any, value: Any) -> Any:
    """Number of zero bits above the highest set bit of an int64."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate


@intrinsic
def trailing_zeros(typing: Any, value: Any) -> Any:
    """Number of zero bits below the lowest set bit of an int64."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate
