"""How the window of a transfer grows once it has lost: many transfers at once, a round trip at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]


class Growth(Protocol):
    """A congestion control outside slow start.

    ``factor``: of the window at a loss.  ``memory``: state of the law, shape (words, transfers), zeros at first.
    """

    @property
    def factor(self) -> float: ...

    def memory(self, transfers: int) -> Values:
        """What the law remembers of every transfer before its first loss."""

    def lose(self, memory: Values, who: Places, window: Values, expired: NDArray[np.bool_]) -> None:
        """Transfers ``who`` cut a ``window`` [packets]; ``expired``: after a timeout."""

    def grow(self, memory: Values, who: Places, window: Values, sent: Values, now: Values) -> Values:
        """Windows of transfers ``who`` after ``sent`` packets arrived, at ``now`` [s]."""


@dataclass(frozen=True)
class Additive:
    """NewReno: a packet per window."""

    factor: float = 0.5

    def memory(self, transfers: int) -> Values:
        return np.zeros((0, transfers))

    def lose(self, memory: Values, who: Places, window: Values, expired: NDArray[np.bool_]) -> None:
        pass

    def grow(self, memory: Values, who: Places, window: Values, sent: Values, now: Values) -> Values:
        return np.asarray(window + sent / np.maximum(window, 1.0))


#: Words of a transfer under CUBIC: W_max, the window before the cut, the Reno-friendly window, when the climb began.
_TOP, _PRIOR, _LINE, _SINCE = range(4)


@dataclass(frozen=True)
class CubicClimb:
    """CUBIC (RFC 9438, sections 4.2 to 4.8). scale: C [packets/s³].  friendly, converges, steepens: with the
    Reno-friendly window, with fast convergence, and with a steeper Reno-friendly window above the last loss.
    """

    factor: float = 0.7
    scale: float = 0.4
    friendly: bool = True
    converges: bool = True
    steepens: bool = False

    def memory(self, transfers: int) -> Values:
        found = np.zeros((4, transfers))
        found[_SINCE] = math.nan
        return found

    def lose(self, memory: Values, who: Places, window: Values, expired: NDArray[np.bool_]) -> None:
        below = self.converges & (window < memory[_TOP, who])
        top = np.where(below, 0.5 * (1.0 + self.factor) * window, window)
        # After a timeout the climb begins at its own plateau (section 4.8), once slow start is over.
        memory[_TOP, who] = np.where(expired, 0.0, top)
        memory[_PRIOR, who] = window
        memory[_SINCE, who] = math.nan

    def grow(self, memory: Values, who: Places, window: Values, sent: Values, now: Values) -> Values:
        fresh = np.isnan(memory[_SINCE, who])
        memory[_SINCE, who] = np.where(fresh, now, memory[_SINCE, who])
        memory[_LINE, who] = np.where(fresh, window, memory[_LINE, who])
        memory[_TOP, who] = np.where(fresh, np.maximum(window, memory[_TOP, who]), memory[_TOP, who])
        top, line = memory[_TOP, who], memory[_LINE, who]
        # The window that the climb began with is that of the Reno-friendly line then: factor times the one before the
        # cut, or W_max itself.
        start = np.minimum(top, np.maximum(self.factor * memory[_PRIOR, who], 1.0))
        climb = np.cbrt((top - start) / self.scale)
        slope = np.where(
            self.steepens & (line >= memory[_PRIOR, who]), 1.0, 3.0 * (1.0 - self.factor) / (1.0 + self.factor)
        )
        memory[_LINE, who] = line + slope * sent / np.maximum(window, 1.0)
        cubic = np.minimum(self.scale * (now - memory[_SINCE, who] - climb) ** 3 + top, 1.5 * window)
        return np.asarray(np.maximum(np.maximum(window, cubic), memory[_LINE, who] if self.friendly else 0.0))
