"""The target ``sonic``: config_db.json and pg_profile_lookup.ini, checked against the schema before they leave."""

from __future__ import annotations

from footroom.base.errors import Infeasible
from footroom.calculators.export.answer import Written
from footroom.calculators.export.configuration import Configuration
from footroom.calculators.export.sonic.lookup import NAME, Row, write
from footroom.calculators.export.sonic.report import report_of
from footroom.calculators.export.sonic.tables import Tables, tables_of
from footroom.calculators.pool.memory import Memory

CONFIG = "config_db.json"


def sonic(configuration: Configuration) -> Written:
    """Files for SONiC. Raises Infeasible when the configuration does not fit."""
    tables, rows = tables_of(configuration)
    report = report_of(tables, rows, Memory(configuration.memory, configuration.cell))
    if report.errors:
        raise Infeasible("; ".join(f"{finding.path}: {finding.message}" for finding in report.errors[:5]))
    ledger = configuration.ledger
    for finding in report.findings:
        ledger.warn(str(finding).partition(": ")[2])
    ledger.warn(
        "PORT is written so that references resolve; lanes and names are counted, not the platform's: keep the "
        "switch's own PORT, and load the other tables"
    )
    if configuration.dynamic and not configuration.overridden:
        ledger.warn("the switch calculates headroom and pools itself; what the assumptions say is to compare with")
    return Written(
        {CONFIG: dict(tables), NAME: write(rows, _comments(configuration, rows))},
        {
            "schema": "SONiC YANG, the rules of its modules checked here",
            "valid": True,
            "rows": _count(tables),
            "findings": [finding.to_dict() for finding in report.findings],
            "memory": None if report.demand is None else report.demand.to_dict(),
        },
    )


def _count(tables: Tables) -> dict[str, int]:
    return {name: len(rows) for name, rows in tables.items()}


def _comments(configuration: Configuration, rows: list[Row]) -> list[str]:
    if rows:
        return ["speed: Mb/s; size, xon, xoff, xon_offset: bytes; threshold: exponent of alpha"]
    if configuration.lossless:
        return ["no rows: in the dynamic model the switch calculates headroom"]
    return ["no rows: no priority is lossless"]
