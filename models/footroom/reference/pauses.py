"""Pauses asked of a port by the node at the other end of its link."""

from __future__ import annotations

from collections.abc import Callable

from footroom.kernel.tables import NEVER
from footroom.plan import Plan
from footroom.reference.clock import Alarm, Clock
from footroom.reference.packet import PauseFrame

#: Pauses of one port at most: of each class, and of all together.
_MOST = 9


class Stop:
    """One pause: of a class, or of several together. It holds from ``begin`` until, not including, ``end`` [ps]."""

    def __init__(self, classes: tuple[int, ...], timer: Alarm) -> None:
        self.classes, self.timer = classes, timer
        self.begin = self.end = 0
        self.spans: list[tuple[int, int]] = []  # that are over

    def extend(self, begin: int, end: int, now: int) -> None:
        """A frame asks for it; a pause that holds already, or is about to, only ends later."""
        if now >= self.end:
            self.close(now)
            self.begin = begin
        self.end = end
        self.timer.set(end if end < NEVER else None)

    def finish(self, now: int) -> None:
        """A frame ends it."""
        self.end = min(self.end, now)
        self.timer.set(None)

    def close(self, now: int) -> None:
        """Remember the span that has passed."""
        if self.begin < min(self.end, now):
            self.spans.append((self.begin, min(self.end, now)))
        self.begin = self.end


class Pauses:
    """What port ``number`` must not send. resume: called when a pause is over."""

    def __init__(self, number: int, plan: Plan, clock: Clock, resume: Callable[[], None]) -> None:
        self._clock, self._resume = clock, resume
        self._rank = 2 * plan.ports + plan.flows + 1 + _MOST * number
        self._stops: dict[int | None, Stop] = {}
        table = plan.lossless
        self._response = 0 if table is None else int(table.pause_response[number])
        self._time = int(NEVER) if table is None else int(table.pause_time[number])

    def receive(self, frame: PauseFrame) -> None:
        """A pause frame has arrived."""
        now = self._clock.time
        key = frame.klass
        if key not in self._stops:
            rank = self._rank + (_MOST - 1 if key is None else key)
            classes = frame.classes if key is None else (key,)
            self._stops[key] = Stop(classes, Alarm(self._clock, rank, self._resume))
        stop = self._stops[key]
        if frame.stop:
            stop.extend(now + self._response, self._time if self._time == NEVER else now + self._time, now)
        else:
            stop.finish(now)
            self._resume()

    def hold(self, klass: int) -> bool:
        """Whether packets of ``klass`` must wait now."""
        now = self._clock.time
        return any(klass in stop.classes and stop.begin <= now < stop.end for stop in self._stops.values())

    def spans(self, until: int) -> dict[int | None, list[tuple[int, int]]]:
        """All times up to ``until`` in which each pause held, by class, None for that of several together."""
        for stop in self._stops.values():
            stop.close(until)
        return {key: stop.spans for key, stop in self._stops.items()}

    def by_class(self, until: int) -> dict[int, list[tuple[int, int]]]:
        """The same of every class, whichever pause stopped it; spans may overlap."""
        found: dict[int, list[tuple[int, int]]] = {}
        for key, spans in self.spans(until).items():
            for klass in self._stops[key].classes:
                found.setdefault(klass, []).extend(spans)
        return found
