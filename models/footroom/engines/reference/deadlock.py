"""Looking for deadlocks in a run of the plain engine, which does not stop at one."""

from __future__ import annotations

from footroom.engines.plan.cycles import Pause
from footroom.engines.plan.deadlock import LOOKS, Held, Locks
from footroom.engines.reference.groups import InsuredGroups, Xoff
from footroom.engines.reference.network import Network
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import NEVER
from footroom.result.deadlock import Deadlock


class Watch:
    """Examines ``network`` a number of times; ``found`` is the first deadlock. due: when to look next [ps]."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._step = max(1, network.plan.duration // LOOKS)
        self._locks = Locks(network.plan) if network.plan.dependencies else None
        self.found: Deadlock | None = None
        self.due = int(NEVER) if self._locks is None else self._step

    def look(self) -> None:
        """Examine the network as it stands, everything up to ``due`` having happened."""
        now, self.due = self.due, self.due + self._step
        asked = {pause: xoff.since for pause, xoff in self._xoffs().items() if xoff.since is not None}
        if self._locks is None or not self._locks.possible(set(asked)):
            return
        held = self._held()
        graph = self._locks.locked(set(asked), held)
        if graph:
            self.found = self._locks.finding(graph, held, asked, now)
            self.due = int(NEVER)

    def _xoffs(self) -> dict[Pause, Xoff]:
        found: dict[Pause, Xoff] = {}
        for groups in self._network.groups:
            if groups is not None:
                found |= {key: group.xoff for key, group in groups.groups.items()}
            if isinstance(groups, InsuredGroups):
                found |= {(port, WHOLE): xoff for port, xoff in groups.xoff.items()}
        return found

    def _held(self) -> dict[Pause, Held]:
        held = {
            key: Held(group.reserved, group.shared, group.headroom)
            for groups in self._network.groups
            if groups is not None
            for key, group in groups.groups.items()
        }
        for port in self._network.ports:
            if port.output is None or port.output.groups is None:
                continue
            memory = port.output.memories[0]
            for queue in port.output.queues[0]:
                for packet in queue.waiting if queue.klass in port.output.groups.classes else ():
                    waits = held[packet.ingress, packet.klass].waits
                    waits[port.number] = waits.get(port.number, 0) + memory.taken(packet)
        return held


__all__ = ["Watch"]
