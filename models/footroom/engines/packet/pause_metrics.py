"""Pauses and priority groups in the measured window."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import NEVER, NO_GROUP, NO_MARK, NO_MEMORY, NO_POOL, NO_PORT, PAUSES
from footroom.result.headroom_use import HeadroomUsed, SwitchHeadroom, of_switch
from footroom.result.priority_group import PriorityGroup

Ints = npt.NDArray[np.int64]

_CAUSES = {
    NO_MEMORY: "because its memory was full",
    NO_GROUP: "because the headroom there was full",
    NO_PORT: "because the headroom there was full",
    NO_POOL: "because the headroom pool of the switch was full",
    NO_MARK: "because they were to be marked and their sender does not understand marks",
}


class PauseWindow:
    """The measured window of a network with lossless classes: opened when the warm-up ends.

    Counters run on from the beginning, and what they showed then is subtracted. High-water marks start again.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        t = simulation.tables
        t.groups["largest"] = t.groups["own"] + t.groups["shared"]
        for table in (t.groups, t.ingresses, t.switches):
            table["headroom_largest"] = table["headroom"]
        self._before = self._counters()

    def _counters(self) -> dict[str, Ints]:
        """All counters up to now; times [ps] with what has not ended yet."""
        s = self._simulation
        t, now = s.tables, s.now
        pauses, ports = t.pauses, t.ports
        paused = np.array([int(mask & (1 << WHOLE) - 1).bit_count() for mask in ports["paused"].tolist()])
        return {
            "dropped": t.groups["dropped"].copy(),
            "frames": pauses["frames"].copy(),
            "held": pauses["held"] + np.where(pauses["held_at"] >= 0, now - pauses["held_at"], 0),
            "asked": pauses["asked"] + np.where(pauses["asked_at"] >= 0, now - pauses["asked_at"], 0),
            "port_held": ports["held"] + paused * (now - ports["held_at"]),
        }

    def _since(self) -> dict[str, Ints]:
        return {name: values - self._before[name] for name, values in self._counters().items()}

    def metrics(self) -> dict[str, float]:
        """Metrics over the window up to now; see footroom.result.METRICS."""
        since = self._since()
        return {
            "lossless_drops": float(since["dropped"].sum()),
            "pause_frames": float(since["frames"].sum()),
            "pause_time": float(since["port_held"].sum() / SECOND),
            "xoff_time": float(since["asked"].sum() / SECOND),
            "headroom_max": float(self._simulation.tables.groups["headroom_largest"].max()),
        }

    def _name(self, port: int) -> tuple[str, str]:
        """The switch at the end of ``port``'s wire, and the node that sends there."""
        plan = self._simulation.plan
        return plan.names[int(plan.port_to[port])], plan.names[int(plan.port_from[port])]

    def _ports_of(self, switch: int) -> list[int]:
        plan = self._simulation.plan
        assert plan.lossless is not None
        return [int(q) for q in np.flatnonzero(plan.port_switch[plan.lossless.opposite] == switch)]

    def rows(self) -> list[dict[str, Any]]:
        """Every priority group that held a packet or paused, those that lost most first."""
        plan = self._simulation.plan
        table = plan.lossless
        assert table is not None
        since, found = self._since(), []
        for s in range(plan.switches):
            classes, ports = np.flatnonzero(table.classes[s]).tolist(), self._ports_of(s)
            found += [
                self._row(q, k, int(table.group_headroom[q, k] or table.insurance[q]), since)
                for q in ports
                for k in classes
            ]
            if table.insured[s]:
                found += [self._row(q, None, int(table.insurance[q]), since) for q in ports]
        told = [row for row in found if row.shared_max or row.headroom_max or row.drops or row.first_pause is not None]
        return [row.to_dict() for row in sorted(told, key=lambda row: -row.drops)]

    def headroom(self) -> list[SwitchHeadroom]:
        """Of every switch with lossless classes, what headroom is set aside and the most that was used."""
        plan, t = self._simulation.plan, self._simulation.tables
        table = plan.lossless
        assert table is not None
        found = []
        for s in np.flatnonzero(table.classes.any(axis=1)).tolist():
            classes, ports = np.flatnonzero(table.classes[s]).tolist(), self._ports_of(s)
            names = {q: "{1}>{0}".format(*self._name(q)) for q in ports}
            if table.insured[s]:
                groups = [
                    HeadroomUsed(names[q], None, int(table.insurance[q]), int(t.ingresses["headroom_largest"][q]))
                    for q in ports
                ]
            else:
                groups = [
                    HeadroomUsed(
                        names[q], k, int(table.group_headroom[q, k]), int(t.groups["headroom_largest"][q * WHOLE + k])
                    )
                    for q in ports
                    for k in classes
                ]
            pooled = bool(table.headroom_pool[s] < NEVER)
            reserved = int(table.headroom_pool[s]) if pooled else sum(group.reserved for group in groups)
            most = int(t.switches["headroom_largest"][t.ingresses["memory"][ports[0]]])
            found.append(of_switch(self._name(ports[0])[0], reserved, most, pooled, groups))
        return found

    def _row(self, port: int, klass: int | None, headroom: int, since: dict[str, Ints]) -> PriorityGroup:
        t = self._simulation.tables
        number = port * PAUSES + (WHOLE if klass is None else klass)
        group = None if klass is None else port * WHOLE + klass
        node, neighbour = self._name(port)
        first = int(t.pauses["first"][number])
        return PriorityGroup(
            switch=node,
            port=f"{neighbour}>{node}",
            traffic_class=klass,
            pause_frames=int(since["frames"][number]),
            pause_time=float(since["held"][number] / SECOND),
            xoff_time=float(since["asked"][number] / SECOND),
            drops=0 if group is None else int(since["dropped"][group].sum()),
            shared_max=0 if group is None else int(t.groups["largest"][group]),
            headroom_max=0 if group is None else int(t.groups["headroom_largest"][group]),
            headroom=headroom,
            first_pause=None if first < 0 else first / SECOND,
        )

    def refusals(self) -> tuple[str, ...]:
        """One sentence for each switch that dropped packets of lossless classes: how many, where they came in, why."""
        dropped = self._since()["dropped"].reshape(len(self._simulation.tables.ports), WHOLE, -1)
        told = []
        for s in range(self._simulation.plan.switches):
            ports = self._ports_of(s)
            here = dropped[ports]
            if not here.any():
                continue
            place, klass, cause = (int(i) for i in np.unravel_index(int(here.argmax()), here.shape))
            node, neighbour = self._name(ports[place])
            told.append(
                f"Switch {node} dropped {here.sum()} packets of lossless classes; {here[place, klass, cause]} "
                f"of them in class {klass} from {neighbour}, {_CAUSES[cause]}."
            )
        return tuple(told)
