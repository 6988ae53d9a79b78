"""Completion times of flows. Cases are pooled: each contributes as many flows as it completed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.papers.measures.flows import Floats


def times(answers: Sequence[Answer], entry: int | None = None) -> Floats:
    """Completion times [s] of the flows of one traffic entry in all cases, of all entries without one."""
    return np.concatenate([answer.times_of(entry) for answer in answers])


def shared_times(answers: Sequence[Answer], plane: str, entry: int | None = None) -> Floats:
    """Completion times [s] on ``plane`` of clients whose every query is hashed onto one of several planes.

    Cases are called plane/state, and each plane was run with clients of its own that wait for their answers, n of them
    complete in a state. A client whose queries go to all planes in turn completes one per plane in the sum of their
    times, so each plane gets the harmonic mean of n in every state: a slow plane more, a quick one fewer than
    clients of its own would ask. The plane's times are taken that often, at evenly spaced quantiles.
    """
    found = []
    for state in dict.fromkeys(answer.case.partition("/")[2] for answer in answers):
        planes: dict[str, list[Answer]] = {}
        for answer in answers:
            if answer.case.partition("/")[2] == state:
                planes.setdefault(answer.case.partition("/")[0], []).append(answer)
        if plane not in planes:
            raise NotMeasurableError(f"no case of plane {plane!r} in state {state!r}")
        each = {name: times(group, entry) for name, group in planes.items()}
        number = max(1, round(len(each) / sum(1.0 / len(one) for one in each.values())))
        found.append(np.quantile(each[plane], (np.arange(number) + 0.5) / number))
    return np.concatenate(found)


def _of(answers: Sequence[Answer], entry: int | None, plane: str | None) -> Floats:
    return times(answers, entry) if plane is None else shared_times(answers, plane, entry)


def fct_mean(answers: Sequence[Answer], entry: int | None = None, plane: str | None = None) -> float:
    """Mean completion time [s]. plane: on this one, as ``shared_times``."""
    return float(_of(answers, entry, plane).mean())


def fct_deviation(answers: Sequence[Answer], entry: int | None = None, plane: str | None = None) -> float:
    """Standard deviation of the completion times [s]. plane: on this one, as ``shared_times``."""
    found = _of(answers, entry, plane)
    if len(found) < 2:
        raise NotMeasurableError("a standard deviation needs two flows")
    return float(found.std(ddof=1))


def fct_quantile(answers: Sequence[Answer], level: float, entry: int | None = None, plane: str | None = None) -> float:
    """Quantile of the completion times [s]; level: 0 to 1. plane: on this one, as ``shared_times``."""
    if plane is not None:
        return float(np.quantile(shared_times(answers, plane, entry), level))
    return answers[0].quantile(level, entry) if len(answers) == 1 else float(np.quantile(times(answers, entry), level))


def smallest_flow(answers: Sequence[Answer], entry: int | None = None) -> float:
    """Least payload [B] of the flows that completed."""
    return min(float(answer.flows_of(entry).size.min()) for answer in answers)


def largest_flow(answers: Sequence[Answer], entry: int | None = None) -> float:
    """Greatest payload [B] of the flows that completed."""
    return max(float(answer.flows_of(entry).size.max()) for answer in answers)


def _split(answers: Sequence[Answer], prefix: str) -> tuple[list[Answer], list[Answer]]:
    mine = [answer for answer in answers if answer.case.startswith(prefix)]
    others = [answer for answer in answers if not answer.case.startswith(prefix)]
    if not mine or not others:
        raise NotMeasurableError(f"a comparison needs cases that begin with {prefix!r} and others")
    return mine, others


def dominance(answers: Sequence[Answer], subject: str, entry: int | None = None, shared: bool = False) -> float:
    """Smallest lead of the distribution of the cases whose name begins with ``subject`` over all others.

    The smallest difference, over all times, of its cumulative share and the greatest of the others': 0 or more means
    that at any time at least as large a share of its flows is done. The others are grouped by the first part of their
    name, up to the first "/".  shared: queries are hashed over all planes, as ``shared_times``.
    """
    mine, others = _split(answers, subject)
    groups: dict[str, list[Answer]] = {}
    for answer in others:
        groups.setdefault(answer.case.partition("/")[0], []).append(answer)
    own = np.sort(_of(answers, entry, subject) if shared else times(mine, entry))
    rest = [np.sort(_of(answers, entry, name) if shared else times(group, entry)) for name, group in groups.items()]
    at = np.concatenate([own, *rest])
    best = np.max([_cumulative(found, at) for found in rest], axis=0)
    return float((_cumulative(own, at) - best).min())


def _cumulative(ordered: Floats, at: Floats) -> Floats:
    return np.searchsorted(ordered, at, side="right") / len(ordered)


def quantile_ratio(answers: Sequence[Answer], subject: str, low: float, high: float, entry: int | None = None) -> float:
    """Mean over the levels from ``low`` to ``high`` (a percent apart) of the subject's quantile over the others'."""
    return float(np.mean(_ratios(answers, subject, low, high, entry)))


def quantile_gap(answers: Sequence[Answer], subject: str, low: float, high: float, entry: int | None = None) -> float:
    """Greatest distance from 1 of the subject's quantile over the others', for levels from ``low`` to ``high``."""
    return float(np.abs(_ratios(answers, subject, low, high, entry) - 1.0).max())


def _ratios(answers: Sequence[Answer], subject: str, low: float, high: float, entry: int | None) -> Floats:
    mine, others = _split(answers, subject)
    levels = np.linspace(low, high, round((high - low) * 100) + 1)
    found: Floats = np.quantile(times(mine, entry), levels) / np.quantile(times(others, entry), levels)
    return found
