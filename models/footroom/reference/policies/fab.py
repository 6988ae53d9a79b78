"""FAB: what flows have sent of late."""

from __future__ import annotations

from footroom.reference.packet import Packet
from footroom.reference.policies.rule import Rule
from footroom.reference.queue import Queue


class FabRule(Rule):
    """Dynamic threshold by the flow's recent bytes. memory.notes: first recent segment of each flow, and when last."""

    def _first(self, packet: Packet, now: int) -> int:
        first, last = self.memory.notes.get(packet.flow, (0, 0))
        return packet.seq if now - last > self.policy.idle * 1e12 else int(first)

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        small = (packet.seq + 1 - self._first(packet, now)) * packet.size < self.policy.recent
        alpha = self.policy.small_alpha if small else self.policy.alpha
        return int(alpha * (self.memory.pool - self.memory.shared))

    def enqueued(self, queue: Queue, packet: Packet, now: int) -> None:
        self.memory.notes[packet.flow] = (self._first(packet, now), now)

    def dropped(self, queue: Queue, packet: Packet, now: int) -> None:
        self.enqueued(queue, packet, now)
