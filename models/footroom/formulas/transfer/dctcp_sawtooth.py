"""DCTCP under a step, as the sawtooth of the paper, in closed form.

N flows in step fill the pipe and the queue up to K with a window of W* = (C RTT + K)/N packets each. They grow one
packet further while the notice is on its way, and all cut once by alpha/2 (Alizadeh et al., SIGCOMM 2010, section 3.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.base.errors import InvalidInput

SOURCE = "Alizadeh et al., SIGCOMM 2010, section 3.3"
#: Thresholds (packets) below which single bursts are marked; and times sqrt(bandwidth-delay product in packets), below
#: which bursts of different flows meet above the threshold, as they do in a buffer of that size.
FEWEST, COLLISION = 15.0, 2.0
#: Window (packets) of a flow that fills its share of path and threshold, below which it is cut by whole packets.
SMALLEST_WINDOW = 8.0


@dataclass(frozen=True)
class Sawtooth:
    """pipe: C RTT in packets.  threshold: K, packets.  flows: N.  trip: RTT without queueing, s."""

    pipe: float
    threshold: float
    flows: float
    trip: float

    def __post_init__(self) -> None:
        for name in ("pipe", "flows", "trip"):
            if not getattr(self, name) > 0.0:
                raise InvalidInput.at(name, getattr(self, name), "above 0")
        if self.threshold < 0.0:
            raise InvalidInput.at("threshold", self.threshold, "at least 0")

    @property
    def brim(self) -> float:
        """W*, packets."""
        return (self.pipe + self.threshold) / self.flows

    @property
    def alpha(self) -> float:
        """Share of marked packets, at most 1."""
        return share_of_marks(self.brim)

    @property
    def amplitude(self) -> float:
        """Of the queue, packets: A = 1/2 sqrt(2 N (C RTT + K))."""
        return 0.5 * math.sqrt(2.0 * self.flows * (self.pipe + self.threshold))

    @property
    def period(self) -> float:
        """Seconds: 1/2 sqrt(2 (C RTT + K) / N) round trips."""
        return 0.5 * math.sqrt(2.0 * self.brim) * self.trip

    @property
    def top(self) -> float:
        """Largest queue, packets: K + N."""
        return self.threshold + self.flows

    @property
    def least_threshold(self) -> float:
        """K (packets) above which the queue never runs empty, whatever N (eq. 13): C RTT / 7."""
        return self.pipe / 7.0

    @property
    def largest_gain(self) -> float:
        """Largest g at which alpha averages over a whole period (eq. 15): 1.386 / sqrt(2 (C RTT + K))."""
        return 1.386 / math.sqrt(2.0 * (self.pipe + self.threshold))

    @property
    def queue_mean(self) -> float:
        """Over time, packets: the queue rises evenly by A up to K + N, from an empty one where that is less."""
        waits = min(self.top, self.amplitude)
        return waits * (self.top - 0.5 * waits) / self.amplitude

    @property
    def utilisation(self) -> float:
        """Share of the capacity: the windows fill less than the pipe while the sawtooth is below an empty queue."""
        short = max(0.0, self.amplitude - self.top)
        return 1.0 - 0.5 * short * short / self.amplitude / self.pipe


def share_of_marks(brim: float) -> float:
    """Alpha of a sawtooth about a window of ``brim`` packets, at most 1: alpha^2 (1 - alpha/4) = (2 W* + 1)/(W* + 1)^2.

    The left side rises up to alpha = 1. For large windows sqrt(2/W*).
    """
    wanted = (2.0 * brim + 1.0) / (brim + 1.0) ** 2
    if wanted >= 0.75:
        return 1.0
    alpha = math.sqrt(wanted)
    for _ in range(40):
        alpha -= (alpha * alpha * (1.0 - 0.25 * alpha) - wanted) / (alpha * (2.0 - 0.75 * alpha))
    return alpha
