"""Flows that join and leave, step by step, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from footroom.cli import show


def steps_text(steps: Sequence[Mapping[str, Any]]) -> str:
    """One line per step: when, how many flows, their least and largest goodput, and Jain's index of it."""
    rows = []
    for step in steps:
        rates = [flow["goodput"] for flow in step["flows"]]
        index = step["fairness"]
        ends = [show.number(rate, "bit/s") for rate in (min(rates), max(rates))] if rates else ["", ""]
        rows.append(
            [
                f"{show.number(step['start'], 's')} to {show.number(step['end'], 's')}",
                str(len(rates)),
                *ends,
                "" if index is None else f"{index:.3f}",
            ]
        )
    return show.table(rows, ["step", "flows", "least goodput", "largest", "fairness"], words=(0,))
