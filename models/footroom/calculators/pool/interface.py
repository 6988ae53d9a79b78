"""``fr.pool``: the calculator as a function that can also assess without raising."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from footroom.calculators.pool.answer import PoolAnswer
from footroom.calculators.pool.compute import assess
from footroom.calculators.pool.compute import pool as compute
from footroom.calculators.pool.question import Question


class Pool:
    """``fr.pool(...)`` and ``fr.pool.assess(...)``."""

    assess = staticmethod(assess)

    def __call__(self, question: Question | Mapping[str, Any] | None = None, /, **fields: Any) -> PoolAnswer:
        """Whether a buffer configuration fits its chip; see :func:`footroom.calculators.pool.compute.pool`."""
        return compute(question, **fields)


pool = Pool()
