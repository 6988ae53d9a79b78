"""Tiny buffers: a few dozen packets are enough when sources are smooth.  Everything in packets."""

from __future__ import annotations

import math

from footroom.formulas.transfer.checks import at_least, between, not_negative


def tiny_buffer(load: float, window: float, goodput: float) -> float:
    """Buffer [packets] that lets flows keep the fraction ``goodput`` of the load: log_{1/ρ}(W²/(2(1-θ))).

    load: ρ in (0, 1), share of capacity offered.  window: largest window W >= 1 [packets].
    goodput: θ in [0, 1).  0 when the expression is negative: no buffer is needed.
    Enachescu, Ganjali, Goel, McKeown and Roughgarden, INFOCOM 2006, theorem 1.
    Holds when sources are paced or their access links are much slower than the core; costs 1-ρ of the capacity.
    """
    between("load", load, 0.0, 1.0)
    at_least("window", window, 1.0)
    between("goodput", goodput, 0.0, 1.0, ends="low")
    # Logarithms taken one by one: W² overflows long before its logarithm does.
    needed = 2.0 * math.log(window) - math.log(2.0) - math.log1p(-goodput)
    return max(0.0, needed / -math.log(load))


def tiny_goodput(load: float, window: float, buffer: float) -> float:
    """Fraction [1] of the load kept by a buffer of so many packets, 1 - W²ρ^B/2; 0 where the bound gives nothing."""
    between("load", load, 0.0, 1.0)
    at_least("window", window, 1.0)
    exponent = 2.0 * math.log(window) - math.log(2.0) + not_negative("buffer", buffer) * math.log(load)
    return -math.expm1(exponent) if exponent < 0.0 else 0.0
