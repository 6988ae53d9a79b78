"""Headroom used, how pauses spread, and rates of flows, as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from footroom.cli import show

#: Rows of each table at most.
_SHOWN = 12


def _more(rows: Sequence[Any], what: str) -> str:
    return f"\n… and {len(rows) - _SHOWN} more {what}" if len(rows) > _SHOWN else ""


def headroom_text(switches: Sequence[Mapping[str, Any]]) -> str:
    """What headroom is set aside at every switch, and the most that was used. switches: Result.headroom."""
    fullest = sorted(switches, key=lambda one: -one["most"])
    total, worst = sum(one["reserved"] for one in switches), fullest[0]
    where = f"{len(switches)} switch{'es' if len(switches) > 1 else ''}"
    said = (
        f"Headroom: {show.number(total, 'B')} reserved at {where}; the most that one of them used is "
        f"{show.number(worst['most'], 'B')} of {show.number(worst['reserved'], 'B')}, at {worst['switch']}."
    )
    parts = [said]
    if worst["most"]:
        rows = [
            [
                one["switch"],
                show.number(one["reserved"], "B"),
                show.number(one["most"], "B"),
                f"{one['groups'] - one['never_used']} of {one['groups']}",
            ]
            for one in fullest[:_SHOWN]
        ]
        header = ["switch", "reserved", "most used at once", "groups that used any"]
        parts.append(show.table(rows, header) + _more(fullest, "switches"))
    return "\n".join(parts)


def fabric_text(fabric: Mapping[str, Any]) -> str:
    """Roots of pauses, paused ports, victims and flows' rates. fabric: Result.fabric."""
    parts = [_pauses_text(fabric["pauses"])] if fabric["pauses"] is not None else []
    rates = fabric["flows"]["rates"]
    if rates and fabric["time"]:
        parts.append(_rates_text(fabric))
    return "\n\n".join(part for part in parts if part)


def _class(row: Mapping[str, Any]) -> str:
    return "all (port)" if row["class"] is None else str(row["class"])


def _sum(row: Mapping[str, Any]) -> list[str]:
    return [str(row["pauses"]), show.number(row["time"], "s"), show.number(row["longest"], "s")]


def _pauses_text(pauses: Mapping[str, Any]) -> str:
    if not pauses["count"]:
        return ""
    roots = [
        [
            row["port"],
            *_sum(row),
            str(row["ports"]),
            str(row["depth"]),
            str(row["victims"]),
            show.number(row["lost"], "s"),
        ]
        for row in pauses["roots"][:_SHOWN]
    ]
    header = [
        "congested port",
        "pauses",
        "paused for",
        "longest",
        "ports paused",
        "steps away",
        "victims",
        "lost by victims",
    ]
    parts = [show.table(roots, header) + _more(pauses["roots"], "ports")]
    ports = [
        [row["port"], _class(row), *_sum(row), ", ".join(row["roots"][:2] + ["…"] * (len(row["roots"]) > 2))]
        for row in pauses["by_port"][:_SHOWN]
    ]
    header = ["paused port", "class", "pauses", "paused for", "longest", "because of"]
    parts.append(show.table(ports, header, words=(0, 1, 5)) + _more(pauses["by_port"], "ports"))
    if pauses["victims"]:
        rows = [
            [
                f"{row['source']}>{row['destination']}",
                str(row["flow"]),
                show.number(row["lost"], "s"),
                row["port"],
                row["root"],
            ]
            for row in pauses["victims"][:_SHOWN]
        ]
        header = ["victim", "flow", "waited behind pauses", "longest at", "does not cross"]
        parts.append(show.table(rows, header, words=(0, 3, 4)) + _more(pauses["victims"], "victims"))
    return "\n\n".join(parts)


def _rates_text(fabric: Mapping[str, Any]) -> str:
    flows, ends = fabric["flows"], [fabric["start"], *fabric["time"]]
    spans = [end - begin for begin, end in pairwise(ends)]
    rows = []
    for flow in flows["rates"][:_SHOWN]:
        mean = math.fsum(rate * span for rate, span in zip(flow["rate"], spans, strict=True)) / math.fsum(spans)
        rows.append(
            [
                f"{flow['source']}>{flow['destination']}",
                str(flow["flow"]),
                show.number(mean, "bit/s"),
                show.number(min(flow["rate"]), "bit/s"),
                show.number(max(flow["rate"]), "bit/s"),
            ]
        )
    header = ["flow from>to", "number", "goodput, mean", f"least in {show.number(fabric['step'], 's')}", "most"]
    known = [index for index in flows["fairness"] if index is not None]
    fair = (
        (
            f"Fairness index (Jain) of flows under way: {math.fsum(known) / len(known):.4g} on average, "
            f"{min(known):.4g} at least, over frames of {show.number(fabric['step'], 's')}."
        )
        if known
        else ""
    )
    return "\n".join(filter(None, [show.table(rows, header) + _more(flows["rates"], "flows"), fair]))
