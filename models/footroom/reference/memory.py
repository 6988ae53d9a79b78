"""The packet memory of a switch, and the rules for sharing it among its queues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footroom.errors import Unsupported
from footroom.sharing import Complete, DynamicThreshold, Policy, Static

#: Most bytes of the shared pool one queue may hold, given the state before the packet is accepted.
Limit = Callable[["Memory"], int]


@dataclass(slots=True)
class Queue:
    """What one queue holds. reserved: bytes that nobody else may take.  bytes: waiting now."""

    reserved: int
    bytes: int = 0

    def excess(self, more: int = 0) -> int:
        """Bytes beyond the reservation, with ``more`` bytes added: what the queue takes of the shared pool."""
        return max(0, self.bytes + more - self.reserved)


class Memory:
    """One switch's memory. buffer: all of it [B]; reserved: of each of its ``queues`` queues [B]."""

    def __init__(self, buffer: int, reserved: int, queues: int, policy: Policy) -> None:
        self.pool = buffer - reserved * queues
        self.queues = queues
        self.shared = 0
        self._limit = limit_of(policy)

    def admit(self, queue: Queue, size: int) -> bool:
        """Take in ``size`` bytes if the policy allows; False leaves everything as it was."""
        excess = queue.excess(size)
        grow = excess - queue.excess()
        if grow > 0 and (self.shared + grow > self.pool or excess > self._limit(self)):
            return False
        self.shared += grow
        queue.bytes += size
        return True

    def release(self, queue: Queue, size: int) -> None:
        """Give back ``size`` bytes: their transmission begins."""
        before = queue.excess()
        queue.bytes -= size
        self.shared -= before - queue.excess()


def _complete(memory: Memory, _: Complete) -> int:
    return memory.pool


def _static(memory: Memory, policy: Static) -> int:
    return int(policy.per_queue) if policy.per_queue is not None else memory.pool // memory.queues


def _dynamic_threshold(memory: Memory, policy: DynamicThreshold) -> int:
    return int(policy.alpha * (memory.pool - memory.shared))


_LIMITS: dict[type[Policy], Callable[[Memory, Any], int]] = {
    Complete: _complete, Static: _static, DynamicThreshold: _dynamic_threshold}


def limit_of(policy: Policy) -> Limit:
    """The rule of ``policy`` in plain Python. Raises Unsupported for one this engine does not know."""
    if type(policy) not in _LIMITS:
        raise Unsupported(f'the reference engine does not know the sharing policy "{policy.kind}"',
                          path="switch.sharing.kind", given=policy.kind, engines=("packet",))
    rule = _LIMITS[type(policy)]
    return lambda memory: rule(memory, policy)
