"""Statistics of every switch's memory: how full it was, with whose packets, and what its policy counted."""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import entry
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import u
from footroom.kernel.answers import WHOLE
from footroom.kernel.memory import charged
from footroom.result.recorded import MemoryRecord

#: Local maxima of a switch's headroom that are reported, evenly chosen by rank where there are more.
_MAXIMA = 500


@entry
def _count(t, held):
    """Add what the packets of every traffic entry (column) take of every memory (row) to ``held``."""
    for i in range(len(t.queues)):
        q = t.queues[u(i)]
        if q.memory >= 0:
            k = int(q.head)
            while k >= 0:
                packet = t.packets[u(k)]
                held[q.memory, t.flows[u(packet.flow)].entry] += charged(t.switches[u(q.memory)], np.int64(packet.size))
                k = packet.next
    for i in range(len(t.ports)):
        p = t.ports[u(i)]
        if p.sending >= 0:
            q, packet = t.queues[u(p.sending_of)], t.packets[u(p.sending)]
            held[q.memory, t.flows[u(packet.flow)].entry] += charged(t.switches[u(q.memory)], np.int64(packet.size))
    return 0


class Memories:
    """All memories from the end of the warm-up; every ``step`` ps, if given, whose packets they hold is looked up."""

    def __init__(self, simulation: Simulation, step: int | None) -> None:
        self._simulation, self._step = simulation, step
        self.due = simulation.plan.warmup if step is not None else 2**62
        self._held = np.zeros((len(simulation.tables.switches), len(simulation.plan.stacks)))
        self._looks = 0
        plan = simulation.plan
        self._into = None if plan.lossless is None else plan.port_switch[plan.lossless.opposite]
        self._headroom: list[np.ndarray] = []
        for switch, setting in enumerate(simulation.plan.settings):
            for row in range(*simulation.memories_of(switch).indices(len(simulation.tables.switches))):
                setting.sharing.count_anew(simulation.scratch(row))

    def look(self) -> None:
        """Record whose packets wait now."""
        _count(self._simulation.tables, self._held)
        if self._into is not None:
            by_port = self._simulation.tables.groups["headroom"].reshape(-1, WHOLE).sum(axis=1)
            ours = self._into >= 0
            self._headroom.append(np.bincount(self._into[ours], by_port[ours], len(self._simulation.plan.settings)))
        self._looks += 1
        self.due += self._step or 2**62

    def to_dict(self) -> list[MemoryRecord] | None:
        """Plain data, one entry per memory; None where nobody asked for them and no policy has counted anything."""
        s = self._simulation
        found: list[MemoryRecord] = []
        for switch, setting in enumerate(s.plan.settings):
            node = s.plan.port_from[np.flatnonzero(s.plan.port_switch == switch)[0]]
            for card in range(setting.architecture.line_cards()):
                row = s.memories_of(switch).start + card
                held = (self._held[row] / self._looks).tolist() if self._looks else []
                found.append(
                    {
                        "switch": s.plan.names[node],
                        "card": card,
                        "policy": setting.sharing.kind,
                        "buffer": int(s.tables.switches["buffer"][row]),
                        "most": int(s.tables.switches["largest"][row]),
                        "held": held,
                        "headroom_maxima": self._maxima(switch),
                        "observed": setting.sharing.observe(s.scratch(row)),
                    }
                )
        return found if self._looks or any(memory["observed"] for memory in found) else None

    def _maxima(self, switch: int) -> list[int]:
        """Local maxima of the bytes that all headroom of a switch held at the looks, in ascending order."""
        values = np.array([look[switch] for look in self._headroom])
        values = values[np.append(True, np.diff(values) != 0)] if len(values) else values
        inner = values[1:-1]
        found = np.sort(inner[(inner > values[:-2]) & (inner > values[2:])])
        chosen = np.unique(np.linspace(0, len(found) - 1, min(len(found), _MAXIMA)).astype(np.int64))
        return [int(value) for value in found[chosen]]
