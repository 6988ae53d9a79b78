"""FAB: what flows have sent of late."""

from __future__ import annotations

from typing import Any

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies.rule import Pool, Rule
from footroom.engines.reference.queue import Queue


class FabRule(Rule):
    """Dynamic threshold by the bytes of the flow that have arrived of late."""

    def __init__(self, policy: Any, memory: Pool) -> None:
        super().__init__(policy, memory)
        self._recent: dict[tuple[int, bool], tuple[int, int]] = {}  # bytes, and when the last of them came

    def _with(self, packet: Packet, now: int) -> int:
        """Recent bytes of the flow, ``packet`` included."""
        count, last = self._recent.get((packet.flow, packet.ack), (0, 0))
        return packet.size + (count if now - last <= self.policy.idle * 1e12 else 0)

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        small = self._with(packet, now) < self.policy.recent
        alpha = self.policy.small_alpha if small else self.policy.alpha
        return int(alpha * (self.memory.pool - self.memory.shared))

    def _arrived(self, queue: Queue, packet: Packet, now: int) -> None:
        self._recent[packet.flow, packet.ack] = (self._with(packet, now), now)

    enqueued = dropped = passed = _arrived
