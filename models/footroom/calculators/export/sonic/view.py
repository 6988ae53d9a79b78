"""A configuration as numbers: which queue and priority group of which port has which profile, and what that gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from footroom.calculators.export.sonic.lookup import Row
from footroom.calculators.export.sonic.tables import POOL, Tables, profile_name

_NUMBER = re.compile(r"-?\d{1,18}")
#: Exponents of alpha that mean something; others are named by the check.
_EXPONENTS = range(-8, 8)


@dataclass(frozen=True)
class Pool:
    """size: as configured [B], None where the switch calculates it.  xoff: headroom that its groups share [B].
    includes_xoff: whether the size counts it.  kept: part of the size that is guaranteed: headroom and reserves [B].
    """

    name: str
    side: str
    mode: str
    size: int | None
    xoff: int
    includes_xoff: bool = False
    kept: int = 0

    @property
    def shared(self) -> int | None:
        """Memory shared apart from headroom [B], None where the switch calculates it."""
        return None if self.size is None else max(0, self.size - self.kept)


@dataclass(frozen=True)
class Profile:
    """size: kept for one group or queue alone [B].  xoff: headroom [B].  dynamic_th, static_th: as configured."""

    name: str
    pool: str
    size: int
    xon: int
    xon_offset: int
    xoff: int
    dynamic_th: int | None
    static_th: int | None

    @property
    def alpha(self) -> float | None:
        """Share of the free memory that one may hold."""
        return None if self.dynamic_th is None else 2.0**self.dynamic_th


@dataclass(frozen=True)
class PortView:
    """speed [Mb/s], 0 when not known; cable [m], None when not known; lossless: priorities on which it pauses."""

    name: str
    speed: int
    cable: int | None
    lossless: tuple[int, ...]


def number(text: str | None) -> int | None:
    """A whole number of plausible size, or None for anything else."""
    return int(text) if text is not None and _NUMBER.fullmatch(text) else None


def size(text: str | None) -> int | None:
    """A whole number of bytes, or None for anything else."""
    found = number(text)
    return found if found is not None and found >= 0 else None


def _exponent(value: int | None) -> int | None:
    return value if value in _EXPONENTS else None


def span(text: str) -> range:
    """The numbers that ``3-4`` or ``3`` names; none for anything else."""
    match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text)
    return range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)


class View:
    """Reads tables; what is wrong in them is left out here and named by the check."""

    def __init__(self, tables: Tables, lookup: list[Row]) -> None:
        self.tables = tables
        self.lookup = {(row.speed, row.cable): row for row in lookup}
        self.model = tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("buffer_model", "traditional")
        self.pools = {
            name: Pool(
                name, row.get("type", ""), row.get("mode", ""), size(row.get("size")), size(row.get("xoff")) or 0
            )
            for name, row in tables.get("BUFFER_POOL", {}).items()
        }
        self.profiles = {name: _profile(name, row) for name, row in tables.get("BUFFER_PROFILE", {}).items()}
        cables = {port: length for group in tables.get("CABLE_LENGTH", {}).values() for port, length in group.items()}
        self.ports = {name: self._port(name, row, cables) for name, row in tables.get("PORT", {}).items()}

    def _port(self, name: str, row: dict[str, str], cables: dict[str, str]) -> PortView:
        length = re.fullmatch(r"(\d{1,9})m", cables.get(name, ""))
        enabled = self.tables.get("PORT_QOS_MAP", {}).get(name, {}).get("pfc_enable", "")
        return PortView(
            name,
            size(row.get("speed")) or 0,
            int(length[1]) if length else None,
            tuple(sorted({int(part) for part in enabled.split(",") if part.isdigit()})),
        )

    def groups(self) -> Iterator[tuple[str, int, Profile]]:
        """Port, priority group and profile: those of BUFFER_PG, else those that the lookup file will make."""
        seen: set[tuple[str, int]] = set()
        for key, row in self.tables.get("BUFFER_PG", {}).items():
            port, _, numbers = key.partition("|")
            for index in span(numbers):
                seen.add((port, index))
                profile = self.profiles.get(row.get("profile", ""))
                if profile is not None:
                    yield port, index, profile
        if self.model != "traditional":
            return
        for view in self.ports.values():
            made = self._made(view)
            for index in view.lossless if made is not None else ():
                if (view.name, index) not in seen and made is not None:
                    yield view.name, index, made

    def _made(self, port: PortView) -> Profile | None:
        """The profile that the buffer manager makes of the lookup file for ``port`` (buffermgr.cpp)."""
        row = self.lookup.get((port.speed, f"{port.cable}m"))
        if row is None or port.cable is None:
            return None
        name = profile_name(port.speed, port.cable)
        return self.profiles.get(name) or Profile(
            name, POOL, row.size, row.xon, row.xon_offset or 0, row.xoff, _exponent(row.threshold), None
        )

    def queues(self) -> Iterator[tuple[str, int, str]]:
        """Port, queue and marking profile."""
        for key, row in self.tables.get("QUEUE", {}).items():
            port, _, numbers = key.partition("|")
            for index in span(numbers):
                if "wred_profile" in row:
                    yield port, index, row["wred_profile"]


def _profile(name: str, row: dict[str, str]) -> Profile:
    return Profile(
        name,
        row.get("pool", ""),
        size(row.get("size")) or 0,
        size(row.get("xon")) or 0,
        size(row.get("xon_offset")) or 0,
        size(row.get("xoff")) or 0,
        _exponent(number(row.get("dynamic_th"))),
        size(row.get("static_th")),
    )
