"""Whether marking slows senders down before a pause stops them.

Marking looks at an egress queue, a pause at what one ingress priority group holds; both count the same packets. A queue
at its marking threshold K may be filled from several ports, which divides what each priority group holds of it, and one
priority group may fill several queues at once, which adds them up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from footroom.calculators.pool.memory import whole

if TYPE_CHECKING:
    from footroom.calculators.pool.document import MarginDocument


@dataclass(frozen=True)
class Margin:
    """How far a priority group is from its pause when egress queues reach the marking threshold.

    name: the case.  mark: threshold of marking [B].  held: what the priority group holds then [B].  threshold: at which
    it pauses then [B].  largest: marking threshold at which both come together [B].  rate: of the port [bit/s].
    """

    name: str
    mark: float
    held: float
    threshold: float
    largest: float
    rate: float

    @property
    def margin(self) -> float:
        """Bytes between [B]; above 0 marking is first."""
        return self.threshold - self.held

    @property
    def first(self) -> str:
        """``marking`` or ``pause``."""
        return "marking" if self.margin > 0 else "pause"

    def to_dict(self) -> MarginDocument:
        """Plain data; time: the margin at the port's rate [s]."""
        return {
            "case": self.name,
            "mark": whole(self.mark),
            "held": self.held,
            "threshold": self.threshold,
            "margin": self.margin,
            "time": self.margin * 8.0 / self.rate,
            "first": self.first,
            "largest": self.largest,
        }


def margin(
    name: str,
    mark: float,
    *,
    free: float,
    alpha: float,
    queues: int,
    feeds: float,
    weight: float = 1.0,
    offset: float = 0.0,
    rate: float,
) -> Margin:
    """The margin when ``queues`` egress queues hold ``mark`` bytes each, and a priority group's part of that.

    free: memory a pause threshold is a share of before these queues fill [B].  alpha: that share.  feeds: egress queues
    that one priority group fills, so that it holds feeds·mark (below 1 when several groups fill one queue).  weight:
    bytes of free memory that each byte in these queues takes.  offset: bytes by which the pause comes before the
    threshold (dynamic shared headroom).  rate: of the port [bit/s].

    With feeds = n ports and queues = 8·n this is DCQCN (SIGCOMM 2015, section 4): K < beta·B' / (8·n·(beta + 1)), where
    beta = 8·alpha and B' is memory less headroom. K is where marking begins: the paper's bound of 21.7 kB holds for its
    Kmin of 5 kB, not for its Kmax of 200 kB. Above Kmin few packets are marked, so both ends of a ramp are answered.
    """
    threshold = alpha * max(0.0, free - weight * queues * mark) - offset
    largest = max(0.0, (alpha * free - offset) / (feeds + alpha * weight * queues))
    return Margin(name, mark, feeds * mark, max(0.0, threshold), largest, rate)
