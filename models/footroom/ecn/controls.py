"""Which congestion controls the advisor can answer."""

from __future__ import annotations

import functools

from footroom.congestion import REGISTRY
from footroom.ecn.judging import answers_to_marks
from footroom.ecn.question import EcnQuestion
from footroom.errors import FootroomError
from footroom.fluid.adapter import system_of


@functools.cache
def controls() -> tuple[str, ...]:
    """Kinds that slow down when they are marked more, in the registry's order; others have no thresholds to set."""
    return tuple(kind for kind in REGISTRY.names if _answers(kind))


def _answers(kind: str) -> bool:
    try:
        return answers_to_marks(system_of(EcnQuestion.parse({"congestion": kind}).scenario()))
    except FootroomError:
        # Needs parameters that only a person can give, or has no fluid.
        return False
