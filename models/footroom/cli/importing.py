"""``footroom import``: what a switch's buffer configuration amounts to."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput
from footroom.calculators.export.options import ImportOptions
from footroom.calculators.export.sources import SOURCES, source_named
from footroom.cli import fields, show

if TYPE_CHECKING:
    from footroom.calculators.export.document import ImportDocument

UNREACHABLE = 3


def options(parser: argparse.ArgumentParser) -> None:
    """The source, its files, and the chip."""
    parser.add_argument("source", metavar="SOURCE", help="; ".join(f"{s.name}: {s.title}" for s in SOURCES))
    parser.add_argument("files", nargs="+", metavar="FILE", help="files of the configuration")
    parser.add_argument(
        "--scenario",
        metavar="FILE",
        help="write a scenario there with the switch as configured and a host on each port, for the packet engines",
    )
    fields.add(parser, ImportOptions)


def command(chosen: argparse.Namespace) -> int:
    """Read, and print what was found, also where it does not fit the chip."""
    report = source_named(chosen.source).read(chosen.files, None, fields.read(chosen, ImportOptions))
    found = report.to_dict()
    if chosen.json:
        show.print_json(found)
    else:
        _print(found)
    if chosen.scenario is not None:
        _write_scenario(report, chosen.scenario)
    memory = found["memory"]
    if memory is not None and not memory["feasible"]:
        show.tell(f"cannot be reached: {memory['reason']}")
        return UNREACHABLE
    return 0


def _write_scenario(report: Any, path: str) -> None:
    """The scenario, and on standard error what of the configuration it leaves out. Raises InvalidInput."""
    document, notes = report.scenario()
    try:
        Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput.at("--scenario", path, f"cannot be written: {error.strerror}") from None
    for note in notes:
        show.tell(f"note: {note}")
    show.tell(f"scenario in {path}: footroom run {path} --engine packet")


def _bytes(value: int | None) -> str:
    return "-" if value is None else str(value)


def _print(found: ImportDocument) -> None:
    rows = [
        [
            name,
            pool["side"],
            pool["mode"],
            _bytes(pool["size"]),
            _bytes(pool["xoff"]),
            "size counts xoff" if pool["includes_xoff"] else "",
        ]
        for name, pool in found["pools"].items()
    ]
    print(show.table(rows, ["pool", "side", "mode", "size [B]", "xoff [B]", ""], words=(0, 1, 2, 5)))
    print()
    rows = [
        [
            name,
            profile["pool"],
            _bytes(profile["headroom"]),
            _bytes(profile["xon"]),
            _bytes(profile["xon_offset"]),
            _bytes(profile["size"]),
            "-" if profile["alpha"] is None else f"{profile['alpha']:g}",
            _bytes(profile["static_th"]),
            str(profile["priority_groups"]),
        ]
        for name, profile in found["profiles"].items()
    ]
    print(
        show.table(
            rows,
            [
                "profile",
                "pool",
                "headroom [B]",
                "xon [B]",
                "xon_offset [B]",
                "size [B]",
                "alpha",
                "limit [B]",
                "groups",
            ],
            words=(0, 1),
        )
    )
    totals, memory = found["totals"], found["memory"]
    print()
    footroom = "calculated by the switch" if totals["footroom"] is None else f"{totals['footroom']} B"
    print(
        f"footroom {footroom}, headroom {totals['headroom']} B for {totals['groups']} priority groups, "
        f"reserved {totals['reserved']} B"
    )
    if totals["over_subscribe_ratio"] is not None:
        print(
            f"shared headroom pool {totals['shared_headroom_pool']} B, {totals['over_subscribe_ratio']:.3g} times "
            "less than all groups' own headroom"
        )
    if memory is not None:
        print(f"{memory['asked']} of {memory['memory']} B taken, {memory['left']} B left")
    for entry in found["marking"]:
        for margin in entry["margins"]:
            print(
                f"{entry['wred']} on {len(entry['queues'])} queues, {margin['case'].replace('_', ' ')}: "
                f"{margin['threshold_of']} {margin['mark']} B, pause at {margin['threshold']:.0f} B, "
                f"{margin['first']} first by {show.number(abs(margin['time']), 's')}"
            )
    for finding in found["findings"]:
        where = f"{finding['path']}: " if finding["path"] else ""
        print(f"{finding['severity']}: {where}{finding['message']}")
