"""All ports and flows of a plan, joined."""

from __future__ import annotations

from collections import Counter

from footroom.engines.plan import Plan
from footroom.engines.reference.allotment import interfaces
from footroom.engines.reference.clock import Alarm, Clock
from footroom.engines.reference.flow import Flow
from footroom.engines.reference.groups import groups_of
from footroom.engines.reference.meter import Meter
from footroom.engines.reference.packet import Packet, PauseFrame, Trace
from footroom.engines.reference.pause_story import PauseStory
from footroom.engines.reference.port import Port
from footroom.engines.reference.ranks import Kind
from footroom.engines.reference.signals import Signals
from footroom.engines.reference.switch import Output, memories_of
from footroom.kernel.tables import NEVER


class Network:
    """A plan as a running network. ``run(until)`` simulates it; ``sent``, ``delivered`` and ``dropped`` count packets
    of both directions over the whole run, and ``in_flight`` those queued or on a wire.
    """

    def __init__(self, plan: Plan, trace: Trace | None = None) -> None:
        self.plan = plan
        self.clock = Clock(plan.warmup)
        self.sent = self.delivered = 0
        self._trace = trace
        self._routes = [int(port) for port in plan.routes]
        self.meters = {int(p): Meter(plan.warmup, plan.duration) for p in plan.watched}
        memories = memories_of(plan)
        self.story: PauseStory | None = None
        self.signals = Signals(plan, self.clock, self._send_frame, self._pause_of)
        self.groups = [groups_of(s, plan, own[0], self._ask) for s, own in enumerate(memories)]
        outputs = [
            Output(p, plan, memories[s], self.groups[s]) if s >= 0 else None for p, s in enumerate(plan.port_switch)
        ]
        self.ports = [
            Port(p, plan, self.clock, output, self.meters.get(p), trace, self._arrive, self._wait)
            for p, output in enumerate(outputs)
        ]
        if plan.scenario.run.fabric is not None:
            self.story = PauseStory(plan, outputs)
            for port in self.ports:
                port.story = self.story
        self._cards = [int(card) for card in plan.port_card]
        self.flows: list[Flow] = []
        hosts = interfaces(plan)
        for f in range(plan.flows):
            before = int(plan.flow_continues[f])
            self.flows.append(
                Flow(
                    f,
                    plan,
                    self.clock,
                    self._launch,
                    self._follow,
                    self._wait_on,
                    hosts,
                    None if before < 0 else self.flows[before],
                )
            )
        self._stops = sorted({int(when) for when in plan.flow_stop if when < NEVER})
        inside = {at for at in plan.steps if plan.warmup < at < plan.duration}
        self._looks = sorted({plan.warmup, *inside, plan.duration})
        self.received: list[list[int]] = []  # payload that every flow's receiver has in order, at each of these times
        self._answers = Counter(int(event) for event in plan.flow_event if event >= 0)
        self._next_query = {int(before): query for query, before in enumerate(plan.event_after) if before >= 0}
        self._queries: dict[int, list[Flow]] = {}
        for flow in self.flows:
            self._queries.setdefault(int(plan.flow_event[flow.number]), []).append(flow)
        self._to_start = 0
        self._starters = sum(flow.start_at < NEVER for flow in self.flows)  # the others follow one of them
        self._starts = Alarm(self.clock, Kind.START.of(0), self._start_flow)
        self._await_start()

    @property
    def dropped(self) -> int:
        """Packets refused by a switch's memory."""
        return sum(port.dropped for port in self.ports)

    @property
    def in_flight(self) -> int:
        """Packets waiting in a queue or travelling on a wire."""
        return sum(port.waiting + sum(isinstance(packet, Packet) for _, packet in port.wire) for port in self.ports)

    def step(self, until: int) -> bool:
        """Process the next event if it is due by ``until`` [ps]."""
        while self._stops and self._stops[0] <= until and self._stops[0] < self.clock.peek():
            when = self._stops.pop(0)
            for flow in self.flows:
                if int(self.plan.flow_stop[flow.number]) == when:
                    flow.stop(when)
        while self.plan.steps and self._looks and self._looks[0] <= until and self._looks[0] < self.clock.peek():
            self._looks.pop(0)
            self.received.append([flow.stack.payload_of(flow.receiver.expected) for flow in self.flows])
        if self.clock.peek() > until:
            return False
        self.clock.step()
        return True

    def run(self, until: int) -> None:
        """Process all events up to and including ``until`` [ps]."""
        while self.step(until):
            pass

    def _start_flow(self) -> None:
        self.flows[self._to_start].start()
        self._to_start += 1
        self._await_start()

    def _await_start(self) -> None:
        """Wait for the next flow that starts by itself."""
        if self._to_start < self._starters:
            self._starts.set(self.flows[self._to_start].start_at)

    def _follow(self, flow: Flow) -> None:
        if flow.successor is not None:
            flow.successor.freed()
        if flow.next >= 0:
            self.flows[flow.next].follow()
        query = int(self.plan.flow_event[flow.number])
        if query >= 0:
            self._answers[query] -= 1
            if self._answers[query] == 0 and query in self._next_query:
                for asked in self._queries[self._next_query[query]]:
                    asked.follow()

    def _launch(self, packet: Packet) -> None:
        self.sent += 1
        self.ports[self._routes[packet.hop]].offer(packet)

    def _wait_on(self, hop: int, klass: int, before: int) -> int:
        """Time [ps] that a packet of ``klass`` would spend on the route from ``hop`` in queues of ``before``."""
        total = 0
        while self._routes[hop] >= 0:
            total += self.ports[self._routes[hop]].wait_of(klass, before)
            hop += 1
        return total

    def _wait(self, packet: Packet, change: int) -> None:
        if packet.sort == 0:
            self.flows[packet.flow].wait_at_host(change)

    def _ask(self, port: int, klass: int | None, stop: bool) -> None:
        """A switch asks the node at the other end of ``port`` to stop, or to go on."""
        if self.story is not None:
            note = self.story.asked if stop else self.story.ended
            note(port, klass, self.clock.time)
        self.signals.ask(port, klass, stop)

    def _pause_of(self, port: int, klass: int | None) -> object:
        return None if self.story is None else self.story.current(port, klass)

    def name_of(self, port: int) -> str:
        """``from>to``."""
        return f"{self.plan.names[int(self.plan.port_from[port])]}>{self.plan.names[int(self.plan.port_to[port])]}"

    def _send_frame(self, port: int, frame: PauseFrame) -> None:
        self.ports[port].send_frame(frame)

    def _arrive(self, port: Port, packet: Packet | PauseFrame) -> None:
        if isinstance(packet, PauseFrame):
            self.ports[packet.port].pauses.receive(packet)
            return
        packet.hop += 1
        packet.ingress = port.number
        onward = self._routes[packet.hop]
        if onward >= 0:
            self.ports[onward].offer(packet, self._cards[port.number])
            return
        self.delivered += 1
        if self._trace is not None:
            self._trace.append((self.clock.time, "delivery", port.number, packet.flow, packet.sort, packet.seq))
        self.flows[packet.flow].deliver(packet)
