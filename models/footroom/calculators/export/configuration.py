"""A switch's buffer configuration, independent of any vendor's format."""

from __future__ import annotations

from dataclasses import dataclass, field

from footroom.calculators.export.ledger import Ledger
from footroom.calculators.export.ports import Port
from footroom.parts.asics import Asic


@dataclass(frozen=True)
class PriorityGroup:
    """What a lossless priority group of one kind of port gets, in whole cells [B].

    xoff: headroom.  xon: level at which a pause ends.  xon_offset: distance below the limit at which it ends as well.
    reserved: kept for the group alone, headroom apart.
    """

    xoff: int
    xon: int
    xon_offset: int
    reserved: int


@dataclass(frozen=True)
class Threshold:
    """How much one queue may take: ``alpha`` times what is free, or, where that is None, ``limit`` [B]."""

    alpha: float | None
    limit: int | None = None


@dataclass(frozen=True)
class Ecn:
    """Marking by queue length. kmin, kmax [B]; pmax: probability at kmax."""

    kmin: int
    kmax: int
    pmax: float


@dataclass(frozen=True)
class Configuration:
    """One switch.

    name: of the scenario, may be empty.  memory: packet memory that is divided [B].  cell [B].  lossless: priorities
    that pause.  groups: what a lossless priority group gets by (speed [Mb/s], cable [m]).  ratio: groups that share one
    group's headroom, None when each has its own; headroom_pool: the pool they share [B], 0 without.  pool: memory that
    all ports share [B].  queue_reserved: kept for each queue [B].  ecn: none when nothing is marked.  strict: queues
    are served in order of priority, else they take turns with equal weights.  mtu: largest packet let through [B];
    lossless_mtu: largest packet of lossless traffic [B].  dynamic: the switch calculates profiles itself, but not those
    that are overridden: given in numbers.
    """

    name: str
    asic: Asic | None
    memory: int
    cell: int
    ports: tuple[Port, ...]
    lossless: tuple[int, ...]
    groups: dict[tuple[int, int], PriorityGroup]
    ratio: int | None
    headroom_pool: int
    pool: int
    queue_reserved: int
    lossless_threshold: Threshold
    lossy_threshold: Threshold
    ecn: Ecn | None
    strict: bool
    mtu: int
    lossless_mtu: int
    dynamic: bool
    overridden: bool
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def lossy(self) -> tuple[int, ...]:
        """Priorities whose packets are dropped, not paused."""
        return tuple(priority for priority in range(8) if priority not in self.lossless)

    @property
    def pooled(self) -> bool:
        """Whether priority groups share their headroom."""
        return self.headroom_pool > 0

    def group_of(self, port: Port) -> PriorityGroup:
        """What each lossless priority group of ``port`` gets."""
        return self.groups[port.speed, port.cable]

    @property
    def headroom(self) -> int:
        """All headroom, each group's own added up [B]; a shared pool is smaller."""
        return sum(self.group_of(port).xoff * len(self.lossless) for port in self.ports) if self.lossless else 0
