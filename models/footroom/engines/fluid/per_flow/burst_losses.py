"""How many more packets are lost with each cut where flows send bursts that come at any time.

The law of a flow sets how often it is cut: its mean window is what path, queue and receiver hold. Bursts set how many
packets it loses each time. Between two cuts windows grow by so many packets beyond path and buffer, and these are
lost. One by one they hit nearly as many flows; in bursts they hit fewer. A queue that a burst of height b raises, and
the link lowers packet by packet, passes the buffer by any part of b with the same probability (the overshoot of a
random walk without drift: Feller, An Introduction to Probability Theory, vol. II, section XI.4), by (b + 1)/2 packets
on average.

Compared with packets over 134 cases of 5 to 200 NewReno flows over different round trips that do not pace, with
every, every second, third and fourth packet acknowledged (docs/fluid.md).
"""

from __future__ import annotations

import math


def hit(flows: float, drops: float) -> float:
    """Share of ``flows`` that so many drops hit at random (Feller, vol. I, section IV.2: occupancy)."""
    return -math.expm1(drops * math.log1p(-1.0 / flows))


def more_drops(flows: float, per_cut: float, height: float) -> float:
    """Factor on the drop rate of losses one by one. per_cut: their drops per cut.  height: packets by which a burst
    raises the queue, 1 where bursts keep their distances.

    An overflow of ``x`` drops per flow cuts ``hit(n, x n)`` of them, so ``per_cut`` is ``x/hit``, which grows with x.
    Bursts lose the same x in fewer places.
    """
    if height <= 1.0 or flows < 2.0:
        return 1.0
    low, high = 0.0, per_cut
    for _ in range(50):
        x = 0.5 * (low + high)
        low, high = (x, high) if x < per_cut * hit(flows, x * flows) else (low, x)
    # Below one drop per overflow, hit / x is that of a single one.
    x = max(high, 1.0 / flows)
    return hit(flows, x * flows) / hit(flows, x * flows / (0.5 * (height + 1.0)))


def fewer_cuts(every: float, window: float) -> float:
    """Factor on how often flows are cut whose receivers acknowledge every so many packets. window: packets in the
    network.

    Of those packets from none to ``every - 1`` have arrived and wait for their acknowledgement, so the window is
    larger than what path and queue hold, and flows are cut in inverse proportion to its square.
    """
    return (1.0 + 0.5 * (every - 1.0) / window) ** -2
