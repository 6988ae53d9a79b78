"""A flow: its sender, its receiver and the timer they share."""

from __future__ import annotations

from collections.abc import Callable

from footroom.errors import Unsupported
from footroom.kernel.tables import ACK_SIZE
from footroom.plan import Plan
from footroom.reference.clock import Alarm, Clock
from footroom.reference.packet import Packet
from footroom.reference.receiver import Receiver
from footroom.reference.recovery import STYLES


class Flow:
    """Flow ``number`` of the plan. launch: hands a packet to the port at its ``hop``."""

    def __init__(self, number: int, plan: Plan, clock: Clock, launch: Callable[[Packet], None]) -> None:
        self.number = number
        self.stack = plan.stacks[int(plan.flow_stack[number])]
        self.start_at = int(plan.flow_start[number])
        self.bytes = int(plan.flow_bytes[number])
        self._forward, self._reverse = int(plan.flow_forward[number]), int(plan.flow_reverse[number])
        self._clock, self._launch = clock, launch
        if self.stack.recovery not in STYLES:
            raise Unsupported(f'the reference engine does not know the recovery "{self.stack.recovery}"',
                              path="traffic.host.recovery", given=self.stack.recovery, engines=("packet",))
        segments = int(plan.flow_segments[number])
        self.sender = STYLES[self.stack.recovery](
            self.stack, segments, int(plan.flow_last_size[number]), clock, self._emit)
        self.receiver = Receiver(self.stack, segments, clock, self._acknowledge)
        self._timer = Alarm(clock, 2 * plan.ports + number, self._on_timer)

    def start(self) -> None:
        """Begin to send."""
        self.sender.start()
        self._set_timer()

    def deliver(self, packet: Packet) -> None:
        """A packet reached its host: data the receiver, an acknowledgement the sender."""
        if packet.ack:
            self.sender.on_ack(packet)
        else:
            self.receiver.on_data(packet)
        self._set_timer()

    def wait_at_host(self, change: int) -> None:
        """One data packet more or less waits in the host's own queue."""
        self.sender.on_host_queue(change)
        self._set_timer()

    def delivered_bytes(self) -> int:
        """Payload put in order since the window opened [B]."""
        full = self.receiver.delivered * self.stack.payload
        if self.bytes < 0 or self.receiver.delivered == 0 or self.receiver.expected < self.receiver.segments:
            return full
        return full - (self.receiver.segments * self.stack.payload - self.bytes)

    def _on_timer(self) -> None:
        now = self._clock.time
        if self.receiver.ack_at is not None and self.receiver.ack_at <= now:
            self.receiver.on_delay()
        self.sender.on_timer()
        self._set_timer()

    def _set_timer(self) -> None:
        times = [t for t in (self.receiver.ack_at, self.sender.deadline()) if t is not None]
        self._timer.set(min(times, default=None))

    def _emit(self, seq: int, size: int) -> None:
        self._launch(Packet(self.number, False, seq, size, self._forward, self._clock.time))

    def _acknowledge(self, expected: int, stamp: int, left: int, right: int) -> None:
        self._launch(Packet(self.number, True, expected, ACK_SIZE, self._reverse, stamp, left, right))
