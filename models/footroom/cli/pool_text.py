"""The answer to a pool question as a person reads it; bytes and cells are exact: they are typed into switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.cli import show

if TYPE_CHECKING:
    from footroom.calculators.pool.document import (
        IncastDocument,
        MarkingDocument,
        PausesDocument,
        PoolDocument,
        PoolLine,
        PoolsCheck,
        PortCheck,
        SchemeShare,
        SharesDocument,
        SplitDocument,
        ThresholdDocument,
        WayOut,
    )


def text_of(found: PoolDocument) -> str:
    """All of it: verdict, lines, what would fit, and who shares what is left."""
    parts = [
        _verdict(found),
        _lines(found["lines"]),
        _ways(found["would_fit"]),
        _pools(found["pools"]),
        _ports(found["port_check"]),
        _schemes(found["schemes"]),
        _thresholds(found["thresholds"]),
        _shares(found["shares"]),
        _incast(found["incast"]),
        _pauses(found["pauses"]),
        _marking(found["marking"]),
        _split(found["split"]),
        show.notes(found["notes"]),
    ]
    return "\n\n".join(part for part in parts if part)


def _verdict(found: PoolDocument) -> str:
    memory, left = found["memory"], found["footroom"]
    cells = "" if memory["cells"] is None else f", {memory['cells']} cells of {memory['cell_size']:g} B"
    chip = f"{memory['buffer']} B{cells} ({memory['source']})"
    if not found["feasible"]:
        return f"{chip}\nrefused: {found['reason']}"
    mark, outside = ("! ", f"\n! outside validity: {found['outside']}") if found["outside"] else ("", "")
    size = _amount(left["bytes"], left["cells"])
    return f"{chip}\n{mark}fits: {size} of footroom, {_percent(left['share'])} of the memory{outside}"


def _amount(size: float, cells: int | None) -> str:
    return f"{size:.10g} B" + ("" if cells is None else f" ({cells} cells)")


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _lines(lines: list[PoolLine]) -> str:
    rows = [
        [
            line["title"],
            str(line["count"]),
            f"{line['each']:.10g}",
            f"{line['bytes']:.10g}",
            "" if line["cells"] is None else str(line["cells"]),
            _percent(line["share"]),
        ]
        for line in lines
    ]
    return show.table(rows, ["", "places", "each [B]", "bytes", "cells", "share"]) if rows else ""


def _ways(ways: list[WayOut]) -> str:
    rows = [[way["path"], "" if way["given"] is None else f"{way['given']:.10g}", way["text"]] for way in ways]
    return "what would fit, each alone\n" + show.table(rows, ["field", "given", ""], words=(0, 2)) if rows else ""


def _pools(pools: PoolsCheck | None) -> str:
    if pools is None:
        return ""
    return (
        f"pools: {_amount(pools['bytes'], pools['cells'])} must exist together, "
        f"{_amount(pools['free_bytes'], pools['free_cells'])} left"
    )


def _ports(rows: list[PortCheck] | None) -> str:
    return "\n".join(
        f"a port of {row['ports']} is given {row['bytes']:.10g} B of at most {row['limit']:.10g} B"
        for row in rows or ()
    )


def _schemes(schemes: dict[str, SchemeShare] | None) -> str:
    if not schemes:
        return ""
    rows = [
        [
            name,
            ", ".join(f"{each:.10g}" for each in scheme["each"]),
            scheme["per"],
            f"{'! ' if scheme['outside'] else ''}{scheme['bytes']:.10g}",
            _percent(scheme["share"]),
            f"{scheme['left']:.10g}",
        ]
        for name, scheme in schemes.items()
    ]
    header = ["headroom by scheme", "each [B]", "per", "bytes", "share", "left [B]"]
    return show.table(rows, header, words=(0, 2))


def _thresholds(rows: list[ThresholdDocument] | None) -> str:
    if not rows:
        return ""
    table = [
        [
            row["queue"],
            f"{row['alpha']:g}",
            str(row["congested"]),
            show.number(row["bytes"], "B"),
            "" if row["cells"] is None else str(row["cells"]),
            show.number(row["time"], "s"),
            "never" if row["burst"] is None else show.number(row["burst"]["bytes"], "B"),
        ]
        for row in rows
    ]
    return show.table(table, ["queue", "alpha", "congested", "may hold", "cells", "at line rate", "absorbs a burst of"])


def _shares(kinds: list[SharesDocument] | None) -> str:
    """Shares with every queue of a kind congested, and with one; anything between lies between these."""
    if not kinds:
        return ""
    table = [
        [
            kind["queue"],
            str(kind["queues"]),
            *(
                show.number(size, "B")
                for size in (kind["fixed"]["bytes"], kind["dynamic"][0]["bytes"], kind["dynamic"][-1]["bytes"])
            ),
            str(kind["even_at"]),
        ]
        for kind in kinds
    ]
    return show.table(
        table, ["queue", "queues", "fixed share", "dynamic, one congested", "all congested", "dynamic has more up to"]
    )


def _incast(incast: IncastDocument | None) -> str:
    if incast is None:
        return ""
    verdict = "absorbed" if incast["absorbed"] else "not absorbed"
    text = (
        f"incast of {show.number(incast['bytes'], 'B')} at {show.number(incast['rate'], 'bit/s')}, "
        f"{incast['queue']}: {verdict} with alpha {incast['alpha']:g}"
    )
    if incast["largest"] is None:
        return f"{text}; it arrives no faster than it leaves"
    if incast["smallest_alpha"] is None:
        best = show.number(incast["largest"], "B")
        return f"{text}; no alpha absorbs it: the best, {incast['best_alpha']:.4g}, takes {best}"
    exponent = incast["dynamic_th"]
    power = "no power of two that a switch takes is enough" if exponent is None else f"dynamic_th {exponent}"
    others = "".join(
        f"; each congested {other['queue']} queue is left with {show.number(other['left'], 'B')} of "
        f"{show.number(other['before'], 'B')}"
        for other in incast["others"]
    )
    return f"{text}; smallest alpha {incast['smallest_alpha']:.4g} ({power}){others}"


def _pauses(pauses: PausesDocument | None) -> str:
    if pauses is None:
        return ""
    size = _amount(pauses["pool"], pauses["pool_cells"])
    lines = [f"headroom of {size}: {pauses['at_once']} of {pauses['priority_groups']} priority groups at once"]
    for case in pauses["cases"]:
        smallest = case["smallest"]
        ratio = "" if smallest["ratio"] is None else f", {smallest['ratio']:.3g} times over-subscribed"
        lines.append(
            f"    correlation {case['correlation']:g}: exceeded with probability {case['exceeded']:.3g}; "
            f"{pauses['target']:g} takes {_amount(smallest['bytes'], smallest['cells'])}{ratio}"
        )
    return "\n".join(lines)


def _marking(marking: MarkingDocument | None) -> str:
    if marking is None:
        return ""
    marks = [case["mark"] for case in marking["cases"]]
    names = {max(marks): "Kmax", min(marks): "Kmin"} if min(marks) < max(marks) else {}
    rows = [
        [
            f"{case['case']} {names.get(case['mark'], '')}".rstrip(),
            show.number(case["mark"], "B"),
            show.number(case["held"], "B"),
            show.number(case["threshold"], "B"),
            show.number(case["margin"], "B"),
            show.number(case["time"], "s"),
            f"{case['first']} first",
            show.number(case["largest"], "B"),
        ]
        for case in marking["cases"]
    ]
    return show.table(
        rows,
        ["marking", "queue at", "group holds", "pauses at", "margin", "at line rate", "", "first up to"],
        words=(0, 6),
    )


def _split(split: SplitDocument | None) -> str:
    if split is None:
        return ""
    return (
        f"split: lossless {split['lossless']} %, lossy {split['lossy']} %, headroom {split['headroom']} % of "
        f"{split['of']:.10g} B"
    )
