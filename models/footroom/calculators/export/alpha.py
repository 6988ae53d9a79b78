"""The sharing parameter alpha as switches take it: a power of two."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Powers:
    """The powers of two that a switch takes.

    lowest, highest: exponents.  switch: whose they are.  source: who says so.
    """

    lowest: int
    highest: int
    switch: str
    source: str


@dataclass(frozen=True)
class Rounded:
    """alpha: as asked.  exponent: of the power of two taken.  note: what the rounding changes, empty when nothing."""

    alpha: float
    exponent: int
    note: str

    @property
    def taken(self) -> float:
        """The alpha that the switch gets."""
        return 2.0**self.exponent


def lone_share(alpha: float) -> float:
    """Part of a pool that one queue may take when all others are empty: alpha / (1 + alpha) (Choudhury, Hahne 1998)."""
    return alpha / (1.0 + alpha)


def round_alpha(alpha: float, powers: Powers, what: str = "alpha") -> Rounded:
    """The power of two nearest to ``alpha`` in ratio among ``powers``; ``what`` names it in the note. alpha > 0."""
    exact = math.log2(alpha)
    exponent = max(powers.lowest, min(powers.highest, round(exact)))
    taken = 2.0**exponent
    if taken == alpha:
        return Rounded(alpha, exponent, "")
    end = " (the most " if exact > powers.highest else " (the least " if exact < powers.lowest else ""
    limit = f"{end}that {powers.switch} takes)" if end else ""
    return Rounded(
        alpha,
        exponent,
        f"{what} {alpha:g} becomes 2^{exponent} = {taken:g}{limit}: a lone queue may take "
        f"{_percent(lone_share(taken))} of the pool instead of {_percent(lone_share(alpha))}",
    )


def _percent(share: float) -> str:
    percent = 100.0 * share
    return f"{percent:.1f} %" if percent >= 1.0 else f"{percent:.2g} %"
