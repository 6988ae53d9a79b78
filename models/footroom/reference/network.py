"""All ports and flows of a plan, joined."""

from __future__ import annotations

from footroom.plan import Plan
from footroom.reference.clock import Alarm, Clock
from footroom.reference.flow import Flow
from footroom.reference.memory import Memory
from footroom.reference.meter import Meter
from footroom.reference.packet import Packet, Trace
from footroom.reference.port import Port


class Network:
    """A plan brought to life. ``run(until)`` lets it live; ``sent``, ``delivered`` and ``dropped`` count packets of
    both directions over the whole run, and ``in_flight`` those queued or on a wire.
    """

    def __init__(self, plan: Plan, trace: Trace | None = None) -> None:
        self.plan = plan
        self.clock = Clock(plan.warmup)
        self.sent = self.delivered = 0
        self._trace = trace
        self._routes = [int(port) for port in plan.routes]
        self.meters = {int(p): Meter(plan.warmup, plan.duration) for p in plan.watched}
        memories = [Memory(int(setting.buffer), int(setting.reserved), plan.queues_of(s), setting.sharing)
                    for s, setting in enumerate(plan.settings)]
        self.ports = [
            Port(p, plan, self.clock, memories[s] if s >= 0 else None, self.meters.get(p), trace, self._arrive, self._wait)
            for p, s in enumerate(plan.port_switch)]
        self.flows = [Flow(f, plan, self.clock, self._launch) for f in range(plan.flows)]
        self._to_start = 0
        self._starts = Alarm(self.clock, 2 * plan.ports + plan.flows, self._start_flow)
        if self.flows:
            self._starts.set(self.flows[0].start_at)

    @property
    def dropped(self) -> int:
        """Packets refused by a switch's memory."""
        return sum(port.dropped for port in self.ports)

    @property
    def in_flight(self) -> int:
        """Packets waiting in a queue or travelling on a wire."""
        return sum(len(port.waiting) + len(port.wire) for port in self.ports)

    def step(self, until: int) -> bool:
        """Process the next event if it is due by ``until`` [ps]."""
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
        if self._to_start < len(self.flows):
            self._starts.set(self.flows[self._to_start].start_at)

    def _launch(self, packet: Packet) -> None:
        self.sent += 1
        self.ports[self._routes[packet.hop]].offer(packet)

    def _wait(self, packet: Packet, change: int) -> None:
        if not packet.ack:
            self.flows[packet.flow].wait_at_host(change)

    def _arrive(self, port: Port, packet: Packet) -> None:
        packet.hop += 1
        onward = self._routes[packet.hop]
        if onward >= 0:
            self.ports[onward].offer(packet)
            return
        self.delivered += 1
        if self._trace is not None:
            self._trace.append((self.clock.time, "delivery", port.number, packet.flow, int(packet.ack), packet.seq))
        self.flows[packet.flow].deliver(packet)
