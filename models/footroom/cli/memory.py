"""``footroom memory``: how the switches of a scenario divide their memory."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from footroom.cli import show
from footroom.cli.inputs import document_of
from footroom.engines.plan.memory import Memory, Race, memory

#: Switches named before the rest is counted.
_NAMED = 3


def command(chosen: argparse.Namespace) -> int:
    """Print one table of parts and one of levels for each kind of switch."""
    document, _ = document_of(chosen.scenario, chosen.settings)
    found = memory(document)
    if chosen.json:
        show.print_json({"memories": [one.to_dict() for one in found]})
    else:
        print("\n\n".join(_text(one) for one in found))
    return 0


def _text(one: Memory) -> str:
    classes = f"lossless classes {_listed(one.lossless)}" if one.lossless else "no lossless class"
    more = f" and {len(one.switches) - _NAMED} more" if len(one.switches) > _NAMED else ""
    title = f"{', '.join(one.switches[:_NAMED])}{more}: {show.number(one.buffer, 'B')}, {one.ports} ports, {classes}"
    rows = [
        [
            line.title,
            f"{line.count} x {_range(line.least, line.most)}" if line.count > 1 else "",
            str(line.size),
            f"{100 * line.share:.1f} %",
        ]
        for line in one.lines
    ]
    rows.append(["Memory", "", str(one.buffer), "100.0 %"])
    parts = [title, show.table(rows, ["part", "pieces", "bytes", "of memory"], words=(0,))]
    if one.levels:
        levels = [
            [level.title, str(level.size), f"{100 * level.size / one.buffer:.1f} %", _OF[level.of], level.formula]
            for level in one.levels
        ]
        parts.append(show.table(levels, ["level", "bytes", "of memory", "bytes of", "formula"], words=(0, 3, 4)))
    parts += [_race(race) for race in one.races if race.first]
    return "\n".join(parts)


_OF = {"group": "a priority group", "port": "a port", "queue": "an egress queue"}


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _race(race: Race) -> str:
    first = "marking comes first" if race.first == "marking" else "the pause comes first"
    return f"{race.sources} ports filling one queue evenly pause when it holds {race.queue} B: {first}."


def _listed(classes: Sequence[int]) -> str:
    return ", ".join(str(klass) for klass in classes)
