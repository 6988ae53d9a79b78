"""What a sharing policy is to the packet engine: functions called by address for packets that must wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from footroom.base.component import Component
from footroom.kernel.hooks import Hook


class Policy(Component):
    """Base of the sharing policies. All of them keep the total within the memory; only a queue's own limit differs.

    Hooks are ``footroom.kernel.hooks.policy_hook``s. A packet that finds its port idle is sent at once and never
    occupies the memory; of the hooks only ``on_pass`` is told. Where ``switch.release`` is ``end`` it is charged and
    reaches the hooks like any other.

    ``size`` is the memory that a packet takes [B]; ``row(packet).size`` is its own size [B].

    counts: unit and title of every number that ``observe`` returns.
    """

    #: A policy is written for the packet engine; a policy that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)
    counts: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def limit(self) -> Hook:
        """Most shared bytes, the arriving packet included, that the queue may hold beyond what is reserved for it."""
        raise NotImplementedError

    def on_enqueue(self) -> Hook | None:
        """Called once a packet has been charged."""
        return None

    def on_dequeue(self) -> Hook | None:
        """Called once a packet has been released: its transmission begins, or has ended."""
        return None

    def on_drop(self) -> Hook | None:
        """Called when a packet is refused, whoever refused it."""
        return None

    def on_pass(self) -> Hook | None:
        """Called when a packet finds its port idle: it is sent at once and never charged."""
        return None

    def parameters(self) -> tuple[float, ...]:
        """The compiled functions' parameter array."""
        return (0.0,)

    def scratch(self, queues: int, flows: int) -> int:
        """Float64 words of the policy's own memory per switch memory; they begin as 0.

        queues: how many share the memory.  flows: how many, numbered from 0 in ``packet.flow``. A packet whose flow is
        ``flows`` itself belongs to an unknown flow.
        """
        return 0

    def observe(self, scratch: Any) -> dict[str, float]:
        """What the policy has counted, by the names of ``counts``, from its own memory as an array of float64."""
        return {}

    def count_anew(self, scratch: Any) -> None:
        """Reset what ``observe`` counts: the measured time starts. What was learnt stays."""

    def lone_limit(self, pool: float, queues: int) -> float:
        """Most bytes one queue can hold when all others are empty; pool [B], queues sharing it [1]."""
        raise NotImplementedError
