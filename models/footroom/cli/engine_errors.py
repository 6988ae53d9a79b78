"""``footroom papers run ENGINES`` and ``papers show ENGINES``: how far each engine is from packets."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.cli import show
from footroom.studies.accuracy.grid import CASES
from footroom.studies.accuracy.measure import QUANTITIES, measure, written
from footroom.studies.accuracy.release import COMMAND, released, summary

#: Named as papers are.
ID = "ENGINES"


def asked(ids: Sequence[str]) -> bool:
    """Whether the grid of engines is meant. Raises InvalidInput where papers are named beside it."""
    if ID not in ids:
        return False
    if len(ids) > 1:
        raise InvalidInput.at("ids", list(ids), f"{ID} compares engines, not papers: run it alone")
    return True


def run_grid(chosen: argparse.Namespace) -> None:
    """Measure all cases here and print them."""
    progress = show.Progress()

    def on_case(_: str, done: int, cases: int) -> None:
        progress(done / cases, None)

    try:
        cases = measure(CASES, on_case)
    finally:
        progress.clear()
    if chosen.json:
        show.print_json({"command": COMMAND, "cases": cases})
        return
    print(_table(cases))


def show_grid(chosen: argparse.Namespace) -> None:
    """Print what was measured before the release."""
    found = released()
    if chosen.json:
        show.print_json({"date": found.date, "version": found.version, "command": found.command, "cases": found.cases})
        return
    print(_table(found.cases))
    print(f"\nmeasured on {found.date} with version {found.version}, one run per case; run it here: {found.command}")


def _table(cases: Sequence[Mapping[str, Any]]) -> str:
    """Per control, engine and quantity the median and the worst error."""
    rows = [
        [
            row["control"],
            row["engine"],
            row["quantity"],
            written(row["median"], row["unit"]),
            written(row["worst"], row["unit"]),
            f"{row['valid']} of {row['of']}",
        ]
        for row in summary(list(map(dict, cases)))
    ]
    return show.table(rows, ["control", "engine", "quantity", "median", "worst", "valid"], words=(0, 1, 2, 3, 4))


def line(expected: Mapping[str, Any] | None) -> str:
    """What error to expect of a result, in one line; empty for engines that simulate packets alone."""
    if expected is None:
        return ""
    if not expected["case"]:
        return f"error to expect: unknown, outside the grid of docs/engines.md ({expected['reason']})"
    parts = [f"{name} {written(error, QUANTITIES[name])}" for name, error in expected["errors"].items()]
    return f"error to expect: {', '.join(parts)} (measured at {expected['case']}; footroom papers show {ID})"
