"""Policies side by side: cases are called policy/load, and those of one load share their traffic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError, by_case
from footroom.papers.measures.completion import fct_quantile


def _table(answers: Sequence[Answer], level: float, entry: int | None) -> dict[str, dict[str, float]]:
    """Quantile of the completion times by load and policy."""
    found: dict[str, dict[str, float]] = {}
    for case, replicas in by_case(answers).items():
        policy, _, load = case.partition("/")
        found.setdefault(load, {})[policy] = fct_quantile(replicas, level, entry)
    return found


def _subject(times: dict[str, float], subject: str) -> float:
    if subject not in times or len(times) < 2:
        raise NotMeasurableError(f"a comparison needs {subject!r} and another case with the same end of its name")
    return times[subject]


def lead(answers: Sequence[Answer], subject: str, level: float, at: float = 0.0, entry: int | None = None) -> float:
    """Ratio of the others' completion times to those of ``subject``, at quantile ``level``.

    at: which quantile of these ratios, one for every load and other policy: 0 for the least, 1 for the greatest.
    """
    ratios = []
    for times in _table(answers, level, entry).values():
        own = _subject(times, subject)
        ratios += [time / own for policy, time in times.items() if policy != subject]
    return float(np.quantile(ratios, at))


def rank(answers: Sequence[Answer], subject: str, level: float, entry: int | None = None, tie: float = 0.0) -> float:
    """Place of ``subject`` among the policies by quantile ``level``, 1 for the shortest; mean over the loads.

    tie: policies that are ahead by less than this share of their own time count as equal to ``subject``.
    """
    places = []
    for times in _table(answers, level, entry).values():
        own = _subject(times, subject)
        places.append(1 + sum((1.0 + tie) * time < own for time in times.values()))
    return float(np.mean(places))
