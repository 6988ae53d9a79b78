"""``footroom controls``: the smallest buffer under every congestion control, over numbers of flows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from footroom.cli import show
from footroom.cli.guard import Guard
from footroom.cli.inputs import document_of, writable
from footroom.studies import Comparison, ControlsAnswer
from footroom.studies.controls import Row, Rule

#: A comparison expected to take longer than this [s] says so before it starts.
_LONG = 30.0
_MISSED, _UNANSWERED = "none", "-"


def command(chosen: argparse.Namespace) -> int:
    """Search for all, and print one table per engine with the rules of thumb below."""
    document, _ = document_of(chosen.scenario, chosen.settings)
    settings = " ".join([chosen.scenario, *(f"--set {_quoted(one)}" for one in chosen.settings)])
    asked = Comparison(
        document,
        chosen.require or ["utilisation>=0.99"],
        engines=chosen.engine,
        controls=chosen.control or None,
        mixtures=chosen.mixtures,
        flows=chosen.flows,
        source=settings,
    )
    target = writable(chosen.csv)
    guard = Guard(chosen.workers, force=chosen.force)
    cost = asked.cost(chosen.workers)
    if cost.seconds > _LONG:
        show.tell(f"{cost.runs} runs, about {cost.seconds:.0f} s on {cost.workers} cores")
    progress = show.Progress()
    part: list[ControlsAnswer] = []
    try:
        answer = asked.answer(workers=chosen.workers, on_progress=progress, admission=guard, on_stop=part.append)
    finally:
        progress.clear()
        for rows in part:
            _print(rows, chosen, target)
            show.tell(f"{len(rows.rows)} of {len(asked.cells)} searches were finished and are shown")
    _print(answer, chosen, target)
    return 0


def _print(answer: ControlsAnswer, chosen: argparse.Namespace, target: Path | None) -> None:
    if target is not None:
        target.write_text(answer.to_csv(), encoding="utf-8")
    if chosen.json:
        show.print_json(answer.to_dict())
    else:
        print(_text(answer))


def _text(answer: ControlsAnswer) -> str:
    # Where it was interrupted, not every number of flows has a row yet.
    columns = list(dict.fromkeys([*(row.flows for row in answer.rows), *(one.flows for one in answer.rules)]))
    header = ["control", *("buffer" if count is None else f"n={count}" for count in columns)]
    parts = [answer.headline]
    for engine in dict.fromkeys(row.engine for row in answer.rows):
        own = [row for row in answer.rows if row.engine == engine]
        lines = {row.title: [""] * len(columns) for row in own if row.status != "unanswered"}
        for row in own:
            if row.title in lines:
                lines[row.title][columns.index(row.flows)] = _cell(row)
        if lines:
            parts.append(show.table([[title, *cells] for title, cells in lines.items()], [engine, *header[1:]]))
        parts.append(_remarks(engine, own))
    rules: dict[str, list[str]] = {one.rule.title: [""] * len(columns) for one in answer.rules}
    for one in answer.rules:
        rules[one.rule.title][columns.index(one.flows)] = _rule(one)
    if rules:
        parts.append(show.table([[title, *cells] for title, cells in rules.items()], ["rule of thumb", *header[1:]]))
        if any(not one.rule.valid for one in answer.rules):
            parts.append("! where a rule does not hold")
    parts.append(show.notes([*answer.notes, *_changes(answer.rows)]))
    return "\n\n".join(filter(None, parts))


def _cell(row: Row) -> str:
    if row.value is None:
        return _MISSED if row.status == "missed" else _UNANSWERED
    text = show.number(row.value, "B")
    return f"! {text}" if row.outside else text


def _rule(one: Rule) -> str:
    text = show.number(one.rule.value, "B")
    return text if one.rule.valid else f"! {text}"


def _remarks(engine: str, rows: Sequence[Row]) -> str:
    """Why a figure carries a "!" or is missing: each reason once, with the controls it is about."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.outside:
            found.setdefault(f"! outside the validity of {engine}: {row.outside}", []).append(row.title)
        elif row.status == "missed":
            found.setdefault(f"{_MISSED}: no buffer looked at meets all requirements", []).append(row.title)
        elif row.status == "unanswered":
            found.setdefault(f"no answer: {row.reason}", []).append(row.title)
    return "\n".join(f"{', '.join(dict.fromkeys(titles))}: {reason}" for reason, titles in found.items())


def _changes(rows: Sequence[Row]) -> list[str]:
    return [f"{row.title}: {change}" for row in rows for change in row.changes]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
