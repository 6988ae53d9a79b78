"""What ships for a link, or next to it: the exact row, the neighbours, and the straight line between them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from footroom.formulas.headroom import written
from footroom.formulas.headroom.link import SECONDS_PER_METRE, Link
from footroom.formulas.headroom.schemes.sonic import Sonic
from footroom.formulas.headroom.shipped.tables import Row, Table, tables

if TYPE_CHECKING:
    from footroom.formulas.headroom.shipped.document import (
        Shipped,
        ShippedFormula,
        ShippedLaw,
        ShippedRow,
        ShippedTable,
    )

#: Headroom [B] by cell, speed and parameters: many tables share them.
_Known = dict[tuple[Any, ...], int]


def nearest(link: Link, chip: str | None) -> Shipped:
    """Shipped rows for ``link`` on the chip of that name in the tables; None: on any chip.

    Of each table of the chip: ``exact`` row, neighbours ``below`` and ``above`` in cable, the ``law`` base + slope per
    metre through them, and ``formula``, the value of SONiC's formula where that gives the table's rows. A table without
    the speed shows its nearest one, and says so; without a chip only tables with the speed count.
    """
    own = [table for table in tables() if chip in (None, table.chip)]
    found: list[ShippedTable] = []
    known: _Known = {}
    for table in own:
        if chip is None and link.speed not in table.by_speed:
            continue
        speed = _speed(table, link.speed)
        found.append(_of_table(table, replace(link, speed=speed), link.speed, known))
    return {"chip": chip, "tables": found}


def _speed(table: Table, speed: float) -> float:
    if speed in table.by_speed:
        return speed
    return min(table.by_speed, key=lambda own: abs(math.log(own / speed)))


def _of_table(table: Table, link: Link, asked: float, known: _Known) -> ShippedTable:
    rows = table.by_speed[link.speed]
    exact = next((row for row in rows if math.isclose(row.cable, link.cable, rel_tol=1e-9)), None)
    below = next((row for row in reversed(rows) if row.cable < link.cable and row is not exact), None)
    above = next((row for row in rows if row.cable > link.cable and row is not exact), None)
    document: ShippedTable = {
        "table": table.id,
        "chip": table.chip,
        "sku": table.sku,
        "skus": table.skus,
        "platform": table.platform,
        "cell": table.cell,
        "cell_source": table.cell_source,
        "quality": table.quality,
        "source": table.source,
        "speed": link.speed,
        "exact": _document(exact),
        "below": _document(below),
        "above": _document(above),
        "law": _law(rows, link, below, above),
        "formula": _formula(table, link, known),
        "facts": dict(table.facts),
    }
    other = f"the table has no {written.rate(asked)}; this is its {written.rate(link.speed)}"
    notes = [note for note in (other if link.speed != asked else "", table.caution_at(link.speed)) if note]
    if notes:
        document["note"] = "; ".join(notes)
    return document


def _document(row: Row | None) -> ShippedRow | None:
    return None if row is None else row.to_dict()


def _law(rows: list[Row], link: Link, below: Row | None, above: Row | None) -> ShippedLaw | None:
    """Base and slope per metre of the line through the neighbours; beyond the last row through the last two."""
    if len(rows) < 2:
        return None
    inside = below is not None and above is not None
    if below is not None and above is not None:
        low, high = below, above
    else:
        low, high = rows[-2:] if above is None else rows[:2]
    slope = (high.xoff - low.xoff) / (high.cable - low.cable)
    base = low.xoff - slope * low.cable
    document: ShippedLaw = {
        "xoff": base + slope * link.cable,
        "base": base,
        "slope": slope,
        "between": (low.cable, high.cable),
        "extrapolated": not inside,
        "inflation": slope / (2 * SECONDS_PER_METRE * link.speed / 8),
        "formula": f"{base:.0f} B + {slope:.6g} B/m × {written.plain(link.cable)} m",
    }
    if slope == 0:
        document["note"] = "both rows have one value: no law can be read from them"
    return document


def _formula(table: Table, link: Link, known: _Known) -> ShippedFormula | None:
    """What SONiC's formula gives with the parameters that explain the table."""
    if not table.sonic:
        return None
    own = replace(link, cell=float(table.cell or 0))
    halved = link.cable in table.halved
    parameters = table.parameters(link.speed, link.cable)
    same = (own.cell, own.speed, *sorted(parameters.items()))
    if same not in known:
        known[same] = Sonic.model_validate(parameters).budget(own).headroom
    xoff = known[same]
    return {"scheme": "sonic", "parameters": parameters, "xoff": half(xoff) if halved else xoff, "halved": halved}


def half(xoff: int) -> int:
    """Half of ``xoff`` in whole KiB, as in tables for an over-subscription of 2 [B]."""
    return math.ceil(xoff / 2 / 1024) * 1024
