"""How likely a shared headroom pool is too small: several priority groups pause at once and each uses its headroom.

At a random moment every lossless (port, priority group) is paused with probability p, and then uses its whole
headroom: an upper bound. Independent pauses give a binomial; correlated ones a beta-binomial: p itself varies between
moments, Beta-distributed with mean p, so that any two groups are paused together with correlation rho.

Both are exact. The probability that one given set of k groups out of N pauses depends on k alone, so groups of ports
with different headroom are counted by enumerating how many of each kind pause.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput

_Floats = npt.NDArray[np.float64]
#: Combinations enumerated at most; four kinds of 64 groups beside a fifth would be 18 million, three 275 thousand.
_MOST = 300_000
#: Entries of the table at most, 40 MB; two kinds of 2048 groups have four million.
_LARGEST = 5_000_000


@dataclass(frozen=True)
class Paused:
    """Priority groups with the same headroom. count: how many.  headroom: of each, whole cells [B]."""

    count: int
    headroom: float


#: A correlation or probability below these counts as 0: the parameters of the Beta distribution would overflow floats.
_INDEPENDENT, _NEVER = 1e-12, 1e-250


class Demand:
    """Distribution of the headroom in use at once.

    kinds: priority groups by headroom.  probability: that one is paused.  correlation: of any two of them, 0 to below
    1.  step: unit in which a pool is given out [B].  Raises InvalidInput when the kinds are too many to enumerate.

    All kinds but the most numerous are enumerated; of that one the chance of more than so many is looked up, by how
    many of the others are paused.
    """

    def __init__(
        self, kinds: Sequence[Paused], probability: float, correlation: float = 0.0, step: float = 1.0
    ) -> None:
        merged: dict[float, int] = {}
        for kind in kinds:
            merged[kind.headroom] = merged.get(kind.headroom, 0) + kind.count
        *others, (self._each, self._many) = sorted(merged.items(), key=lambda item: item[1])
        combinations = math.prod(count + 1.0 for _, count in others)
        if combinations > _MOST or (sum(count for _, count in others) + 1.0) * (self._many + 1.0) > _LARGEST:
            raise InvalidInput.at(
                "ports",
                f"{len(merged)} sizes of headroom",
                "so many priority groups with different "
                "headroom cannot be counted: give fewer kinds of port, or fewer ports",
            )
        self._bytes, self._paused, self._ways = np.zeros(1), np.zeros(1, dtype=np.int64), np.zeros(1)
        for headroom, count in others:
            k = np.arange(count + 1)
            self._bytes = np.add.outer(self._bytes, headroom * k).ravel()
            self._paused = np.add.outer(self._paused, k).ravel()
            self._ways = np.add.outer(self._ways, _log_choose(count)).ravel()
        self._beyond = _log_beyond(sum(merged.values()), self._many, probability, correlation)
        self._step = step
        #: Headroom of all [B], and what is in use on average [B].
        self.largest = sum(headroom * count for headroom, count in merged.items())
        self.mean = probability * self.largest

    def exceeded(self, pool: float) -> float:
        """Chance that more than ``pool`` bytes are in use."""
        fitting = np.floor((pool - self._bytes) / self._each).astype(np.int64)
        logs = self._ways + self._beyond[self._paused, np.clip(fitting + 1, 0, self._many + 1)]
        largest = float(logs.max())
        return 0.0 if largest == -np.inf else min(1.0, math.exp(largest) * float(np.exp(logs - largest).sum()))

    def smallest_pool(self, target: float) -> float:
        """The smallest pool [B], in whole steps, that is exceeded with probability ``target`` at most."""
        low, high = -1, math.ceil(self.largest / self._step)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.exceeded(middle * self._step) <= target else (middle, high)
        return high * self._step


def _log_beyond(total: int, many: int, probability: float, correlation: float) -> _Floats:
    """Logarithms of the chance that a given set of i of the others, none of the rest, and at least j of ``many`` pause.

    Row i = 0 … total − many, column j = 0 … many + 1; summed from the rare end so that it stays exact there.
    """
    one = _log_set(total, probability, correlation)
    k = np.arange(many + 1)
    exactly = _log_choose(many) + one[np.add.outer(np.arange(total - many + 1), k)]
    beyond = np.logaddexp.accumulate(exactly[:, ::-1], axis=1)[:, ::-1]
    return np.pad(beyond, ((0, 0), (0, 1)), constant_values=-np.inf)


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
