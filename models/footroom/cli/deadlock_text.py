"""A deadlock as a table."""

from __future__ import annotations

from typing import Any

from footroom.cli import show


def deadlock_text(deadlock: dict[str, Any]) -> str:
    """The pauses of the cycle, each of which waits for the next. deadlock: Result.deadlock."""
    rows = [
        [
            stop["port"],
            "all (port)" if stop["class"] is None else str(stop["class"]),
            show.number(stop["since"], "s"),
            show.number(stop["stuck"], "B"),
        ]
        for stop in deadlock["cycle"]
    ]
    header = ["deadlock: packets in by", "class", "paused since", "waiting for the next row"]
    return show.table(rows, header, words=(0, 1))
