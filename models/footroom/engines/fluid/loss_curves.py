"""Share of packets lost at a small buffer as a function of its load rho = arrivals / capacity.

``buffer`` is in packets and counts every place in the system, the one in service included. Loads may be scalars or
arrays. All assume Poisson arrivals on the time scale buffer/capacity; see ``small_buffer`` for when that holds.
Sources: Raina, Towsley, Wischik, "Part II", CCR 35(3) 2005 (power law, M/M/1/B); Kleinrock I (1975) 3.6 (M/M/1/B);
Gross and Harris, embedded chain of M/G/1/K (M/D/1/B).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import gammaln

Floats = np.ndarray[Any, np.dtype[np.float64]]


def markov_loss(load: Floats | float, buffer: float) -> Floats:
    """M/M/1/B: (1-rho) rho^B / (1-rho^(B+1)); variable packet sizes. ``buffer`` may be any positive real."""
    load = np.asarray(load, float)
    inverse = np.where(load > 1.0, load, 1.0)
    small = np.where(load > 1.0, 1.0 / inverse, load)  # s = 1/rho above 1, so that no power overflows
    gap = -np.expm1((buffer + 1.0) * np.log(np.maximum(small, 1e-300)))
    near = np.abs(1.0 - small) < 1e-9
    ratio = np.where(near, 1.0 / (buffer + 1.0), (1.0 - small) / np.where(near, 1.0, gap))
    return np.asarray(np.where(load > 1.0, ratio, ratio * small**buffer), float)


def power_loss(load: Floats | float, buffer: float) -> Floats:
    """min(1, rho^B), the form of Raina and Wischik's analysis."""
    return np.asarray(np.minimum(1.0, np.asarray(load, float)) ** buffer, float)


def diffusion_loss(load: Floats | float, buffer: float, variability: float = 1.0) -> Floats:
    """exp(-2 B (1-rho) / (rho cv^2)), heavy traffic below rho = 1; ``variability`` is cv^2 of the arrivals."""
    load = np.asarray(load, float)
    return np.asarray(np.exp(np.minimum(0.0, -2.0 * buffer * (1.0 - load) / (load * variability))), float)


def overload_loss(load: Floats | float) -> Floats:
    """(1 - 1/rho)^+, a large buffer on time scales beyond its fill time."""
    load = np.asarray(load, float)
    return np.asarray(np.maximum(0.0, 1.0 - 1.0 / np.maximum(load, 1e-300)), float)


def deterministic_chain(load: Floats | float, buffer: int) -> tuple[Floats, Floats]:
    """M/D/1/B: time-stationary queue distribution (loads, B+1) and loss (loads,); equal packets, ``buffer`` >= 1 whole.

    The chain of the queue left behind at departures is solved by level crossings, pi_{j+1} a_0 = pi_0 P(A>j) +
    sum_i pi_i P(A>j-i+1), in which every term is positive. P_loss = 1 - 1/(pi_0 + rho) cancels when small; below 1e-9
    it is taken from the tail of the infinite chain, (1-rho) sum_{j>=B} pi_j / (pi_0+rho), which decays geometrically.
    """
    rho = np.atleast_1d(np.asarray(load, float))[:, None]
    count = np.arange(buffer + 60)
    masses = np.exp(count * np.log(rho) - rho - gammaln(count + 1.0))
    beyond = masses[:, ::-1].cumsum(axis=1)[:, ::-1]  # P(A >= k); P(A > k) is one column on
    chain = np.zeros((rho.size, buffer + 1))
    chain[:, 0] = 1.0
    # The chain is known up to a factor; overload makes it grow by up to e^rho per place.
    rescale = max(1, int(300.0 / max(20.0, float(rho.max()))))
    for j in range(buffer):
        inflow = chain[:, 0] * beyond[:, j + 1] + np.einsum(
            "ij,ij->i", chain[:, 1 : j + 1], beyond[:, 2 : j + 2][:, ::-1]
        )
        chain[:, j + 1] = inflow / masses[:, 0]
        if j % rescale == 0:
            chain /= np.maximum(1.0, chain[:, j + 1])[:, None]
    served, spill, rho = chain[:, :buffer], chain[:, buffer], rho[:, 0]
    total = served.sum(axis=1)
    empty = served[:, 0] / total
    loss = 1.0 - 1.0 / (empty + rho)
    last = served[:, -1]
    # Where both underflow, so does the loss.
    tail_ratio = np.where(last > 0.0, spill / np.where(last > 0.0, last, 1.0), 0.0)
    tail = np.where(tail_ratio < 1.0, spill / np.maximum(1.0 - tail_ratio, 1e-12), 0.0) / total
    by_tail = (1.0 - rho) * tail / (empty + rho)
    loss = np.where((loss < 1e-9) & (rho < 1.0), by_tail, loss)
    queue = np.concatenate([served / total[:, None] / (empty + rho)[:, None], loss[:, None]], axis=1)
    return queue, loss


def deterministic_loss(load: Floats | float, buffer: int) -> Floats:
    """M/D/1/B loss; see ``deterministic_chain``."""
    return deterministic_chain(load, buffer)[1]


@lru_cache(maxsize=8192)
def one_deterministic_loss(load: float, buffer: int) -> float:
    """M/D/1/B loss at one load, cached: root finders need the same loads again and again."""
    return float(deterministic_chain(load, buffer)[1][0])
