"""Setting up a connection packet by packet, as in RFC 6298 and Linux; see ``packet.connection_setup``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from footroom.engines.plan import SECOND, Plan
from footroom.engines.reference.clock import Clock
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.ticks import Ticks


def request_of(plan: Plan, number: int) -> Packet:
    """What asks for the connection of flow ``number``."""
    stack = plan.stacks[int(plan.flow_stack[number])]
    return Packet(
        number,
        False,
        0,
        plan.sized(stack.overhead),
        int(plan.flow_forward[number]),
        0,
        klass=int(plan.flow_priority[number]),
        ect=stack.ecn and stack.law.accurate_echo,
        setup=True,
    )


class Setup:
    """The set-up of one connection. send: puts a packet on its way.  request: what asks for the connection.

    tries: requests sent.  trip: round trip of the request that was answered first [ps], None until then.
    again: when the request is due to be sent again, or for the first time; None when it never is.
    retries: requests after the first, since the window opened.
    """

    def __init__(self, request: Packet, clock: Clock, ticks: Ticks, send: Callable[[Packet], None]) -> None:
        self._request, self._clock, self._ticks, self._send = request, clock, ticks, send
        self.tries = self.retries = 0
        self.trip: int | None = None
        self.again: int | None = None

    def ask(self) -> None:
        """Send the request; it waits for an answer twice as long as the one before, 1 s at first and 64 s at most."""
        now = self._clock.time
        if self.tries:
            self.retries += self._clock.measuring
        self.again = self._ticks.rings(now, SECOND * min(2**self.tries, 64))
        self.tries += 1
        self._send(replace(self._request, stamp=now))

    def answered(self, packet: Packet) -> bool:
        """Take in an answer. Returns whether it sets up the connection, as only the first does."""
        if self.trip is not None:
            return False
        self.trip = self._clock.time - packet.stamp
        self.again = None
        return True
