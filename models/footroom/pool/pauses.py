"""How likely a shared headroom pool is too small: several priority groups pause at once and each uses its headroom.

Every lossless (port, priority group) is paused with probability p at a moment looked at, and then uses its whole
headroom: an upper bound. Independent pauses give a binomial; correlated ones a beta-binomial: p itself varies between
moments, Beta-distributed with mean p, so that any two groups are paused together with correlation rho.

Both are exact. The probability that one given set of k groups out of N pauses depends on k alone, so groups of ports
with different headroom are counted by enumerating how many of each kind pause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.errors import InvalidInput

_Floats = npt.NDArray[np.float64]
#: Combinations enumerated at most; two kinds of 512 groups are a quarter of a million and take 40 ms.
_MOST = 300_000


@dataclass(frozen=True)
class Paused:
    """Priority groups with the same headroom. count: how many.  headroom: of each, whole cells [B]."""

    count: int
    headroom: float
#: Below these a correlation or a probability is none: the parameters of the Beta distribution leave what floats hold.
_INDEPENDENT, _NEVER = 1e-12, 1e-250


class Demand:
    """Distribution of the headroom in use at once.

    kinds: priority groups by headroom.  probability: that one is paused.  correlation: of any two of them, 0 to below
    1.  Raises InvalidInput when the kinds are too many to enumerate.
    """

    def __init__(self, kinds: Sequence[Paused], probability: float, correlation: float = 0.0) -> None:
        merged: dict[float, int] = {}
        for kind in kinds:
            merged[kind.headroom] = merged.get(kind.headroom, 0) + kind.count
        combinations = float(np.prod([count + 1.0 for count in merged.values()]))
        if combinations > _MOST:
            raise InvalidInput.at("ports", f"{len(merged)} sizes of headroom", "the chance of pauses is counted for at "
                                  f"most {_MOST} combinations; these are {combinations:.3g}: give fewer kinds of port")
        total = sum(merged.values())
        bytes_, paused, ways = np.zeros(1), np.zeros(1, dtype=np.int64), np.zeros(1)
        for headroom, count in merged.items():
            k = np.arange(count + 1)
            bytes_ = np.add.outer(bytes_, headroom * k).ravel()
            paused = np.add.outer(paused, k).ravel()
            ways = np.add.outer(ways, _log_choose(count)).ravel()
        logs = ways + _log_set(total, probability, correlation)[paused]
        order = np.argsort(-bytes_, kind="stable")
        self._bytes: _Floats = bytes_[order]
        #: log of the chance that at least so much is in use, summed from the rare end so that it stays exact there.
        self._tail: _Floats = np.logaddexp.accumulate(logs[order])
        self.mean = float(np.sum(bytes_ * np.exp(logs)))
        self.largest = float(self._bytes[0])

    def exceeded(self, pool: float) -> float:
        """Chance that more than ``pool`` bytes are in use."""
        above = int(np.searchsorted(-self._bytes, -pool, side="left"))
        return 0.0 if above == 0 else min(1.0, float(np.exp(self._tail[above - 1])))

    def smallest_pool(self, target: float) -> float:
        """The smallest pool [B] that is exceeded with probability ``target`` at most."""
        levels = [*dict.fromkeys(self._bytes.tolist())]
        low, high = 0, len(levels) - 1  # levels fall; level 0 is never exceeded
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.exceeded(levels[middle]) <= target else (low, middle - 1)
        return float(levels[low])


def _log_choose(n: int) -> _Floats:
    """Logarithms of C(n, k) for k = 0 … n."""
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, n + 1.0)))])
    return np.asarray(factorial[n] - factorial - factorial[::-1])


def _log_set(n: int, probability: float, correlation: float) -> _Floats:
    """Logarithm of the chance that exactly one given set of k out of ``n`` is paused, k = 0 … n."""
    k = np.arange(n + 1.0)
    if correlation < _INDEPENDENT or min(probability, 1.0 - probability) < _NEVER:
        # 0·log 0 is 0 here.
        yes = np.where(k > 0, k * np.log(probability) if probability > 0 else -np.inf, 0.0)
        no = np.where(k < n, (n - k) * np.log1p(-probability) if probability < 1 else -np.inf, 0.0)
        return np.asarray(yes + no)
    a, b = (share * (1.0 - correlation) / correlation for share in (probability, 1.0 - probability))
    rising_a, rising_b, rising = (_log_rising(start, n) for start in (a, b, a + b))
    return np.asarray(rising_a + rising_b[::-1] - rising[n])


def _log_rising(start: float, n: int) -> _Floats:
    """Logarithm of start·(start + 1)·…·(start + k − 1) for k = 0 … n."""
    return np.concatenate([[0.0], np.cumsum(np.log(start + np.arange(float(n))))])
