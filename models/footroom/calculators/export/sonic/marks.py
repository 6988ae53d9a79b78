"""Whether marking comes before a pause, for each lossless queue that is marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footroom.calculators.export.findings import Finding, Severity
from footroom.calculators.export.sonic.view import Profile, View, number, size
from footroom.calculators.pool.margin import margin
from footroom.calculators.pool.thresholds import Queues, free_memory

if TYPE_CHECKING:
    from footroom.calculators.export.document import ImportedMarking
    from footroom.calculators.pool.document import MarginDocument

#: Colour whose thresholds are those of ordinary packets, and the prefixes under which they stand, newest first.
_PREFIXES = ("ecn_green", "green")


@dataclass(frozen=True)
class Marked:
    """Lossless queues with one marking, one pause and one speed.

    queues: as ``Ethernet0|3``.  kmin, kmax [B]; pmax: probability at kmax.  profile: of the priority groups that feed
    them, the one that pauses first.  margins: by case and threshold, as ``footroom.calculators.pool.margin`` has them.
    """

    queues: tuple[str, ...]
    wred: str
    profile: str
    kmin: int
    kmax: int
    pmax: float
    margins: tuple[dict[str, Any], ...]

    def to_dict(self) -> ImportedMarking:
        """Plain data."""
        return {
            "queues": list(self.queues),
            "wred": self.wred,
            "profile": self.profile,
            "kmin": self.kmin,
            "kmax": self.kmax,
            "pmax": self.pmax,
            "margins": list(self.margins),
        }


def marks_of(view: View) -> tuple[list[Marked], list[Finding]]:
    """Margins of all lossless queues that are marked, alike ones together, and what they mean."""
    kinds: dict[tuple[str, str, int], list[str]] = {}
    worst = _worst(view)
    for port, queue, wred in view.queues():
        group = _group_of(view, queue)
        seen = view.ports.get(port)
        if seen is not None and queue in seen.lossless and group in worst and seen.speed:
            kinds.setdefault((wred, worst[group].name, seen.speed), []).append(f"{port}|{queue}")
    profiles = {profile.name: profile for profile in worst.values()}
    found = [_marked(view, wred, profiles[name], speed, queues) for (wred, name, speed), queues in kinds.items()]
    marked = [entry for entry in found if entry is not None]
    return marked, [finding for entry in marked for finding in _meaning(entry)]


def _group_of(view: View, queue: int) -> int:
    """The priority group of the traffic class that leaves by ``queue``; the same number where no map says."""
    to_queue = next(iter(view.tables.get("TC_TO_QUEUE_MAP", {}).values()), {})
    to_group = next(iter(view.tables.get("TC_TO_PRIORITY_GROUP_MAP", {}).values()), {})
    for tc, index in to_queue.items():
        if number(index) == queue and number(to_group.get(tc)) is not None:
            return int(to_group[tc])
    return queue


def _worst(view: View) -> dict[int, Profile]:
    """By priority group, the profile with headroom that pauses first."""
    found: dict[int, Profile] = {}
    for _, index, profile in view.groups():
        if profile.xoff and (index not in found or _pause(profile) < _pause(found[index])):
            found[index] = profile
    return found


def _pause(profile: Profile) -> float:
    """Sort key of profiles, by how soon they pause; a fixed threshold counts as later than any share."""
    return profile.alpha if profile.alpha is not None else 1e3 + float(profile.static_th or 0)


def _marked(view: View, wred: str, profile: Profile, speed: int, queues: list[str]) -> Marked | None:
    row = view.tables.get("WRED_PROFILE", {}).get(wred, {})
    pool = view.pools.get(profile.pool)
    prefix = next((p for p in _PREFIXES if size(row.get(f"{p}_min_threshold")) is not None), None)
    if prefix is None or row.get("ecn", "ecn_none") == "ecn_none" or pool is None or pool.shared is None:
        return None
    kmin = size(row.get(f"{prefix}_min_threshold")) or 0
    kmax = size(row.get(f"{prefix}_max_threshold")) or kmin
    percent = size(row.get("ecn_green_mark_probability" if prefix == "ecn_green" else "green_drop_probability"))
    others = sum(1 for _, _, other in view.groups() if other.xoff) - 1
    margins = tuple(
        {"threshold_of": name, **_margin(case, mark, profile, pool.shared, count, speed * 1e6)}
        for case, count in (("alone", 0), ("others_full", others))
        for name, mark in (("kmin", kmin), ("kmax", kmax))
    )
    return Marked(tuple(queues), wred, profile.name, kmin, kmax, (100 if percent is None else percent) / 100.0, margins)


def _margin(case: str, mark: int, profile: Profile, pool: int, others: int, rate: float) -> MarginDocument:
    """One queue filled from one port, with ``others`` priority groups at their threshold."""
    if profile.alpha is None:
        fixed = float(profile.static_th or pool)
        return {
            "case": case,
            "mark": mark,
            "held": mark,
            "threshold": fixed,
            "margin": fixed - mark,
            "time": (fixed - mark) * 8.0 / rate,
            "first": "marking" if fixed > mark else "pause",
            "largest": fixed,
        }
    # While the others keep to their falling threshold, they give back part of what this queue takes.
    left = free_memory(1.0, [Queues("lossless", others, profile.alpha)])
    return margin(
        case, mark, free=left * pool, alpha=profile.alpha, queues=1, feeds=1.0, weight=left, rate=rate
    ).to_dict()


#: Cases from bad to harmless: severity and what it means when the pause is first.
_MEANINGS: tuple[tuple[str, str, Severity, str], ...] = (
    ("alone", "kmin", "warning", "nothing is marked before a pause, even in an empty switch"),
    ("alone", "kmax", "warning", "a pause comes before marking reaches its full probability"),
    ("others_full", "kmin", "note", "nothing is marked before a pause while all other priority groups are full"),
)


def _meaning(entry: Marked) -> list[Finding]:
    """The worst case in which a pause comes first."""
    by_case = {(m["case"], m["threshold_of"]): m for m in entry.margins}
    for case, threshold, severity, meaning in _MEANINGS:
        found = by_case[case, threshold]
        if found["first"] == "pause":
            return [
                Finding(
                    severity,
                    "pause-before-marking",
                    f"WRED_PROFILE|{entry.wred}",
                    f"{len(entry.queues)} lossless queues, {entry.queues[0]} first: {meaning}: {threshold} "
                    f"{found['mark']} B, pause at {found['threshold']:.0f} B; a {threshold} below "
                    f"{found['largest']:.0f} B would do",
                )
            ]
    return []
