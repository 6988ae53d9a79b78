"""Closed loop of flows and a buffer of a few dozen packets, which drops at random before the link is full.

A queue of tens of packets relaxes within a fraction of a round trip, so loss is a function of load alone (M/D/1/B,
bursts of c packets counted as one: B/c places), and the flows settle where that loss is the one their windows need.
A flow growing one packet per b round trips, pausing for one at each cut, loses one packet per W·(1 + b·W·(1-β)·4/3)
packets: it cuts once per (1-β)·(4/3)·W·b + 1 round trips of W packets, 4/3·W being the window when it cuts.

Few flows are smoother than Poisson: acknowledgements clock each of them, so that its bursts come at even distances. n
such flows exceed k bursts with exp(-2k²/n) of the Poisson probability (Norros, Roberts, Simonian and Virtamo, JSAC
9(3), 1991, the Brownian-bridge form of the queue of n periodic sources).

Raina, Towsley and Wischik, CCR July 2005, with the sawtooth's 4/3 in place of the fluid's 1.  Holds for windows of
several packets and access links faster than the bottleneck, or flows arrive in clumps.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from footroom.engines.theory.equal_packets import tail_root

Values = NDArray[np.float64]


def loss_needed(window: Values, beta: float, ack_every: float) -> Values:
    """Loss rate [1] at which independent losses keep the mean window at so many packets."""
    return np.asarray(1.0 / (1.0 + window * (1.0 + ack_every * window * (1.0 - beta) * 4.0 / 3.0)), dtype=np.float64)


@lru_cache(maxsize=1)
def _tail() -> tuple[Values, Values, Values]:
    """Grid of loads below 1 with log z and the tail constant of M/D/1: P(j left at a departure) ~ (1-ρ)·k·z^-j."""
    gaps = np.concatenate((np.geomspace(1e-6, 0.1, 60, endpoint=False), np.linspace(0.1, 0.98, 45)))
    loads = 1.0 - gaps[::-1]
    roots = np.array([tail_root(float(load)) for load in loads])
    return loads, np.log1p(roots), roots / (loads * (1.0 + roots) - 1.0)


def loads_reached(
    buffers: Values,
    window: float,
    background: float,
    beta: float,
    ack_every: float,
    burst: float,
    flows: float = np.inf,
) -> tuple[Values, Values]:
    """Load on the link and loss rate where flows and queue agree, each shaped like ``buffers`` [packets].

    window: mean window that would fill the link without queue [packets].  background: load that does not react.
    burst: packets arriving as one.  flows: how many send them, each at even distances.  Loads stop at 1: from there
    on the queue fills and the loss curve is no longer it.
    """
    loads, log_z, constant = _tail()
    usable = loads > background + 1e-9
    loads, log_z, constant = loads[usable], log_z[usable], constant[usable]
    share = (loads - background) / (1.0 - background)
    loss = loss_needed(share * window, beta, ack_every)
    # Invert the geometric tail of the finite chain for the buffer with that loss: with T the weight beyond B,
    # P = (1-ρ)T/(1+ρS), S = 1/(1-ρ) - T.
    tail = loss / ((1.0 - loads) * (1.0 - loads + loads * loss))
    weight = np.maximum(np.log(constant / (tail * -np.expm1(-log_z))), 0.0)
    # weight = k·log z + 2k²/n for k bursts in n flows; solved for k without cancellation as n grows.
    places = 2.0 * weight / (log_z + np.sqrt(log_z**2 + 8.0 * weight / flows)) * burst
    grow = np.maximum.accumulate(np.maximum(places, 0.0))
    first = int(np.argmax(grow > 0.0)) if (grow > 0.0).any() else len(grow)
    knots = np.concatenate(([0.0], grow[first:]))
    values = np.concatenate(([background], loads[first:]))
    found = np.interp(buffers, knots, values, right=1.0)
    return found, loss_needed((found - background) / (1.0 - background) * window, beta, ack_every)
