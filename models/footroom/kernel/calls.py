"""Calling compiled functions by address, and the one machine instruction Python lacks."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic

from footroom.compile_cache import callback
from footroom.kernel.tables import FLOW, QUEUE, SWITCH

_F64 = types.CPointer(types.float64)

#: A congestion-control hook: (flow, parameters, now [ps], a, b) -> 0. What a and b mean depends on the hook.
LAW = types.int64(types.CPointer(from_dtype(FLOW)), _F64, types.int64, types.int64, types.int64)
#: A sharing policy: (switch, queue, parameters, packet size [B]) -> most shared bytes the queue may hold.
POLICY = types.int64(types.CPointer(from_dtype(SWITCH)), types.CPointer(from_dtype(QUEUE)), _F64, types.int64)

law_hook = callback(LAW)
policy_hook = callback(POLICY)


def _indirect(builder: Any, args: Any, pointers: int) -> Any:
    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    count = len(args) - 1
    kind = ir.FunctionType(word, [pointer] * pointers + [word] * (count - pointers))
    function = builder.inttoptr(args[0], kind.as_pointer())
    values = [builder.inttoptr(a, pointer) if i < pointers else a for i, a in enumerate(args[1:])]
    return builder.call(function, values)


@intrinsic  # type: ignore[untyped-decorator]
def call_law(typing: Any, address: Any, flow: Any, params: Any, now: Any, a: Any, b: Any) -> Any:
    """Call the LAW at ``address``; all arguments are int64, the first two of them addresses."""
    signature = types.int64(*[types.int64] * 6)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=2)

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def call_policy(typing: Any, address: Any, switch: Any, queue: Any, params: Any, size: Any) -> Any:
    """Call the POLICY at ``address``; all arguments are int64, the first three of them addresses."""
    signature = types.int64(*[types.int64] * 5)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _indirect(builder, args, pointers=3)

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def leading_zeros(typing: Any, value: Any) -> Any:
    """Number of zero bits above the highest set bit of an int64."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(typing: Any, value: Any) -> Any:
    """Number of zero bits below the lowest set bit of an int64."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate
