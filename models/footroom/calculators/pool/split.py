"""Memory in whole percent, as switches that take partitions want it."""

from __future__ import annotations

import math


def percentages(headroom: float, lossless: float, lossy: float) -> dict[str, int]:
    """``lossless``, ``lossy`` and ``headroom`` in whole percent that add up to 100.

    headroom: must not get less than it needs, so it is rounded up.  lossless, lossy: the rest is divided in this
    proportion; the remainder of rounding goes to the one that lost more.  All in bytes (or any one unit), not all 0.
    """
    total = headroom + lossless + lossy
    # A hair above a whole percent is a rounding error, not a need.
    reserved = min(100, math.ceil(100.0 * headroom / total - 1e-9))
    rest = 100 - reserved
    part = rest * lossless / (lossless + lossy) if lossless + lossy > 0 else 0.0
    shared = math.floor(part + 0.5)
    return {"lossless": shared, "lossy": rest - shared, "headroom": reserved}
