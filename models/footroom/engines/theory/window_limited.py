"""Flows whose receive windows, not losses, limit them: what they carry and the queue they keep.

Windows conserve packets: a flow of window W over a round trip T without queue sends W/(T + q/C) while q packets wait.
Round trips evenly distributed over T(1 ± s) make that, on average over flows and with L = sum W/(C T):

    used = L·artanh(s)/s                     while the link is not full and q = 0
    1 = (L/2s)·log((1 + s + q)/(1 - s + q))  from there on, q in C·T, hence q = 2s/(exp(2s/L) - 1) - 1 + s

Derived; the mean of 1/T is 1/T·artanh(s)/s, 1.1 times 1/T for s = 0.5: short round trips carry more than long ones
lack. s = 0 leaves used = L and q = L - 1.
"""

from __future__ import annotations

import math

#: Spread from which 1/T differs from its mean by more than rounding.
_LEAST = 1e-6


def mean_inverse(spread: float) -> float:
    """Mean of T/T_i over round trips T_i evenly distributed within T(1 ± spread) [1]."""
    return math.atanh(spread) / spread if spread > _LEAST else 1.0


def scatter_of_inverse(spread: float) -> float:
    """Standard deviation of T/T_i over that mean [1]: E[(T/T_i)²] = 1/(1 - s²)."""
    return math.sqrt(max(0.0, 1.0 / (1.0 - spread * spread) / mean_inverse(spread) ** 2 - 1.0))


def carried(windows: float, spread: float) -> float:
    """Share of the link [1] that windows of ``windows`` bandwidth-delay products in all use."""
    return min(1.0, windows * mean_inverse(spread))


def standing_queue(windows: float, spread: float) -> float:
    """Queue that they keep [BDP]; infinite windows keep an infinite one."""
    if windows * mean_inverse(spread) <= 1.0:
        return 0.0
    if spread <= _LEAST or math.isinf(windows):
        return windows - 1.0
    return max(0.0, 2.0 * spread / math.expm1(2.0 * spread / windows) - 1.0 + spread)
