"""Pauses asked of a port by the node at the other end of its link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from footroom.engines.plan import Plan
from footroom.engines.reference.clock import Alarm, Clock
from footroom.engines.reference.packet import PauseFrame
from footroom.engines.reference.ranks import Kind
from footroom.kernel.tables import NEVER


class Stop:
    """One pause: of a class, or of several together. spans: the times in which it held, those that are over [ps].

    It begins when its timer rings, after everything else that happens at that instant to ports and wires, and ends
    likewise.  tell: called when it begins and when it ends.
    """

    def __init__(
        self,
        classes: tuple[int, ...],
        clock: Clock,
        rank: int,
        resume: Callable[[], None],
        tell: Callable[[Stop, bool], None],
    ) -> None:
        self.classes = classes
        self.pause: Any = None  # that the frame belongs to with which it began
        self._tell = tell
        self.spans: list[tuple[int, int]] = []
        self._clock, self._resume = clock, resume
        self._timer = Alarm(clock, rank, self._ring)
        self._since: int | None = None  # it holds
        self._coming = False  # it will
        self._end = 0

    @property
    def holds(self) -> bool:
        """Whether it holds now."""
        return self._since is not None

    @property
    def lasts(self) -> bool:
        """Whether it holds, or is about to."""
        return self.holds or self._coming

    def extend(self, begin: int, end: int) -> None:
        """A frame asks for it; a pause that holds already, or is about to, only ends later."""
        self._end = end
        if self.holds:
            self._await_end()
        elif not self._coming:
            self._coming = True
            self._timer.set(begin)

    def finish(self) -> None:
        """A frame ends it."""
        self._coming = False
        self._timer.set(None)
        self._close()

    def until(self, now: int) -> list[tuple[int, int]]:
        """The spans up to ``now``, that which is not over included."""
        return [*self.spans, *([] if self._since is None else [(self._since, now)])]

    def _ring(self) -> None:
        if self._coming:
            self._coming = False
            if self._end > self._clock.time:
                self._since = self._clock.time
                self._tell(self, True)
                self._await_end()
            return
        self._close()
        self._resume()

    def _await_end(self) -> None:
        self._timer.set(self._end if self._end < NEVER else None)

    def _close(self) -> None:
        if self._since is not None:
            self.spans.append((self._since, self._clock.time))
            self._tell(self, False)
        self._since = None


class Pauses:
    """What port ``number`` must not send. resume: called when a pause is over.

    tell: called with the pause that has begun (True) or ended (False).
    """

    def __init__(
        self,
        number: int,
        plan: Plan,
        clock: Clock,
        resume: Callable[[], None],
        tell: Callable[[Stop, bool], None],
    ) -> None:
        self._clock, self._resume, self._tell = clock, resume, tell
        self._number = number
        self._stops: dict[int | None, Stop] = {}
        table = plan.lossless
        self._response = 0 if table is None else int(table.pause_response[number])
        self._time = int(NEVER) if table is None else int(table.pause_time[number])

    def receive(self, frame: PauseFrame) -> None:
        """A pause frame has arrived."""
        now = self._clock.time
        key = frame.klass
        if key not in self._stops:
            rank = Kind.PAUSE.of_pause(self._number, key)
            classes = frame.classes if key is None else (key,)
            self._stops[key] = Stop(classes, self._clock, rank, self._resume, self._tell)
        stop = self._stops[key]
        if frame.stop:
            if not stop.lasts:
                stop.pause = frame.pause
            stop.extend(now + self._response, self._time if self._time == NEVER else now + self._time)
        else:
            stop.finish()
            self._resume()

    def hold(self, klass: int) -> bool:
        """Whether packets of ``klass`` must wait now."""
        return any(klass in stop.classes and stop.holds for stop in self._stops.values())

    def spans(self, until: int) -> dict[int | None, list[tuple[int, int]]]:
        """All times up to ``until`` in which each pause held, by class, None for that of several together."""
        return {key: stop.until(until) for key, stop in self._stops.items()}

    def by_class(self, until: int) -> dict[int, list[tuple[int, int]]]:
        """The same of every class, whichever pause stopped it; spans may overlap."""
        found: dict[int, list[tuple[int, int]]] = {}
        for key, spans in self.spans(until).items():
            for klass in self._stops[key].classes:
                found.setdefault(klass, []).extend(spans)
        return found
