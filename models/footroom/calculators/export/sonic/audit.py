"""What the schema cannot detect: rows that are each valid but together lose packets, or cannot work."""

from __future__ import annotations

from collections.abc import Iterator

from footroom.calculators.export.findings import Finding
from footroom.calculators.export.sonic.tables import profile_name
from footroom.calculators.export.sonic.view import Pool, PortView, Profile, View, span


def audit(view: View) -> list[Finding]:
    """Every finding about ``view``, in the order of its tables."""
    return [*_pools(view), *_profiles(view), *_ports(view), *_queues(view)]


def _pools(view: View) -> Iterator[Finding]:
    for name, pool in view.pools.items():
        percentage = "percentage" in view.tables["BUFFER_POOL"][name]
        if pool.size is None and view.model != "dynamic" and not percentage:
            yield Finding(
                "error",
                "pool-size-missing",
                f"BUFFER_POOL|{name}.size",
                "the traditional model needs the size; only the dynamic one calculates it",
            )
        if percentage and view.model != "dynamic":
            yield Finding(
                "error",
                "percentage-not-dynamic",
                f"BUFFER_POOL|{name}.percentage",
                "only the dynamic model sizes a pool by its part of the memory",
            )
        if pool.xoff and pool.side == "egress":
            yield Finding("error", "xoff-at-egress", f"BUFFER_POOL|{name}.xoff", "only ingress pools have headroom")


def _profiles(view: View) -> Iterator[Finding]:
    for name, profile in view.profiles.items():
        where = f"BUFFER_PROFILE|{name}"
        pool = view.pools.get(profile.pool)
        if profile.dynamic_th is None and profile.static_th is None:
            yield Finding(
                "warning",
                "threshold-missing",
                where,
                "neither dynamic_th nor static_th: what it may take of the shared memory is left to the switch",
            )
        if pool is not None:
            yield from _profile(where, profile, pool)
        row = next(
            (row for (speed, cable), row in view.lookup.items() if name == profile_name(speed, int(cable.rstrip("m")))),
            None,
        )
        if row is not None:
            differ = [field for field in ("size", "xon", "xoff") if getattr(row, field) != getattr(profile, field)]
            if differ:
                yield Finding(
                    "warning",
                    "lookup-differs",
                    where,
                    "the lookup file has other values for "
                    + ", ".join(
                        f"{field} ({getattr(row, field)} there, {getattr(profile, field)} here)" for field in differ
                    )
                    + "; SONiC keeps the row that exists",
                )


def _profile(where: str, profile: Profile, pool: Pool) -> Iterator[Finding]:
    if profile.xoff and pool.side == "egress":
        yield Finding(
            "error",
            "xoff-at-egress",
            f"{where}.xoff",
            f"its pool {pool.name} is an egress pool; only priority groups have headroom",
        )
    if profile.xoff and not pool.xoff and profile.size < profile.xoff:
        yield Finding(
            "error",
            "headroom-not-kept",
            f"{where}.size",
            f"{profile.size} B are kept for each priority "
            f"group, less than its headroom of {profile.xoff} B, and {pool.name} has no shared headroom",
        )
    if pool.xoff and profile.xoff > pool.xoff:
        yield Finding(
            "error",
            "headroom-above-pool",
            f"{where}.xoff",
            f"one priority group's {profile.xoff} B exceed the shared headroom of {pool.name}, {pool.xoff} B",
        )
    if pool.size is not None and profile.size > pool.size:
        yield Finding(
            "warning",
            "size-above-pool",
            f"{where}.size",
            f"{profile.size} B kept for each exceed {pool.name}, {pool.size} B",
        )


def _ports(view: View) -> Iterator[Finding]:
    profiles = {(port, index): profile for port, index, profile in view.groups()}
    for port in view.ports.values():
        if port.cable is None and port.lossless:
            yield Finding(
                "error",
                "cable-missing",
                f"CABLE_LENGTH|{port.name}",
                "a port that pauses needs the length of its cable: without it no headroom is made",
            )
        for index in port.lossless:
            yield from _group(view, port, index, profiles.get((port.name, index)))


def _group(view: View, port: PortView, index: int, profile: Profile | None) -> Iterator[Finding]:
    where = f"BUFFER_PG|{port.name}|{index}"
    if profile is None:
        if not _calculated(view, port.name, index):
            row = f"; the lookup file has no row for {port.speed} Mb/s and {port.cable} m" if view.lookup else ""
            yield Finding(
                "error",
                "lossless-without-profile",
                where,
                f"PFC is enabled on priority {index} and its priority group has no profile{row}",
            )
    elif not profile.xoff:
        yield Finding(
            "error",
            "xoff-missing",
            f"BUFFER_PROFILE|{profile.name}.xoff",
            f"PFC is enabled on priority "
            f"{index} of {port.name}, and its profile has no headroom: packets are lost after a pause",
        )


def _calculated(view: View, port: str, index: int) -> bool:
    """Whether the switch calculates this group's profile."""
    return view.model == "dynamic" and any(
        row.get("profile") == "NULL"
        for key, row in view.tables.get("BUFFER_PG", {}).items()
        if key.partition("|")[0] == port and index in span(key.partition("|")[2])
    )


def _queues(view: View) -> Iterator[Finding]:
    profiles = {
        (key.partition("|")[0], index): row.get("profile", "")
        for key, row in view.tables.get("BUFFER_QUEUE", {}).items()
        for index in span(key.partition("|")[2])
    }
    limited: dict[str, list[str]] = {}
    for port in view.ports.values():
        for index in port.lossless:
            profile = view.profiles.get(profiles.get((port.name, index), ""))
            if profile is not None and profile.alpha is not None and profile.alpha < 8:
                limited.setdefault(profile.name, []).append(f"{port.name}|{index}")
    for name, queues in limited.items():
        yield Finding(
            "warning",
            "lossless-queue-drops",
            f"BUFFER_PROFILE|{name}.dynamic_th",
            f"{len(queues)} "
            f"lossless queues, {queues[0]} first, are limited at egress by alpha "
            f"{view.profiles[name].alpha:g}: packets may be dropped there before their priority group pauses",
        )
