"""Hooks: functions that a component writes and the compiled engine calls. Importing this does not import the compiler.

A hook is compiled, or read from the cache, when its address is first asked for, so that checking a scenario or
listing the catalogue stays fast.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar


def row(pointer):
    """The table row that ``pointer`` points to; only inside a hook."""
    raise TypeError("row() works inside compiled hooks only")


def words(address):
    """Scratch memory at ``address`` as an array of float64; only inside a hook."""
    raise TypeError("words() works inside compiled hooks only")


def integers(address):
    """What is at ``address`` as an array of int64; only inside a hook."""
    raise TypeError("integers() works inside compiled hooks only")


#: Functions that hooks share and the compiler does not know yet.
parts: list[Callable[..., Any]] = []

Part = TypeVar("Part", bound=Callable[..., Any])


def hook_part(function: Part) -> Part:
    """A function that hooks call, compiled with the first of them; Python calls it unchanged."""
    parts.append(function)
    return function


class Hook:
    """A function waiting to be compiled.

    kind: "law", "policy", "scheduler" or "headroom", which fixes the signature (footroom.kernel.calls).
    """

    def __init__(self, function: Callable[..., Any], kind: str) -> None:
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.function, self.kind = function, kind

    @functools.cached_property
    def address(self) -> int:
        """Where the compiled function is in memory."""
        from footroom.kernel.calls import compile_hook

        self._compiled = compile_hook(self.function, self.kind)  # kept alive: the address points into it
        return int(self._compiled.address)


def law_hook(function: Callable[..., Any]) -> Hook:
    """A congestion-control hook: (flow, the law's own memory of that flow, parameters, report) -> 0.

    flow, report: rows of kernel.tables.FLOW and REPORT, read with ``row``.  Memory and parameters: arrays of float64.
    """
    return Hook(function, "law")


def policy_hook(function: Callable[..., Any]) -> Hook:
    """A hook of a sharing policy or a marking: (switch, queue, parameters, flow, packet, size [B], now [ps]) -> int."""
    return Hook(function, "policy")


def scheduler_hook(function: Callable[..., Any]) -> Hook:
    """A hook of a scheduler: (port, its own memory of that port, parameters) -> class that sends next.

    port: row of kernel.tables.PORT.  Memory and parameters: arrays of float64.
    """
    return Hook(function, "scheduler")


def headroom_hook(function: Callable[..., Any]) -> Hook:
    """A hook of a headroom: (pool, ingress, group, value) -> int; rows of kernel.tables.MEMORY, INGRESS and GROUP.

    The pool is the row of the shared memory that the port's groups take from.
    """
    return Hook(function, "headroom")
