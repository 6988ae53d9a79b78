"""``footroom stability``: margins, a map over two fields, or the value where stability ends."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.answer import rows
from footroom.calculators.stability.critical import CriticalAnswer, critical
from footroom.calculators.stability.grid import StabilityMap, stability_map
from footroom.cli import show
from footroom.cli.inputs import assignment, document_of
from footroom.scenario import Scenario

if TYPE_CHECKING:
    from footroom.calculators.stability.document import StabilityDocument
from footroom.scenario.axes import scalar

#: Units that a key ends in, and units that take no SI prefix.
_SUFFIX = re.compile("(_rad)?_(deg|db|s)$")
_WITHOUT_PREFIX = ("deg", "dB", "1/s")
_MARKS = {True: "·", False: "x", None: " "}


def options(parser: argparse.ArgumentParser) -> None:
    """Options for answers beside one scenario's verdict."""
    parser.add_argument(
        "--map",
        nargs=2,
        metavar=("X=VALUES", "Y=VALUES"),
        help="map over two fields: --map traffic.0.flows=2:64:lin32 topology.rtt=10us:200us:log40",
    )
    parser.add_argument("--margins", action="store_true", help="with --map: the phase margins too")
    parser.add_argument("--critical", metavar="PATH", help="find the values of this field at which the verdict changes")
    parser.add_argument(
        "--between",
        metavar="LOW:HIGH",
        help="with --critical: range to search; default a tenth to ten times the present value",
    )
    parser.add_argument("--trajectory", action="store_true", help="with --json: also the queue over time")
    parser.add_argument("--nyquist", action="store_true", help="with --json: also the loop gain over frequency")


def command(chosen: argparse.Namespace) -> int:
    """Answer and print."""
    if chosen.map and chosen.critical:
        raise InvalidInput.at("--critical", chosen.critical, "one question at a time: --map or --critical")
    for option, needed in (("margins", "map"), ("between", "critical")):
        if getattr(chosen, option) and not getattr(chosen, needed):
            raise InvalidInput.at(f"--{option}", getattr(chosen, option), f"needs --{needed}")
    scenario = Scenario.parse(document_of(chosen.scenario, chosen.settings)[0])
    if chosen.map:
        across, up = (assignment(written, "--map", "topology.rtt=10us:200us:log40") for written in chosen.map)
        return _map(chosen, scenario, across, up)
    if chosen.critical:
        edges = critical(scenario, chosen.critical, _between(chosen.between))
        return _print(chosen, edges.to_dict(), _critical_text(edges))
    answer = analyse(scenario, trajectory=chosen.trajectory, curve=chosen.nyquist).to_dict()
    return _print(chosen, answer, _text(answer))


def _map(chosen: argparse.Namespace, scenario: Scenario, across: tuple[str, Any], up: tuple[str, Any]) -> int:
    """The map; where it is interrupted, the rows that are done."""
    progress = show.Progress()
    part: list[StabilityMap] = []
    try:
        found = stability_map(scenario, across, up, margins=chosen.margins, on_progress=progress, on_stop=part.append)
    finally:
        progress.clear()
        for rows_done in part:
            _print(chosen, rows_done.to_dict(), _map_text(rows_done))
            show.tell(f"{len(rows_done.stable)} of {len(rows_done.y[1])} rows were finished and are shown")
    return _print(chosen, found.to_dict(), _map_text(found))


def _print(chosen: argparse.Namespace, document: Mapping[str, Any], text: str) -> int:
    if chosen.json:
        show.print_json(document)
    else:
        print(text)
    return 0


def _between(written: str | None) -> list[Any] | None:
    if written is None:
        return None
    ends = [scalar(end) for end in written.split(":")]
    if len(ends) != 2:
        raise InvalidInput.at("--between", written, "write the lowest and the highest, such as 10us:1ms")
    return ends


def _text(answer: StabilityDocument) -> str:
    verdict = {True: "stable", False: "unstable", None: "undecided"}[answer["stable"]]
    lines = [": ".join(filter(None, [verdict, answer.get("reason", "")]))]
    numbers = [(_SUFFIX.sub("", name).replace("_", " "), _number(value, unit)) for name, value, unit in rows(answer)]
    if numbers:
        lines.append(show.table(numbers, ["quantity", "value"]))
    if methods := answer.get("methods"):
        loop = methods["loop_gain"]
        count = loop.get("roots_on_the_right", "no count of")
        real, imaginary = answer["rightmost"]
        lines.append(
            f"two methods agree: rightmost root {real:.6g} {imaginary:+.6g}j 1/s; {count} roots on the right, "
            f"loop cut at {loop['cut']}"
        )
    lines += [
        f"published phase margin {entry['published']:g} deg: {entry['source']}. {entry['differs']}"
        for entry in answer.get("published", [])
    ]
    lines.append(show.notes(answer["notes"]))
    return "\n".join(filter(None, lines))


def _number(value: float, unit: str) -> str:
    return f"{value:.4g} {unit}" if unit in _WITHOUT_PREFIX else show.number(value, unit)


def _critical_text(found: CriticalAnswer) -> str:
    lines = []
    for change in found.changes:
        ends = dict.fromkeys(show.at_text(found.path, end) for end in (change.low, change.high))
        lines.append(f"{found.path} = {' to '.join(ends)}: {change.before} below, {change.after} above")
    return "\n".join(lines)


def _map_text(found: StabilityMap) -> str:
    """Rows with the largest y on top; one character a cell, or the phase margin where asked for."""
    x_path, y_path = found.x[0], found.y[0]
    ups = found.y[1][found.first : found.first + len(found.stable)]
    lines = [f"{y_path} up, {x_path} to the right; · stable, x unstable, blank: no fixed point or undecided"]
    if found.phase_margin is not None:
        body = [
            [show.at_text(y_path, y), *(_degrees(value) for value in row)]
            for y, row in zip(ups, found.phase_margin, strict=True)
        ]
        lines.append(show.table(body[::-1], [f"{y_path} \\ {x_path}", *(show.at_text(x_path, x) for x in found.x[1])]))
    else:
        width = max(len(show.at_text(y_path, y)) for y in ups)
        drawn = [
            f"{show.at_text(y_path, y):>{width}} |{''.join(_MARKS[cell] for cell in row)}"
            for y, row in zip(ups, found.stable, strict=True)
        ]
        ends = f"{show.at_text(x_path, found.x[1][0])} … {show.at_text(x_path, found.x[1][-1])}"
        lines += [*drawn[::-1], f"{'':>{width}}  {ends}"]
    lines += [f"{len(cells)} cells: {why}" for why, cells in found.reasons.items()]
    return "\n".join(lines)


def _degrees(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.3g}°"
