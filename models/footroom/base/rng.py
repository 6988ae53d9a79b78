"""Named random streams from one seed, so that adding a traffic class never changes another's draws."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

#: Numbers drawn ahead at most.
_MOST_AHEAD = 4096

#: Step between the generator states of two neighbouring flows' congestion controls; odd, and not splitmix64's own.
LAW_STEP = 0xD1B54A32D192ED03


def stream(seed: int, *name: str | int) -> np.random.Generator:
    """An independent NumPy generator for ``name`` under ``seed``; the same arguments give the same numbers anywhere."""
    digest = hashlib.sha256(repr((int(seed), *name)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))


def word(seed: int, *name: str | int) -> int:
    """A 63-bit integer for ``name`` under ``seed``: the initial state of a generator inside compiled code."""
    digest = hashlib.sha256(repr((int(seed), *name)).encode()).digest()
    return int.from_bytes(digest[16:24], "little") >> 1


class Choices:
    """Whole numbers below n from a generator, one at a time: the same as drawn singly, but drawn in batches.

    Batches grow while n stays the same; numbers drawn ahead for another n are given back to the generator.
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self._below, self._used = 0, 0
        self._ahead: list[int] = []
        self._before: Any = None

    def integers(self, n: int) -> int:
        """The next, from 0 to n − 1."""
        if n != self._below or self._used == len(self._ahead):
            self._draw(n)
        self._used += 1
        return self._ahead[self._used - 1]

    def _draw(self, n: int) -> None:
        size = min(_MOST_AHEAD, 2 * len(self._ahead)) if n == self._below else 1
        if self._used < len(self._ahead):
            self._generator.bit_generator.state = self._before
            self._generator.integers(self._below, size=self._used)
        self._before = self._generator.bit_generator.state
        self._ahead = self._generator.integers(n, size=size).tolist()
        self._below, self._used = n, 0
