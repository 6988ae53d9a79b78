"""``fr.export``: from a scenario, options or both to the files of a switch's configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from footroom.base.errors import InvalidInput
from footroom.base.version import VERSION
from footroom.calculators.export.answer import Export
from footroom.calculators.export.configuration import Configuration
from footroom.calculators.export.derive import configure
from footroom.calculators.export.options import ExportOptions
from footroom.calculators.export.sonic.tables import tables_of
from footroom.calculators.export.sonic.yang import yanglint
from footroom.calculators.export.targets import target_named
from footroom.scenario.problems import problems_of
from footroom.scenario.source import Source, load

ASSUMPTIONS = "assumptions.json"


def export(
    target: str,
    scenario: Source | None = None,
    options: ExportOptions | None = None,
    yang: str | Path | None = None,
    **given: Any,
) -> Export:
    """The configuration of one switch for ``target``: sonic, nxos, eos or junos.

    scenario: a Scenario, its document, a file or a preset's id.  options, given: see ExportOptions; values with units.
    yang: folder of SONiC's YANG modules to validate with, see ``footroom.calculators.export.sonic.yang``.
    Raises InvalidInput, and Infeasible when the memory does not hold what is asked for, with what would fit.
    """
    chosen = target_named(target)
    asked = options if options is not None else _options(given)
    loaded = None if scenario is None else load(scenario)
    configuration = configure(loaded, asked)
    written = chosen.write(configuration)
    validation = written.validation
    if yang is not None:
        if target != "sonic":
            raise InvalidInput.at("yang", str(yang), "only sonic is described in YANG here")
        validation = {**validation, "yang": yanglint(tables_of(configuration)[0], yang)}
    ledger = configuration.ledger
    assumptions = {
        "footroom": VERSION,
        "target": target,
        "scenario": None if loaded is None else {"name": loaded.name, "digest": loaded.digest},
        "options": asked.model_dump(mode="json", exclude_none=True),
        "summary": _summary(configuration),
        "assumptions": [assumption.to_dict() for assumption in ledger.assumptions],
        "warnings": list(ledger.warnings),
    }
    return Export(target, {**written.files, ASSUMPTIONS: assumptions}, tuple(ledger.warnings), validation)


def _options(given: dict[str, Any]) -> ExportOptions:
    try:
        return ExportOptions.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(problems_of(error, given, ExportOptions)) from None


def _summary(configuration: Configuration) -> dict[str, Any]:
    """Summary of a configuration in a few numbers [B]."""
    return {
        "ports": len(configuration.ports),
        "lossless": list(configuration.lossless),
        "memory": configuration.memory,
        "cell_size": configuration.cell,
        "footroom": configuration.pool,
        "headroom": configuration.headroom_pool or configuration.headroom,
        "headroom_own": configuration.headroom,
        "shared_headroom_pool": configuration.headroom_pool,
    }
