"""A SimPy environment in which ordinary SimPy processes interleave exactly with the compiled engine.

    env = Environment(scenario)
    queue = env.queue("left", "right")

    def sampler(env):
        while True:
            yield env.timeout(10e-6)
            samples.append((env.now, queue.bytes))

    env.process(sampler(env))
    env.run()

Before SimPy handles an event, the engine advances to that event's time; packet events of the same instant come first.
A run with processes that only read ends in exactly the state of a run without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import simpy
from simpy.core import EmptySchedule, Infinity

from footroom.base.errors import InvalidInput
from footroom.engines.packet.by_hand import begin_by_hand, hold_back
from footroom.engines.packet.controls import Fluid, Link, Queue, Switch
from footroom.engines.packet.fluid_check import check_fluid
from footroom.engines.packet.recording import Recording
from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.kernel.tables import NEVER
from footroom.result import Result, with_transfers
from footroom.scenario import Scenario


class Environment(simpy.Environment):
    """SimPy's environment with a packet simulation inside; ``now`` is in seconds.

    scenario: what to simulate.  seed: replaces the scenario's.  trace: keep every arrival, departure and drop.
    plan: laid out already, instead of ``scenario``'s.  by_hand: numbers of traffic entries whose flows wait until
    ``start`` is called.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int | None = None,
        trace: bool = False,
        plan: Plan | None = None,
        by_hand: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.plan = hold_back(build_plan(scenario, seed) if plan is None else plan, by_hand)
        self._recording = Recording(self.plan, trace)
        self.simulation = self._recording.simulation
        self._awaited: dict[int, simpy.Event] = {}
        self._held = {
            entry: [*np.flatnonzero((self.plan.flow_stack == entry) & (self.plan.flow_start == NEVER))[::-1].tolist()]
            for entry in by_hand
        }

    def step(self) -> None:
        """Advance the engine to the next SimPy event, then handle that event."""
        while True:
            due = self.peek()
            if due == Infinity:
                raise EmptySchedule
            if not self._advance(round(due * SECOND)):
                break
        super().step()

    def run(self, until: Any = None) -> Any:
        """Run to ``until``: a time [s], an event, or nothing for the scenario's duration."""
        return super().run(self.plan.duration / SECOND if until is None else until)

    def _advance(self, target: int) -> bool:
        """Run the engine to ``target`` [ps]; True when a flow's end put a SimPy event before that."""
        recording = self._recording
        while (target > self.simulation.now or recording.due <= self.simulation.now) and recording.advance(target):
            flows = self.simulation.tables.flows
            ended = [f for f in self._awaited if flows["end"][f] >= 0]
            for f in ended:
                event = self._awaited.pop(f)
                event._ok, event._value = True, f  # noqa: SLF001 - how SimPy's own Timeout triggers itself later
                self.schedule(event, delay=self.simulation.now / SECOND - self.now)
            self.simulation.tables.state["awaited"] = int(bool(self._awaited))
            if ended:
                return True
        return False

    def completion(self, flow: int) -> simpy.Event:
        """An event that fires at the picosecond at which ``flow`` has delivered all its data. Raises InvalidInput."""
        if not 0 <= flow < self.plan.flows:
            raise InvalidInput.at("flow", flow, f"flows are numbered 0 to {self.plan.flows - 1}")
        event = self.event()
        if self.simulation.tables.flows["end"][flow] >= 0:
            return event.succeed(flow)
        self._awaited[flow] = event
        self.simulation.tables.state["awaited"] = 1
        return event

    def _port(self, a: str, b: str) -> int:
        names = self.plan.names
        for p in range(self.plan.ports):
            if names[self.plan.port_from[p]] == a and names[self.plan.port_to[p]] == b:
                return p
        raise InvalidInput.at("link", f"{a} to {b}", f"no such link; nodes are {', '.join(names[:8])} …")

    def queue(self, a: str, b: str) -> Queue:
        """What waits at node ``a`` for the link to ``b``. Raises InvalidInput where there is no such link."""
        return Queue(self.simulation, self._port(a, b))

    def link(self, a: str, b: str) -> Link:
        """The link from node ``a`` to ``b``, this direction only. Raises InvalidInput where there is none."""
        return Link(self.simulation, self._port(a, b))

    def fluid(self, a: str, b: str, packet: float = 1500.0, burst: float = 2.0) -> Fluid:
        """Traffic without packets in the queue at node ``a`` for the link to ``b``; its rate is 0 until it is set.

        packet: bytes of its packets on the link, which decide how much room a packet needs beside it.  burst: packets
        that its senders send together.  Raises Unsupported where fluid cannot wait.
        """
        port = self._port(a, b)
        check_fluid(self.plan, self.simulation.tables, port)
        return Fluid(self.simulation, self.simulation.add_fluid(port, packet, burst))

    def start(self, entry: int, size: float | None = None) -> int:
        """Start the next flow of traffic entry ``entry``, one of those held back, now. Its number.

        size: bytes of payload; those of the scenario by default.  Raises InvalidInput where none is left.
        """
        if not self._held.get(entry):
            held = ", ".join(f"{each} ({len(flows)} flows left)" for each, flows in self._held.items()) or "none"
            raise InvalidInput.at("entry", entry, f"no flow is left to be started there; entries held back: {held}")
        flow = self._held[entry].pop()
        begin_by_hand(self.plan, self.simulation, flow, size)
        return flow

    def switch(self, name: str) -> Switch:
        """A switch's memory and its sharing policy. Raises InvalidInput where there is no such switch."""
        ports = [
            p
            for p in range(self.plan.ports)
            if self.plan.port_switch[p] >= 0 and self.plan.names[self.plan.port_from[p]] == name
        ]
        if not ports:
            raise InvalidInput.at("switch", name, "no such switch")
        return Switch(self.simulation, int(self.plan.port_switch[ports[0]]))

    def close(self) -> None:
        """Free the tables; nothing can be run or read any more.

        Environments and their processes refer to one another and wait for the garbage collector, which counts objects
        and does not see how large tables are.
        """
        del self._recording, self.simulation

    def result(self) -> Result:
        """All that the scenario asks for, from the end of the warm-up until now, as ``footroom.run`` returns it.

        Also checks that no packet and no byte went missing. ``wall_s`` is 0: the time is spent in processes as well.
        """
        result = self._recording.result()
        return with_transfers(result, [result])
