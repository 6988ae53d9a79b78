"""One direction of a link: the transmitter, its queue, and the wire to the far end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from footroom.engines.plan import Plan
from footroom.engines.plan.lossless import PAUSE_FRAME
from footroom.engines.reference.clock import Alarm, Clock
from footroom.engines.reference.host import HostQueues
from footroom.engines.reference.meter import Meter
from footroom.engines.reference.packet import Hop, Packet, PauseFrame, Trace
from footroom.engines.reference.pause_story import PauseStory
from footroom.engines.reference.pauses import Pauses, Stop
from footroom.engines.reference.ranks import Kind
from footroom.engines.reference.splitmix import fractions
from footroom.engines.reference.switch import Output, Verdict


class Port:
    """The sending side of one direction of a link.

    output: its part of the switch; None at a host, which has room for everything. A packet that finds the transmitter
    idle never occupies memory; any other waits if the switch takes it and gives its memory back when its transmission
    begins. A switch that keeps memory charges all packets and frees them when their transmission ends.
    wait: called when a packet joins (1) or leaves (-1) a host's queue.
    story: the record of how pauses spread, if it is kept.
    pauses: classes that the node at the other end has paused.  frames: pause frames that go before any packet.
    """

    def __init__(
        self,
        number: int,
        plan: Plan,
        clock: Clock,
        output: Output | None,
        meter: Meter | None,
        trace: Trace | None,
        arrive: Callable[[Port, Packet | PauseFrame], None],
        wait: Callable[[Packet, int], None],
    ) -> None:
        self.number = number
        self.clock = clock
        self.output = output
        self._keeps = output is not None and output.keeps
        self.meter = meter
        self._probing = plan.probing if meter is not None else None
        self.trace = trace
        self.arrive = arrive
        self.wait = wait
        self.picoseconds_per_byte = int(plan.picoseconds_per_byte[number])
        self.gap = plan.framing.gap
        self.delay = int(plan.port_delay[number])
        self.jitter = int(plan.port_jitter[number])
        self.random = fractions(int(plan.port_seed[number]))
        self.host = HostQueues(plan)
        self.waiting = 0  # packets
        self.bytes = 0  # waiting
        self.stands_since = 0  # when the first of them came
        self._sent = 0  # bytes of packets and gaps
        self.busy_until = 0
        self.wire: deque[tuple[int, Packet | PauseFrame]] = deque()
        self.last_arrival = 0
        self.dropped = 0
        self.transmitter = Alarm(clock, Kind.TRANSMITTER.of(number), self._transmission_ended)
        self.far_end = Alarm(clock, Kind.WIRE.of(number), self._arrive)
        self.pauses = Pauses(number, plan, clock, self._wake, self._note)
        self.story: PauseStory | None = None
        self.frames: deque[PauseFrame] = deque()
        self._choosing = False  # the packet that is sent next is being taken out of its queue

    @property
    def _idle(self) -> bool:
        """Whether nothing is being sent, or about to be."""
        return self.clock.time >= self.busy_until and not self.transmitter.is_set and not self._choosing

    def offer(self, packet: Packet, card: int = 0) -> None:
        """Send ``packet``, come in by line card ``card``: now, later, or not at all."""
        now = packet.came = self.clock.time
        self._record(now, "arrival", packet)
        if self.story is not None and self.output is not None:
            self.story.bound = self.number, packet.klass
        counted = self._probing is not None and not self._probing[packet.flow]
        if self.meter is not None and counted:
            self.meter.offered(now)
        at_once = self._idle and not self._waits(packet, card) and not self.pauses.hold(packet.klass)
        if at_once and not self._keeps:
            if self.output is not None:
                self.output.passed(packet, card, now)
            self._transmit(packet)
        elif self._admit(packet, card):
            self._queue_changed(self._taken(packet, card))
            if at_once:
                assert self.output is not None
                self.output.begin(packet, card)
                self._transmit(packet)
                self.transmitter.set(self.busy_until)
                return
            self.waiting += 1
            if self.story is not None:
                self.story.joined(self.number, packet, now)
            if now < self.busy_until and not self.transmitter.is_set:
                self.transmitter.set(self.busy_until)
        else:
            self.dropped += 1
            self._record(now, "drop", packet)
            if self.meter is not None and counted:
                self.meter.dropped(now)

    def wait_of(self, klass: int, before: int) -> int:
        """How long a packet of ``klass`` that came now would wait [ps], if none came after it.

        Nothing, where the port's queue was empty at any time after ``before``.
        """
        if self.bytes and self.stands_since > before:
            return 0
        waiting = self.bytes if self.output is None else sum(queue.bytes for queue in self.output.ahead_of(klass))
        return (waiting * self.picoseconds_per_byte) >> 16

    def send_frame(self, frame: PauseFrame) -> None:
        """Send a pause frame: now, or once the packet being sent has left, with the newest state."""
        for place, other in enumerate(self.frames):
            if other.klass == frame.klass:
                self.frames[place] = frame
                return
        self.frames.append(frame)
        if self._idle:
            self._serve()
        elif not self._choosing:
            self.transmitter.set(self.busy_until)

    def _waits(self, packet: Packet, card: int) -> bool:
        """Whether packets wait that must be sent before ``packet``: of its class, come in by any card."""
        if self.output is None:
            return bool(self.host.queue(packet.klass).waiting)
        return self.output.waits(packet.klass)

    def _admit(self, packet: Packet, card: int) -> bool:
        if self.output is None:
            self.host.queue(packet.klass).put(packet, packet.size)
            self.wait(packet, 1)
            return True
        verdict = self.output.admit(packet, card, self.clock.time)
        if verdict is Verdict.WAITS_MARKED and self.meter is not None:
            self.meter.marked(self.clock.time)
        return verdict is not Verdict.DROPPED

    def _taken(self, packet: Packet, card: int) -> int:
        return packet.size if self.output is None else self.output.memories[card].taken(packet)

    def _transmission_ended(self) -> None:
        if self._keeps:
            assert self.output is not None
            self._choosing = True
            self._queue_changed(-self.output.end(self.clock.time))
            self._choosing = False
        self._serve()

    def _note(self, stop: Stop, holds: bool) -> None:
        """A pause begins or ceases to hold."""
        if self.story is None:
            return
        if holds:
            queues = self.host.queues if self.output is None else [q for card in self.output.queues for q in card]
            waiting = (packet for queue in queues for packet in queue.waiting)
            self.story.began(self.number, stop.pause, stop.classes, waiting, self.clock.time)
        else:
            self.story.over(self.number, stop.pause, self.clock.time)

    def _wake(self) -> None:
        """A pause is over."""
        if self._idle:
            self._serve()
        elif self.waiting and not self._choosing and not self.transmitter.is_set:
            self.transmitter.set(self.busy_until)

    def _serve(self) -> None:
        """Send what comes next: a pause frame, or a packet of a class that may be sent."""
        if self.frames:
            self._transmit_frame(self.frames.popleft())
        elif not self.waiting or not self._transmit_next():
            return
        if self.waiting or self._keeps or self.frames:
            self.transmitter.set(self.busy_until)

    def _transmit_next(self) -> bool:
        """Send the packet that is next by its class; False where none of those that wait may be sent."""
        self._choosing = True
        if self.output is None:
            packet = self.host.release(self.pauses.hold)
            size = 0 if packet is None else packet.size
        else:
            packet, size = self.output.release(self.clock.time, self.pauses.hold)
        self._choosing = False
        if packet is None:
            return False
        self.waiting -= 1
        self._queue_changed(-size)
        if self.output is not None and self.output.just_marked and self.meter is not None:
            self.meter.marked(self.clock.time)
        self._transmit(packet)
        if self.output is None:
            self.wait(packet, -1)
        return True

    def _transmit(self, packet: Packet) -> None:
        now = self.clock.time
        if self.output is not None and packet.telemetry is not None and packet.sort in (0, 4):
            behind = self.bytes - (self._taken(packet, 0) if self._keeps else 0)
            packet.telemetry += (Hop(now, self._sent, behind, self.picoseconds_per_byte / 65536),)
        self._sent += packet.size + self.gap
        self.busy_until = now + (((packet.size + self.gap) * self.picoseconds_per_byte) >> 16)
        self._record(self.busy_until, "departure", packet)
        if self.meter is not None:
            self.meter.sent(now, self.busy_until, packet.size + self.gap)
        # Processing time varies from packet to packet but never changes their order.
        extra = int(next(self.random) * (self.jitter + 1)) if self.jitter > 0 else 0
        self._put_on_wire(packet, extra)

    def _transmit_frame(self, frame: PauseFrame) -> None:
        self.busy_until = self.clock.time + ((PAUSE_FRAME * self.picoseconds_per_byte) >> 16)
        self._put_on_wire(frame, 0)

    def _put_on_wire(self, packet: Packet | PauseFrame, extra: int) -> None:
        self.last_arrival = max(self.last_arrival, self.busy_until + self.delay + extra)
        self.wire.append((self.last_arrival, packet))
        if len(self.wire) == 1:
            self.far_end.set(self.last_arrival)

    def _arrive(self) -> None:
        _, packet = self.wire.popleft()
        if self.wire:
            self.far_end.set(self.wire[0][0])
        self.arrive(self, packet)

    def _queue_changed(self, more: int) -> None:
        if self.bytes == 0:
            self.stands_since = self.clock.time
        self.bytes += more
        if self.meter is not None:
            self.meter.queue(self.clock.time, self.bytes)

    def _record(self, time: int, what: str, packet: Packet) -> None:
        if self.trace is not None:
            self.trace.append((time, what, self.number, packet.flow, packet.sort, packet.seq))
