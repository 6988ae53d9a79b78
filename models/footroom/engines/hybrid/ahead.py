"""Rows asked for before they are needed: with thousands of flows none of them is still in the processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.hybrid.layout import FIRST_FLOW, INLINE, LINES_MOVED, LINES_SENT, LINES_SLOT
from footroom.kernel.calls import prefetch

_LINE = 64
#: Flows that windows move for while the row of the next one is fetched.
AHEAD = 4


@helper
def fetch(table: Any, n: Any, lines: Any) -> None:
    """Ask for the first ``lines`` cache lines of row n."""
    at = np.int64(table.ctypes.data) + n * np.int64(table.strides[0])
    for line in range(lines):
        prefetch(at + line * _LINE)


@helper
def fetch_flow(a: int, count: int, flows: Any, routes: Any, alive: Any) -> None:
    """Ask for the rows of the flow listed at place ``a`` of ``count``, and of the route there: mostly its own."""
    if a < count:
        fetch(flows, alive[a, 0], LINES_MOVED)
        fetch(routes, alive[a, 1], LINES_MOVED)


@helper
def _fetch_flows(r: Any, flows: Any, routes: Any) -> None:
    """Ask for the first flow of route r, whose row has been asked for."""
    i = np.int64(routes[r, FIRST_FLOW])
    if i >= 0:
        fetch(flows, i, LINES_MOVED)


@helper
def fetch_route(a: int, count: int, column: int, flows: Any, routes: Any, alive: Any) -> None:
    """Ask for the route listed in ``column`` a few places behind ``a`` of ``count``, and for flows of a nearer one."""
    if a + AHEAD < count:
        fetch(routes, alive[a + AHEAD, column], LINES_MOVED)
    if a + AHEAD // 2 < count:
        _fetch_flows(alive[a + AHEAD // 2, column], flows, routes)


@helper
def fetch_slot(at: int, blocks: Any, back: Any, routes: Any) -> None:
    """Ask for the routes of what comes back over step ``at``, for the blocks of the next and the slot after it."""
    ring = back.shape[0]
    x = back[at % ring]
    for n in range(min(x.count, INLINE)):
        fetch(routes, np.int64(blocks[x.blocks[n]].route), LINES_SENT)
    x = back[(at + 1) % ring]
    for n in range(min(x.count, INLINE)):
        fetch(blocks, np.int64(x.blocks[n]), 1)
    fetch(back, (at + 2) % ring, LINES_SLOT)
