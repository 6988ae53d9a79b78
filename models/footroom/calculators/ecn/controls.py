"""Which congestion controls the advisor supports."""

from __future__ import annotations

import functools

from footroom.base.errors import FootroomError
from footroom.calculators.ecn.judging import answers_to_marks
from footroom.calculators.ecn.question import EcnQuestion
from footroom.engines.fluid.adapter import system_of
from footroom.parts.congestion import REGISTRY


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
