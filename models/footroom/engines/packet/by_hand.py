"""Flows that a process starts while the simulation runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from footroom.base.errors import InvalidInput
from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import Plan
from footroom.kernel.tables import ACK_SIZE, NEVER
from footroom.scenario import HEADER


def hold_back(plan: Plan, entries: Sequence[int]) -> Plan:
    """The plan with the flows of the traffic ``entries`` last, none of which starts by itself.

    Raises InvalidInput for an entry that does not exist or whose flows follow others.
    """
    if not entries:
        return plan
    known = len(plan.scenario.traffic)
    for entry in entries:
        if not 0 <= entry < known:
            raise InvalidInput.at("by_hand", entry, f"traffic entries are numbered 0 to {known - 1}")
    held = np.isin(plan.flow_stack, list(entries))
    if ((plan.flow_continues >= 0) | (plan.flow_next >= 0) | (plan.flow_event >= 0))[held].any():
        raise InvalidInput.at(
            "by_hand", list(entries), "flows that wait for others cannot be started by hand; take kind arrivals"
        )
    order = np.concatenate([np.flatnonzero(~held & (plan.flow_start < NEVER)), np.flatnonzero(held)])
    waiting = np.flatnonzero(~held & (plan.flow_start == NEVER))
    order = np.concatenate([order, waiting])
    rank = np.full(len(order) + 1, -1, dtype=np.int64)  # the last for -1
    rank[order] = np.arange(len(order))
    changes = {}
    for field in fields(plan):
        if field.name.startswith("flow_"):
            values = getattr(plan, field.name)[order]
            changes[field.name] = rank[values] if field.name in ("flow_next", "flow_continues") else values
    changes["flow_start"] = np.where(held[order], NEVER, changes["flow_start"])
    return replace(plan, **changes)


def begin_by_hand(plan: Plan, simulation: Simulation, flow: int, size: float | None) -> None:
    """Start ``flow`` of ``plan`` now with ``size`` bytes of payload, or with its own size.

    Raises InvalidInput for a size below 1 B or above 1 PB.
    """
    row = simulation.tables.flows[flow]
    if size is not None:
        if not 1 <= size <= 1e15:
            raise InvalidInput.at("size", size, "a flow carries between 1 B and 1 PB")
        stack = plan.stacks[plan.flow_stack[flow]]
        payload = round(size)
        segments = -(-payload // stack.payload)
        last = payload - (segments - 1) * stack.payload + HEADER + stack.overhead
        row["segments"] = row["ready"] = plan.flow_segments[flow] = segments
        row["last_size"] = plan.flow_last_size[flow] = max(ACK_SIZE, last + plan.framing.overhead)
        plan.flow_bytes[flow] = payload
    plan.flow_start[flow] = simulation.now
    row["gap"] = 0
    simulation.begin(flow)
