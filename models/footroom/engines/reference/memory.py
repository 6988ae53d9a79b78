"""A packet memory: that of a switch, or of one of its line cards."""

from __future__ import annotations

import math

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies import rule_of
from footroom.engines.reference.queue import Queue
from footroom.parts.sharing import Policy


class Memory:
    """buffer: total [B]; reserved: for each of its ``queues`` queues [B]; cell: packets take whole cells of so many
    bytes; gap: bytes of a link between two packets; pool: shared memory [B] where that is not all the rest;
    spare: part of the pool that is never shared [B].

    queues: those that the policy governs: queues of lossless classes are not among them.  total: bytes of all packets
    in it, also of lossless classes.
    """

    def __init__(
        self,
        buffer: int,
        reserved: int,
        queues: int,
        policy: Policy,
        *,
        cell: int = 1,
        gap: int = 0,
        pool: int | None = None,
        spare: int = 0,
    ) -> None:
        self.buffer = buffer
        self.pool = buffer - reserved * queues if pool is None else pool
        self.spare = spare
        self.total = 0
        self.queues = queues
        self.cell, self.gap = cell, gap
        self.shared = 0
        self._rule = rule_of(policy, self)

    def taken(self, packet: Packet) -> int:
        """Bytes that ``packet`` takes."""
        return math.ceil(packet.size / self.cell) * self.cell

    def admit(self, queue: Queue, packet: Packet, now: int) -> bool:
        """Put ``packet`` into ``queue`` if there is room and the policy allows; False leaves everything as it was."""
        size = self.taken(packet)
        excess = queue.excess(size)
        grow = excess - queue.excess()
        if not queue.has_room(size) or self.total + size > self.buffer:
            return False
        if grow > 0 and not self._allows(queue, packet, now, excess, grow):
            return False
        self.shared += grow
        self.total += size
        queue.put(packet, size)
        self._rule.enqueued(queue, packet, now)
        return True

    def _allows(self, queue: Queue, packet: Packet, now: int, excess: int, grow: int) -> bool:
        return self.shared + grow <= self.pool - self.spare and excess <= self._rule.limit(queue, packet, now)

    def release(self, queue: Queue, now: int) -> Packet:
        """Take the oldest packet out of ``queue``, and free its memory."""
        packet = queue.waiting.popleft()
        self.free(queue, packet, now)
        return packet

    def free(self, queue: Queue, packet: Packet, now: int) -> None:
        """Free the memory of ``packet``, which has left ``queue``."""
        before = queue.excess()
        queue.free(self.taken(packet))
        self.total -= self.taken(packet)
        self.shared -= before - queue.excess()
        self._rule.dequeued(queue, packet, now)

    def refused(self, queue: Queue, packet: Packet, now: int) -> None:
        """``packet`` was dropped instead of joining ``queue``."""
        self._rule.dropped(queue, packet, now)

    def passed(self, queue: Queue, packet: Packet, now: int) -> None:
        """``packet`` found its port idle and does not join ``queue``."""
        self._rule.passed(queue, packet, now)
