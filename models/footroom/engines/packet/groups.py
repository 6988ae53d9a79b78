"""Priority groups, headroom and pauses of a plan as tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from footroom.engines.packet.tables import Table
from footroom.engines.plan import Plan
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import GROUP, INGRESS, NEVER, PAUSE, PAUSES, rows
from footroom.parts.headroom import Pausing


class LosslessTables(NamedTuple):
    """ingresses: one row a port; groups: WHOLE rows a port; pauses: PAUSES rows a port; one unused row each where no
    class is lossless.  most_frames: pause frames that one event may send.
    """

    ingresses: Table
    groups: Table
    pauses: Table
    most_frames: int


def lossless_side(plan: Plan, ports: Table, queues: Table, switches: Table) -> LosslessTables:
    """The tables of ``plan.lossless``; ports, queues and memories learn what is lossless and what is not."""
    found = plan.lossless
    if found is None:
        return LosslessTables(rows(1, INGRESS), rows(1, GROUP), rows(1, PAUSE), 0)
    ingresses, groups = rows(plan.ports, INGRESS), rows(WHOLE * plan.ports, GROUP)
    pauses = rows(PAUSES * plan.ports, PAUSE)
    for name in ("begin", "end", "timer_at", "refresh", "refresh_at"):
        pauses[name] = NEVER
    for name in ("held_at", "asked_at", "first"):
        pauses[name] = -1
    ingresses["opposite"], ingresses["next"] = found.opposite, -1
    ingresses["insurance"], ingresses["xon_offset"] = found.insurance, found.port_xon_offset
    ingresses["response"], ingresses["pause_time"] = found.pause_response, found.pause_time
    ingresses["refresh"] = found.pause_refresh
    ingresses["alphas"][:, : plan.classes] = found.group_alpha
    for name, values in (
        ("reserved", found.group_reserved),
        ("limit", found.group_limit),
        ("alpha", found.group_alpha),
        ("xon", found.xon),
        ("xon_offset", found.xon_offset),
    ):
        groups[name].reshape(plan.ports, WHOLE)[:, : plan.classes] = values
    groups["klass"] = np.tile(np.arange(WHOLE), plan.ports)
    into = plan.port_switch[found.opposite]
    memory = pool = plan.switches
    for s, setting in enumerate(plan.settings):
        if not isinstance(setting.headroom, Pausing):
            continue
        memory = pool = sum(each.architecture.line_cards() for each in plan.settings[:s])
        mask = int(sum(1 << klass for klass in setting.lossless()))
        mine, entering = np.flatnonzero(plan.port_switch == s), np.flatnonzero(into == s)
        ports["lossless"][mine] = mask
        lossless = (queues["memory"] == memory) & ((mask >> queues["klass"]) & 1 != 0)
        queues["reserved"][lossless] = 0
        switches["pool"][memory], switches["headroom_pool"][memory] = found.pool_lossy[s], found.headroom_pool[s]
        others = np.flatnonzero((queues["memory"] == memory) & ~lossless)
        switches["queues"][memory], queues["index"][others] = len(others), np.arange(len(others))
        if not found.one_pool[s]:
            pool = len(switches) - int(np.count_nonzero(~found.one_pool[s:]))
            switches["pool"][pool] = found.pool_lossless[s]
        switches["spare"][pool] = found.spare[s]
        switches["place"][pool] = setting.headroom.place().address
        switches["resume"][pool] = setting.headroom.resume().address
        switches["retest"][pool] = -1
        switches["ingress"][pool] = entering[0]
        ingresses["next"][entering[:-1]] = entering[1:]
        ingresses["memory"][entering], ingresses["pool"][entering] = memory, pool
        ingresses["classes"][entering] = mask
        if found.insured[s]:
            ingresses["limit"][entering] = found.insurance_limit[entering]
            groups["limit"].reshape(plan.ports, WHOLE)[entering] = NEVER
        else:
            ingresses["limit"][entering] = NEVER
    return LosslessTables(ingresses, groups, pauses, PAUSES * max(np.bincount(into[into >= 0])) + PAUSES)
