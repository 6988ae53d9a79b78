"""Pools: whether a buffer configuration fits its chip, and what is left to share.

The package can be called, because ``footroom.pool`` is both this package and the function of the public interface
(docs/adr/0007):

    import footroom as fr
    fr.pool(asic="tomahawk", lossless_classes=1).to_dict()["footroom"]
    fr.pool.assess(asic="tomahawk", lossless_classes=8, scheme="ieee").reason
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from footroom.pool.answer import PoolAnswer
from footroom.pool.compute import assess, pool
from footroom.pool.question import Question

__all__ = ["PoolAnswer", "Question", "assess"]


class _Callable(ModuleType):
    """The package as a function."""

    def __call__(self, question: Question | Mapping[str, Any] | None = None, /, **fields: Any) -> PoolAnswer:
        """Whether a buffer configuration fits its chip; see :func:`footroom.pool.compute.pool`."""
        return pool(question, **fields)


sys.modules[__name__].__class__ = _Callable
