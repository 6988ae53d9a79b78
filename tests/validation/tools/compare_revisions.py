"""Compare the fluid's answers of two revisions of the code: every number, reason and note.

``python -m tests.validation.tools.compare_revisions write FILE [--count 60]`` in one revision, then
``... compare FILE [--count 60]`` in the other. Scenarios are all presets, at the sizes that a redraw of the buffer page
asks for, and presets with random edits (``compare_edits``), each at three sizes; each one is also answered by itself,
with its explanations. Prints the largest relative difference of each metric and lists what differs by more than 1e-9.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.validation.tools.compare_edits import edited
from tests.validation.tools.redraw import redraw

import footroom as fr
from footroom.base.errors import FootroomError
from footroom.result import Result
from footroom.scenario.presets import PRESETS, load

#: Relative difference above which two numbers differ.
LARGEST = 1e-9
#: Sizes of an edited scenario, times its buffer.
TIMES = (0.3, 1.0, 2.5)
Found = dict[str, Any]


def _plain(result: Result) -> Found:
    document: Found = json.loads(json.dumps(result.to_dict()))
    return {name: value for name, value in document.items() if name not in ("wall_s", "scenario")}


def _scenarios(seed: int, count: int) -> Iterator[tuple[str, Found, list[float]]]:
    """Name, document and sizes [B]."""
    for preset in PRESETS:
        try:
            yield preset.id, load(preset.id).scenario, list(redraw(load(preset.id).scenario).sizes)
        except FootroomError:
            continue
    draws, drawn = random.Random(seed), 0
    while drawn < count:
        try:
            name, _, document = edited(draws)
            fr.run(document, engine="fluid")
        except FootroomError:
            continue
        drawn += 1
        buffer, least = document["switch"]["buffer"], 2.0 * document["run"]["mtu"]
        yield f"{drawn} {name}", document, sorted({max(buffer * times, least) for times in TIMES})


def answers(seed: int, count: int) -> Iterator[tuple[str, Found]]:
    """What is asked, and the answer in full."""
    for name, document, sizes in _scenarios(seed, count):
        try:
            yield f"{name} alone", _plain(fr.run(document, engine="fluid"))
        except FootroomError as error:
            yield f"{name} alone", {"error": str(error)}
            continue
        for point in fr.sweep(document, over={"switch.buffer": sizes}, engines=["fluid"]).points:
            yield f"{name} {point.at['switch.buffer']:g}", _plain(point.result)


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Where two documents differ, and how much: relatively for numbers, infinitely for anything else."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key, value in one.items():
            yield from differences(value, other[key], f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, value in enumerate(one):
            yield from differences(value, other[i], f"{path}.{i}")
    elif isinstance(one, float) and isinstance(other, float):
        if one != other and not (math.isnan(one) and math.isnan(other)):
            yield path, abs(one - other) / max(abs(one), abs(other))
    elif one != other:
        yield path, math.inf


def main() -> None:
    """Write the answers of this revision, or compare them with those of another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    chosen = parser.parse_args()
    found, write = dict(answers(chosen.seed, chosen.count)), sys.stdout.write
    if chosen.what == "write":
        chosen.file.write_text(json.dumps(found))
        write(f"{len(found)} answers written\n")
        return
    before: dict[str, Found] = json.loads(chosen.file.read_text())
    largest: dict[str, float] = {}
    wrong = equal = 0
    for name in dict.fromkeys([*before, *found]):
        differ = list(differences(before.get(name), found.get(name)))
        equal += not differ
        for path, size in differ:
            largest[path] = max(largest.get(path, 0.0), size)
            if size > LARGEST:
                wrong += 1
                write(f"{name}{path} differs by {size:.2g}\n")
    for path, size in sorted(largest.items(), key=lambda item: -item[1])[:20]:
        write(f"{size:.2g} at most in {path}\n")
    write(f"{equal} of {len(found)} answers are equal to the last digit; {wrong} numbers or texts differ\n")


if __name__ == "__main__":
    main()
