"""Priority groups of a switch: what packets of lossless classes take of its memory, and when they are paused.

The rules are in ``footroom.engines.plan.lossless``; their sources are IEEE 802.1Qbb, the switch of HPCC's simulator
(switch-mmu.cc) for headroom of each group, and Shan et al., ICDCS 2023, for headroom that ports share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from footroom.engines.plan import Plan
from footroom.engines.plan.lossless import Lossless
from footroom.engines.reference.memory import Memory
from footroom.parts.headroom import DynamicShared

#: Told (port that packets come in by, class or None for all, whether it stops or resumes).
Ask = Callable[[int, int | None, bool], None]


@dataclass
class Xoff:
    """Whether a neighbour is asked to pause, since when, and all the spans in which it was. Times in ps."""

    since: int | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)

    @property
    def on(self) -> bool:
        """Whether it is asked to pause now."""
        return self.since is not None

    def begin(self, now: int) -> None:
        """It is asked to pause."""
        self.since = now

    def end(self, now: int) -> None:
        """It may go on."""
        assert self.since is not None
        self.spans.append((self.since, now))
        self.since = None


@dataclass
class Group:
    """Packets of class ``klass`` that came in by port ``port`` and wait; bytes by the part of memory they are in.

    limit: most headroom, or most of the whole port's insurance.  most, most_headroom, drops: since the window opened.
    """

    port: int
    klass: int
    reserve: int
    limit: int
    alpha: float
    xon: int
    xon_offset: int
    reserved: int = 0
    shared: int = 0
    headroom: int = 0
    xoff: Xoff = field(default_factory=Xoff)
    most: int = 0
    most_headroom: int = 0
    drops: int = 0

    def excess(self, size: int) -> int:
        """What ``size`` more bytes would take beyond the reserve."""
        return max(0, size - (self.reserve - self.reserved))

    def note(self) -> None:
        """Remember the most it has held."""
        self.most = max(self.most, self.reserved + self.shared)
        self.most_headroom = max(self.most_headroom, self.headroom)


class Groups:
    """The priority groups of switch ``number``, each with headroom of its own (static_independent).

    memory: of the switch, whose ``shared`` also counts the groups where there is one pool for both.
    ask: sends a pause frame.
    """

    def __init__(self, number: int, plan: Plan, memory: Memory, ask: Ask) -> None:
        table = plan.lossless
        assert table is not None
        self.memory, self.ask = memory, ask
        self.warmup = plan.warmup
        self.classes = [k for k in range(plan.classes) if table.classes[number, k]]
        self.ports = [q for q in range(plan.ports) if int(plan.port_switch[int(table.opposite[q])]) == number]
        self.groups = {(q, k): self._group(table, q, k) for q in self.ports for k in self.classes}
        self.pool, self.one_pool = int(table.pool_lossless[number]), bool(table.one_pool[number])
        self.headroom_pool = int(table.headroom_pool[number])
        self.spare = int(table.spare[number])
        self.shared = 0  # of all groups
        self.headroom = 0  # of all groups
        self.most_headroom = 0  # of all groups at one time, since the window opened
        self.most_of_port = dict.fromkeys(self.ports, 0)  # the same of all groups of one port
        self.refusals: dict[tuple[int, int, str], int] = {}  # (port, class, cause) to packets since the window opened

    def _group(self, table: Lossless, q: int, k: int) -> Group:
        return Group(
            q,
            k,
            int(table.group_reserved[q, k]),
            int(table.group_limit[q, k]),
            float(table.group_alpha[q, k]),
            int(table.xon[q, k]),
            int(table.xon_offset[q, k]),
        )

    # Thresholds.

    def free(self) -> int:
        """Shared memory that nobody holds."""
        return self.pool - (self.memory.shared if self.one_pool else self.shared)

    def fits(self, more: int) -> bool:
        """Whether so many bytes of shared memory may be taken, with what stays free for headroom."""
        return more <= self.free() - self.spare

    def threshold(self, group: Group) -> int:
        """Most shared bytes the group may hold."""
        return max(0, int(group.alpha * self.free()))

    # Packets.

    def admit(self, port: int, klass: int, size: int, now: int) -> bool:
        """Charge ``size`` bytes of a packet that came in by ``port`` if there is room, and pause if that is due."""
        group = self.groups[port, klass]
        cause = "memory" if self.memory.total + size > self.memory.buffer else self._charge(group, size, now)
        if cause:
            if now > self.warmup:
                group.drops += 1
                self._count(port, klass, cause)
            return False
        self.memory.total += size
        if now > self.warmup:
            group.note()
            self.note_headroom()
        if not group.xoff.on and self.should_pause(group):
            group.xoff.begin(now)
            self.ask(port, klass, True)
        return True

    def _charge(self, group: Group, size: int, now: int) -> str:
        """Charge ``size`` bytes to reserve, shared memory or headroom. Returns why they are refused, "" if not."""
        excess = group.excess(size)
        if group.headroom == 0 and (
            excess == 0 or (group.shared + excess <= self.threshold(group) and self.fits(excess))
        ):
            self._take(group, size, excess)
            return ""
        return self._take_headroom(group, size, group.headroom)

    def _take(self, group: Group, size: int, excess: int) -> None:
        group.reserved += size - excess
        self._share(group, excess)

    def _share(self, group: Group, more: int) -> None:
        group.shared += more
        self.shared += more
        if self.one_pool:
            self.memory.shared += more

    def _take_headroom(self, group: Group, size: int, held: int) -> str:
        """held: bytes that count against the limit."""
        if held + size > group.limit:
            return "headroom"
        if self.headroom + size > self.headroom_pool:
            return "headroom pool"
        group.headroom += size
        self.headroom += size
        return ""

    def release(self, port: int, klass: int, size: int, now: int) -> None:
        """Give back ``size`` bytes of a packet of that group: headroom first, then shared, then reserved."""
        group = self.groups[port, klass]
        if now > self.warmup:
            group.note()  # it may have come before the window opened
            self.note_headroom()
        headroom = min(size, group.headroom)
        shared = min(size - headroom, group.shared)
        group.headroom -= headroom
        self.headroom -= headroom
        self._share(group, -shared)
        group.reserved -= size - headroom - shared
        self.memory.total -= size

    def refuse_unmarked(self, port: int, klass: int, now: int) -> None:
        """A packet of that group was dropped because it was to be marked and must not be."""
        if now > self.warmup:
            self.groups[port, klass].drops += 1
            self._count(port, klass, "marking")

    def _count(self, port: int, klass: int, cause: str) -> None:
        self.refusals[port, klass, cause] = self.refusals.get((port, klass, cause), 0) + 1

    def note_headroom(self) -> None:
        """Remember the most headroom that all groups held, and those of each port."""
        if self.headroom:
            self.most_headroom = max(self.most_headroom, self.headroom)
            for q in self.ports:
                held = sum(self.groups[q, k].headroom for k in self.classes)
                self.most_of_port[q] = max(self.most_of_port[q], held)

    def freed(self, now: int) -> None:
        """Memory of the switch was released: end the pauses that may end."""
        for q in self.ports:
            for k in self.classes:
                group = self.groups[q, k]
                if group.xoff.on and self.may_resume(group):
                    group.xoff.end(now)
                    self.ask(q, k, False)

    # Pausing.

    def should_pause(self, group: Group) -> bool:
        """Whether the group has reached its pause threshold."""
        return group.headroom > 0 or group.shared >= self.threshold(group)

    def may_resume(self, group: Group) -> bool:
        """Whether the group is far enough below that threshold."""
        return group.headroom == 0 and group.shared <= max(group.xon, self.threshold(group) - group.xon_offset)


class InsuredGroups(Groups):
    """The priority groups of a switch whose ports have one headroom each as insurance (dynamic_shared)."""

    def __init__(self, number: int, plan: Plan, memory: Memory, ask: Ask) -> None:
        super().__init__(number, plan, memory, ask)
        assert plan.lossless is not None
        self.insurance = {q: int(plan.lossless.insurance[q]) for q in self.ports}
        self.offset = {q: int(plan.lossless.port_xon_offset[q]) for q in self.ports}
        self.xoff = {q: Xoff() for q in self.ports}
        headroom = plan.settings[number].headroom
        self.by_class = isinstance(headroom, DynamicShared) and headroom.pauses == "classes_and_ports"

    def _group(self, table: Lossless, q: int, k: int) -> Group:
        group = super()._group(table, q, k)
        group.limit = int(table.insurance_limit[q])
        return group

    def _of(self, port: int) -> list[Group]:
        return [self.groups[port, k] for k in self.classes]

    def port_threshold(self, port: int) -> int:
        """Most shared bytes that the groups of a port may hold together."""
        return sum(self.threshold(group) for group in self._of(port))

    def _charge(self, group: Group, size: int, now: int) -> str:
        port, excess = group.port, group.excess(size)
        if not self.xoff[port].on:
            held = sum(each.shared for each in self._of(port))
            if excess == 0 or (held + excess <= self.port_threshold(port) and self.fits(excess)):
                self._take(group, size, excess)
                return ""
            self.xoff[port].begin(now)
            self.ask(port, None, True)
        return self._take_headroom(group, size, sum(each.headroom for each in self._of(port)))

    def freed(self, now: int) -> None:
        for q in self.ports:
            if self.xoff[q].on and self._port_may_resume(q):
                self.xoff[q].end(now)
                self.ask(q, None, False)
        super().freed(now)

    def _port_may_resume(self, port: int) -> bool:
        if any(group.headroom > 0 for group in self._of(port)):
            return False
        held = sum(group.shared for group in self._of(port))
        return held == 0 or held < self.port_threshold(port) - self.offset[port]

    def should_pause(self, group: Group) -> bool:
        return self.by_class and group.shared > max(0, self.threshold(group) - self.insurance[group.port])

    def may_resume(self, group: Group) -> bool:
        return group.shared == 0 or group.shared < (
            self.threshold(group) - self.insurance[group.port] - group.xon_offset
        )


def groups_of(number: int, plan: Plan, memory: Memory, ask: Ask) -> Groups | None:
    """The priority groups of switch ``number``; None where it has no lossless class."""
    if plan.lossless is None or not plan.lossless.classes[number].any():
        return None
    kind = InsuredGroups if plan.lossless.insured[number] else Groups
    return kind(number, plan, memory, ask)
