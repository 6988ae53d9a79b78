"""Headroom as a scenario sets it aside, and what runs used of it: pauses, deadlocks and innocent flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from footroom.engines.plan.memory import Memory, memory
from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.scenario import Scenario, lookup, network_of


def _memory(answers: Sequence[Answer]) -> Memory:
    """The division of the memory of the first case's first switch."""
    return memory(Scenario.parse(dict(answers[0].scenario)))[0]


def headroom_of_one(answers: Sequence[Answer]) -> float:
    """Headroom set aside for one priority group, or with insurance for one port [B]."""
    lines = [line for line in _memory(answers).lines if line.name == "headroom"]
    if not lines:
        raise NotMeasurableError("no headroom is set aside")
    return float(lines[0].most)


def headroom_share(answers: Sequence[Answer]) -> float:
    """Share of a switch's memory that is set aside as headroom."""
    return sum(line.share for line in _memory(answers).lines if line.name == "headroom")


def buffer_time(answers: Sequence[Answer]) -> float:
    """Time in which all ports of a switch together fill its memory [s]."""
    scenario = Scenario.parse(dict(answers[0].scenario))
    network = network_of(scenario, scenario.run.seed)
    switch = network.switches[0]
    rates = [cable.rate for cable in network.cables if switch in (cable.a, cable.b)]
    return float(scenario.switch.buffer) * 8.0 / sum(rates)


def _groups(answer: Answer, classes: Sequence[int | None], ports: str) -> list[Mapping[str, Any]]:
    if not answer.groups:
        raise NotMeasurableError("no class is lossless")
    return [row for row in answer.groups if row["class"] in classes and row["port"].startswith(ports)]


def groups_sum(
    answers: Sequence[Answer], column: str, klass: int | None = None, ports: str = "", whole: bool = False
) -> float:
    """A column of ``Result.priority_groups`` added up over groups of a class, mean over the cases.

    klass: none means all.  ports: how their names begin.  whole: count pauses of whole ports as well.
    """
    found = []
    for answer in answers:
        classes: list[int | None] = list(range(8)) if klass is None else [klass]
        rows = _groups(answer, [*classes, None] if whole or klass is None else classes, ports)
        found.append(sum(float(row[column]) for row in rows))
    return float(np.mean(found))


def burst_without_pause(answers: Sequence[Answer], entry: int, klass: int) -> float:
    """The largest burst whose class is not paused, as a share of the memory: up to the first case that pauses it.

    entry: of the traffic, an incast with answers of one size.  Raises NotMeasurableError where all or no cases pause.
    """
    sized = []
    for answer in answers:
        document = dict(answer.scenario)
        size = float(lookup(document, f"traffic.{entry}.size.size")) * lookup(document, f"traffic.{entry}.degree")
        paused = any(row["pause_frames"] > 0 for row in _groups(answer, [klass, None], ""))
        sized.append((float(size / lookup(document, "switch.buffer")), paused))
    sized.sort()
    first = next((i for i, (_, paused) in enumerate(sized) if paused), None)
    if not first:
        reason = "every burst pauses" if first == 0 else "no burst pauses"
        raise NotMeasurableError(f"{reason}, from {sized[0][0]:.3g} to {sized[-1][0]:.3g} of the memory")
    return sized[first - 1][0]


def goodput_between(answers: Sequence[Answer], entry: int, start: float, stop: float) -> float:
    """Mean goodput [bit/s] of the long-lived flows of one entry from ``start`` to ``stop`` [s], mean over the cases."""
    found = []
    for answer in answers:
        if answer.rates is None:
            raise NotMeasurableError("the goodput of single flows was not recorded")
        opened = float(lookup(dict(answer.scenario), "run.warmup"))
        first, last = (round((time - opened) / answer.rates.width) for time in (start, stop))
        found.append(answer.rates.goodput[answer.rates.entry == entry, first:last].mean())
    return float(np.mean(found))


def headroom_at_maxima(answers: Sequence[Answer], level: float) -> float:
    """Quantile of the share of a switch's headroom that was in use, over its local maxima in all switches and cases."""
    found: list[float] = []
    for answer in answers:
        kept: dict[str, float] = {}
        for row in _groups(answer, list(range(8)), ""):
            kept[row["switch"]] = kept.get(row["switch"], 0.0) + row["headroom"]
        for one in answer.memories:
            found += [float(value) / kept[one["switch"]] for value in one.get("headroom_maxima", ())]
    if not found:
        raise NotMeasurableError("headroom was never used, or was not recorded")
    return float(np.quantile(found, level))


def deadlocks_avoided(answers: Sequence[Answer], subject: str) -> float:
    """Share of the deadlocks of all other cases that the cases whose name begins with ``subject`` avoid.

    Raises NotMeasurableError where the others have none.
    """
    ours = [answer.metrics["deadlock"] for answer in answers if answer.case.startswith(subject)]
    others = [answer.metrics["deadlock"] for answer in answers if not answer.case.startswith(subject)]
    if not others or not ours or sum(others) == 0:
        raise NotMeasurableError("no run of the others deadlocks")
    return 1.0 - float(np.mean(ours)) / float(np.mean(others))
