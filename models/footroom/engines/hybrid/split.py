"""One plan in two: the flows that are packets, and those that are fluid."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import numpy.typing as npt

from footroom.engines.plan import Plan

Ints = npt.NDArray[np.int64]


def split(plan: Plan, entries: frozenset[int]) -> tuple[Plan, Ints]:
    """The plan without the flows of the traffic ``entries``, and the numbers of those flows in ``plan``.

    Places, starts and sizes are those of the whole plan: a run of packets alone has the same flows.
    """
    fluid = np.isin(plan.flow_stack, sorted(entries))
    kept = np.flatnonzero(~fluid)
    number = np.full(len(fluid) + 1, -1, dtype=np.int64)  # the last for -1
    number[kept] = np.arange(len(kept))
    changes = {}
    for field in fields(plan):
        if field.name.startswith("flow_"):
            values = getattr(plan, field.name)[kept]
            changes[field.name] = number[values] if field.name in ("flow_next", "flow_continues") else values
    return replace(plan, **changes), np.flatnonzero(fluid)
