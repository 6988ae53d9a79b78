"""Whether pauses have deadlocked, given what waits where.

A set of pauses is locked when none of them could end even if every packet left that is not stopped by one of them:
then their groups drain no further, and what arrives only lowers thresholds. The largest such set is found by taking
out, again and again, the pauses that could end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from footroom.engines.plan.cycles import Graph, Pause, core, shortest_cycle
from footroom.engines.plan.plan import SECOND, Plan
from footroom.kernel.answers import WHOLE
from footroom.parts.headroom import DynamicShared, StaticIndependent
from footroom.result.deadlock import Deadlock, DeadlockStop

#: How often a run is examined.
LOOKS = 100


@dataclass
class Held:
    """What one priority group holds. own, shared, headroom: bytes.  waits: bytes by the port they are to leave by."""

    own: int
    shared: int
    headroom: int
    waits: dict[int, int] = field(default_factory=dict)

    def when_left(self, stuck: int) -> Held:
        """The same when all but ``stuck`` bytes have left: headroom is given back first, then shared memory."""
        gone = self.own + self.shared + self.headroom - stuck
        headroom = max(0, self.headroom - gone)
        gone -= self.headroom - headroom
        shared = max(0, self.shared - gone)
        return Held(self.own - (gone - (self.shared - shared)), shared, headroom)


class Locks:
    """Finds deadlocks in runs of ``plan``, which has a cycle of dependencies."""

    def __init__(self, plan: Plan) -> None:
        assert plan.lossless is not None
        self._plan, self._table = plan, plan.lossless
        switch_of = plan.port_switch[plan.lossless.opposite]
        self._switch = [int(switch) for switch in switch_of]  # at the end of each port
        self.candidates = core(plan.dependencies)

    def possible(self, asked: set[Pause]) -> bool:
        """Whether the pauses ``asked`` for close a cycle: a cheap test before the full one."""
        mine = asked & self.candidates
        return bool(core({pause: self._plan.dependencies[pause] & mine for pause in mine}))

    def stopped(self, port: int, klass: int, pauses: set[Pause]) -> list[Pause]:
        """Those of ``pauses`` that keep ``klass`` from leaving by ``port``."""
        switch = self._switch[port]
        if switch < 0 or not self._table.classes[switch, klass]:
            return []
        return [pause for pause in ((port, klass), (port, WHOLE)) if pause in pauses]

    def locked(self, asked: set[Pause], held: Mapping[Pause, Held]) -> Graph:
        """The pauses that can never end, each with those that it waits for. held: by port and class."""
        left = set(asked)
        while left:
            stuck = {
                group: sum(size for port, size in one.waits.items() if self.stopped(port, group[1], left))
                for group, one in held.items()
            }
            after = {group: one.when_left(stuck[group]) for group, one in held.items()}
            used: dict[int, int] = {}
            for (port, _), one in after.items():
                used[self._switch[port]] = used.get(self._switch[port], 0) + one.shared
            ends = {pause for pause in left if self._may_end(pause, after, used)}
            if not ends:
                break
            left -= ends
        found: Graph = {}
        for port, which in left:
            groups = [(port, k) for k in range(self._plan.classes)] if which == WHOLE else [(port, which)]
            found[port, which] = {
                pause
                for group in groups
                if group in held
                for onward, size in held[group].waits.items()
                if size
                for pause in self.stopped(onward, group[1], left)
            }
        return found

    def _may_end(self, pause: Pause, after: Mapping[Pause, Held], used: Mapping[int, int]) -> bool:
        """The conditions of ``footroom.engines.plan.lossless``, with what is left in ``after``."""
        port, which = pause
        switch = self._switch[port]
        table, setting = self._table, self._plan.settings[switch].headroom
        free = int(table.pool_lossless[switch]) - used.get(switch, 0)
        none = Held(0, 0, 0)
        classes = [k for k in range(self._plan.classes) if table.classes[switch, k]]
        limit = {k: max(0, int(float(table.group_alpha[port, k]) * free)) for k in classes}
        if which == WHOLE:
            groups = [after.get((port, k), none) for k in classes]
            shared = sum(one.shared for one in groups)
            return all(one.headroom == 0 for one in groups) and (
                shared == 0 or shared < sum(limit.values()) - int(table.port_xon_offset[port])
            )
        one, offset = after.get(pause, none), int(table.xon_offset[port, which])
        if isinstance(setting, DynamicShared):
            return one.shared == 0 or one.shared < limit[which] - int(table.insurance[port]) - offset
        assert isinstance(setting, StaticIndependent)
        return one.headroom == 0 and one.shared <= max(int(table.xon[port, which]), limit[which] - offset)

    def finding(self, graph: Graph, held: Mapping[Pause, Held], since: Mapping[Pause, int], now: int) -> Deadlock:
        """The cycle in ``graph``, which ``locked`` gave. since: when pauses were asked for, now: time [ps]."""
        cycle, plan = shortest_cycle(graph), self._plan

        def stuck(pause: Pause) -> int:
            port, which = pause
            groups = [(port, k) for k in range(plan.classes)] if which == WHOLE else [pause]
            return sum(
                size
                for group in groups
                if group in held
                for onward, size in held[group].waits.items()
                if self.stopped(onward, group[1], set(graph))
            )

        stops = []
        for pause in cycle:
            node, neighbour = plan.names[int(plan.port_to[pause[0]])], plan.names[int(plan.port_from[pause[0]])]
            stops.append(
                DeadlockStop(
                    node,
                    f"{neighbour}>{node}",
                    None if pause[1] == WHOLE else pause[1],
                    since[pause] / SECOND,
                    stuck(pause),
                )
            )
        return Deadlock(max(stop.since for stop in stops), now / SECOND, tuple(stops), len(graph) - len(cycle))


__all__ = ["LOOKS", "Held", "Locks"]
