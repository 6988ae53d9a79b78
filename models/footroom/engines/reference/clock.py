"""Simulated time in whole picoseconds, and alarms with a fixed order at one instant."""

from __future__ import annotations

from collections.abc import Callable

import simpy
from simpy.events import Event, EventPriority


class Clock(simpy.Environment):
    """A SimPy environment whose time is an integer number of picoseconds.

    warmup: when the measured window opens [ps].
    """

    def __init__(self, warmup: int) -> None:
        super().__init__(initial_time=0)
        self.warmup = warmup

    @property
    def time(self) -> int:
        """Now [ps]."""
        return int(self.now)

    @property
    def measuring(self) -> bool:
        """Whether the measured window has opened; it begins just after the warm-up."""
        return self.now > self.warmup


class Alarm:
    """The one pending event of a component.

    Alarms due at the same instant ring in order of ``rank``, whatever the order in which they were set: that makes a
    run independent of how an engine keeps its events. SimPy cannot withdraw an event, so an alarm that is postponed
    ignores the early event and schedules another.
    """

    def __init__(self, clock: Clock, rank: int, action: Callable[[], None]) -> None:
        self._clock = clock
        self._rank = EventPriority(rank)
        self._action = action
        self._due: int | None = None
        self._event: Event | None = None
        self._event_at = 0

    def set(self, due: int | None) -> None:
        """Ring at ``due`` [ps] instead of whatever was set before; None: not at all."""
        self._due = due
        if due is not None and (self._event is None or due < self._event_at):
            self._schedule(due)

    @property
    def is_set(self) -> bool:
        """Whether it is to ring."""
        return self._due is not None

    def _schedule(self, at: int) -> None:
        event = Event(self._clock)
        event._ok, event._value = True, None  # noqa: SLF001 - what simpy.Timeout does, at a priority of our own
        event.callbacks.append(self._pass)
        self._clock.schedule(event, self._rank, at - self._clock.time)
        self._event, self._event_at = event, at

    def _pass(self, event: Event) -> None:
        if event is not self._event:
            return
        self._event = None
        if self._due is None:
            return
        if self._due > self._clock.time:
            self._schedule(self._due)
            return
        self._due = None
        self._action()
