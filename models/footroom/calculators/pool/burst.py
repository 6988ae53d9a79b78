"""How large a burst dynamic thresholds absorb before the first packet is dropped (lossy) or paused (lossless).

Fluid computation, exact but for the size of a packet. Queues congested before the burst sit at their threshold. As the
burst grows the free memory falls, and with it every threshold. A congested queue whose threshold falls slower than its
port drains follows it; one whose threshold falls faster accepts nothing and drains at its port's rate. All rates are
constant, so which queues follow does not change before the burst meets its own falling threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from footroom.calculators.pool.thresholds import Queues, free_memory


@dataclass(frozen=True)
class Absorbed:
    """The moment the burst meets its threshold.

    queue: what each bursting queue holds then [B].  burst: bytes that have arrived since the burst began, all bursting
    queues together [B].  time: since then [s].  left: what each congested queue of a kind still holds [B], in the order
    given.  before: what it held before the burst [B].
    """

    queue: float
    burst: float
    time: float
    left: tuple[float, ...]
    before: tuple[float, ...]


def absorb(
    shared: float,
    alpha: float,
    arrival: float,
    drain: float,
    congested: Sequence[Queues] = (),
    queues: int = 1,
    offset: float = 0.0,
) -> Absorbed | None:
    """What a burst into empty queues can reach in a pool of ``shared`` [B]; None when the queue never grows.

    alpha: of the bursting queues.  arrival, drain: rate at which the burst arrives and leaves, over all bursting
    ``queues`` together [bit/s]; each of them takes an equal part.  congested: queues at their threshold when it begins,
    each draining at ``drain`` too.  offset: bytes below the threshold at which the burst is stopped already (dynamic
    shared headroom) [B].  A single queue into empty memory gives alpha·B / (1 + alpha).
    """
    if arrival <= drain:
        return None
    rise, leaves = (arrival - drain) / 8.0, drain / 8.0
    fall, following = _fall(rise, leaves, congested)
    free = free_memory(shared, congested)
    time = max(0.0, alpha * free - offset) / (rise / queues + alpha * fall)
    before = tuple(kind.alpha * free for kind in congested)
    # Of a kind that is not congested this is what one might hold.
    left = tuple(
        kind.alpha * (free - fall * time) if kind in following or not kind.count else held - leaves * time
        for kind, held in zip(congested, before, strict=True)
    )
    return Absorbed(rise / queues * time, arrival / 8.0 * time, time, left, before)


def _fall(rise: float, leaves: float, congested: Sequence[Queues]) -> tuple[float, list[Queues]]:
    """Rate at which free memory falls [B/s], and the kinds whose queues keep to their threshold."""
    following = sorted((kind for kind in congested if kind.count), key=lambda kind: kind.alpha)
    draining = 0.0
    while True:
        fall = (rise - draining) / (1.0 + sum(kind.count * kind.alpha for kind in following))
        # The largest alpha has the threshold that falls fastest.
        if not following or following[-1].alpha * fall <= leaves:
            return fall, following
        draining += following.pop().count * leaves
