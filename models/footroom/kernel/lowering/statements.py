"""Statements of a law's code as machine code."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from footroom.kernel.lowering import operations
from footroom.kernel.lowering.expressions import Call, Expressions
from footroom.kernel.lowering.values import INTEGER, NOTHING, Kind, Unsupported, Value, converted, joined


class Again(Exception):
    """A variable, or "return", is of another kind than was assumed."""

    def __init__(self, name: str, kind: Kind) -> None:
        super().__init__(name)
        self.name, self.kind = name, kind


class Body(Expressions):
    """Writes the statements of a function; raises Again where a kind was assumed wrongly.

    returned: the kind of what the statements so far return, where they do.
    """

    def __init__(self, function: FunctionType, builder: Any, kinds: dict[str, Kind], call: Call) -> None:
        super().__init__(function, builder, kinds, call)
        self.returned: Kind | None = None
        self._loops: list[tuple[Any, Any]] = []

    def block(self, statements: list[ast.stmt]) -> None:
        """Write ``statements`` up to the first that leaves the block."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            write = getattr(self, f"_do_{type(statement).__name__.lower()}", None)
            if write is None:
                raise Unsupported(type(statement).__name__)
            write(statement)

    def store(self, name: str, value: Value) -> None:
        """Give a variable its value."""
        kind = self.kinds.get(name, value.kind)
        if joined(kind, value.kind) != kind:
            raise Again(name, joined(kind, value.kind))
        self.kinds[name] = kind
        if name not in self._slots:
            self._slots[name] = self._slot(kind)
        self.builder.store(converted(self.builder, value, kind), self._slots[name])

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.store(target.id, value)
        elif isinstance(target, ast.Attribute):
            place, width, kind = self._field(target)
            at = converted(self.builder, value, kind)
            self.builder.store(self.builder.trunc(at, width) if width != at.type else at, place)
        elif isinstance(target, ast.Subscript):
            place, kind = self._element(target)
            self.builder.store(converted(self.builder, value, kind), place)
        else:
            raise Unsupported(type(target).__name__)

    def _do_assign(self, node: ast.Assign) -> None:
        if isinstance(node.value, ast.Tuple):
            values = [self.value(each) for each in node.value.elts]
            for target in node.targets:
                if not isinstance(target, ast.Tuple) or len(target.elts) != len(values):
                    raise Unsupported("a tuple")
                for each, value in zip(target.elts, values, strict=True):
                    self._assign(each, value)
            return
        value = self.value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript):
            place, kind = self._element(node.target)
            old = Value(kind, self.builder.load(place))
            new = operations.binary(self.builder, node.op, old, self.value(node.value))
            self.builder.store(converted(self.builder, new, kind), place)
            return
        old = self.value(node.target)
        self._assign(node.target, operations.binary(self.builder, node.op, old, self.value(node.value)))

    def _do_expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.value(node.value)

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_return(self, node: ast.Return) -> None:
        if node.value is None:
            if self.kinds["return"] != NOTHING:
                raise Unsupported("a result now and then")
            self.builder.ret_void()
            return
        value, kind = self.value(node.value), self.kinds["return"]
        self.returned = value.kind if self.returned is None else joined(self.returned, value.kind)
        if joined(kind, value.kind) != kind:
            raise Again("return", self.returned)
        self.builder.ret(converted(self.builder, value, kind))

    def _do_if(self, node: ast.If) -> None:
        test = self.test(node.test)
        if test.known is not None:
            self.block(node.body if test.known else node.orelse)
            return
        yes, no, after = (self.builder.append_basic_block() for _ in range(3))
        self.builder.cbranch(test.at, yes, no)
        ends = False
        for begin, statements in ((yes, node.body), (no, node.orelse)):
            self.builder.position_at_end(begin)
            self.block(statements)
            if not self.builder.block.is_terminated:
                self.builder.branch(after)
                ends = True
        self.builder.position_at_end(after)
        if not ends:
            self.builder.unreachable()

    def _do_while(self, node: ast.While) -> None:
        if node.orelse:
            raise Unsupported("else of a loop")
        top, body, after = (self.builder.append_basic_block() for _ in range(3))
        self.builder.branch(top)
        self.builder.position_at_end(top)
        self.builder.cbranch(self.test(node.test).at, body, after)
        self._loop(body, node.body, top, top, after)

    def _do_for(self, node: ast.For) -> None:
        call = node.iter
        ranged = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not (ranged and isinstance(call, ast.Call) and isinstance(node.target, ast.Name)) or node.orelse:
            raise Unsupported("this loop")
        limits = [self.value(each) for each in call.args]
        if not 1 <= len(limits) <= 2 or any(each.kind != INTEGER for each in limits):
            raise Unsupported("this range")
        counter = self._slot(INTEGER)
        self.builder.store(limits[0].at if len(limits) == 2 else INTEGER.type(0), counter)
        top, body, step, after = (self.builder.append_basic_block() for _ in range(4))
        self.builder.branch(top)
        self.builder.position_at_end(top)
        self.builder.cbranch(self.builder.icmp_signed("<", self.builder.load(counter), limits[-1].at), body, after)
        self.builder.position_at_end(step)
        self.builder.store(self.builder.add(self.builder.load(counter), INTEGER.type(1)), counter)
        self.builder.branch(top)
        self.builder.position_at_end(body)
        self.store(node.target.id, Value(INTEGER, self.builder.load(counter)))
        self._loop(self.builder.block, node.body, step, step, after)

    def _loop(self, begin: Any, statements: list[ast.stmt], back: Any, next_: Any, after: Any) -> None:
        self._loops.append((next_, after))
        self.builder.position_at_end(begin)
        self.block(statements)
        if not self.builder.block.is_terminated:
            self.builder.branch(back)
        self._loops.pop()
        self.builder.position_at_end(after)

    def _do_break(self, node: ast.Break) -> None:
        self.builder.branch(self._loops[-1][1])

    def _do_continue(self, node: ast.Continue) -> None:
        self.builder.branch(self._loops[-1][0])
