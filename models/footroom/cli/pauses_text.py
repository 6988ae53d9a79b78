"""Who was paused, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from footroom.cli import show

#: Priority groups shown; they come with the worst first.
_SHOWN = 12


def pauses_text(groups: Sequence[dict[str, Any]]) -> str:
    """Priority groups with their pauses and headroom, or that nothing paused. groups: Result.priority_groups."""
    if not any(group["pause_frames"] or group["drops"] for group in groups):
        return "No switch sent a pause frame, and no packet of a lossless class was dropped."
    lost = [group for group in groups if group["drops"]]
    parts = []
    if lost:
        worst = max(lost, key=lambda group: group["drops"])
        total = sum(group["drops"] for group in lost)
        parts.append(
            f"{total} packets of lossless classes were dropped, {worst['drops']} of them of {_name(worst)} at "
            f"{worst['switch']}, which filled {show.number(worst['headroom_max'], 'B')} of "
            f"{show.number(worst['headroom'], 'B')} headroom."
        )
    rows = [
        [
            group["port"],
            _class(group),
            str(group["pause_frames"]),
            show.number(group["pause_time"], "s"),
            show.number(group["xoff_time"], "s"),
            show.number(group["shared_max"], "B"),
            f"{show.number(group['headroom_max'], 'B')} of {show.number(group['headroom'], 'B')}",
            str(group["drops"]),
        ]
        for group in groups[:_SHOWN]
    ]
    header = [
        "packets in by",
        "class",
        "pause frames",
        "paused for",
        "above Xoff for",
        "shared, most",
        "headroom, most",
        "dropped",
    ]
    more = f"\n… and {len(groups) - _SHOWN} more priority groups" if len(groups) > _SHOWN else ""
    return "\n".join([*parts, show.table(rows, header, words=(0, 1)) + more])


def _class(group: dict[str, Any]) -> str:
    return "all (port)" if group["class"] is None else str(group["class"])


def _name(group: dict[str, Any]) -> str:
    return f"port {group['port']}" if group["class"] is None else f"class {group['class']} from {group['port']}"
