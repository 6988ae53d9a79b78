"""SIH: every lossless priority group keeps a headroom of its own, or all of them share one pool of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.kernel.answers import HEADROOM, PAUSE_GROUP, RESUMES
from footroom.kernel.hooks import Hook, headroom_hook, row
from footroom.parts.headroom.pausing import Pausing


@headroom_hook
def _place(pool, ingress, group, size):
    s, g = row(pool), row(group)
    excess = max(0, g.own + size - g.reserved)
    if g.headroom > 0:
        return HEADROOM | PAUSE_GROUP
    if excess > 0:
        threshold = max(0, int(g.alpha * (s.pool - s.shared)))
        if g.shared + excess > threshold or s.shared + excess > s.pool - s.spare:
            return HEADROOM | PAUSE_GROUP
    threshold = max(0, int(g.alpha * (s.pool - s.shared - excess)))
    return PAUSE_GROUP if g.shared + excess >= threshold else 0


@headroom_hook
def _resume(pool, ingress, group, whole):
    s, g = row(pool), row(group)
    if g.headroom > 0:
        return -1
    threshold = max(0, int(g.alpha * (s.pool - s.shared)))
    if g.shared <= max(g.xon, threshold - g.xon_offset):
        return RESUMES
    free = (g.shared + g.xon_offset) / g.alpha  # what the threshold needs
    return s.pool - int(free) + 2 if free <= s.pool else -1


class StaticIndependent(Pausing):
    """Each lossless class of each port has a headroom that nothing else may use (static and independent headroom).

    A group asks its neighbour to pause when it holds any headroom, or shared memory of at least its threshold
    T = α·(pool − in use). It lets the neighbour resume when its headroom is empty and its shared memory is at most
    max(xon, T − xon_offset). Once a group uses headroom, all its arrivals go there until it is empty.
    """

    about: ClassVar[About] = About(
        title="Static independent headroom",
        summary="Each lossless class of each port has its own headroom and pauses its neighbour before it fills.",
        sources=(
            "IEEE 802.1Qbb (priority-based flow control)",
            "Guo et al., SIGCOMM 2016",
            "alibaba-edu/High-Precision-Congestion-Control, simulation/src/point-to-point/model/switch-mmu.cc",
        ),
        holds="shared-memory switches; classes listed as lossless have the same priority at every hop",
        departures="one priority group for each class; lossy classes have no limit at ingress, lossless ones none at "
        "egress; both count against one service pool unless lossless_share divides it",
    )
    kind: Literal["static_independent"] = "static_independent"
    xon: Size = quantity(
        0.0,
        "B",
        "Level of shared memory at or below which a group resumes its neighbour, whatever the threshold; the "
        "larger of this and the threshold less xon_offset counts.",
        ge=0,
        le=1e12,
        source="SONiC doc/qos/dynamically-headroom-calculation.md",
    )
    xon_offset: Size = quantity(
        3072.0,
        "B",
        "How far below its threshold a group's shared memory must fall before it resumes its neighbour.",
        ge=0,
        le=1e12,
        source="3 KiB: resume_offset in HPCC's simulator",
    )
    pool: Size | None = quantity(
        None,
        "B",
        "One headroom pool that all groups of a switch share, each up to its own headroom; none keeps the "
        "headroom of every group apart.",
        gt=0,
        le=1e12,
        advanced=True,
        source="SONiC shared headroom pool",
    )
    oversubscription: float | None = quantity(
        None,
        "1",
        "Sum of all headroom divided by the size of the pool that the groups share; none keeps the headroom of "
        "every group apart.",
        ge=1,
        le=1000,
        advanced=True,
        source="SONiC over_subscribe_ratio",
    )

    @model_validator(mode="after")
    def _one_pool(self) -> StaticIndependent:
        if self.pool is not None and self.oversubscription is not None:
            raise PydanticCustomError("at:oversubscription", "give pool in bytes or oversubscription, not both")
        return self

    def place(self) -> Hook:
        return _place

    def resume(self) -> Hook:
        return _resume

    def pool_of(self, kept: Sequence[int]) -> int | None:
        if self.pool is not None:
            return int(self.pool)
        return None if self.oversubscription is None else math.ceil(sum(kept) / self.oversubscription)
