"""How long queries take: from their beginning to the last byte of their last answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.papers.measures.flows import Floats, Redrawn


def latencies(answers: Sequence[Answer], entry: int) -> Floats:
    """Time [s] of every query of one traffic entry, all of whose answers begin together."""
    found = []
    for answer in answers:
        if answer.flows is None:
            raise NotMeasurableError("completion times of single flows were not kept")
        flows = answer.flows.base if isinstance(answer.flows, Redrawn) else answer.flows
        order, first, _ = flows.queries
        if not len(order):
            raise NotMeasurableError(f"no query was answered in case {answer.case}")
        longest = np.maximum.reduceat(flows.fct[order], first)
        chosen = answer.flows.drawn(entry) if isinstance(answer.flows, Redrawn) else np.arange(*flows.of_queries(entry))
        found.append(longest[chosen])
    return np.concatenate(found)


def query_mean(answers: Sequence[Answer], entry: int) -> float:
    """Mean latency [s]."""
    return float(latencies(answers, entry).mean())


def query_quantile(answers: Sequence[Answer], level: float, entry: int) -> float:
    """Quantile of the latency [s]; level: 0 to 1."""
    return float(np.quantile(latencies(answers, entry), level))


def query_share_below(answers: Sequence[Answer], time: float, entry: int) -> float:
    """Share of the queries that took less than ``time`` [s]."""
    return float((latencies(answers, entry) < time).mean())
