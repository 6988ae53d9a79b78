"""Configurations for the tests of what is read."""

from __future__ import annotations

import copy
from typing import Any

from footroom.calculators.export.interface import export

Config = dict[str, Any]


def pair(**changes: Any) -> tuple[Config, str, dict[str, Any]]:
    """A configuration, its lookup file and what the export says of it."""
    made = export(
        "sonic",
        **{
            "asic": "tomahawk4",
            "ports": "8x100G@40m,8x400G@300m",
            "kmin": "400 kB",
            "kmax": "1 MB",
            "pmax": 0.2,
            **changes,
        },
    )
    return (
        copy.deepcopy(made.data("config_db.json")),
        made.text("pg_profile_lookup.ini"),
        made.data("assumptions.json"),
    )


def codes(report: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in report.findings]
