"""Completion times by entry and size, and how long queues were, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from footroom.cli import show

#: Shares of time for which queues are printed.
_SHARES = (0.5, 0.9, 0.99, 0.999, 1.0)


def completions_text(rows: Sequence[Mapping[str, Any]], by_size: Sequence[Mapping[str, Any]]) -> str:
    """Completion times of every entry of the traffic, where there are several, and of every class of sizes, likewise.

    rows: Result.completions.  by_size: Result.completions_by_size.
    """
    parts = []
    if len(rows) > 1:
        cells = [[row["name"], f"{row['rate']:.4g}/s", *_times(row)] for row in rows]
        parts.append(show.table(cells, ["traffic", "completed", *_TIMES], words=(0,)))
    if len(by_size) > 1:
        cells = [
            [f"{show.number(row['above'], 'B')} to {show.number(row['upto'], 'B')}", str(row["count"]), *_times(row)]
            for row in by_size
        ]
        parts.append(show.table(cells, ["size", "completed", *_TIMES], words=(0,)))
    return "\n\n".join(parts)


_TIMES = ("median", "p99", "slowdown, median", "slowdown, p99")


def _times(row: Mapping[str, Any]) -> list[str]:
    slowdown = [row["slowdown_p50"], row["slowdown_p99"]]
    return [
        show.number(row["p50"], "s"),
        show.number(row["p99"], "s"),
        *("" if value is None else f"{value:.4g}" for value in slowdown),
    ]


def queues_text(found: Mapping[str, Any]) -> str:
    """Queue [B] that was not exceeded for some shares of the time. found: Result.queue_distribution."""
    shares = [share for share in _SHARES if share in found["share"]]
    cells = [
        [
            "all watched ports" if row["port"] == "all" else row["port"],
            *(show.number(row["bytes"][found["share"].index(share)], "B") for share in shares),
        ]
        for row in found["queues"]
    ]
    return show.table(cells, ["queue at most", *(f"{share:.4g} of the time" for share in shares)], words=(0,))
