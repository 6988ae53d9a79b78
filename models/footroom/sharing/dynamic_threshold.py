"""Dynamic threshold: a queue may hold alpha times what is still free (Choudhury and Hahne, ToN 6(2), 1998)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.quantity import quantity
from footroom.sharing.policy import Policy


@policy_hook
def _limit(switch, queue, params, size):
    s = row(switch)
    return int(params[0] * (s.pool - s.shared))


class DynamicThreshold(Policy):
    """Threshold T = alpha · (pool − in use); with n queues held at it each has alpha·B / (1 + n·alpha).

    Departs from the paper, where a queue below T accepts a packet of any size: here the packet must fit below T,
    as switches that count bytes do.
    """

    about: ClassVar[About] = About(
        title="Dynamic threshold", summary="A queue may hold alpha times the memory still free.",
        sources=("Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998, eq. 1",),
        departures="the arriving packet itself must fit below the threshold",
    )
    kind: Literal["dynamic_threshold"] = "dynamic_threshold"
    alpha: float = quantity(1.0, "1", "Share of the free memory one queue may hold.", gt=0, le=4096, symbol="α")

    def limit(self) -> Hook:
        return _limit

    def parameters(self) -> tuple[float, ...]:
        return (self.alpha,)

    def lone_limit(self, pool: float, queues: int) -> float:
        return self.alpha * pool / (1.0 + self.alpha)
