"""Who shares the footroom: thresholds, bursts, incasts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from footroom.calculators.pool.burst import Absorbed, absorb
from footroom.calculators.pool.division import Division
from footroom.calculators.pool.incast import exponent_for, smallest_alpha
from footroom.calculators.pool.memory import whole
from footroom.calculators.pool.question import Question
from footroom.calculators.pool.thresholds import Queues, free_at_ingress, free_memory

if TYPE_CHECKING:
    from footroom.calculators.pool.document import IncastDocument, ThresholdDocument


@dataclass(frozen=True)
class Kind:
    """Queues of one kind and the pool in which they are limited.

    queues: those at their threshold.  pool: bytes they share [B].  congested: all that are at their threshold in that
    pool.  free: memory left in it when at least one of the kind is too [B].  offset: bytes below its threshold at which
    one is stopped [B].
    """

    queues: Queues
    pool: float
    congested: tuple[Queues, ...]
    free: float
    offset: float = 0.0

    @property
    def threshold(self) -> float:
        """What one of them may hold [B]."""
        return max(0.0, self.queues.alpha * self.free - self.offset)

    def with_alpha(self, alpha: float) -> Kind:
        """The same with another alpha for all queues of the kind; ``free`` is not computed anew."""
        changed = replace(self.queues, alpha=alpha)
        return replace(
            self,
            queues=changed,
            congested=tuple(changed if queues is self.queues else queues for queues in self.congested),
        )


def kinds_of(question: Question, division: Division) -> tuple[Kind, Kind]:
    """Lossless priority groups and lossy queues in the footroom of ``division``."""
    lossless = Queues("lossless", question.congested_lossless, question.alpha_lossless)
    lossy = Queues("lossy", question.congested_lossy, question.alpha_lossy)
    # A configured pool counts at most its size; one larger than the memory left cannot be filled.
    shared = min(division.footroom, math.inf if question.lossless_pool is None else question.lossless_pool)
    offset = max((group.insurance for group in division.groups if group.lossless), default=0.0)
    if question.lossy_pool is None:
        both = (lossless, lossy)
        return (
            Kind(lossless, shared, both, free_memory(shared, (_one(lossless), lossy)), offset),
            Kind(lossy, shared, both, free_memory(shared, (lossless, _one(lossy)))),
        )
    egress = min(division.footroom, question.lossy_pool)
    left = free_memory(egress, [lossy])
    free = free_at_ingress(shared, _one(lossless), lossy, egress)
    rest = max(0.0, shared - (egress - left))
    return (
        Kind(lossless, rest, (lossless,), free, offset),
        Kind(lossy, egress, (lossy,), free_memory(egress, [_one(lossy)])),
    )


def _one(queues: Queues) -> Queues:
    """The same with at least one queue: the queue whose limit is computed takes memory itself."""
    return replace(queues, count=max(1, queues.count))


@dataclass(frozen=True)
class Burst:
    """A burst for one port. arrival, drain [bit/s].  ports: that it comes in through."""

    arrival: float
    drain: float
    ports: int


def burst_of(division: Division, rate: float | None, senders: int | None = None) -> Burst:
    """A burst for a port of the first kind.

    rate: at which it arrives [bit/s]; None means that of as many other ports as there are ``senders``, the fastest
    first, or of all of them.
    """
    drain = division.groups[0].speed
    most = max(1, division.ports - 1)
    ports = most if senders is None else min(senders, most)
    if rate is None:
        return Burst(_fastest(division, ports), drain, ports)
    return Burst(rate, drain, min(ports, max(1, math.ceil(rate / drain - 1e-9))))


def _fastest(division: Division, ports: int) -> float:
    """Rate of so many ports together, the fastest first, without the first port [bit/s]; at least that port's own."""
    first = division.groups[0]
    others = [(first.speed, first.count - 1), *((group.speed, group.count) for group in division.groups[1:])]
    total = 0.0
    for speed, count in sorted(others, reverse=True):
        taken = min(count, ports)
        total += taken * speed
        ports -= taken
    return total or first.speed


def absorbed(kind: Kind, burst: Burst) -> Absorbed | None:
    """What ``kind`` absorbs of ``burst``: lossy in one egress queue, lossless in the priority groups it comes in by."""
    queues = burst.ports if kind.queues.name == "lossless" else 1
    return absorb(kind.pool, kind.queues.alpha, burst.arrival, burst.drain, kind.congested, queues, kind.offset)


def thresholds(question: Question, division: Division) -> list[ThresholdDocument]:
    """What one queue of each kind may hold, and the burst that an empty one absorbs."""
    burst = burst_of(division, question.burst_rate)
    found: list[ThresholdDocument] = []
    for kind in kinds_of(question, division):
        cells = None if division.memory.cell is None else math.floor(kind.threshold / division.memory.cell)
        reached = absorbed(kind, burst)
        found.append(
            {
                "queue": kind.queues.name,
                "alpha": kind.queues.alpha,
                "congested": kind.queues.count,
                "pool": whole(kind.pool),
                "free": kind.free,
                "bytes": kind.threshold,
                "cells": cells,
                "share": kind.threshold / division.footroom if division.footroom else 0.0,
                "time": kind.threshold * 8.0 / burst.drain,
                "burst": None
                if reached is None
                else {
                    "rate": burst.arrival,
                    "ports": burst.ports if kind.queues.name == "lossless" else 1,
                    "bytes": reached.burst,
                    "queue": reached.queue,
                    "time": reached.time,
                },
            }
        )
    return found


def incast(question: Question, division: Division) -> IncastDocument | None:
    """Whether the incast is absorbed, by which alpha it would be, and what that leaves to the others."""
    asked = question.incast
    if asked is None:
        return None
    lossless, lossy = kinds_of(question, division)
    kind = lossless if asked.lossless else lossy
    burst = burst_of(division, asked.rate, asked.degree)
    total = asked.degree * asked.size
    now = absorbed(kind, burst)
    found = smallest_alpha(total, lambda alpha: absorbed(kind.with_alpha(alpha), burst))
    then = None if found.alpha is None else absorbed(kind.with_alpha(found.alpha), burst)
    return {
        "queue": kind.queues.name,
        "bytes": whole(total),
        "rate": burst.arrival,
        "ports": burst.ports if asked.lossless else 1,
        "stored": total * max(0.0, 1.0 - burst.drain / burst.arrival),
        "alpha": kind.queues.alpha,
        "absorbed": now is None or now.burst >= total,
        "burst": None if now is None else now.burst,
        "smallest_alpha": found.alpha,
        "dynamic_th": None if found.alpha is None else exponent_for(found.alpha),
        "largest": found.largest,
        "best_alpha": found.best,
        "others": []
        if then is None
        else [
            {"queue": queues.name, "congested": queues.count, "before": before, "left": left}
            for queues, before, left in zip(kind.congested, then.before, then.left, strict=True)
            if queues.count
        ],
    }
