"""Named random streams from one seed, so that adding a traffic class never changes another's draws."""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, *name: str | int) -> np.random.Generator:
    """An independent NumPy generator for ``name`` under ``seed``; the same arguments give the same numbers anywhere."""
    digest = hashlib.sha256(repr((int(seed), *name)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))


def word(seed: int, *name: str | int) -> int:
    """A 63-bit integer for ``name`` under ``seed``: the initial state of a generator inside compiled code."""
    digest = hashlib.sha256(repr((int(seed), *name)).encode()).digest()
    return int.from_bytes(digest[16:24], "little") >> 1
