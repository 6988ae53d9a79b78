"""Calling the functions of laws and markings by address, from compiled equations.

Addresses travel in the parameters as floats: below 2**53 a float holds an integer exactly, and no address of today's
processors is longer than 48 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

from footroom.base.compile_cache import callback

_FLOATS = types.CPointer(types.float64)
#: f(time, state, seen, past, params, out)
EQUATIONS = types.void(types.float64, *[_FLOATS] * 5)
#: f(time, state, seen, past, params, out, own): one group's part of the equations; ``own`` is where its row begins
LAW = types.void(types.float64, *[_FLOATS] * 5, types.int64)
#: f(time, state, seen, past, params, own) -> packets per second of one flow
LAW_RATE = types.float64(types.float64, *[_FLOATS] * 4, types.int64)
#: f(queue, marking state, params) -> probability
PROBABILITY = types.float64(types.float64, types.float64, _FLOATS)
#: f(queue, slope of the queue, marking state, params) -> slope of the marking state
MARKING_SLOPE = types.float64(types.float64, types.float64, types.float64, _FLOATS)

#: f(row, params, now, step, round trip): one flow's own law; ``row`` holds its window, threshold and words
ONE_FLOW = types.void(_FLOATS, _FLOATS, types.float64, types.float64, types.float64)
#: f(rows, count, params, now, step, round trip) -> packets in the network: ``OneFlow.climb``
MANY_FLOWS = types.float64(_FLOATS, types.int64, _FLOATS, types.float64, types.float64, types.float64)

_PACKAGE = Path(__file__).parents[2]
# The machine code lives as long as its callback object; an address alone would not keep it.
_KNOWN: dict[tuple[Any, Any], Any] = {}


def compiled(function: Callable[..., Any], signature: Any) -> Any:
    """The function as a C callback, compiled once per process.

    Only functions of this package are kept on disk: one typed at a prompt has no file.
    """
    key = function, signature
    if key not in _KNOWN:
        inside = Path(function.__code__.co_filename).is_relative_to(_PACKAGE)
        _KNOWN[key] = (callback(signature) if inside else cfunc(signature))(function)
    return _KNOWN[key]


def address(function: Callable[..., Any], signature: Any) -> int:
    """Entry point of the compiled function."""
    return int(compiled(function, signature).address)


def _native(kind: Any) -> Any:
    double = ir.DoubleType()
    if kind == types.float64:
        return double
    return double.as_pointer() if isinstance(kind, types.CPointer) else ir.IntType(64)


def _generate(answer: Any) -> Any:
    """Code that calls the address in the first argument with the others."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        native = [_native(kind) for kind in signature.args[1:]]
        function = ir.FunctionType(ir.VoidType() if answer == types.void else ir.DoubleType(), native)
        called = builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])
        return context.get_dummy_value() if answer == types.void else called

    return codegen


@intrinsic
def call_equations(
    typing: Any, address: Any, time: Any, state: Any, seen: Any, past: Any, params: Any, out: Any
) -> Any:
    """Call ``EQUATIONS`` at ``address`` with the data pointers of the given arrays."""
    arrays = (state, seen, past, params, out)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointers = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(sig.args[2:], args[2:], strict=True)
        ]
        double = ir.DoubleType()
        signature = ir.FunctionType(ir.VoidType(), [double] + [double.as_pointer()] * 5)
        function = builder.inttoptr(args[0], signature.as_pointer())
        builder.call(function, [args[1], *pointers])
        return context.get_dummy_value()

    return types.void(address, time, *arrays), codegen


@intrinsic
def call_law(typing: Any, at: Any, time: Any, state: Any, seen: Any, past: Any, params: Any, out: Any, own: Any) -> Any:
    """Call a ``LAW``."""
    return types.void(types.int64, types.float64, *[_FLOATS] * 5, types.int64), _generate(types.void)


@intrinsic
def call_rate(typing: Any, at: Any, time: Any, state: Any, seen: Any, past: Any, params: Any, own: Any) -> Any:
    """Call a ``LAW_RATE``."""
    return types.float64(types.int64, types.float64, *[_FLOATS] * 4, types.int64), _generate(types.float64)


@intrinsic
def call_probability(typing: Any, at: Any, queue: Any, state: Any, params: Any) -> Any:
    """Call a ``PROBABILITY``."""
    return types.float64(types.int64, types.float64, types.float64, _FLOATS), _generate(types.float64)


@intrinsic
def call_marking_slope(typing: Any, at: Any, queue: Any, slope: Any, state: Any, params: Any) -> Any:
    """Call a ``MARKING_SLOPE``."""
    return types.float64(types.int64, types.float64, types.float64, types.float64, _FLOATS), _generate(types.float64)


@intrinsic
def behind(typing: Any, pointer: Any, by: Any) -> Any:
    """The pointer to what stands ``by`` numbers behind ``pointer``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.gep(args[0], [args[1]])

    return _FLOATS(_FLOATS, types.int64), codegen


def _row(context: Any, builder: Any, kind: Any, value: Any, place: Any) -> Any:
    """Pointer to row ``place`` of a two-dimensional array."""
    array = context.make_array(kind)(context, builder, value)
    return builder.gep(array.data, [builder.mul(place, builder.extract_value(array.shape, 1))])


@intrinsic
def call_one_flow(
    typing: Any, at: Any, rows: Any, row: Any, params: Any, lane: Any, now: Any, step: Any, trip: Any
) -> Any:
    """Call a ``ONE_FLOW`` with row ``row`` of ``rows`` and row ``lane`` of ``params``, both two-dimensional."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, table, index, own, number, *times = args
        double = ir.DoubleType()
        function = ir.FunctionType(ir.VoidType(), [double.as_pointer()] * 2 + [double] * 3)
        builder.call(
            builder.inttoptr(address, function.as_pointer()),
            [
                _row(context, builder, signature.args[1], table, index),
                _row(context, builder, signature.args[3], own, number),
                *times,
            ],
        )
        return context.get_dummy_value()

    return types.void(types.int64, rows, types.int64, params, types.int64, *[types.float64] * 3), codegen


@intrinsic
def call_climb(
    typing: Any,
    at: Any,
    rows: Any,
    row: Any,
    count: Any,
    params: Any,
    lane: Any,
    now: Any,
    step: Any,
    trip: Any,
) -> Any:
    """Call a ``MANY_FLOWS`` with ``count`` rows of ``rows`` from ``row`` on and row ``lane`` of ``params``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, table, index, many, own, number, *times = args
        double = ir.DoubleType()
        pointer = double.as_pointer()
        function = ir.FunctionType(double, [pointer, ir.IntType(64), pointer, double, double, double])
        return builder.call(
            builder.inttoptr(address, function.as_pointer()),
            [
                _row(context, builder, signature.args[1], table, index),
                many,
                _row(context, builder, signature.args[4], own, number),
                *times,
            ],
        )

    whole = types.int64
    return types.float64(whole, rows, whole, whole, params, whole, *[types.float64] * 3), codegen
