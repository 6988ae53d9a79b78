"""Strict priority."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.kernel.hooks import Hook, row, scheduler_hook
from footroom.parts.scheduling.scheduler import Scheduler


@scheduler_hook
def _choose(port, own, params):
    eligible = row(port).eligible
    klass = 7
    while (eligible >> klass) & 1 == 0:
        klass -= 1
    return klass


class StrictPriority(Scheduler):
    """The non-empty queue of the highest number sends next; a packet under way is never interrupted."""

    about: ClassVar[About] = About(
        title="Strict priority",
        summary="The non-empty queue of the highest number sends next.",
        sources=("IEEE 802.1Q, strict priority transmission selection",),
        holds="high classes well below capacity; lower classes wait without limit",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["strict_priority"] = "strict_priority"

    def choose(self) -> Hook | None:
        return _choose

    def ranked_from(self) -> int:
        return 0
