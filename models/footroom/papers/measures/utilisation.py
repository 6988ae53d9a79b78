"""How busy a link was."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, by_case


def utilisation(answers: Sequence[Answer], port: str | None = None) -> float:
    """Bits sent over capacity, mean over the cases' whole runs."""
    return float(np.mean([answer.port(port).utilisation.mean() for answer in answers]))


def peak_utilisation(answers: Sequence[Answer], window: float, port: str | None = None) -> float:
    """Greatest utilisation over windows of ``window`` seconds, 0 for the whole run, of all cases."""
    return max(float(answer.port(port).coarser(window).utilisation.max()) for answer in answers)


def utilisation_gap(answers: Sequence[Answer], port: str | None = None) -> float:
    """Greatest utilisation of the cases less the smallest."""
    found = [utilisation(replicas, port) for replicas in by_case(answers).values()]
    return max(found) - min(found)
