"""Random numbers that are the same in every engine."""

from __future__ import annotations

from collections.abc import Iterator

_WORD = 2**64 - 1


def splitmix64(state: int) -> Iterator[int]:
    """Endless 64-bit random numbers (Steele, Lea and Flood, OOPSLA 2014, fig. 16)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        yield z ^ (z >> 31)


def fractions(state: int) -> Iterator[float]:
    """The same as fractions of one: their upper 53 bits."""
    for number in splitmix64(state):
        yield (number >> 11) * 2.0**-53
