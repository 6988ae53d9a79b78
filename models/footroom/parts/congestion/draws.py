"""Random numbers of congestion controls: every flow has a generator of its own, and every engine draws alike."""

from __future__ import annotations

import numpy as np

from footroom.kernel.hooks import hook_part


@hook_part
def draw(f):
    """Next number of flow row f's splitmix64 generator, uniform in [0, 1)."""
    f.random += np.uint64(0x9E3779B97F4A7C15)
    z = f.random
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(np.int64(z >> np.uint64(11))) * 2.0**-53
