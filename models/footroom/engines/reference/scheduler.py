"""Which class a port serves next; see ``footroom.parts.scheduling``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from footroom.base.component import Component
from footroom.base.errors import Unsupported
from footroom.parts.scheduling import Drr, Fifo, StrictPriority


class Scheduler(Protocol):
    """The choice of one port."""

    def choose(self, heads: Sequence[int | None]) -> int:
        """The class that sends next. heads: size of the packet at the head of each class [B], None where none waits or
        it must not be sent.
        """

    def emptied(self, klass: int) -> None:
        """The last packet of ``klass`` has just been taken."""

    def may_precede(self, other: int, klass: int) -> bool:
        """Whether waiting packets of class ``other`` may be sent before one of ``klass`` that has just come."""


class Strict:
    """The highest class that has anything; with one class, first in first out."""

    def __init__(self, scheduling: Component, classes: int) -> None:
        pass

    def choose(self, heads: Sequence[int | None]) -> int:
        return max(klass for klass, size in enumerate(heads) if size is not None)

    def emptied(self, klass: int) -> None:
        pass

    def may_precede(self, other: int, klass: int) -> bool:
        return other >= klass


class DeficitRoundRobin:
    """Shreedhar and Varghese 1995, fig. 3, with the classes visited in the order of their numbers.

    Classes from ``strict_from`` on are served before them, the highest first.
    """

    def __init__(self, scheduling: Drr, classes: int) -> None:
        weights = list(scheduling.weights or ())[:classes]
        weights += [1.0] * (classes - len(weights))
        self.quantum = [max(1, round(scheduling.quantum * weight)) for weight in weights]
        self.deficit = [0] * classes
        self.turn = 0
        self.turns = min(classes, classes if scheduling.strict_from is None else scheduling.strict_from)

    def choose(self, heads: Sequence[int | None]) -> int:
        ahead = [klass for klass in range(self.turns, len(heads)) if heads[klass] is not None]
        if ahead:
            return ahead[-1]
        while (size := heads[self.turn]) is None or size > self.deficit[self.turn]:
            self.turn = (self.turn + 1) % self.turns
            if heads[self.turn] is not None:
                self.deficit[self.turn] += self.quantum[self.turn]
        self.deficit[self.turn] -= size
        return self.turn

    def emptied(self, klass: int) -> None:
        self.deficit[klass] = 0

    def may_precede(self, other: int, klass: int) -> bool:
        return other >= klass if klass >= self.turns else True


#: One line for every kind.
_SCHEDULERS: dict[type[Component], Callable[[Any, int], Scheduler]] = {
    Fifo: Strict,
    StrictPriority: Strict,
    Drr: DeficitRoundRobin,
}


def scheduler_of(scheduling: Component, classes: int) -> Scheduler:
    """A fresh scheduler for a port with ``classes`` classes. Raises Unsupported for one this engine does not know."""
    if type(scheduling) not in _SCHEDULERS:
        kind = scheduling.model_dump()["kind"]
        raise Unsupported(
            f'the reference engine does not know the scheduling "{kind}"',
            path="switch.scheduling.kind",
            given=kind,
            engines=("packet",),
        )
    return _SCHEDULERS[type(scheduling)](scheduling, classes)
