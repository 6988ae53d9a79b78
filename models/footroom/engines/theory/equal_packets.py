"""M/D/1/B: loss of Poisson packets of equal size, from the chain of the queue at departures.  Buffers in packets."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.checks import not_negative

Array = NDArray[np.float64]

#: States followed one by one; beyond, the scaled chain is constant to rounding (see :func:`_chain`).
CHAIN_LENGTH = 4096

#: Loads above which a queue of two or more packets is never found empty, to rounding (probability below e^-ρ).
SATURATED_LOAD = 30.0


def md1b_loss(load: float, buffer: float) -> float:
    """Fraction [1] of Poisson packets lost with room for ``buffer`` equal packets, the one in service included.

    load: ρ >= 0.  buffer: B >= 0 [packets]; between integers the logarithm of the loss is interpolated, which is
    exact where the tail is geometric.  P = 1 - 1/(π0+ρ), π0 the chance that a departure leaves the queue empty
    (Raina, Towsley and Wischik 2005; any text on M/G/1/K).

    Evaluated without subtractions, so tiny losses keep their digits.  Underflows to 0 below 1e-300.
    """
    return float(md1b_losses(load, np.array([buffer], dtype=np.float64))[0])


def md1b_losses(load: float, buffers: Array) -> Array:
    """:func:`md1b_loss` for many buffers at one load; one recursion serves them all.  Same shape as ``buffers``."""
    not_negative("load", load)
    flat = np.asarray(buffers, dtype=np.float64).ravel()
    for worst in (flat.min(initial=0.0), flat.max(initial=0.0)):
        not_negative("buffer", float(worst))
    if load == 0.0:
        return np.where(np.asarray(buffers) > 0.0, 0.0, 1.0)
    lower = np.floor(flat)
    part = flat - lower
    below = _log_loss(load, lower)
    above = _log_loss(load, lower + 1.0)
    # An exact integer must not touch its neighbour, whose logarithm may be -inf.
    mixed = np.where(part == 0.0, below, (1.0 - part) * below + part * np.where(part == 0.0, 0.0, above))
    return np.exp(mixed).reshape(np.shape(buffers))


def tail_root(load: float) -> float:
    """Offset u of the root z = 1+u != 1 of z = exp(ρ(z-1)); π_j falls (or grows) as z^-j.

    u > 0 for ρ < 1, u < 0 for ρ > 1, 0 at ρ = 1.
    """
    if load == 1.0:
        return 0.0
    from scipy.optimize import brentq

    def excess(u: float) -> float:
        return (math.log1p(u) / u if u else 1.0) - load

    if load > 1.0:
        # The root lies between the tangent bound and 0; log1p(u)/u > 1/(1+u/2) there.
        return float(brentq(excess, -1.0 + math.exp(-load) / 2.0, -1e-17, xtol=1e-300, rtol=1e-15))
    high = 4.0 * (1.0 - load) / load / load + 1.0
    while excess(high) > 0.0:
        high *= 2.0
    return float(brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-15))


@lru_cache(maxsize=64)
def _chain(load: float) -> tuple[float, Array, Array]:
    """The unlimited chain, scaled by its own growth, and what a full queue loses.

    Returns (log z, y, lost) with z = 1 + :func:`tail_root`; y_j = x_j·z^j for x_0 = 1, where x_j is the unnormalised
    probability of j packets left at a departure; lost_m = z^m·E[(A-m)^+] for A arrivals in one service.
    Up- and down-crossings of level j balance, x_{j+1}·a_0 = x_0·P(A>j) + Σ_{i=1..j} x_i·P(A>j+1-i): every term is
    positive, and after scaling bounded, hence stable for any length.  y tends to u/(ρz-1) geometrically fast.
    """
    from scipy.signal import lfilter
    from scipy.special import gammaln, hyp1f1

    log_z = math.log1p(tail_root(load))
    # At the peak of z^k·P(A>k) k is near ρz; past it the terms fall faster than any power.
    peak = load * math.exp(log_z)
    reach = int(60 + 4.0 * max(load, peak) + 12.0 * math.sqrt(max(load, peak)))
    k = np.arange(reach + 1, dtype=np.float64)
    # P(A>k) = e^-ρ·ρ^(k+1)/(k+1)!·M(1, k+2, ρ), in logarithms because z^k overflows alone for small ρ.
    log_exceed = (k + 1.0) * math.log(load) - load - gammaln(k + 2.0) + np.log(hyp1f1(1.0, k + 2.0, load))
    step = np.exp(log_exceed + k * log_z)
    if log_z >= 0.0:  # lost_m = Σ_{k>=m} z^m·P(A>k) = step_m + lost_{m+1}/z
        lost = lfilter([1.0], [1.0, -math.exp(-log_z)], step[::-1])[::-1]
    else:  # dividing by a small z would blow up what has underflowed; here nothing overflows unscaled
        lost = np.cumsum(np.exp(log_exceed)[::-1])[::-1] * np.exp(k * log_z)
    scaled = step * math.exp(load)
    # y_n = z^n P(A>n-1)/a0 + Σ_{k>=1} y_{n-k} z^k P(A>k)/a0
    drive = np.zeros(CHAIN_LENGTH)
    drive[1 : reach + 2] = scaled[: CHAIN_LENGTH - 1] * math.exp(log_z)
    y = np.asarray(lfilter([1.0], np.concatenate(([1.0], -scaled[1:])), drive), dtype=np.float64)
    y[0] = 1.0
    return log_z, y, np.asarray(lost, dtype=np.float64)


def _log_loss(load: float, buffers: Array) -> Array:
    """Natural logarithm of the loss for whole buffers; -inf where it vanishes."""
    result = np.zeros(len(buffers))  # no room at all: everything is lost
    result[buffers == 1.0] = math.log(load) - math.log1p(load)
    many = buffers >= 2.0
    if not many.any():
        return result
    if load >= SATURATED_LOAD:
        result[many] = math.log1p(-1.0 / load)
        return result
    log_z, y, lost = _chain(load)
    wanted = buffers[many]

    # log(z^B·Σ_{j<B} x_j): the factor z^B cancels against the losses below and would swamp them for ρ > 1.
    j = np.arange(CHAIN_LENGTH, dtype=np.float64)
    known = np.minimum(wanted, CHAIN_LENGTH).astype(np.int64)
    rest = wanted - known  # states in the constant tail
    if log_z >= 0.0:
        tail = y[-1] * math.exp(-CHAIN_LENGTH * log_z) * _geometric(log_z, rest)
        log_sum = np.log(np.cumsum(y * np.exp(-j * log_z))[known - 1] + tail) + wanted * log_z
    else:
        # z^(B-1)·Σ x_i = Σ_i y_i·z^(B-1-i), built by the one-pole recursion T_B = T_{B-1}·z + y_{B-1}.
        from scipy.signal import lfilter

        inner = np.asarray(lfilter([1.0], [1.0, -math.exp(log_z)], y), dtype=np.float64)
        log_sum = np.log(inner[known - 1] * np.exp(rest * log_z) + y[-1] * _geometric(-log_z, rest)) + log_z

    # Packets lost in the service after a departure: from an empty queue there is room for B-1, from i for B-i;
    # z^B·Σ_{i=1}^{B-1} x_i E[(A-(B-i))^+] = Σ y_i·lost_{B-i}.  Beyond the chain the sum no longer changes.
    overflow = np.convolve(y[1:], lost[1:])[: CHAIN_LENGTH - 1]
    last = len(lost) - 1
    room = np.minimum(wanted - 1.0, last).astype(np.int64)
    from_empty = np.where(wanted - 1.0 <= last, lost[room], 0.0) * math.exp(log_z)
    total = overflow[np.minimum(wanted, CHAIN_LENGTH).astype(np.int64) - 2] + from_empty
    # Lost per departure over arrivals per departure, ρ + π0, where π0 = 1/Σ x.
    empty = np.exp(wanted * log_z - log_sum)
    result[many] = np.log(total) - log_sum - np.log(load + empty)
    return result


def _geometric(log_z: float, count: Array) -> Array:
    """Σ_{i=0}^{count-1} exp(-i·log_z) for log_z of any sign."""
    if log_z == 0.0:
        return count.copy()
    return np.asarray(np.expm1(-count * log_z) / math.expm1(-log_z), dtype=np.float64)
