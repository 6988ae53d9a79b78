"""Loss as a function of load for a queue that forgets within a round trip.  Buffers in packets.

``load`` is ρ = arrival rate over capacity; every curve returns the fraction of arriving packets lost [1].
Which curve fits: M/M/1/B for variable packet sizes, M/D/1/B for equal ones, the large-buffer curve once the buffer
outlasts the fluctuations.  Raina, Towsley and Wischik, CCR July 2005 (parts I to III).
"""

from __future__ import annotations

import math

from footroom.theory.checks import between, not_negative, positive


def mm1b_loss(load: float, buffer: float) -> float:
    """M/M/1/B: (1-ρ)ρ^B/(1-ρ^(B+1)), 1/(B+1) at ρ = 1.  Real B >= 0 is allowed."""
    not_negative("load", load)
    not_negative("buffer", buffer)
    if load == 0.0:
        return 1.0 if buffer == 0.0 else 0.0
    log = math.log(load)
    if log == 0.0:
        return 1.0 / (buffer + 1.0)
    # Ratios of expm1 keep their digits next to ρ = 1; above it the form in 1/ρ cannot overflow.
    if log < 0.0:
        return math.exp(buffer * log) * math.expm1(log) / math.expm1((buffer + 1.0) * log)
    return math.expm1(-log) / math.expm1(-(buffer + 1.0) * log)


def power_loss(load: float, buffer: float) -> float:
    """min(1, ρ^B): the bound used in Wischik's and Raina's stability analysis."""
    not_negative("load", load)
    not_negative("buffer", buffer)
    return 1.0 if load >= 1.0 else float(load**buffer)


def diffusion_loss(load: float, buffer: float, variation: float = 1.0) -> float:
    """exp(-2B(1-ρ)/(ρ·cv²)): heavy traffic, load in (0, 1) only.

    variation: cv², squared coefficient of variation of the arriving work per packet [1] (1 for M/D/1).
    """
    between("load", load, 0.0, 1.0)
    return math.exp(-2.0 * not_negative("buffer", buffer) * (1.0 - load) / (load * positive("variation", variation)))


def large_buffer_loss(load: float) -> float:
    """max(0, 1 - 1/ρ): what must be lost over times longer than the buffer takes to fill."""
    not_negative("load", load)
    return 1.0 - 1.0 / load if load > 1.0 else 0.0


def reflected_mean_queue(load: float, buffer: float, burst: float = 1.0) -> float:
    """Mean queue [packets] of Poisson bursts in a finite buffer: a random walk reflected at 0 and B.

    burst: E[X²]/E[X] of the burst size [packets].  The stationary law is a truncated exponential of rate
    θ = 2(1-ρ)/(ρ·burst): mean 1/θ - B/(exp(θB)-1), any sign of θ; B/2 at ρ = 1; as B grows it tends to
    Pollaczek-Khinchine ρ·burst/(2(1-ρ)) below saturation.  Heavy-traffic approximation, so best for ρ above ~0.5.
    """
    if not_negative("load", load) == 0.0 or not_negative("buffer", buffer) == 0.0:
        return 0.0
    slope = 2.0 * (1.0 - load) / (load * positive("burst", burst))
    depth = slope * buffer
    if abs(depth) < 1e-4:
        return buffer * (0.5 - depth / 12.0)
    if depth > 700.0:
        return 1.0 / slope
    if depth < -700.0:
        return buffer + 1.0 / slope
    return 1.0 / slope - buffer / math.expm1(depth)
