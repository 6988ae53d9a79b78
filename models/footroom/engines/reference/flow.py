"""A flow: its sender, its receiver and the timer they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from footroom.base.errors import Unsupported
from footroom.base.rng import LAW_STEP, word
from footroom.engines.plan import Plan
from footroom.engines.reference.allotment import Interface, Window
from footroom.engines.reference.clock import Alarm, Clock
from footroom.engines.reference.connection_setup import Setup, request_of
from footroom.engines.reference.hpcc import HpccOverTcp
from footroom.engines.reference.packet import Hop, Packet
from footroom.engines.reference.ranks import Kind
from footroom.engines.reference.rate_law import Line
from footroom.engines.reference.rdma import RDMA_STYLES, RdmaSender
from footroom.engines.reference.receiver import Receiver
from footroom.engines.reference.recovery import STYLES
from footroom.engines.reference.sender import Sender
from footroom.engines.reference.splitmix import fractions
from footroom.engines.reference.ticks import Ticks
from footroom.parts.congestion import Ictcp


class Flow:
    """Flow ``number`` of the plan. launch: hands a packet to the port at its ``hop``; ended: its last segment has been
    acknowledged; wait: time that a packet of a class would spend in queues now on the route that begins at a hop [ps].
    before: the flow on whose connection it runs, none for a connection of its own.

    start_at: when it is asked for [ps]; its first data follows ``lead`` later, when its connection stands.
    """

    def __init__(
        self,
        number: int,
        plan: Plan,
        clock: Clock,
        launch: Callable[[Packet], None],
        ended: Callable[[Flow], None],
        wait: Callable[[int, int, int], int],
        hosts: dict[int, Interface],
        before: Flow | None = None,
    ) -> None:
        self.number = number
        self.entry = int(plan.flow_stack[number])
        self.stack = plan.stacks[self.entry]
        self.start_at = int(plan.flow_start[number])
        self.bytes = int(plan.flow_bytes[number])
        self._forward, self._reverse = int(plan.flow_forward[number]), int(plan.flow_reverse[number])
        self.next, self._gap = int(plan.flow_next[number]), int(plan.flow_gap[number])
        self._ack_size = plan.sized(self.stack.overhead)
        # A law that does not react to marks does not set ECT.
        self._ect = self.stack.ecn and (self.stack.rdma or self.stack.law.hooks().on_ecn is not None)
        self._lead, self._window = int(plan.flow_lead[number]), float(plan.flow_window[number])
        self._klass, self._ack_klass = int(plan.flow_priority[number]), int(plan.flow_ack_priority[number])
        self._begins: int | None = None
        self._before, self._waits = before, False
        self.successor: Flow | None = None
        if before is not None:
            before.successor = self
        self._clock, self._launch, self._ended, self._wait = clock, launch, ended, wait
        self.answers: list[int] = []  # when each query was answered [ps], where it carries a stream of them
        self.rdma: RdmaSender | None = None  # the sender, where the host runs RDMA
        self.setup: Setup | None = None  # where packets set up its connection
        if self.stack.rdma:
            self._use_rdma(plan)
            return
        if self.stack.recovery not in STYLES:
            raise Unsupported(
                f'the reference engine does not know the recovery "{self.stack.recovery}"',
                path="traffic.host.recovery",
                given=self.stack.recovery,
                engines=("packet",),
            )
        segments = int(plan.flow_segments[number])
        ticks = Ticks.of(int(self.stack.timer_tick), int(plan.flow_clock[number]))
        self.sender: Sender = STYLES[self.stack.recovery](
            self.stack,
            segments,
            int(plan.flow_last_size[number]),
            int(plan.flow_rto[number]),
            int(plan.flow_handshake[number]),
            clock,
            ticks,
            self._emit,
        )
        if plan.flow_setup[number]:
            self.setup = Setup(request_of(plan, number), clock, ticks, launch)
        if self.sender.sampled is not None:
            state = (word(plan.seed, "laws") + number * LAW_STEP) % 2**64
            self.sender.sampled.draws = fractions(state)
        if isinstance(self.sender.law, HpccOverTcp):
            self.sender.law.attach(self._line(plan))
            self._probe_size = plan.sized(self.stack.law.overhead())
            self.sender.ask = self._ask if self.stack.telemetry == "probe" else None
        self.receiver: Receiver = Receiver(
            self.stack, segments, clock, self._acknowledge, lambda: self.sender.rtt.smoothed
        )
        self._host = hosts[int(plan.flow_destination[number])]
        if isinstance(self.stack.law, Ictcp):
            self.sender.allotted = Window(
                self.stack.law, self._host, self.stack.segment, int(plan.flow_handshake[number])
            )
        self._timer = Alarm(clock, Kind.FLOW.of(number), self._on_timer)

    def _line(self, plan: Plan) -> Line:
        path: list[int] = []
        while (port := int(plan.routes[self._forward + len(path)])) >= 0:
            path.append(port)
        return Line(
            float(plan.port_rate[path[0]]),
            self.stack.base_rtt,
            self.stack.segment + plan.framing.gap,
            sum(int(plan.port_switch[port]) >= 0 for port in path),
        )

    def _use_rdma(self, plan: Plan) -> None:
        """Sender and receiver of an RDMA host, at the rate of its link."""
        number, segments = self.number, int(plan.flow_segments[self.number])
        line = self._line(plan)
        sender, receiver = RDMA_STYLES[self.stack.recovery]
        self.rdma = sender(
            self.stack,
            segments,
            int(plan.flow_last_size[number]),
            int(plan.flow_rto[number]),
            line,
            plan.framing.gap,
            self._clock,
            self._emit,
        )
        self.sender = self.rdma  # type: ignore[assignment]  # has what a flow and the metrics ask
        self.receiver = receiver(  # type: ignore[assignment]
            self.stack, segments, self._clock, self._answer, self._notify
        )
        self._timer = Alarm(self._clock, Kind.FLOW.of(number), self._on_timer)
        self._law_timer = Alarm(self._clock, Kind.LAW.of(number), self._on_law_timer)

    def start(self) -> None:
        """Set up the connection, or begin to send where that takes no time."""
        if self._before is not None and self._before.sender.end is None:
            self._waits = True
            return
        if self._lead > 0:
            self._begins = self.start_at + self._lead
        elif self.setup is not None:
            self.setup.ask()
            self._begins = self.setup.again
        else:
            self._begin()
        self._set_timer()

    def _begin(self) -> None:
        """Send the first data."""
        if self.setup is not None:
            self._begin_as_set_up(self.setup)
            return
        if self._before is None:
            if self.rdma is None:
                began = self._clock.time  # or when the first packet of the set-up left
                if self.stack.timer_tick:
                    began -= self.sender.handshake
                self.sender.shake_hands(
                    self._wait(self._forward, self._klass, began) + self._wait(self._reverse, self._ack_klass, began)
                )
                if self.sender.allotted is not None:
                    self.sender.allotted.trip = max(self.sender.allotted.trip, float(self.sender.handshake))
            self.sender.start(self._window)
            return
        self.receiver.resume(self._before.receiver)
        if self.rdma is None and self.sender.allotted is not None and self._before.sender.allotted is not None:
            self.sender.allotted.resume(self._before.sender.allotted)
        self.sender.resume(self._before.sender)

    def _begin_as_set_up(self, setup: Setup) -> None:
        """Send the first data over a connection that packets have set up."""
        assert setup.trip is not None
        self.start_at = self._clock.time
        self.sender.stand(setup.trip, setup.tries)
        if self.sender.allotted is not None:
            self.sender.allotted.trip = max(self.sender.allotted.trip, float(self.sender.handshake))
        self.sender.start(self._window)

    def stop(self, when: int) -> None:
        """There is no more data from time ``when`` [ps] on."""
        sender = self.sender
        sender.segments = self.receiver.segments = sender.top
        if sender.una == sender.top and sender.end is None:
            sender.end = when
            self._set_timer()

    def freed(self) -> None:
        """The flow before this one on the same connection has just ended."""
        if self._waits:
            self._begins = self._clock.time
            self._set_timer()

    def follow(self) -> None:
        """What this flow waits for has just ended: the flow before it, or the query before its own."""
        self.start_at = self._clock.time + self._gap
        self._begins = self.start_at + self._lead
        self._set_timer()

    def deliver(self, packet: Packet) -> None:
        """A packet reached its host: data the receiver, an acknowledgement or a notification the sender."""
        if packet.notice:
            assert self.rdma is not None
            self.rdma.on_notice()
        elif packet.setup:
            self._take_setup(packet)
        elif packet.probe:
            if packet.ack:
                self.sender.on_reply(packet)
            else:
                self._launch(
                    replace(
                        packet,
                        ack=True,
                        hop=self._reverse,
                        klass=self._ack_klass,
                        marked=False,
                        ect=self.stack.ecn and self.stack.law.accurate_echo,
                    )
                )
        elif packet.ack:
            if self.rdma is None and self.sender.allotted is not None and self.sender.end is None:
                window = self.sender.allotted
                window.edge, window.heard = max(window.edge, packet.edge), max(window.heard, packet.at)
            under_way, before = self.sender.end is None, self.sender.una
            self.sender.on_ack(packet)
            if self.stack.query > 0:
                answered = self.sender.una // self.stack.query - before // self.stack.query
                self.answers += [self._clock.time] * answered
            if under_way and self.sender.end is not None:
                self._ended(self)
        elif self.rdma is None and self.sender.end is None:
            self._take(packet)
        else:
            self.receiver.on_data(packet)
        self._set_timer()

    def _take_setup(self, packet: Packet) -> None:
        """A packet that sets up the connection, or the answer to it, reached its host."""
        assert self.setup is not None
        if not packet.ack:
            self._launch(replace(packet, ack=True, hop=self._reverse, klass=self._ack_klass))
        elif self.setup.answered(packet):
            self._begins = None
            self._begin()

    def _take(self, packet: Packet) -> None:
        """A data segment over TCP reached its host."""
        window = self.sender.allotted
        if window is None:
            self._host.count(packet.size)
            self.receiver.on_data(packet)
            return
        window.arrive(packet.size, packet.at, self._clock.time)
        self.receiver.on_data(packet)
        if self.receiver.expected == self.receiver.segments:
            window.leave()

    def wait_at_host(self, change: int) -> None:
        """One data packet more or less waits in the host's own queue."""
        self.sender.on_host_queue(change)
        self._set_timer()

    def delivered_bytes(self) -> int:
        """Payload put in order since the window opened [B]."""
        before = self.receiver.expected - self.receiver.delivered
        full = self.stack.payload_of(self.receiver.expected) - self.stack.payload_of(before)
        if self.bytes < 0 or self.receiver.delivered == 0 or self.receiver.expected < self.receiver.segments:
            return full
        return full - (self.receiver.segments * self.stack.payload - self.bytes)

    def _on_timer(self) -> None:
        now = self._clock.time
        if self.receiver.ack_at is not None and self.receiver.ack_at <= now:
            self.receiver.on_delay()
        if self._begins is not None and self._begins <= now:
            self._begins = None
            if self.setup is not None and self.setup.trip is None:
                self.setup.ask()
                self._begins = self.setup.again
            else:
                self._begin()
        self.sender.on_timer()
        self._set_timer()

    def _set_timer(self) -> None:
        times = [t for t in (self.receiver.ack_at, self.sender.deadline(), self._begins) if t is not None]
        self._timer.set(min(times, default=None))
        if self.rdma is not None:
            due = None if self.rdma.end is not None else self.rdma.law.due
            # The law's timer runs on while a connection is idle: what has expired by then is made up for.
            self._law_timer.set(None if due is None else max(due, self._clock.time))

    def _on_law_timer(self) -> None:
        assert self.rdma is not None
        self.rdma.on_law_timer()
        self._set_timer()

    def _emit(self, seq: int, size: int, cwr: bool) -> None:
        heard = 0 if self.rdma is not None or self.sender.allotted is None else self.sender.allotted.heard
        self._launch(
            Packet(
                self.number,
                False,
                seq,
                size,
                self._forward,
                self._clock.time,
                klass=self._klass,
                ect=self._ect,
                cwr=cwr,
                push=self.rdma is None and self.sender.pushes and bool(self.stack.push_acks),
                at=heard,
                telemetry=() if self.stack.telemetry == "data" else None,
            )
        )

    def _ask(self, seq: int) -> None:
        self._launch(
            Packet(
                self.number,
                False,
                seq,
                self._probe_size,
                self._forward,
                self._clock.time,
                klass=self._klass,
                telemetry=(),
                probe=True,
            )
        )

    def _answer(self, expected: int, packet: Packet, negative: bool, beyond: int | None) -> None:
        block = (0, 0) if beyond is None else (beyond, beyond + 1)
        self._launch(
            Packet(
                self.number,
                True,
                expected,
                self._ack_size,
                self._reverse,
                packet.stamp,
                *block,
                self._ack_klass,
                ect=True,
                negative=negative,
                telemetry=packet.telemetry,
            )
        )

    def _notify(self) -> None:
        self._launch(
            Packet(
                self.number,
                False,
                self.receiver.expected,
                self._ack_size,
                self._reverse,
                0,
                klass=self._ack_klass,
                ect=True,
                notice=True,
            )
        )

    def _acknowledge(
        self, expected: int, stamp: int, left: int, right: int, echo: bool, telemetry: tuple[Hop, ...] | None
    ) -> None:
        edge = 0 if self.sender.allotted is None else self.sender.allotted.offer(expected)
        # A pure acknowledgement must not be marked (RFC 3168 §6.1.4), except for DCTCP (RFC 8257 §3.1).
        self._launch(
            Packet(
                self.number,
                True,
                expected,
                self._ack_size,
                self._reverse,
                stamp,
                left,
                right,
                self._ack_klass,
                ect=self.stack.ecn and self.stack.law.accurate_echo,
                echo=echo,
                telemetry=telemetry,
                edge=edge,
                at=self._clock.time,
            )
        )
