"""Looking for deadlocks in a run of the compiled engine."""

from __future__ import annotations

import numpy as np

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan.cycles import Pause
from footroom.engines.plan.deadlock import LOOKS, Held, Locks
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import NEVER, PAUSES
from footroom.result.deadlock import Deadlock


class Watch:
    """Examines a simulation ``LOOKS`` times; ``found`` is the first deadlock. It looks only where there is a cycle.

    due: when to look next [ps].
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._step = max(1, simulation.plan.duration // LOOKS)
        self._locks = Locks(simulation.plan) if simulation.plan.dependencies else None
        self.found: Deadlock | None = None
        self.due = int(NEVER) if self._locks is None else self._step

    @property
    def watching(self) -> bool:
        """Whether a deadlock is possible at all."""
        return self._locks is not None

    def look(self) -> None:
        """Examine the network now."""
        simulation = self._simulation
        self.due = simulation.now + self._step
        asked = self._asked()
        if self._locks is None or not self._locks.possible(asked):
            return
        held = self._held(asked)
        graph = self._locks.locked(asked, held)
        if not graph:
            return
        pauses = simulation.tables.pauses
        since = {(q, which): int(pauses["asked_at"][q * PAUSES + which]) for q, which in graph}
        self.found = self._locks.finding(graph, held, since, simulation.now)
        self.due = int(NEVER)

    def _asked(self) -> set[Pause]:
        bits = self._simulation.tables.ingresses["pauses"]
        return {
            (q, which) for q in np.flatnonzero(bits).tolist() for which in range(PAUSES) if (int(bits[q]) >> which) & 1
        }

    def _held(self, asked: set[Pause]) -> dict[Pause, Held]:
        """All groups that hold something; of what waits only that behind a pause is looked up."""
        t, plan = self._simulation.tables, self._simulation.plan
        own, shared, headroom = (t.groups[name] for name in ("own", "shared", "headroom"))
        held = {
            divmod(number, WHOLE): Held(int(own[number]), int(shared[number]), int(headroom[number]))
            for number in np.flatnonzero(own + shared + headroom).tolist()
        }
        assert self._locks is not None
        for port in np.flatnonzero((plan.port_switch >= 0) & (t.ports["backlog"] > 0)).tolist():
            setting = plan.settings[int(plan.port_switch[port])]
            queues = self._simulation.queues_of_port(port)
            for klass in range(plan.classes):
                if not self._locks.stopped(port, klass, asked):
                    continue
                k = int(t.queues["head"][queues.start + klass])
                while k >= 0:
                    packet = t.packets[k]
                    group = held.get((int(packet["ingress"]), klass))
                    if group is not None:
                        group.waits[port] = group.waits.get(port, 0) + setting.taken(int(packet["size"]))
                    k = int(packet["next"])
        return held


__all__ = ["Watch"]
