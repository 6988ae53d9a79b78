"""Deficit round robin."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.kernel.hooks import Hook, row, scheduler_hook
from footroom.parts.scheduling.scheduler import CLASSES, Scheduler


@scheduler_hook
def _choose(port, own, params):
    """own: bytes that each class may still send, then the class whose turn it is.

    params: bytes per turn of each class, then the lowest of the classes that go first.
    """
    p = row(port)
    for k in range(p.classes):
        if (p.emptied >> k) & 1:  # before a class above the turns is chosen too: this is told once
            own[k] = 0.0
    first = int(params[CLASSES])
    klass = p.classes - 1
    while klass >= first:
        if (p.eligible >> klass) & 1:
            return klass
        klass -= 1
    klass = int(own[CLASSES])
    while (p.eligible >> klass) & 1 == 0 or own[klass] < p.heads[klass]:
        klass += 1
        if klass >= min(first, p.classes):
            klass = 0
        if (p.eligible >> klass) & 1:
            own[klass] += params[klass]
    own[klass] -= p.heads[klass]
    own[CLASSES] = klass
    return klass


class Drr(Scheduler):
    """Queues take turns; in each turn a queue may send its quantum, and what it could not use up is kept for the next.

    A queue that runs empty loses what it kept and its turn, even when it is refilled before the next choice.
    ``weights`` multiply the quantum, class 0 first, rounded to whole bytes; classes beyond the last have weight 1.
    Classes from ``strict_from`` on take no turns: whenever one of them may send, the highest of them goes first.
    """

    about: ClassVar[About] = About(
        title="Deficit round robin",
        summary="Queues take turns, each sending a quantum of bytes.",
        sources=("Shreedhar and Varghese, SIGCOMM 1995 (Efficient fair queueing using deficit round robin)",),
        holds="quanta of at least one full packet; smaller ones take several turns to send one",
        departures="classes are visited in the order of their numbers, not in that in which they became busy",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    sized: ClassVar[bool] = True
    kind: Literal["drr"] = "drr"
    quantum: Size = quantity(1600.0, "B", "Bytes a queue of weight 1 may send in a turn.", ge=64, le=1e6, symbol="Q")
    weights: tuple[Annotated[float, Field(ge=0.01, le=100.0)], ...] | None = quantity(
        None,
        "1",
        "Weight of each class, class 0 first, between 0.01 and 100; none means equal weights.",
        min_length=1,
        max_length=8,
        advanced=True,
    )

    strict_from: int | None = quantity(
        None,
        "1",
        "This class and all above it are served by strict priority before any turn; none means that all "
        "classes take turns.",
        ge=1,
        le=CLASSES - 1,
        advanced=True,
    )

    def choose(self) -> Hook | None:
        return _choose

    def parameters(self) -> tuple[float, ...]:
        weights = [*(self.weights or ()), *[1.0] * CLASSES]
        turns = [float(max(1, round(self.quantum * weight))) for weight in weights[:CLASSES]]
        return (*turns, float(self.ranked_from()))

    def ranked_from(self) -> int:
        return CLASSES if self.strict_from is None else self.strict_from

    def scratch(self) -> int:
        return CLASSES + 1
