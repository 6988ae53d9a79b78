"""Timers of hosts whose clock ticks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ticks:
    """The clock of one host. tick: between two ticks, 0 for none; on: for how long it ran at time 0 [ps]."""

    tick: int = 0
    on: int = 0

    @classmethod
    def of(cls, tick: int, ahead: int) -> Ticks:
        """ahead: for how long the host ran at time 0, in 65536ths of a tick."""
        whole, part = divmod(ahead, 1 << 16)
        return cls(tick, whole * tick + (part * tick >> 16))

    def rings(self, begun: int, wait: int) -> int:
        """When a timer that the host sets at ``begun`` for ``wait`` rings [ps].

        A host counts ticks from its start: those that have passed when it sets the timer, and as many as cover the
        wait. The timer rings at the end of the slot which holds that tick: the first end that is surely not early.
        """
        if not self.tick:
            return begun + wait
        count = -(-wait // self.tick)
        due = (begun + self.on) // self.tick + count
        slot = _slot(count)
        return (due - due % slot + slot) * self.tick - self.on


def _slot(count: int) -> int:
    """Ticks that share a slot of the timer wheel ``count`` ticks ahead: 1, and 8 times more each time 63 slots end."""
    return next((8**level for level in range(4) if count < 63 * 8**level), 8**4)
