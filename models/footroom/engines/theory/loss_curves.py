"""Loss as a function of load for a queue that forgets within a round trip.  Buffers in packets.

``load`` is ρ = arrival rate over capacity; every curve returns the fraction of arriving packets lost [1].
Which curve fits: M/M/1/B for variable packet sizes, M/D/1/B for equal ones, the large-buffer curve once the buffer
outlasts the fluctuations.  Raina, Towsley and Wischik, CCR July 2005 (parts I to III).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.checks import between, not_negative, positive

Values = NDArray[np.float64] | np.float64


def mm1b_loss(load: float, buffer: float) -> float:
    """M/M/1/B: (1-ρ)ρ^B/(1-ρ^(B+1)), 1/(B+1) at ρ = 1.  Real B >= 0 is allowed."""
    not_negative("load", load)
    not_negative("buffer", buffer)
    return float(mm1b_losses(np.float64(load), np.float64(buffer)))


def mm1b_losses(load: Values, buffer: Values) -> Values:
    """:func:`mm1b_loss` element by element; arguments are taken as valid."""
    with np.errstate(divide="ignore"):
        log = np.log(load)
    # Ratios of expm1 keep their digits next to ρ = 1; above it the form in 1/ρ cannot overflow.
    below, size = np.minimum(log, 0.0), np.abs(log)
    with np.errstate(invalid="ignore"):  # -inf·0 and 0/0 are replaced below
        loss = np.exp(buffer * below) * np.expm1(-size) / np.expm1(-(buffer + 1.0) * size)
    loss = np.where(log == 0.0, 1.0 / (buffer + 1.0), loss)
    return np.asarray(np.where(np.isneginf(log), np.where(np.asarray(buffer) > 0.0, 0.0, 1.0), loss), dtype=np.float64)


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
    not_negative("load", load)
    not_negative("buffer", buffer)
    positive("burst", burst)
    return float(reflected_mean_queues(np.float64(load), np.float64(buffer), np.float64(burst)))


def reflected_mean_queues(load: Values, buffer: Values, burst: Values) -> Values:
    """:func:`reflected_mean_queue` element by element; arguments are taken as valid."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = 2.0 * (1.0 - load) / (load * burst)
        depth = slope * buffer
        # exp(depth) leaves the double range beyond ±700, where its term is 0 or B.
        exact = 1.0 / slope - buffer / np.expm1(np.clip(depth, -700.0, 700.0))
        near = buffer * (0.5 - depth / 12.0)
    mean = np.where(np.abs(depth) < 1e-4, near, exact)
    return np.asarray(np.where((load == 0.0) | (np.asarray(buffer) == 0.0), 0.0, mean), dtype=np.float64)
