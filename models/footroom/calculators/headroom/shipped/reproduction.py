"""How well the default answer of each chip reproduces its shipped tables, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from footroom.formulas.headroom.chips import CHIPS
from footroom.formulas.headroom.laws import laws_of
from footroom.formulas.headroom.link import USUAL_CELL, Link
from footroom.formulas.headroom.schemes.sonic import Sonic
from footroom.formulas.headroom.schemes.vendor import Vendor
from footroom.formulas.headroom.shipped.tables import Row, tables
from footroom.parts.asics import asic_named


@dataclass(frozen=True)
class Reproduction:
    """Shipped rows of one chip beside what its scheme gives with nothing named but chip, speed and cable.

    asic: id of the chip.  scheme: ``sonic`` where the chip's switches compute their headroom, else ``vendor``.  how:
    the form and switch model, or whose law.  rows: all shipped rows of the chip.  exact: of them to the byte.  close:
    within 1 %.  worst: largest relative difference.  named: rows to the byte when the row's own switch model is named
    (sonic).
    """

    asic: str
    scheme: str
    how: str
    rows: int
    exact: int
    close: int
    worst: float
    named: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {name: value for name, value in vars(self).items() if value is not None}


def reproduction() -> tuple[Reproduction, ...]:
    """All chips with shipped tables whose default scheme is theirs, in the order of the catalogue of chips."""
    return tuple(_of(asic) for asic, chip in CHIPS.items() if chip.sku or laws_of(asic))


def _of(asic: str) -> Reproduction:
    chip, cell = CHIPS[asic], asic_named(asic).cell or USUAL_CELL

    def headroom(scheme: Sonic | Vendor, row: Row) -> int:
        return scheme.budget(Link.of_cable(row.speed, row.cable, cell=cell)).headroom

    kind: type[Sonic | Vendor] = Sonic if chip.sku else Vendor
    scheme = kind.model_validate(kind.of_chip(asic, {}))
    own = [table for table in tables() if table.chip == chip.shipped]
    found = [(headroom(scheme, row), row.xoff) for table in own for row in table.rows]
    named = None
    if isinstance(scheme, Sonic):
        named = sum(
            headroom(Sonic.model_validate(Sonic.of_chip(asic, {"sku": table.sku})), row) == row.xoff
            for table in own
            if table.sonic
            for row in table.rows
        )
    return Reproduction(
        asic,
        scheme.kind,
        f"{scheme.form}, {scheme.sku}" if isinstance(scheme, Sonic) else laws_of(asic)[0].maker,
        len(found),
        sum(ours == theirs for ours, theirs in found),
        sum(abs(ours / theirs - 1) <= 0.01 for ours, theirs in found),
        max(abs(ours / theirs - 1) for ours, theirs in found),
        named,
    )
