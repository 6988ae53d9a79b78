"""What a configuration does: headroom, thresholds and pools per profile, the whole memory, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from footroom.base.errors import InvalidInput
from footroom.calculators.export.findings import Finding
from footroom.calculators.export.memory import Demand, places
from footroom.calculators.export.sonic.audit import audit
from footroom.calculators.export.sonic.check import check
from footroom.calculators.export.sonic.lookup import Row
from footroom.calculators.export.sonic.marks import Marked, marks_of
from footroom.calculators.export.sonic.tables import Tables
from footroom.calculators.export.sonic.view import Pool, Profile, View
from footroom.calculators.pool.memory import Memory
from footroom.calculators.pool.pools import PoolSize
from footroom.calculators.pool.reading import read_pools

if TYPE_CHECKING:
    from footroom.calculators.export.document import ImportDocument, ImportedPool, ImportedProfile, ImportedTotals


@dataclass(frozen=True)
class Totals:
    """Sums over all ports [B].

    footroom: memory that lossless priority groups share, None where the switch calculates it.  headroom: what is kept
    for after a pause.  headroom_own: each priority group's headroom added up, more than ``headroom`` when it is pooled.
    reserved: kept for priority groups alone.  groups: priority groups with headroom.
    """

    footroom: int | None
    headroom: int
    headroom_own: int
    shared_headroom_pool: int
    reserved: int
    groups: int

    def to_dict(self) -> ImportedTotals:
        """Plain data; over_subscribe_ratio: headroom_own over a shared headroom pool."""
        ratio = self.headroom_own / self.shared_headroom_pool if self.shared_headroom_pool else None
        return {
            "footroom": self.footroom,
            "headroom": self.headroom,
            "headroom_own": self.headroom_own,
            "shared_headroom_pool": self.shared_headroom_pool,
            "reserved": self.reserved,
            "groups": self.groups,
            "over_subscribe_ratio": ratio,
        }


@dataclass
class Report:
    """One configuration, read."""

    tables: Tables
    unknown: dict[str, Any]
    lookup: list[Row]
    view: View
    totals: Totals
    demand: Demand | None
    marked: list[Marked]
    findings: list[Finding] = field(default_factory=list)

    @property
    def feasible(self) -> bool | None:
        """Whether it fits the memory that was given; None when none was given, or when sizes are calculated."""
        return None if self.demand is None else not self.demand.refusal

    @property
    def errors(self) -> list[Finding]:
        """Findings that a switch would refuse, or that lose packets."""
        return [finding for finding in self.findings if finding.severity == "error"]

    def scenario(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """A scenario document with the switch as configured, and what it leaves out or assumes. Raises InvalidInput."""
        from footroom.calculators.export.sonic.scenario import scenario_of

        return scenario_of(self)

    def _scenario(self) -> tuple[dict[str, Any] | None, list[str]]:
        """The scenario and its notes; without one, the note says why."""
        try:
            document, notes = self.scenario()
        except InvalidInput as error:
            return None, [str(error)]
        return document, list(notes)

    def to_dict(self) -> ImportDocument:
        """Plain data; sizes in bytes, speeds in bit/s, cables in metres, alpha as a share."""
        used: dict[str, int] = {}
        scenario, notes = self._scenario()
        for _, _, profile in self.view.groups():
            used[profile.name] = used.get(profile.name, 0) + 1
        made = {profile.name: profile for _, _, profile in self.view.groups()}
        return {
            "target": "sonic",
            "model": self.view.model,
            "tables": {name: len(rows) for name, rows in self.tables.items()},
            "unknown_tables": sorted(self.unknown),
            "pools": {name: _pool(pool) for name, pool in self.view.pools.items()},
            "profiles": {
                name: _profile(profile, used.get(name, 0), name not in self.view.profiles)
                for name, profile in {**self.view.profiles, **made}.items()
            },
            "ports": [
                {
                    "name": port.name,
                    "speed": port.speed * 1_000_000,
                    "cable": port.cable,
                    "lossless": list(port.lossless),
                }
                for port in self.view.ports.values()
            ],
            "lookup": [row.to_dict() for row in self.lookup],
            "totals": self.totals.to_dict(),
            "memory": None if self.demand is None else self.demand.to_dict(),
            "feasible": self.feasible,
            "marking": [entry.to_dict() for entry in self.marked],
            "findings": [finding.to_dict() for finding in self.findings],
            "scenario": scenario,
            "scenario_notes": notes,
        }


def _pool(pool: Pool) -> ImportedPool:
    return {
        "side": pool.side,
        "mode": pool.mode,
        "size": pool.size,
        "xoff": pool.xoff,
        "includes_xoff": pool.includes_xoff,
    }


def _profile(profile: Profile, groups: int, made: bool) -> ImportedProfile:
    return {
        "pool": profile.pool,
        "size": profile.size,
        "headroom": profile.xoff,
        "xon": profile.xon,
        "xon_offset": profile.xon_offset,
        "dynamic_th": profile.dynamic_th,
        "alpha": profile.alpha,
        "static_th": profile.static_th,
        "priority_groups": groups,
        "from_lookup": made,
    }


def report_of(
    tables: Tables,
    lookup: list[Row],
    memory: Memory | None,
    unknown: dict[str, Any] | None = None,
    findings: Iterable[Finding] = (),
    asic: str | None = None,
    includes_xoff: bool | None = None,
) -> Report:
    """Everything about ``tables``.

    lookup: rows of pg_profile_lookup.ini.  memory: the chip's, which the configuration must fit.  findings: what
    reading has found already.  asic: id of the chip, which tells whether the size of a pool may count its headroom.
    includes_xoff: whether it does, where the caller knows.
    """
    view = View(tables, lookup)
    totals = _totals(view, memory)
    found = list(findings)
    demand = None
    included = tuple(
        pool.name
        for pool in view.pools.values()
        if includes_xoff and pool.side != "egress" and pool.size is not None and 0 < pool.xoff <= pool.size
    )
    if memory is not None and totals.footroom is not None:
        demand = _demand(view, totals, memory, includes_xoff)
        reading = read_pools(demand.pools, memory, demand.reserved, asic)
        demand = replace(demand, pools=reading.pools)
        included = demand.verdict.included
        if reading.note:
            found.append(Finding("warning", "xoff-in-size", "BUFFER_POOL", reading.note))
    for name in included:
        pool = view.pools[name]
        kept = pool.xoff + (totals.reserved if demand is None or name == demand.verdict.largest else 0)
        view.pools[name] = replace(pool, includes_xoff=True, kept=kept)
    totals = _totals(view, memory)
    marked, meant = marks_of(view)
    found += [*check(tables), *audit(view), *meant]
    if demand is not None and demand.refusal:
        found.append(Finding("error", "overcommitted", "BUFFER_POOL", demand.refusal))
    return Report(tables, unknown or {}, lookup, view, totals, demand, marked, found)


def _totals(view: View, memory: Memory | None) -> Totals:
    groups = list(view.groups())
    cells = memory or Memory(1.0, None)
    pooled = {pool.name: pool.xoff for pool in view.pools.values() if pool.xoff}
    lossless = [profile for _, _, profile in groups if profile.xoff]
    own = places(cells, ((1, profile.xoff) for profile in lossless))
    apart = places(cells, ((1, profile.xoff) for profile in lossless if profile.pool not in pooled))
    # What a profile keeps includes its headroom, unless that is pooled.
    kept = places(
        cells, ((1, max(0, profile.size - (0 if profile.pool in pooled else profile.xoff))) for _, _, profile in groups)
    )
    sizes = [
        pool.shared
        for pool in view.pools.values()
        if pool.side in ("ingress", "both") and (not lossless or any(profile.pool == pool.name for profile in lossless))
    ]
    footroom = None if not sizes or None in sizes else sum(size for size in sizes if size is not None)
    return Totals(footroom, apart + sum(pooled.values()), own, sum(pooled.values()), kept, len(lossless))


def _demand(view: View, totals: Totals, memory: Memory, includes_xoff: bool | None) -> Demand:
    apart = totals.headroom - totals.shared_headroom_pool
    pools = []
    for pool in view.pools.values():
        side: Literal["ingress", "egress"] = "egress" if pool.side == "egress" else "ingress"
        xoff = pool.xoff if side == "ingress" else 0
        own = bool(xoff)
        if (
            side == "ingress"
            and apart
            and any(profile.xoff and profile.pool == pool.name and not pool.xoff for _, _, profile in view.groups())
        ):
            xoff, apart = xoff + apart, 0
        # Sizes beyond reason stay beyond any chip, and names of any length stay theirs.
        pools.append(
            PoolSize.model_construct(
                name=pool.name,
                size=float(pool.size or 0),
                xoff=float(xoff),
                side=side,
                includes_xoff=includes_xoff if own and pool.xoff <= (pool.size or 0) else False,
            )
        )
    return Demand(memory, totals.reserved, tuple(pools))
