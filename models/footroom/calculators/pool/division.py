"""How a chip's memory is divided: every guarantee as a line, the rest shared.

Guarantees of ingress (headroom, priority groups) and of egress (queues) are added up. Each side alone must fit; both
must fit together for all guarantees to hold at once, because a packet kept by one side may be charged to the shared
part of the other. Switch software does the same (SONiC buffer_pool_mellanox.lua).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from footroom.calculators.pool.memory import Line, Memory
from footroom.calculators.pool.overhead import Extra

#: Lines that are headroom, by name.
HEADROOM = ("headroom", "insurance", "headroom_pool", "private_headroom")


@dataclass(frozen=True)
class Group:
    """Ports that are alike, with the headroom a scheme gives them.

    count: ports.  speed [bit/s].  cable [m].  lossless: classes with headroom.  headroom: of each priority group [B].
    insurance: of each port, for schemes that keep headroom per port [B].  reserved: kept for each priority group
    besides [B].  source: who says so.  notes: what a reader must know of that.  outside: why the scheme does not hold
    for these ports; empty where it does.  wide: ports of 8 lanes, which switch
    software may set more aside for.
    """

    count: int
    speed: float
    cable: float
    lossless: int
    headroom: float
    insurance: float = 0.0
    reserved: float = 0.0
    source: str = ""
    notes: tuple[str, ...] = ()
    outside: str = ""
    wide: bool = False

    @property
    def priority_groups(self) -> int:
        """Priority groups with headroom, all ports together."""
        return self.count * self.lossless

    @property
    def title(self) -> str:
        """For a reader."""
        return f"{self.count} × {self.speed / 1e9:g} Gb/s, {self.cable:g} m"


def outside_of(groups: Iterable[Group]) -> str:
    """Why the headroom of some of ``groups`` is outside what its scheme holds for; empty where it is not."""
    return "; ".join(dict.fromkeys(group.outside for group in groups if group.outside and group.lossless))


@dataclass(frozen=True)
class Division:
    """The guarantees that a memory must hold.

    classes: queues of each port.  reserved_pg: kept for each lossless priority group [B]; reserved_queue: for each
    queue [B].  extras: what switch software sets aside besides.  ratio: all headroom over the shared headroom pool;
    pool: its size [B]; both None where each priority group has its own.  private: headroom of each lossless port beside
    the pool [B].
    """

    memory: Memory
    groups: tuple[Group, ...]
    classes: int
    reserved_pg: float = 0.0
    reserved_queue: float = 0.0
    extras: tuple[Extra, ...] = ()
    ratio: float | None = None
    pool: float | None = None
    private: float = 0.0

    @property
    def ports(self) -> int:
        """All ports."""
        return sum(group.count for group in self.groups)

    @property
    def pooled(self) -> bool:
        """Whether priority groups share their headroom."""
        return self.ratio is not None or self.pool is not None

    @property
    def headroom(self) -> float:
        """Headroom of all priority groups, each in whole cells, as if none were shared [B]."""
        return sum(group.priority_groups * self.memory.rounded(group.headroom) for group in self.groups)

    @property
    def headroom_pool(self) -> float:
        """Size of the shared headroom pool [B]: as given, or all headroom but the private part, over the ratio.

        SONiC buffer_pool_mellanox.lua: ceil((Σ xoff − private·lossless ports) / over_subscribe_ratio).
        """
        if self.pool is not None:
            return self.pool
        lossless = sum(group.count for group in self.groups if group.lossless)
        asked = sum(group.priority_groups * group.headroom for group in self.groups)
        return math.ceil(max(0.0, asked - self.private * lossless) / (self.ratio or 1.0) - 1e-6)

    def lines(self) -> tuple[Line, ...]:
        """Every guarantee. Lines of nothing are left out."""
        found: list[Line] = []

        def add(name: str, title: str, count: int, each: float, source: str = "") -> None:
            if count and each:
                found.append(Line.of(self.memory, name, title, count, each, source))

        for group in self.groups:
            if not self.pooled:
                add(
                    "headroom",
                    f"Headroom, {group.title}, {group.lossless} lossless",
                    group.priority_groups,
                    group.headroom,
                    group.source,
                )
            if group.lossless:
                add("insurance", f"Headroom per port, {group.title}", group.count, group.insurance, group.source)
            add(
                "xon",
                f"Kept by the scheme besides headroom, {group.title}",
                group.priority_groups,
                group.reserved,
                group.source,
            )
        if self.pooled:
            how = "as given" if self.ratio is None else f"{self.ratio:g} times over-subscribed"
            add("headroom_pool", f"Shared headroom pool, {how}", 1, self.headroom_pool)
            add(
                "private_headroom",
                "Headroom of each lossless port beside the pool",
                sum(group.count for group in self.groups if group.lossless),
                self.private,
            )
        add(
            "reserved_pg",
            "Reserved, lossless priority groups",
            sum(group.priority_groups for group in self.groups),
            self.reserved_pg,
        )
        add("reserved_queue", "Reserved, egress queues", self.ports * self.classes, self.reserved_queue)
        for extra in self.extras:
            if not extra.per_port:
                add(extra.name, extra.title, 1, extra.each, extra.source)
            for wide, title in ((False, extra.title), (True, f"{extra.title} with 8 lanes")) if extra.per_port else ():
                ports = sum(group.count for group in self.groups if group.wide == wide)
                add(extra.name, title, ports, extra.at(wide), extra.source)
        return tuple(found)

    @property
    def committed(self) -> float:
        """All guarantees, in whole cells [B]."""
        return sum(line.size for line in self.lines())

    @property
    def footroom(self) -> float:
        """What is left to be shared, in whole cells [B]; below 0 when too much is asked."""
        return self.memory.usable - self.committed

    @property
    def fits(self) -> bool:
        """Whether the guarantees fit the chip."""
        return self.footroom >= 0
