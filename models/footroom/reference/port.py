"""A port: queue, transmitter and the wire behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from footroom.plan import Plan
from footroom.reference.clock import Alarm, Clock
from footroom.reference.memory import Memory, Queue
from footroom.reference.meter import Meter
from footroom.reference.packet import Packet, Trace

_WORD = 2**64 - 1


def splitmix64(state: int) -> Iterator[int]:
    """Endless 64-bit random numbers (Steele, Lea and Flood, OOPSLA 2014, fig. 16)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        yield z ^ (z >> 31)


class Port:
    """The sending side of one direction of a link.

    A packet that finds the transmitter idle never occupies memory; any other waits in the queue if the switch's
    memory takes it (a host's always does) and gives its memory back when its transmission begins.
    """

    def __init__(self, number: int, plan: Plan, clock: Clock, memory: Memory | None, meter: Meter | None,
                 trace: Trace | None, arrive: Callable[[Port, Packet], None],
                 wait: Callable[[Packet, int], None]) -> None:
        self.number = number
        self.clock = clock
        self.memory = memory
        self.meter = meter
        self.trace = trace
        self.arrive = arrive
        self.wait = wait
        self.picoseconds_per_byte = int(plan.picoseconds_per_byte[number])
        self.delay = int(plan.port_delay[number])
        self.jitter = int(plan.port_jitter[number])
        self.random = splitmix64(int(plan.port_seed[number]))
        self.queue = Queue(int(plan.settings[plan.port_switch[number]].reserved) if memory is not None else 0)
        self.waiting: deque[Packet] = deque()
        self.busy_until = 0
        self.wire: deque[tuple[int, Packet]] = deque()
        self.last_arrival = 0
        self.dropped = 0
        self.transmitter = Alarm(clock, number, self._transmit_next)
        self.far_end = Alarm(clock, plan.ports + number, self._arrive)

    def offer(self, packet: Packet) -> None:
        """Send ``packet``: now, later, or not at all."""
        now = self.clock.time
        self._record(now, "arrival", packet)
        if self.meter is not None:
            self.meter.offered(now)
        if not self.waiting and now >= self.busy_until:
            self._transmit(packet)
        elif self._admit(packet.size):
            self.waiting.append(packet)
            if self.memory is None:
                self.wait(packet, 1)
            if len(self.waiting) == 1:
                self.transmitter.set(self.busy_until)
        else:
            self.dropped += 1
            self._record(now, "drop", packet)
            if self.meter is not None:
                self.meter.dropped(now)

    def _admit(self, size: int) -> bool:
        if self.memory is None:
            self.queue.bytes += size
        elif not self.memory.admit(self.queue, size):
            return False
        self._queue_changed()
        return True

    def _transmit_next(self) -> None:
        packet = self.waiting.popleft()
        if self.memory is None:
            self.queue.bytes -= packet.size
        else:
            self.memory.release(self.queue, packet.size)
        self._queue_changed()
        self._transmit(packet)
        if self.waiting:
            self.transmitter.set(self.busy_until)
        if self.memory is None:
            self.wait(packet, -1)

    def _transmit(self, packet: Packet) -> None:
        now = self.clock.time
        self.busy_until = now + ((packet.size * self.picoseconds_per_byte) >> 16)
        self._record(self.busy_until, "departure", packet)
        if self.meter is not None:
            self.meter.sent(now, self.busy_until, packet.size)
        # Processing time varies from packet to packet but never changes their order.
        extra = int((next(self.random) >> 11) * 2.0**-53 * (self.jitter + 1)) if self.jitter > 0 else 0
        self.last_arrival = max(self.last_arrival, self.busy_until + self.delay + extra)
        self.wire.append((self.last_arrival, packet))
        if len(self.wire) == 1:
            self.far_end.set(self.last_arrival)

    def _arrive(self) -> None:
        _, packet = self.wire.popleft()
        if self.wire:
            self.far_end.set(self.wire[0][0])
        self.arrive(self, packet)

    def _queue_changed(self) -> None:
        if self.meter is not None:
            self.meter.queue(self.clock.time, self.queue.bytes)

    def _record(self, time: int, what: str, packet: Packet) -> None:
        if self.trace is not None:
            self.trace.append((time, what, self.number, packet.flow, int(packet.ack), packet.seq))
