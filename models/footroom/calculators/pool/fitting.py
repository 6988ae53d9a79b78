"""What would fit instead: each way out alone, everything else as asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from footroom.calculators.pool.division import Division, Group
from footroom.calculators.pool.memory import whole

if TYPE_CHECKING:
    from footroom.calculators.pool.document import WayOut

#: (place of the kind of port in the question, cable [m]) -> what a scheme says it needs with that cable.
Recable = Callable[[int, float], Group]
_SHORTEST = 1.0


@dataclass(frozen=True)
class Fit:
    """One way out. path: the field.  given: what was asked.  value: what fits, None when changing it alone is not
    enough.  text: the same in words.
    """

    path: str
    given: Any
    value: float | None
    text: str

    def to_dict(self) -> WayOut:
        """Plain data."""
        value = None if self.value is None else whole(self.value)
        return {"path": self.path, "given": self.given, "value": value, "text": self.text}


def what_fits(asked: Division, recable: Recable | None, shared: bool) -> tuple[Fit, ...]:
    """Ways out of a division that does not fit.

    recable: None where headroom is given in bytes and no cable decides it.  shared: whether the scheme lets priority
    groups share a pool.
    """
    found = [
        _classes(asked),
        _headroom(asked),
        *([_cable(asked, recable)] if recable else []),
        *_ports(asked),
        *([_ratio(asked)] if shared else []),
        _reserved(asked, "reserved_pg"),
        _reserved(asked, "reserved_queue"),
        _reserved(asked, "headroom_pool", "pool"),
        _memory(asked),
    ]
    return tuple(fit for fit in found if fit is not None)


def largest(low: int, high: int, fits: Callable[[int], bool]) -> int | None:
    """The largest whole number in [low, high] that fits, if all smaller ones fit; None when ``low`` does not."""
    if not fits(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _with_groups(asked: Division, change: Callable[[Group], Group]) -> Division:
    return replace(asked, groups=tuple(change(group) for group in asked.groups))


def _classes(asked: Division) -> Fit | None:
    most = max((group.lossless for group in asked.groups), default=0)
    if most == 0:
        return None
    value = largest(
        0, most, lambda n: _with_groups(asked, lambda group: replace(group, lossless=min(group.lossless, n))).fits
    )
    return _fit("lossless_classes", most, value, "", "lossless classes", smallest=0)


def _headroom(asked: Division) -> Fit | None:
    """The largest headroom that every priority group (or port) may have, in whole cells."""
    most = max((max(group.headroom, group.insurance) for group in asked.groups if group.lossless), default=0.0)
    if most == 0 or asked.pool is not None:
        return None
    step = asked.memory.cell or 1.0

    def fits(cells: int) -> bool:
        return _with_groups(
            asked,
            lambda group: replace(
                group, headroom=min(group.headroom, cells * step), insurance=min(group.insurance, cells * step)
            ),
        ).fits

    cells = largest(0, math.ceil(most / step), fits)
    value = None if not cells else min(cells * step, most)
    return _fit("headroom", most, value, "B", "of headroom for each")


def _cable(asked: Division, recable: Recable) -> Fit | None:
    longest = max((group.cable for group in asked.groups if group.lossless), default=0.0)
    if longest == 0 or asked.pool is not None:
        return None

    def fits(decimetres: int) -> bool:
        most = decimetres / 10.0
        groups = (recable(i, most) if group.cable > most else group for i, group in enumerate(asked.groups))
        return replace(asked, groups=tuple(groups)).fits

    found = largest(round(_SHORTEST * 10), math.ceil(longest * 10), fits)
    return _fit("cable", longest, None if found is None else min(found / 10.0, longest), "m", "of cable")


def _ports(asked: Division) -> list[Fit | None]:
    found: list[Fit | None] = []
    for i, group in enumerate(asked.groups):

        def fits(count: int, place: int = i, kind: Group = group) -> bool:
            groups = (*asked.groups[:place], replace(kind, count=count), *asked.groups[place + 1 :])
            return replace(asked, groups=groups).fits

        value = largest(0, group.count, fits)
        found.append(_fit(f"ports.{i}.count", group.count, value or None, "", f"ports of {group.speed / 1e9:g} Gb/s"))
    return found


def _ratio(asked: Division) -> Fit | None:
    """The smallest over-subscription that makes a shared headroom pool fit, to two digits after the point."""
    if asked.headroom == 0 or asked.pool is not None:
        return None
    given = asked.ratio or 1.0
    left = asked.memory.usable - replace(asked, ratio=None, pool=0.0).committed
    lossless = sum(group.count for group in asked.groups if group.lossless)
    pooled = sum(group.priority_groups * group.headroom for group in asked.groups) - asked.private * lossless
    value = max(1.0, math.ceil(100.0 * pooled / left) / 100.0) if left > 0 else None
    if value is not None and not replace(asked, ratio=value).fits:  # the pool is rounded up to whole cells
        value = round(value + 0.01, 2)
    text = (
        "not enough alone"
        if value is None
        else f"at least {value:g} times over-subscribed, headroom fits in a shared pool"
    )
    return Fit("over_subscribe_ratio", given if asked.ratio else None, value, text)


def _reserved(asked: Division, path: str, name: str | None = None) -> Fit | None:
    given = getattr(asked, name or path)
    if not given:
        return None
    step = asked.memory.cell or 1.0
    changed: dict[str, Any] = {}

    def fits(cells: int) -> bool:
        changed[name or path] = cells * step
        return replace(asked, **changed).fits

    cells = largest(0, math.ceil(given / step), fits)
    value = None if cells is None else min(cells * step, given)
    return _fit(path, given, value, "B", "of it", smallest=0)


def _memory(asked: Division) -> Fit:
    cell = asked.memory.cell
    need = asked.committed
    cells = f" ({round(need / cell)} cells)" if cell else ""
    return Fit("buffer", whole(asked.memory.buffer), need, f"at least {need:.0f} B{cells} of memory hold it")


def _fit(path: str, given: float, value: float | None, unit: str, what: str, smallest: float | None = None) -> Fit:
    shown = whole(given)
    if value is None or (smallest is None and value == 0):
        return Fit(path, shown, None, "not enough alone")
    text = f"at most {whole(value):g} {what}" if not unit else f"at most {whole(value):.10g} {unit} {what}"
    return Fit(path, shown, value, text)
