"""What a sharing policy is to this engine."""

from __future__ import annotations

from typing import Any, Protocol

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.queue import Queue


class Pool(Protocol):
    """What a rule may see of its memory (footroom.engines.reference.memory.Memory).

    buffer: all of it [B].  pool: without the reserved parts [B].  shared: bytes of the pool in use.  queues: how many
    share it.  gap: bytes of a link between two packets.
    """

    buffer: int
    pool: int
    shared: int
    queues: int
    gap: int

    def taken(self, packet: Packet) -> int:
        """Bytes of it that ``packet`` takes."""


class Rule:
    """One policy in one memory. State of a queue may be kept in a dict by the queue.

    Each method is told the queue, the packet and the time [ps]; packet.flow is the number of its flow. Of a packet that
    finds its port idle, and so is sent at once, only ``passed`` is told.
    """

    def __init__(self, policy: Any, memory: Pool) -> None:
        self.policy, self.memory = policy, memory

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        """Most bytes of the pool ``queue`` may hold, the arriving packet included; asked before it is charged."""
        raise NotImplementedError

    def enqueued(self, queue: Queue, packet: Packet, now: int) -> None:
        """The packet has been charged."""

    def dequeued(self, queue: Queue, packet: Packet, now: int) -> None:
        """The packet has been released: its transmission begins."""

    def dropped(self, queue: Queue, packet: Packet, now: int) -> None:
        """The packet was refused, by this rule or for any other reason."""

    def passed(self, queue: Queue, packet: Packet, now: int) -> None:
        """The packet found its port idle: it never waits in ``queue``."""
