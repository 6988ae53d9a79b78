"""The shipped tables: ``pg_profile_lookup.ini`` of 66 switch models, read from ``data/tables.json``."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from footroom.formulas.headroom.link import Link

if TYPE_CHECKING:
    from footroom.formulas.headroom.shipped.document import ShippedRow


@dataclass(frozen=True)
class Row:
    """One line of a table.

    speed [bit/s].  cable [m].  size, xon, xoff [B]: xoff is the headroom; size is what is set aside per priority group.
    threshold: exponent of the dynamic threshold, alpha = 2^threshold.  xon_offset [B].  repeats: the longer cable or
    faster speed of the same table with the same xoff, empty when there is none.
    """

    speed: float
    cable: float
    size: int
    xon: int
    xoff: int
    threshold: int
    xon_offset: int | None
    repeats: str = ""

    def to_dict(self) -> ShippedRow:
        """Plain data; what the row does not have is absent."""
        row: ShippedRow = {
            "speed": self.speed,
            "cable": self.cable,
            "size": self.size,
            "xon": self.xon,
            "xoff": self.xoff,
            "threshold": self.threshold,
        }
        if self.xon_offset is not None:
            row["xon_offset"] = self.xon_offset
        if self.repeats:
            row["repeats"] = self.repeats
        return row


@dataclass(frozen=True)
class Deviation:
    """Rows of a table that need other parameters: those of these cables [m] and speeds [bit/s], all when empty."""

    cables: tuple[float, ...]
    speeds: tuple[float, ...]
    sonic: Mapping[str, Any]

    def holds(self, speed: float, cable: float) -> bool:
        """Whether the row of that speed and cable is one of them."""
        return (not self.cables or cable in self.cables) and (not self.speeds or speed in self.speeds)


@dataclass(frozen=True)
class Table:
    """The table of one switch model.

    id: of its content; the same table may ship on several models, counted in ``skus``.  chip: as in the source.
    cell [B] with its source, None where unknown.  quality: the collector's verdict.  facts: pools beside it [B].
    sonic: parameters with which the sonic scheme gives its rows, empty when none do; ``deviations``: cables [m], speeds
    [bit/s], and parameters that differ for these rows; ``halved``: cables [m] whose rows are half of that, rounded up
    to KiB.  caution: what to know of rows that follow no documented rule, at
    ``caution_speeds`` [bit/s], all when empty.
    """

    id: str
    chip: str
    platform: str
    sku: str
    skus: int
    cell: int | None
    cell_source: str
    quality: str
    source: str
    rows: tuple[Row, ...]
    facts: Mapping[str, Any]
    sonic: Mapping[str, Any]
    halved: tuple[float, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    caution: str = ""
    caution_speeds: tuple[float, ...] = ()

    @functools.cached_property
    def by_speed(self) -> dict[float, list[Row]]:
        """The rows of each speed [bit/s], by their cables."""
        speeds = {row.speed for row in self.rows}
        return {
            speed: sorted((row for row in self.rows if row.speed == speed), key=lambda row: row.cable)
            for speed in speeds
        }

    def caution_at(self, speed: float) -> str:
        """The caution that applies to rows of that speed [bit/s], empty when none does."""
        return self.caution if not self.caution_speeds or speed in self.caution_speeds else ""

    def parameters(self, speed: float, cable: float) -> dict[str, Any]:
        """Parameters of the sonic scheme for the row of that speed [bit/s] and cable [m], empty when none are known."""
        found = dict(self.sonic)
        for deviation in self.deviations:
            if deviation.holds(speed, cable):
                found |= deviation.sonic
        return found

    def link(self, row: Row) -> Link:
        """The link that a row is for."""
        return Link.of_cable(row.speed, row.cable, cell=self.cell or 0)


def _repeats(row: list[Any], rows: list[list[Any]]) -> str:
    """What else in the table has this row's xoff: a longer cable, or a faster speed."""
    for other in rows:
        if other[4] == row[4] and other[0] == row[0] and other[1] > row[1]:
            return f"{other[1]} m"
    for other in rows:
        if other[4] == row[4] and other[1] == row[1] and other[0] > row[0]:
            return f"{other[0]} Gb/s"
    return ""


_FACTS = (
    "step",
    "topology",
    "ingress_lossless_pool",
    "pool_xoff",
    "egress_lossless_pool",
    "egress_lossy_pool",
    "ingress_lossy_pool",
)


@functools.cache
def tables() -> tuple[Table, ...]:
    """All tables, in the order of the collection."""
    folder = resources.files("footroom.formulas.headroom.shipped").joinpath("data")
    found = json.loads(folder.joinpath("tables.json").read_text(encoding="utf-8"))["tables"]
    explained = json.loads(folder.joinpath("explained.json").read_text(encoding="utf-8"))
    made = []
    for table in found:
        rows = tuple(
            Row(speed * 1e9, cable, size, xon, xoff, threshold, offset, _repeats(raw, table["rows"]))
            for raw in table["rows"]
            for speed, cable, size, xon, xoff, threshold, offset in [raw]
        )
        why = explained.get(table["table"], {})
        caution = why.get("caution", {})
        made.append(
            Table(
                table["table"],
                table["chip"],
                table["platform"],
                table["sku"],
                table["skus"],
                table["cell"],
                table["cell_source"],
                table["quality"],
                table["source"],
                rows,
                {name: table[name] for name in _FACTS if table[name] not in (None, "")},
                why.get("sonic", {}),
                tuple(why.get("halved", ())),
                tuple(
                    Deviation(
                        tuple(one.get("cables", ())),
                        tuple(speed * 1e9 for speed in one.get("speeds", ())),
                        one["sonic"],
                    )
                    for one in why.get("deviations", ())
                ),
                caution.get("note", ""),
                tuple(speed * 1e9 for speed in caution.get("speeds", ())),
            )
        )
    return tuple(made)
