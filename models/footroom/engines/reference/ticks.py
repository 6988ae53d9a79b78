"""Timers of hosts whose clock ticks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ticks:
    """The clock of one host. tick: between two ticks, 0 for none; first: when the first one comes after time 0 [ps]."""

    tick: int = 0
    first: int = 0

    @classmethod
    def of(cls, tick: int, ahead: int) -> Ticks:
        """ahead: how long before time 0 the last tick was, in 65536ths of a tick."""
        return cls(tick, tick - (tick * ahead >> 16))

    def rings(self, begun: int, wait: int) -> int:
        """When a timer that the host sets at ``begun`` for ``wait`` rings [ps].

        A host counts ticks: those that have passed when it sets the timer, and as many as cover the wait. The timer
        rings at the end of the tick that follows, the first that is surely not early.
        """
        if not self.tick:
            return begun + wait
        last = begun - (begun - self.first) % self.tick
        return last + (-(-wait // self.tick) + 1) * self.tick
