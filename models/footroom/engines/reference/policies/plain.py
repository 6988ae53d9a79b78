"""Rules without a memory of their own."""

from __future__ import annotations

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies.rule import Rule
from footroom.engines.reference.queue import Queue


class CompleteRule(Rule):
    """Any queue may take all."""

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        return self.memory.pool


class StaticRule(Rule):
    """A fixed part for every queue."""

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        if self.policy.per_queue is not None:
            return int(self.policy.per_queue)
        return self.memory.pool // self.memory.queues


class DynamicThresholdRule(Rule):
    """A multiple of what is free, by class."""

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        own = self.policy.alphas or ()
        alpha = own[queue.klass] if queue.klass < len(own) else self.policy.alpha
        return int(alpha * (self.memory.pool - self.memory.shared))
