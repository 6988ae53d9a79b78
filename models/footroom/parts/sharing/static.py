"""Static partitioning: every queue has an equal part of the memory for itself."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.parts.sharing.policy import Policy


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s = row(switch)
    if params[0] > 0.0:
        return int(params[0])
    return s.pool // s.queues


class Static(Policy):
    """Each queue may hold the memory divided by the number of queues, or ``per_queue`` bytes when given."""

    about: ClassVar[About] = About(
        title="Static partitioning",
        summary="Every queue has a fixed part of the memory.",
        holds="isolation matters more than absorbing bursts",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["static"] = "static"
    per_queue: Size | None = quantity(None, "B", "Limit of every queue; none divides the memory equally.", gt=0)

    def limit(self) -> Hook:
        return _limit

    def parameters(self) -> tuple[float, ...]:
        return (self.per_queue or 0.0,)

    def lone_limit(self, pool: float, queues: int) -> float:
        return min(pool, self.per_queue) if self.per_queue is not None else pool / queues
