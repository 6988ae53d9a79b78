"""EDT with timers that really run out."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies.rule import Pool, Rule
from footroom.engines.reference.queue import Queue

_GIGABIT = 8000 * 65536


class _Machine:
    """The state machine of one queue; ``timer1``, ``timer2``: when they run out next [ps], None while stopped."""

    def __init__(self, enqueues: int, dequeues: int, within: float, longest: float) -> None:
        self.begins, self.over, self.within, self.longest = enqueues, dequeues, within, longest
        self.enqueued = self.dequeued = 0
        self.flag = False
        self.timer1 = 0.0
        self.timer2: float | None = None

    @property
    def uncontrolled(self) -> bool:
        return self.timer2 is not None

    def until(self, now: int) -> None:
        """Let all timers run out that are due."""
        while self.timer1 <= now or (self.timer2 is not None and self.timer2 <= now):
            if self.timer2 is not None and self.timer2 < self.timer1:
                self.timer2, self.flag = None, False
            else:
                periods = max(1, int((min(now, self.timer2 or now) - self.timer1) // self.within))
                self.timer1 += periods * self.within
                self.enqueued, self.flag = 0, True

    def arrival(self, now: int) -> None:
        self.dequeued = 0
        self.enqueued += 1
        if self.enqueued == self.begins:
            self.flag, self.timer2 = True, now + self.longest
        self._after(now)

    def departure(self, now: int) -> None:
        self.dequeued += 1
        self.enqueued = max(0, self.enqueued - 1)
        if self.dequeued == self.over:
            self.enqueued, self.flag, self.timer2 = 0, False, None
        self._after(now)

    def _after(self, now: int) -> None:
        if not self.flag:
            self.dequeued = 0
        else:
            self.enqueued, self.timer1 = 0, now + self.within
            self.flag = self.uncontrolled


class EdtRule(Rule):
    """Dynamic threshold, or an equal part of the pool for each queue in a burst."""

    def __init__(self, policy: Any, memory: Pool) -> None:
        super().__init__(policy, memory)
        self._machines: dict[int, _Machine] = {}

    def _machine(self, queue: Queue, now: int) -> _Machine:
        if id(queue) not in self._machines:
            few, slower, policy = self.memory.queues <= 8, queue.picoseconds_per_byte / _GIGABIT, self.policy
            self._machines[id(queue)] = _Machine(
                policy.enqueues or self._published(8),
                policy.dequeues or self._published(3),
                policy.within * 1e12 if policy.within else (5.56e9 if few else 2.1e9) * slower,
                policy.longest * 1e12 if policy.longest else 10e9 * slower,
            )
        machine = self._machines[id(queue)]
        machine.until(now)
        return machine

    def _published(self, packets: int) -> int:
        """``packets`` are meant for 16 ports that share 175 packets of 1500 B; halves are rounded up."""
        scaled = Fraction(packets * 16 * self.memory.pool, 262_500 * self.memory.queues)
        return max(1, math.floor(scaled + Fraction(1, 2)))

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        if not self._machine(queue, now).uncontrolled:
            return int(self.policy.alpha * (self.memory.pool - self.memory.shared))
        for machine in self._machines.values():
            machine.until(now)
        return self.memory.pool // sum(machine.uncontrolled for machine in self._machines.values())

    def enqueued(self, queue: Queue, packet: Packet, now: int) -> None:
        self._machine(queue, now).arrival(now)

    def dequeued(self, queue: Queue, packet: Packet, now: int) -> None:
        self._machine(queue, now).departure(now)

    def dropped(self, queue: Queue, packet: Packet, now: int) -> None:
        machine = self._machine(queue, now)
        machine.enqueued = 0
        if self.memory.shared + self.memory.taken(packet) > self.memory.pool:
            machine.timer2 = None
