"""Complete sharing: any queue may take all of the memory."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.parts.sharing.policy import Policy


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    return row(switch).pool


class Complete(Policy):
    """A packet is accepted whenever there is room for it anywhere in the shared memory."""

    about: ClassVar[About] = About(
        title="Complete sharing",
        summary="Any queue may take all of the memory.",
        holds="one congested port; with several, one can starve the others",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["complete"] = "complete"

    def limit(self) -> Hook:
        return _limit

    def lone_limit(self, pool: float, queues: int) -> float:
        return pool
