"""ABM: congested queues and drain rates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies.rule import Pool, Rule
from footroom.engines.reference.queue import Queue


@dataclass
class _Drain:
    """share: sent over what the port can, as last measured.  since, sent: the measurement under way."""

    share: float = 1.0
    since: int | None = None
    sent: int = 0


class AbmRule(Rule):
    """Dynamic threshold over the congested queues of a class, times the drain rate."""

    def __init__(self, policy: Any, memory: Pool) -> None:
        super().__init__(policy, memory)
        self._drains: dict[int, _Drain] = {}
        self._congested: dict[int, set[int]] = {}
        self._arrived: Counter[tuple[int, bool]] = Counter()  # bytes of every flow and direction

    def _alpha(self, klass: int) -> float:
        own = self.policy.alphas or ()
        return float(own[klass] if klass < len(own) else self.policy.alpha)

    def _threshold(self, queue: Queue, alpha: float) -> float:
        share = self._drains[id(queue)].share if id(queue) in self._drains and queue.packets else 1.0
        congested = max(1, len(self._congested.get(queue.klass, ())))
        return alpha * (self.memory.pool - self.memory.shared) / congested * share

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        first = self._arrived[packet.flow, packet.ack] + packet.size <= self.policy.unscheduled
        return int(self._threshold(queue, self.policy.unscheduled_alpha if first else self._alpha(queue.klass)))

    def _count(self, queue: Queue, packet: Packet, now: int) -> None:
        self._arrived[packet.flow, packet.ack] += packet.size

    dropped = passed = _count

    def enqueued(self, queue: Queue, packet: Packet, now: int) -> None:
        self._count(queue, packet, now)
        if queue.packets == 1:
            self._drains[id(queue)] = _Drain()
        self._judge(queue)

    def dequeued(self, queue: Queue, packet: Packet, now: int) -> None:
        drain = self._drains[id(queue)]
        if drain.since is not None and now - drain.since < self.policy.window * 1e12:
            drain.sent += packet.size + self.memory.gap
        else:
            if drain.since is not None:
                share = drain.sent * (queue.picoseconds_per_byte / 65536) / (now - drain.since)
                drain.share = min(1.0, max(self.policy.least, share))
            drain.since, drain.sent = now, packet.size + self.memory.gap
        self._judge(queue)

    def _judge(self, queue: Queue) -> None:
        congested = self._congested.setdefault(queue.klass, set())
        near = queue.excess() > self.policy.near * self._threshold(queue, self._alpha(queue.klass))
        (congested.add if near else congested.discard)(id(queue))
