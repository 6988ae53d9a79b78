"""Dynamic threshold: a queue may hold alpha times what is still free (Choudhury and Hahne, ToN 6(2), 1998)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.parts.sharing.policy import Policy


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s = row(switch)
    return int(params[row(queue).klass] * (s.pool - s.shared))


class DynamicThreshold(Policy):
    """Threshold T = alpha · (pool − in use); with n queues held at it each has alpha·B / (1 + n·alpha).

    Departs from the paper, where a queue below T accepts a packet of any size: here the packet must fit below T,
    as switches that count bytes do.
    """

    about: ClassVar[About] = About(
        title="Dynamic threshold",
        summary="A queue may hold alpha times the memory still free.",
        sources=("Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998, eq. 1",),
        departures="the arriving packet itself must fit below the threshold",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["dynamic_threshold"] = "dynamic_threshold"
    alpha: float = quantity(
        1.0, "1", "Limit of one queue, as a multiple of the free shared memory.", gt=0, le=4096, symbol="α"
    )
    alphas: tuple[Annotated[float, Field(ge=1e-9, le=4096)], ...] | None = quantity(
        None,
        "1",
        "Alpha of each priority class, class 0 first, where they differ; classes not listed have alpha.",
        min_length=1,
        max_length=8,
        advanced=True,
    )

    def limit(self) -> Hook:
        return _limit

    def parameters(self) -> tuple[float, ...]:
        own = self.alphas or ()
        return (*own, *[self.alpha] * (8 - len(own)))

    def lone_limit(self, pool: float, queues: int) -> float:
        alpha = self.parameters()[0]
        return alpha * pool / (1.0 + alpha)
