"""The errors that come with the package: measured before the release, with date and command."""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from footroom.base.version import VERSION
from footroom.studies.accuracy.document import EngineError
from footroom.studies.accuracy.measure import ENGINES, QUANTITIES, RATIO, written

COMMAND = "footroom papers run ENGINES"
#: Significant digits that are kept.
_DIGITS = 4


@dataclass(frozen=True)
class Released:
    """date: of the run, ISO 8601.  version: of the package that ran it.  command: how to run it again.  cases: rows of
    ``measure.compare``.
    """

    date: str
    version: str
    command: str
    cases: tuple[dict[str, Any], ...]


@functools.cache
def released() -> Released:
    """What came with this version."""
    text = resources.files("footroom.studies.accuracy").joinpath("data", "engines.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return Released(**{**found, "cases": tuple(found["cases"])})


def summary(cases: Sequence[dict[str, Any]]) -> list[EngineError]:
    """Per control, engine and quantity the median and the worst error of what the engine holds valid, and how often."""
    rows: list[EngineError] = []
    for control in dict.fromkeys(case["control"] for case in cases):
        mine = [case for case in cases if case["control"] == control]
        for engine in ENGINES:
            for name, how in QUANTITIES.items():
                asked = [case[engine] for case in mine if name in case[engine].get("errors", {})]
                valid = [one["errors"][name] for one in asked if name not in one["outside"]]
                if not asked:
                    continue
                rows.append(
                    {
                        "control": control,
                        "engine": engine,
                        "quantity": name,
                        "unit": how,
                        "median": statistics.median(valid) if valid else None,
                        "worst": max(valid, key=lambda x: _badness(x, how)) if valid else None,
                        "valid": len(valid),
                        "of": len(asked),
                    }
                )
    return rows


def _badness(error: float, how: str) -> float:
    if how != RATIO:
        return abs(error)
    return max(error, 1.0 / error) if error > 0.0 else float("inf")


def table(cases: Sequence[dict[str, Any]]) -> str:
    """Median and worst error as rows of Markdown, as docs/engines.md shows them."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in summary(cases):
        numbers = ", ".join(written(row[name], row["unit"], short=True) for name in ("median", "worst"))
        told = f"{numbers} [{row['valid']} of {row['of']}]" if row["valid"] else f"none valid of {row['of']}"
        cells.setdefault((row["control"], row["quantity"]), {})[row["engine"]] = told
    lines = [f"| control | quantity | {' | '.join(ENGINES)} |", "|---" * (2 + len(ENGINES)) + "|"]
    lines += [
        f"| {control} | {quantity} | {' | '.join(told.get(engine, '') for engine in ENGINES)} |"
        for (control, quantity), told in cells.items()
    ]
    return "\n".join(lines)


def write(cases: Sequence[dict[str, Any]], date: str) -> str:
    """The file's text, a line a case."""
    head = json.dumps({"date": date, "version": VERSION, "command": COMMAND})
    lines = ",\n  ".join(json.dumps(_round(case)) for case in cases)
    return f'{head[:-1]}, "cases": [\n  {lines}\n]}}\n'


def _round(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _round(one) for name, one in value.items()}
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def main(given: Sequence[str]) -> None:
    """Print the file for a run: ``run.json DATE``."""
    parser = argparse.ArgumentParser(prog="python -m footroom.studies.accuracy.release")
    parser.add_argument("run", type=Path, help=f"what `{COMMAND} --json` printed")
    parser.add_argument("date", help="day of the run, 2026-11-23")
    chosen = parser.parse_args(given)
    sys.stdout.write(write(json.loads(chosen.run.read_text(encoding="utf-8"))["cases"], chosen.date))


if __name__ == "__main__":
    main(sys.argv[1:])
