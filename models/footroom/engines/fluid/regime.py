"""Which fluid model fits a buffer: is the queue a state, or only a loss curve?

The loss curve is the right model when three things hold at its own fixed point (load rho, B packets, n flows):

1. many: n >= 100. The loss curve's load is a mean over flows (Raina, Towsley, Wischik state it for large n).
2. fast: the queue forgets its state well within a round trip, so p follows rho at once. The slowest relaxation time of
   an M/M/1/B queue is exactly 1 / (C [1 + rho - 2 sqrt(rho) cos(pi/(B+1))]) (Takacs 1962); an order of magnitude
   ("well within") is asked for. For equal packets the true time is shorter, so this is on the safe side.
   Near rho = 1 this is (B+1)^2/(pi^2 C): B/C << RTT alone would not do.
3. quiet: the load is steady enough for p(mean load) to approximate the mean of p(load). Windows of desynchronised flows
   spread by 1/sqrt(27) of their mean (uniform between 2/3 and 4/3: Appenzeller, Keslassy, McKeown 2004, section 3),
   the load by 1/sqrt(27 n); p ~ rho^B changes e-fold over 1/B. Hence B <= sqrt(27 n). It also makes arrivals look
   Poisson: fewer than one packet per flow in the time B/C, as B < n once n > 27.

And a fourth that both models need, but the loss curve more: one packet per flow and round trip must not overload the
link by itself, for then flows go from timeout to timeout.

Otherwise the queue is a state and the drop-tail equations apply. They treat every flow as its group's mean, so all cut
at once: for many flows that in truth lose at different times, utilisation comes out too low. Nothing here is fitted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MANY = 100
WELL_WITHIN = 10.0


@dataclass(frozen=True)
class Regime:
    """The conditions with their numbers; ``small`` when all hold.

    relaxation: s.  steadiest: largest buffer (packets) for which the load is steady enough.
    least_load: rho when every window is one packet.
    """

    flows: int
    buffer: float
    relaxation: float
    round_trip: float
    steadiest: float
    least_load: float

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons against the loss curve, in words; empty if there are none."""
        against = []
        if self.flows < MANY:
            against.append(f"{self.flows} flows are fewer than {MANY}")
        if self.buffer > self.steadiest:
            against.append(f"{self.buffer:.0f} packets exceed sqrt(27 n) = {self.steadiest:.0f}")
        if WELL_WITHIN * self.relaxation > self.round_trip:
            against.append(
                f"the queue relaxes in {self.relaxation:.3g} s, not well within the {self.round_trip:.3g} s RTT"
            )
        if self.least_load > 1.0:
            against.append(f"one packet per flow and round trip already loads the link to {self.least_load:.3g}")
        return tuple(against)

    @property
    def small(self) -> bool:
        """Whether the loss curve is the right picture."""
        return not self.reasons


def relaxation_time(load: float, buffer: float, capacity: float) -> float:
    """Slowest relaxation time (s) of an M/M/1/B queue: load rho, ``buffer`` packets, capacity packets/s."""
    root = math.sqrt(load)
    # 1 + ρ - 2·√ρ·cos(x) written as a sum of squares, which does not cancel for a load near 1 and a large buffer.
    gap = (1.0 - root) ** 2 + 4.0 * root * math.sin(0.5 * math.pi / (buffer + 1.0)) ** 2
    return 1.0 / (capacity * gap)


def regime(
    flows: int, buffer: float, load: float, capacity: float, round_trip: float, least_load: float = 0.0
) -> Regime:
    """Judge a buffer (packets) at load rho on a link of ``capacity`` packets/s with shortest round trip (s)."""
    relaxation = relaxation_time(load, buffer, capacity)
    return Regime(flows, buffer, relaxation, round_trip, math.sqrt(27.0 * flows), least_load)
