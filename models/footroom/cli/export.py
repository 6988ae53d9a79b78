"""``footroom export``: a switch's buffer configuration."""

from __future__ import annotations

import argparse

from footroom.base.errors import InvalidInput
from footroom.calculators.export.interface import export
from footroom.calculators.export.options import ExportOptions
from footroom.calculators.export.targets import TARGETS
from footroom.cli import fields, show
from footroom.cli.inputs import document_of


def options(parser: argparse.ArgumentParser) -> None:
    """The target, a scenario, and one option per field."""
    parser.add_argument("target", metavar="TARGET", help="; ".join(f"{t.name}: {t.title}" for t in TARGETS))
    parser.add_argument(
        "scenario",
        nargs="?",
        metavar="SCENARIO",
        help="a JSON, TOML or YAML file, or the id of a preset; may be left out with --ports",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        dest="settings",
        help="change one field of the scenario, repeated",
    )
    fields.add(parser, ExportOptions)
    parser.add_argument("--yang", metavar="DIR", help="folder of SONiC's YANG modules to validate with (yanglint)")
    parser.add_argument("--out", metavar="DIR", help="folder to write the files to")


def command(chosen: argparse.Namespace) -> int:
    """Make the files; print the first of them, or write all."""
    if chosen.scenario is None and chosen.settings:
        raise InvalidInput.at("--set", chosen.settings[0], "there is no scenario to change")
    document = None if chosen.scenario is None else document_of(chosen.scenario, chosen.settings)[0]
    made = export(chosen.target, document, fields.read(chosen, ExportOptions), chosen.yang)
    written = made.write(chosen.out) if chosen.out is not None else []
    if chosen.json:
        show.print_json(made.to_dict())
        return 0
    for warning in made.warnings:
        show.tell(f"note: {warning}")
    yang = made.validation.get("yang")
    if yang is not None:
        verdict = "accepts it" if yang["valid"] else "refuses it: " + "; ".join(yang["messages"])
        show.tell(f"yanglint {verdict} ({len(yang['modules'])} modules)")
    first, *others = made.files
    if written:
        print("\n".join(str(path) for path in written))
    else:
        print(made.text(first), end="")
        show.tell(f"this is {first}; --out DIR writes it with {' and '.join(others)}")
    return 0
