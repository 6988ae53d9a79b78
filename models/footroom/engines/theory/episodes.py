"""Several window-controlled flows sharing a drop-tail queue: one overflow episode after another.

Why not Mathis alone.  sqrt(3/2)/W² counts how often a flow *cuts*; a drop-tail queue drops more than one packet per
cut.  Once the buffer is full, senders learn of it one round trip later, and keep growing meanwhile.  So:

1. *Filling.*  n windows each grow one packet per b round trips, together g = n/(b·BDP) per round trip in units of
   the bandwidth-delay product.  A round trip lasts max(1, w)·RTT for a total window of w BDP.
2. *Overflow.*  From the moment the total reaches 1 + B/BDP every further packet of growth is dropped until the first
   loss is noticed, one full round trip later: g·BDP = n/b drops, λ = 1/b per flow.
3. *Who is hit.*  Acknowledgements release as many packets as left the queue, so a burst finds room for all but the
   packet that growth added (Jacobson, SIGCOMM 1988): drops come one at a time.  Packets of many flows are interleaved,
   so each of the L = n·λ drops hits any of the n flows alike.  A flow is spared with probability (1 - 1/n)^L, hence
   the fraction h = 1 - (1 - 1/n)^L cuts, once each however many packets it lost; 3/4 for two flows, 1 - 1/e for many.
   The total falls by the factor 1 - h(1-β), which scatters with the number of flows hit, n²·Var h = n(n-1)(1-2/n)^L +
   n(1-1/n)^L - n²(1-1/n)^2L (Feller, An Introduction to Probability Theory, vol. I, section IV.2: occupancy).
4. *Recovery.*  Those hit do not grow for one round trip, which costs h round trips of growth.

Averages over a cycle are ratios of means over cycles (renewal-reward).  Nothing is fitted.  h = 1 would be full
synchronisation.  The mean number of drops per cut, λ/h, is 1.6 for b = 1 and many flows, 1.3 for two.

Holds for 2 flows and more with equal shares and windows of at least ~5 packets (below, timeouts take over).  With
hundreds of flows and spread RTTs the episodes blur and utilisation is better than this; see Appenzeller et al. 2004.
Related: Raina, Towsley and Wischik 2005 (why such cycles arise), Spang et al. 2021 (drops per overflow).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.engines.theory.inputs import LongLived

Values = NDArray[np.float64]

#: Five-point Gauss-Hermite rule for a standard normal: positions and probabilities.
_NODES = np.array([-2.8569700138728056, -1.3556261799742659, 0.0, 1.3556261799742659, 2.8569700138728056])
_WEIGHTS = np.array(
    [0.011257411327720688, 0.22207592200561265, 0.5333333333333333, 0.22207592200561265, 0.011257411327720688]
)

#: Squared coefficient of variation of a window uniform between 2/3 and 4/3 of its mean.
_WINDOW_SPREAD = 1.0 / 27.0


@dataclass(frozen=True)
class Overflow:
    """What one overflow does to the flows as a whole.

    growth: g, total window growth per round trip [BDP].  hit: h, fraction of flows that cut [1].
    cut: mean relative fall of the total window, h(1-β) [1].  scatter: its standard deviation [1].
    least, most: smallest and largest fall possible, one flow or all [1].
    drops_per_cut: packets lost per window reduction [1].
    """

    growth: float
    hit: float
    cut: float
    scatter: float
    least: float
    most: float
    drops_per_cut: float


@dataclass(frozen=True)
class Episodes:
    """Averages over many overflow episodes; arrays shaped like the buffers.

    utilisation [1], queue_mean [BDP], drop_rate: drops over packets offered [1], period: mean cycle [RTT].
    """

    utilisation: Values
    queue_mean: Values
    drop_rate: Values
    period: Values


def overflow(groups: Sequence[LongLived], bdp: float) -> Overflow:
    """The overflow of these flows.

    bdp: bandwidth-delay product left to them [packets].  Drops fall on every flow alike, whatever its group.
    """
    flows = sum(group.flows for group in groups)
    growth = sum(group.flows / group.ack_every for group in groups)
    if growth < 1.0:  # a drop in some overflows only
        spared, both = 1.0 - growth / flows, 1.0 - 2.0 * growth / flows
    else:
        spared, both = (1.0 - 1.0 / flows) ** growth, max(0.0, 1.0 - 2.0 / flows) ** growth
    hit = 1.0 - spared
    # Whether one flow is hit, and whether two are: the number hit scatters less than a binomial one would.
    scattered = max(0.0, hit * spared + (flows - 1.0) * (both - spared * spared))
    cut = variance = most = 0.0
    least = math.inf
    for group in groups:
        share, depth = group.flows / flows, 1.0 - group.beta
        cut += share * hit * depth
        most += share * depth
        least = min(least, depth / flows)
        variance += share * depth * depth * (scattered + hit * _WINDOW_SPREAD) / flows
    return Overflow(growth / bdp, hit, cut, math.sqrt(variance), least, most, growth / flows / hit)


def episodes(buffer_ratio: Values, event: Overflow) -> Episodes:
    """Averages for buffers of ``buffer_ratio`` BDP (an array)."""
    top = 1.0 + np.asarray(buffer_ratio, dtype=np.float64)
    peak = top + event.growth  # windows go on growing until the loss is noticed
    time, sent, queued = np.zeros_like(top), np.zeros_like(top), np.zeros_like(top)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        fall = min(max(event.cut + node * event.scatter, event.least), event.most)
        low = np.minimum(peak * (1.0 - fall), top)  # a small cut may leave the queue full
        full, idle = np.maximum(low, 1.0), np.minimum(low, 1.0)
        busy = (top - full) * (top + full) / 2.0
        time += weight * ((1.0 - idle + busy) / event.growth + top + event.hit * full)
        sent += weight * (((1.0 - idle) * (1.0 + idle) / 2.0 + busy) / event.growth + top + event.hit * low)
        x, y = top - 1.0, full - 1.0
        filling = (x**2 - y**2) / 2.0 + (x**3 - y**3) / 3.0
        queued += weight * (filling / event.growth + x * top + event.hit * y * full)
    return Episodes(sent / time, queued / time, event.growth / (event.growth + sent), time)
