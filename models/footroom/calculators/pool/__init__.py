"""Pools: whether a buffer configuration fits its chip, and what is left to share.

import footroom as fr
fr.pool(asic="tomahawk", lossless_classes=1).to_dict()["footroom"]
fr.pool.assess(asic="tomahawk", lossless_classes=8, scheme="ieee").reason
"""

from footroom.calculators.pool.answer import PoolAnswer
from footroom.calculators.pool.compute import assess
from footroom.calculators.pool.question import Question

__all__ = ["PoolAnswer", "Question", "assess"]
