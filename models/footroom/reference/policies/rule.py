"""What a sharing policy is to this engine."""

from __future__ import annotations

from typing import Any, Protocol

from footroom.reference.packet import Packet
from footroom.reference.queue import Queue


class Pool(Protocol):
    """What a rule may see of the memory it rules (footroom.reference.memory.Memory).

    buffer: all of it [B].  pool: without the reserved parts [B].  shared: bytes of the pool in use.  queues: how many
    share it.  notes: what rules remember of flows, by number; the same in all memories of a network.
    """

    buffer: int
    pool: int
    shared: int
    queues: int
    notes: dict[int, Any]


class Rule:
    """One policy in one memory. State of a queue may be kept in a dict by the queue, that of a flow in memory.notes.

    Each method is told the queue, the packet and the time [ps]; packet.flow is the number of its flow. A packet that
    finds its port idle is sent at once and comes to no rule.
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
