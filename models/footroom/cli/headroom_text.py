"""The answer to a headroom question as a person reads it; bytes are exact, because they are typed into switches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from footroom.cli import show

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import (
        Configured,
        HeadroomDocument,
        HeadroomInputs,
        HeadroomRange,
        SchemeDocument,
        Watermark,
    )
    from footroom.formulas.headroom.shipped.document import Shipped, ShippedLaw, ShippedRow, ShippedTable

#: Switch models listed for a link without a chip; the JSON has all.
_MOST = 12


def text_of(found: HeadroomDocument) -> str:
    """All of it: overview, lines of each scheme, what was measured, what ships, notes."""
    parts = [_question(found["inputs"]), _overview(found["schemes"]), _range(found["range"], found["schemes"])]
    parts.append(_outside(found["schemes"]))
    parts += [_scheme(name, scheme) for name, scheme in found["schemes"].items()]
    if "configured" in found:
        parts.append(_configured(found["configured"]))
    if "watermark" in found:
        parts.append(_watermark(found["watermark"]))
    if found["shipped"] is not None:
        parts.append(_shipped(found["shipped"]))
    if found["notes"]:
        parts.append(show.notes(found["notes"]))
    return "\n\n".join(part for part in parts if part)


def _question(inputs: HeadroomInputs) -> str:
    chip = inputs["asic"] or "no chip"
    return (
        f"{show.number(inputs['speed'], 'bit/s')}, {show.number(inputs['cable'], 'm')} "
        f"({show.number(inputs['delay'], 's')} one way), MTU {_bytes(inputs['mtu'])}, {chip}, "
        f"cells of {inputs['cell_size']} B"
    )


def _bytes(value: float) -> str:
    return f"{value:.10g} B"


def _overview(schemes: dict[str, SchemeDocument]) -> str:
    rows = [
        [
            name,
            _marked(scheme),
            str(scheme["cells"]),
            f"{scheme['xon']} B" if scheme["xon"] else "",
            f"{scheme['size']} B" if "size" in scheme else "",
            _title(scheme) + (f" (per {scheme['per']})" if "per" in scheme else ""),
        ]
        for name, scheme in schemes.items()
    ]
    return show.table(rows, ["scheme", "headroom", "cells", "xon", "size", ""], words=(0, 5))


def _marked(scheme: SchemeDocument) -> str:
    """The headroom, with a "!" before it where the link is outside what the scheme holds for."""
    return f"{'! ' if scheme['outside'] else ''}{scheme['headroom']} B"


def _outside(schemes: dict[str, SchemeDocument]) -> str:
    return "\n".join(
        f"! outside the validity of {name}: {scheme['outside']}"
        for name, scheme in schemes.items()
        if scheme["outside"]
    )


def _title(scheme: SchemeDocument) -> str:
    return str(scheme["title"]) + (f", form {scheme['form']['name']}" if "form" in scheme else "")


def _range(ends: HeadroomRange, schemes: dict[str, SchemeDocument]) -> str:
    low, high = ends["lowest"], ends["highest"]
    if low["scheme"] == high["scheme"]:
        return ""
    return (
        f"{_marked(schemes[low['scheme']])} ({low['scheme']}) to {_marked(schemes[high['scheme']])} "
        f"({high['scheme']}), a factor of "
        f"{high['headroom'] / low['headroom']:.1f}"
    )


def _scheme(name: str, scheme: SchemeDocument) -> str:
    rows = [[f"  {line['name']}", f"{line['bytes']:.10g}", line["formula"]] for line in scheme["lines"]]
    rows.append([f"  {name}", str(scheme["headroom"]), scheme["formula"]])
    parts = [f"{name}: {_title(scheme)}", show.table(rows, ["  line", "bytes", "formula"], words=(0, 2))]
    parts += [f"  {line}" for line in _further(scheme)]
    parts.append(f"  holds: {scheme['holds']}")
    parts.append(f"  departs: {scheme['departures']}")
    parts += [f"  note: {note}" for note in scheme["notes"]]
    return "\n".join(parts)


def _further(scheme: SchemeDocument) -> Iterator[str]:
    """What only some schemes answer."""
    if "size" in scheme:
        yield f"size = {' + '.join(f'''{line['name']} {line['bytes']:.10g}''' for line in scheme['size_lines'])} B"
    if memory := scheme.get("memory"):
        share = f", {100 * memory['share']:.1f} % of {_bytes(memory['buffer'])}" if "share" in memory else ""
        yield f"switch: {memory['formula']} = {_bytes(memory['total'])}{share}"
    if sharing := scheme.get("sharing"):
        yield f"a queue pauses {sharing['queue_pauses']}; a port pauses {sharing['port_pauses']}"
        if "shared" in sharing:
            yield (
                f"shared: {sharing['formula']}; in an empty switch T = {_bytes(sharing['threshold'])}, "
                f"Xqoff = {_bytes(sharing['queue_pause'])}, Xpoff = {_bytes(sharing['port_pause'])}"
            )
    if pool := scheme.get("shared_headroom_pool"):
        yield f"shared headroom pool: {_bytes(pool['size'])} = {pool['formula']}"


def _configured(configured: Configured) -> str:
    rows, reasons = [], []
    for name, one in configured["schemes"].items():
        reaction = one.get("reaction")
        rows.append(
            [
                name,
                _bytes(one["needed"]),
                f"{one['margin']:+.10g} B",
                show.number(reaction["seconds"], "s") if reaction else "-",
                f"{reaction['quanta']:.0f}" if reaction else "-",
                show.number(one["slack"], "s") if reaction else "-",
            ]
        )
        reasons += [f"note: {name}: {one['reason']}"] if "reason" in one else []
    header = ["scheme", "needed", "margin", "reaction covered", "quanta", "peer may be slower by"]
    return "\n".join([f"With {_bytes(configured['bytes'])} configured", show.table(rows, header), *reasons])


def _watermark(mark: Watermark) -> str:
    at = mark["at"]
    rows, reasons = [], []
    for name, one in mark["schemes"].items():
        fitted = one.get("fitted")
        rows.append(
            [
                name,
                _bytes(one["predicted"]),
                f"{one['margin']:+.10g} B",
                show.number(one["reaction"]["seconds"], "s"),
                show.number(fitted["seconds"], "s") if fitted else "-",
                f"{fitted['quanta']:.0f}" if fitted else "-",
                _bytes(one["headroom"]) if fitted else "-",
            ]
        )
        reasons += [f"note: {name}: {one['reason']}"] if "reason" in one else []
    header = ["scheme", "predicted", "margin", "assumed", "measured", "quanta", "headroom then"]
    title = (
        f"Watermark of {_bytes(mark['bytes'])} at {show.number(at['speed'], 'bit/s')}, "
        f"{show.number(at['cable'], 'm')}: the reaction that it implies, with each scheme's frames and cable"
    )
    return "\n".join([title, show.table(rows, header), *reasons])


def _shipped(shipped: Shipped) -> str:
    tables = shipped["tables"]
    if not tables:
        return "Shipped with SONiC: no table has this speed"
    rows = [
        [
            table["chip"],
            table["sku"],
            show.number(table["speed"], "bit/s"),
            _row(table["exact"]),
            _row(table["below"]),
            _row(table["above"]),
            _law(table["law"]),
            _formula(table),
        ]
        for table in tables[:_MOST]
    ]
    header = ["chip", "switch", "speed", "exact", "shorter", "longer", "straight line", "formula"]
    more = f"\n({len(tables) - _MOST} more tables: name a chip, or see --json)" if len(tables) > _MOST else ""
    found = [f"note: {table['sku']}: {table['note']}" for table in tables[:_MOST] if "note" in table]
    return "\n".join(["Shipped with SONiC, xoff", show.table(rows, header, words=(0, 1)) + more, *found])


def _row(row: ShippedRow | None) -> str:
    if row is None:
        return ""
    return f"{row['xoff']} B at {row['cable']} m" + (f" (as {row['repeats']})" if "repeats" in row else "")


def _law(law: ShippedLaw | None) -> str:
    if law is None or law["slope"] == 0:
        return ""
    return f"{law['xoff']:.0f} B at {law['slope']:.1f} B/m" + (" (beyond)" if law["extrapolated"] else "")


def _formula(table: ShippedTable) -> str:
    return f"{table['formula']['xoff']} B" if table["formula"] else ""
