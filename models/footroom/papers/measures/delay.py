"""Round trips as a ping sees them: base plus the wait sampled at the end of every window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer
from footroom.papers.measures.flows import Floats


def samples(answers: Sequence[Answer], base: float, port: str | None = None) -> Floats:
    """Round-trip times [s] of all cases; ``base`` [s]: without any wait. One direction is congested, the other idle."""
    return base + np.concatenate([answer.port(port).delay for answer in answers])


def rtt_mean(answers: Sequence[Answer], base: float, port: str | None = None) -> float:
    """Mean round-trip time [s]."""
    return float(samples(answers, base, port).mean())


def rtt_quantile(answers: Sequence[Answer], base: float, level: float, port: str | None = None) -> float:
    """Quantile of the round-trip time [s]; level: 0 to 1."""
    return float(np.quantile(samples(answers, base, port), level))


def rtt_share_above(answers: Sequence[Answer], base: float, limit: float, port: str | None = None) -> float:
    """Share of round trips longer than ``limit`` [s]."""
    return float(np.mean(samples(answers, base, port) > limit))
