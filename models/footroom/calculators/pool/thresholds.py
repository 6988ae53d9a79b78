"""What dynamic thresholds leave to each queue once several of them are at theirs.

A queue may hold alpha times the memory still free (Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998). With n queues at that
threshold, each has alpha·B / (1 + n·alpha); with alphas of their own, the free memory is B / (1 + Σ alpha).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Queues:
    """Queues of one kind that are at their threshold.

    name: ``lossless`` or ``lossy``.  count: how many.  alpha: share of the free memory each may hold [1].
    """

    name: str
    count: int
    alpha: float


def free_memory(shared: float, queues: Sequence[Queues]) -> float:
    """Memory that stays free [B] when all ``queues`` are at their threshold in one pool of ``shared`` [B].

    Choudhury and Hahne 1998, eq. 2, with alphas of their own: free = B / (1 + Σ n·alpha).
    """
    return shared / (1.0 + sum(kind.count * kind.alpha for kind in queues))


def free_at_ingress(shared: float, lossless: Queues, lossy: Queues, egress_pool: float) -> float:
    """Memory of the ingress pool that stays free [B] when lossy queues are limited in a pool of their own at egress.

    ``lossy`` queues fill n·alpha/(1 + n·alpha) of ``egress_pool`` [B], whatever the lossless ones hold, because the
    egress pool does not count those. The ingress pool of ``shared`` [B] counts both. Multiplied by the lossless alpha
    this is the pause threshold of Reverie (NSDI 2024). Never negative: memory that is not there cannot be taken.
    """
    lossy_bytes = egress_pool - free_memory(egress_pool, [lossy])
    return max(0.0, free_memory(shared - lossy_bytes, [lossless]))
