"""Expressions of a law's code as machine code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import ir

from footroom.kernel import hooks
from footroom.kernel.lowering import operations
from footroom.kernel.lowering.values import (
    INTEGER,
    INTEGERS,
    REAL,
    REALS,
    TRUTH,
    WORD,
    Kind,
    Unsupported,
    Value,
    constant,
    converted,
    joined,
    truth,
)

_FIELDS = {"i1": INTEGER, "i2": INTEGER, "i4": INTEGER, "i8": INTEGER, "u8": WORD, "f8": REAL}
#: Calls another function of the law: (builder, function, arguments) -> value.
Call = Callable[[Any, FunctionType, list[Value]], Value]


class Expressions:
    """Writes expressions of a function through ``builder``.

    kinds: of variables and of what is returned, as known so far.
    """

    def __init__(self, function: FunctionType, builder: Any, kinds: dict[str, Kind], call: Call) -> None:
        self.builder, self.kinds, self._call_part = builder, kinds, call
        self._slots: dict[str, Any] = {}
        self._globals = function.__globals__
        cells = function.__closure__ or ()
        self._free = {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        write = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if write is None:
            raise Unsupported(type(node).__name__)
        found: Value = write(node)
        return found

    def test(self, node: ast.expr) -> Value:
        """Whether an expression counts as true."""
        if isinstance(node, ast.BoolOp):
            return self._chain(node, self.test)
        value = self.value(node)
        return Value(TRUTH, truth(self.builder, value), None if value.known is None else bool(value.known))

    def _chain(self, node: ast.BoolOp, evaluate: Callable[[ast.expr], Value]) -> Value:
        """Operands of ``and`` or ``or``, each only where those before it have not decided."""
        both = isinstance(node.op, ast.And)
        slot, after = self._slot(TRUTH), self.builder.append_basic_block()
        for number, each in enumerate(node.values):
            value = evaluate(each)
            if value.kind != TRUTH:
                raise Unsupported("and, or of numbers as a number")
            self.builder.store(value.at, slot)
            if number + 1 == len(node.values):
                self.builder.branch(after)
            else:
                further = self.builder.append_basic_block()
                self.builder.cbranch(value.at, *((further, after) if both else (after, further)))
                self.builder.position_at_end(further)
        self.builder.position_at_end(after)
        return Value(TRUTH, self.builder.load(slot))

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        return self._chain(node, self.value)

    def _of_constant(self, node: ast.Constant) -> Value:
        return constant(node.value)

    def _of_name(self, node: ast.Name) -> Value:
        if node.id in self._slots:
            return Value(self.kinds[node.id], self.builder.load(self._slots[node.id]))
        return constant(self._outside(node.id))

    def _outside(self, name: str) -> Any:
        """The object behind a name that the function does not define."""
        for scope in (self._free, self._globals, vars(builtins)):
            if name in scope:
                return scope[name]
        raise Unsupported(f"the name {name}")

    def _of_attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id not in self._slots:
            module = self._outside(node.value.id)
            if isinstance(module, ModuleType):
                return constant(getattr(module, node.attr))
        place, _, kind = self._field(node)
        at = self.builder.load(place)
        if kind == INTEGER and at.type != INTEGER.type:
            at = self.builder.sext(at, INTEGER.type)
        return Value(kind, at)

    def _field(self, node: ast.Attribute) -> tuple[Any, Any, Kind]:
        """Where a field of a row is, its type there, and its kind."""
        row = self.value(node.value)
        if row.kind.row is None or node.attr not in row.kind.row.fields:
            raise Unsupported(f"the attribute {node.attr}")
        field, offset = row.kind.row.fields[node.attr][:2]
        kind = _FIELDS.get(field.str[1:])
        if kind is None:
            raise Unsupported(f"the field {node.attr}")
        width = REAL.type if kind == REAL else ir.IntType(8 * field.itemsize)
        place = self.builder.gep(row.at, [INTEGER.type(offset)])
        return self.builder.bitcast(place, width.as_pointer()), width, kind

    def _of_subscript(self, node: ast.Subscript) -> Value:
        place, kind = self._element(node)
        return Value(kind, self.builder.load(place))

    def _element(self, node: ast.Subscript) -> tuple[Any, Kind]:
        array, index = self.value(node.value), self.value(node.slice)
        if array.kind not in (REALS, INTEGERS) or index.kind != INTEGER:
            raise Unsupported("this index")
        return self.builder.gep(array.at, [index.at]), REAL if array.kind == REALS else INTEGER

    def _of_binop(self, node: ast.BinOp) -> Value:
        left = self.value(node.left)
        return operations.binary(self.builder, node.op, left, self.value(node.right))

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            test = self.test(node.operand)
            return Value(TRUTH, self.builder.not_(test.at), None if test.known is None else not test.known)
        value = self.value(node.operand)
        if not isinstance(node.op, ast.USub) or value.kind not in (REAL, INTEGER):
            raise Unsupported(type(node.op).__name__)
        if value.known is not None:
            return constant(-value.known)
        return Value(value.kind, self.builder.fneg(value.at) if value.kind == REAL else self.builder.neg(value.at))

    def _of_compare(self, node: ast.Compare) -> Value:
        later = [each for end in node.comparators[1:] for each in ast.walk(end)]
        if any(isinstance(each, ast.Call) for each in later):
            raise Unsupported("a call at the end of a chain of comparisons")
        left, found = self.value(node.left), None
        for how, end in zip(node.ops, node.comparators, strict=True):
            right = self.value(end)
            one = operations.compared(self.builder, how, left, right)
            found = one if found is None else Value(TRUTH, self.builder.and_(found.at, one.at))
            left = right
        assert found is not None
        return found

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        if test.known is not None:
            return self.value(node.body if test.known else node.orelse)
        yes, no, after = (self.builder.append_basic_block() for _ in range(3))
        self.builder.cbranch(test.at, yes, no)
        ends = []
        for begin, expression in ((yes, node.body), (no, node.orelse)):
            self.builder.position_at_end(begin)
            ends.append((self.value(expression), self.builder.block))
        kind = joined(ends[0][0].kind, ends[1][0].kind)
        values = []
        for value, end in ends:
            self.builder.position_at_end(end)
            values.append(converted(self.builder, value, kind))
            self.builder.branch(after)
        self.builder.position_at_end(after)
        found = self.builder.phi(kind.type)
        for at, (_, end) in zip(values, ends, strict=True):
            found.add_incoming(at, end)
        return Value(kind, found)

    def _of_call(self, node: ast.Call) -> Value:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Unsupported("arguments other than by position")
        function: Any
        if isinstance(node.func, ast.Name):
            function = self._outside(node.func.id)
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            module = self._outside(node.func.value.id)
            if not isinstance(module, ModuleType):
                raise Unsupported("a method")
            function = getattr(module, node.func.attr)
        else:
            raise Unsupported("this call")
        if function is np.uint64 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, int):
            return constant(np.uint64(node.args[0].value))
        values = [self.value(each) for each in node.args]
        if function in (hooks.row, hooks.integers, hooks.words, np.int64, np.uint64):
            return self._as(function, values[0])
        if function in (min, max) and len(values) > 1:
            return operations.extreme(self.builder, ast.Gt() if function is max else ast.Lt(), values)
        if isinstance(function, FunctionType):
            return self._call_part(self.builder, function, values)
        if len(values) != 1:
            raise Unsupported("this call")
        return operations.of_one(self.builder, function, values[0])

    def _as(self, function: Any, value: Value) -> Value:
        if function is hooks.row and value.kind.row is not None:
            return value
        if function is np.int64 and value.kind in (INTEGER, WORD, REAL):
            return Value(INTEGER, converted(self.builder, value, INTEGER))
        if function is np.uint64 and value.kind in (INTEGER, WORD):
            return Value(WORD, value.at)
        if function in (hooks.integers, hooks.words) and value.kind == INTEGER:
            kind = INTEGERS if function is hooks.integers else REALS
            return Value(kind, self.builder.inttoptr(value.at, kind.type))
        raise Unsupported(f"{function.__name__} of {value.kind.name}")

    def _slot(self, kind: Kind) -> Any:
        with self.builder.goto_entry_block():
            return self.builder.alloca(kind.type)
