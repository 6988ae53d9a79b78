"""Pause frames: who sends them where, how often they are repeated, and how many there were."""

from __future__ import annotations

from collections.abc import Callable

from footroom.engines.plan import Plan
from footroom.engines.reference.clock import Alarm, Clock
from footroom.engines.reference.packet import PauseFrame
from footroom.engines.reference.ranks import Kind
from footroom.kernel.tables import NEVER


class Signals:
    """Turns what priority groups ask for into frames, and repeats those that stop.

    send: puts a frame on a port.  stops: frames that stop, repetitions included, by port that packets come in by and
    class (None for all), since the window opened.  belongs_to: the pause that a frame about them is part of.
    """

    def __init__(
        self,
        plan: Plan,
        clock: Clock,
        send: Callable[[int, PauseFrame], None],
        belongs_to: Callable[[int, int | None], object],
    ) -> None:
        self._plan, self._clock, self._send, self._belongs_to = plan, clock, send, belongs_to
        self._repetitions: dict[tuple[int, int | None], Alarm] = {}
        self.stops: dict[tuple[int, int | None], int] = {}

    def ask(self, port: int, klass: int | None, stop: bool) -> None:
        """Stop, or let go on, the node at the other end of the link that packets come in by over ``port``."""
        key = port, klass
        if stop:
            self._stop(key)
        else:
            self._repetition(key).set(None)
            self._frame(key, False)

    def _stop(self, key: tuple[int, int | None]) -> None:
        table = self._plan.lossless
        assert table is not None
        self.stops[key] = self.stops.get(key, 0) + self._clock.measuring
        if (wait := int(table.pause_refresh[key[0]])) < NEVER:
            self._repetition(key).set(self._clock.time + wait)
        self._frame(key, True)

    def _frame(self, key: tuple[int, int | None], stop: bool) -> None:
        port, klass = key
        table = self._plan.lossless
        assert table is not None
        opposite = int(table.opposite[port])
        own = table.classes[int(self._plan.port_switch[opposite])]
        classes = tuple(k for k in range(self._plan.classes) if own[k])
        self._send(opposite, PauseFrame(port, klass, classes, stop, self._belongs_to(port, klass)))

    def _repetition(self, key: tuple[int, int | None]) -> Alarm:
        if key not in self._repetitions:
            rank = Kind.REPETITION.of_pause(*key)
            self._repetitions[key] = Alarm(self._clock, rank, lambda: self._stop(key))
        return self._repetitions[key]
