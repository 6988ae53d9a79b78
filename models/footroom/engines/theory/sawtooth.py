"""One Reno-like flow through a drop-tail queue, cycle by cycle.

Every overflow costs one packet and multiplies the window by β; between overflows the window grows by one packet per
``ack_every`` round trips, and a round trip lasts longer while packets queue.  In units of the bandwidth-delay product
(BDP) the window runs from β(1+b) to 1+b, where b = B/BDP.  Time per unit of window is max(1, w), so over one cycle

    time      = (1-l) if l < 1, plus (h²-max(l,1)²)/2         l = β(1+b), h = 1+b
    delivered = (1-l²)/2 if l < 1, plus (h²-max(l,1)²)/2
    queue·time = (h³-m³)/3 - (h²-m²)/2                         m = max(l, 1)

Scalars or arrays of ``buffer_ratio``.  Holds for one flow (or flows cut all at once), without slow start, timeouts and
bursts, for windows of many packets and recovery that keeps sending (PRR, SACK).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.checks import between, not_negative, positive

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Sawtooth:
    """Steady cycle of one flow; arrays shaped like the buffers (0-d for one).

    utilisation: delivered over time [1].  queue_mean, queue_min, queue_max: queue in BDP, mean over time.
    duration: cycle in BDP·RTT0, i.e. multiply by BDP in packets and the RTT without queue to get seconds.
    delivered: volume per cycle in BDP², i.e. multiply by BDP in packets squared to get packets.
    """

    utilisation: Values
    queue_mean: Values
    queue_min: Values
    queue_max: Values
    duration: Values
    delivered: Values


def sawtooth(buffer_ratio: float | Values, beta: float = 0.5, ack_every: float = 1.0) -> Sawtooth:
    """The cycle for a buffer of ``buffer_ratio`` BDP.

    beta: factor on loss, in (0, 1).  ack_every: segments per increase step (stretches the cycle, not its shape).
    """
    ratio = np.asarray(buffer_ratio, dtype=np.float64)
    for worst in (ratio.min(initial=0.0), ratio.max(initial=0.0)):
        not_negative("buffer_ratio", float(worst))
    between("beta", beta, 0.0, 1.0)
    positive("ack_every", ack_every)

    high = 1.0 + ratio
    low = beta * high
    full = np.maximum(low, 1.0)  # window from which the link is busy
    idle = np.minimum(low, 1.0)
    # Factored differences keep their digits when the buffer is tiny.
    busy = (high - full) * (high + full) / 2.0
    time = (1.0 - idle) + busy
    sent = (1.0 - idle) * (1.0 + idle) / 2.0 + busy
    # ∫ (w-1)·w dw with x = w-1: x²/2 + x³/3.
    top, bottom = ratio, full - 1.0
    queued = (top**2 - bottom**2) / 2.0 + (top**3 - bottom**3) / 3.0
    return Sawtooth(sent / time, queued / time, bottom, np.asarray(ratio), ack_every * time, ack_every * sent)


def sawtooth_drop_rate(buffer_ratio: float | Values, bdp: float, beta: float = 0.5, ack_every: float = 1.0) -> Values:
    """Drops over packets offered [1]: one packet per cycle.

    bdp: bandwidth-delay product [packets].  At b = 0 and β = ½ this is Mathis' 8/(3·W²) with W = BDP, to first order.
    """
    delivered = sawtooth(buffer_ratio, beta, ack_every).delivered * positive("bdp", bdp) ** 2
    return np.asarray(1.0 / (1.0 + delivered), dtype=np.float64)
