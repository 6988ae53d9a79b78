"""``footroom scale``: a scenario made smaller, and what that keeps, before anything is run."""

from __future__ import annotations

import argparse

from footroom.cli import show
from footroom.cli.inputs import document_of
from footroom.scenario.scaling import scale


def options(parser: argparse.ArgumentParser) -> None:
    """By what."""
    parser.add_argument(
        "--scale", type=float, required=True, metavar="S", help="factor by which rates and flows are divided"
    )


def command(chosen: argparse.Namespace) -> int:
    """Scale and print the report, or with ``--json`` the document as well."""
    written, _ = document_of(chosen.scenario, chosen.settings)
    document, report = scale(written, chosen.scale)
    found = report.to_dict()
    if chosen.json:
        show.print_json({"scenario": document, "scaling": found})
        return 0
    rows = [
        [change["path"], f"{change['before']:.6g}", f"{change['after']:.6g}", change["rule"]]
        for change in found["changes"]
    ]
    header = ["field divided", "before", "after", "rule"]
    print("\n".join([show.table(rows, header, words=(0, 3)), *show.scaling(found), show.notes(found["notes"])]))
    return 0
