"""Alarms of a PFC watchdog as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from footroom.cli import show

#: Alarms shown, the earliest.
_SHOWN = 12
_FALSE = {True: "yes", False: "no", None: "not known"}


def watchdog_text(alarms: Sequence[dict[str, Any]]) -> str:
    """What the watchdog would have dropped, and when. alarms: Result.watchdog, at least one."""
    rows = [
        [
            alarm["port"],
            str(alarm["class"]),
            show.number(alarm["detected"], "s"),
            "-" if alarm["restored"] is None else show.number(alarm["restored"], "s"),
            str(alarm["waiting"]),
            str(alarm["arrived"]),
            _FALSE[alarm["false_alarm"]],
        ]
        for alarm in alarms[:_SHOWN]
    ]
    header = ["watchdog: queue to", "class", "detected", "restored", "packets waiting", "arrived", "false alarm"]
    more = f"\n… and {len(alarms) - _SHOWN} more alarms" if len(alarms) > _SHOWN else ""
    return show.table(rows, header, words=(0, 1, 6)) + more
