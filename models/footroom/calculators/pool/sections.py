"""Parts of an answer that need a division that fits: pauses, marking, the split by percent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from footroom.base.errors import InvalidInput
from footroom.calculators.pool.division import HEADROOM, Division
from footroom.calculators.pool.margin import margin
from footroom.calculators.pool.memory import whole
from footroom.calculators.pool.packets import packet_scenario
from footroom.calculators.pool.pauses import Demand, Paused
from footroom.calculators.pool.question import Question
from footroom.calculators.pool.sharing import kinds_of
from footroom.calculators.pool.split import percentages

if TYPE_CHECKING:
    from footroom.calculators.pool.document import MarkingDocument, PauseCase, PausesDocument, SplitDocument


def pauses(question: Question, division: Division) -> PausesDocument | None:
    """How likely the shared headroom pool is exceeded, and the smallest pool for the target.

    Raises InvalidInput where no priority group has headroom of its own.
    """
    asked = question.pauses
    if asked is None:
        return None
    groups = [group for group in division.groups if group.priority_groups and group.headroom]
    if not groups:
        raise InvalidInput.at("pauses", "an object", "no priority group has its own headroom that could be pooled")
    memory = division.memory
    kinds = [Paused(group.priority_groups, memory.rounded(group.headroom)) for group in groups]
    total = division.headroom
    pool = memory.rounded(division.headroom_pool) if division.pooled else total
    cases: list[PauseCase] = []
    for correlation in dict.fromkeys((0.0, asked.correlation)):
        demand = Demand(kinds, asked.probability, correlation, memory.cell or 1.0)
        smallest = demand.smallest_pool(asked.target)
        cases.append(
            {
                "correlation": correlation,
                "exceeded": demand.exceeded(pool),
                "mean": demand.mean,
                "smallest": {
                    "bytes": whole(smallest),
                    "cells": memory.cells_for(smallest),
                    "ratio": total / smallest if smallest else None,
                },
            }
        )
    return {
        "probability": asked.probability,
        "target": asked.target,
        "pool": whole(pool),
        "pool_cells": memory.cells_for(pool),
        "ratio": total / pool if pool else None,
        "priority_groups": sum(kind.count for kind in kinds),
        "at_once": _at_once(kinds, pool),
        "cases": cases,
    }


def _at_once(kinds: list[Paused], pool: float) -> int:
    """Priority groups that can all use their headroom at once, those with the largest first."""
    left, found = pool, 0
    for kind in sorted(kinds, key=lambda kind: -kind.headroom):
        fitting = min(kind.count, math.floor(left / kind.headroom))
        found += fitting
        left -= fitting * kind.headroom
        if fitting < kind.count:
            break
    return found


def marking(question: Question, division: Division) -> MarkingDocument | None:
    """Margins between marking and pause: as asked, and the worst a switch can see.

    Raises InvalidInput where no class is lossless.
    """
    asked = question.marking
    if asked is None:
        return None
    groups = [group for group in division.groups if group.lossless]
    if not groups:
        raise InvalidInput.at("marking", "an object", "no class is lossless, so nothing pauses")
    lossless, lossy = kinds_of(question, division)
    if question.lossy_pool is None:
        weight = 1.0 / (1.0 + lossy.queues.count * lossy.queues.alpha)
        free = lossless.pool * weight
    else:
        weight, free = 1.0, lossless.pool
    rate = groups[0].speed
    everywhere = sum(group.priority_groups for group in groups)
    ports = sum(group.count for group in groups)
    cases = [
        margin(
            name,
            mark,
            free=free,
            alpha=question.alpha_lossless,
            queues=queues,
            feeds=feeds,
            weight=weight,
            offset=lossless.offset,
            rate=rate,
        )
        for name, queues, feeds in (
            ("asked", asked.queues, asked.feeds / asked.sources),
            ("worst", everywhere, float(ports)),
        )
        for mark in dict.fromkeys((asked.kmin, asked.kmax))
    ]
    scenario, differs = packet_scenario(question, division, asked)
    return {
        "rate": rate,
        "queues": asked.queues,
        "worst_queues": everywhere,
        "worst_feeds": ports,
        "cases": [case.to_dict() for case in cases],
        "scenario": scenario,
        "differs": differs,
    }


def split(question: Question, division: Division) -> SplitDocument | None:
    """Lossless, lossy and headroom in whole percent of what is not reserved; None when all is."""
    headroom = sum(line.size for line in division.lines() if line.name in HEADROOM)
    share = question.lossless_share
    if share is None:
        queues = sum(group.count for group in division.groups) * division.classes
        share = sum(group.priority_groups for group in division.groups) / queues
    left = division.footroom
    if headroom + left <= 0:
        return None
    parts = percentages(headroom, share * left, (1.0 - share) * left)
    return {
        "lossless": parts["lossless"],
        "lossy": parts["lossy"],
        "headroom": parts["headroom"],
        "of": whole(headroom + left),
        "lossless_share": share,
    }
