"""``footroom what-if``: the same arrivals with and without a change."""

from __future__ import annotations

import argparse
from typing import Any

from footroom.cli import show
from footroom.cli.inputs import assignment, document_of
from footroom.scenario import Scenario
from footroom.scenario.axes import scalar
from footroom.studies.alternatives import alternatives
from footroom.studies.what_if import WhatIf, what_if

_WORDS = {"same": "same", "unclear": "no clear difference", "higher": "higher", "lower": "lower"}


def command(chosen: argparse.Namespace) -> int:
    """Run both and print the differences; without a change, list the ready-made changes."""
    document, _ = document_of(chosen.scenario, chosen.settings)
    ready = alternatives(Scenario.parse(document))
    if not chosen.change:
        if chosen.json:
            show.print_json({"alternatives": [one.to_dict() for one in ready]})
        elif ready:
            print(
                show.table(
                    [[one.id, one.title, one.about] for one in ready], ["--change", "", "what it sets"], words=(0, 1, 2)
                )
            )
        else:
            print("No class of this scenario is lossless; name a field: --change PATH=VALUE.")
        return 0
    changes: dict[str, Any] = {}
    for written in chosen.change:
        named = next((one for one in ready if one.id == written), None)
        if named is not None:
            changes |= named.changes
            continue
        path, value = assignment(
            written,
            "--change",
            f"switch.headroom.alpha=0.25, or one of {', '.join(one.id for one in ready) or 'PATH=VALUE'}",
        )
        changes[path] = scalar(value)
    progress = show.Progress()
    part: list[WhatIf] = []
    try:
        found = what_if(
            document,
            changes,
            replicas=chosen.replicas,
            workers=chosen.workers,
            on_progress=progress,
            on_stop=part.append,
        )
    finally:
        progress.clear()
        for pairs in part:
            _print(pairs, chosen)
            show.tell(f"{len(pairs.seeds)} of {chosen.replicas} pairs were finished and are compared")
    _print(found, chosen)
    return 0


def _print(found: WhatIf, chosen: argparse.Namespace) -> None:
    if chosen.json:
        show.print_json(found.to_dict())
    else:
        print(_text(found))


def _text(found: WhatIf) -> str:
    changes = ", ".join(f"{path} = {value}" for path, value in (found.changes or {}).items())
    same = "the same arrivals in both" if found.same_arrivals else "arrivals differ"
    rows = []
    for one in found.differences:
        ends = (
            ""
            if one.interval is None
            else (f"{show.number(one.interval[0], one.unit)} to {show.number(one.interval[1], one.unit)}")
        )
        share = f"{one.difference / one.a:+.1%}" if one.a else ""
        rows.append(
            [
                one.name,
                show.number(one.a, one.unit),
                show.number(one.b, one.unit),
                show.number(one.difference, one.unit),
                ends,
                share,
                _WORDS[one.verdict],
            ]
        )
    header = ["quantity", "A", "B", "B - A", "95 % interval", "of A", ""]
    return "\n".join(
        [
            f"B has {changes}; {len(found.seeds)} pairs, {same}.",
            "",
            show.table(rows, header, words=(0, 6)),
            show.notes(found.notes),
        ]
    )
