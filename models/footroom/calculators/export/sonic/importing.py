"""Reading an existing configuration: files, or their content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from footroom.base.errors import InvalidInput
from footroom.calculators.export.findings import Finding
from footroom.calculators.export.options import ImportOptions
from footroom.calculators.export.sonic import lookup as ini
from footroom.calculators.export.sonic.reading import read
from footroom.calculators.export.sonic.report import Report, report_of
from footroom.calculators.export.sonic.thresholds import beyond, powers_of
from footroom.calculators.pool.memory import Memory
from footroom.formulas.headroom.link import USUAL_CELL
from footroom.parts.asics import Asic, asic_named, asic_of_configuration
from footroom.scenario.problems import problems_of

_EMPTY = "holds no table that concerns buffers"


def import_sonic(
    config: str | Path | Mapping[str, Any] | Sequence[str | Path],
    lookup: str | None = None,
    options: ImportOptions | None = None,
    **given: Any,
) -> Report:
    """What a SONiC configuration amounts to.

    config: the content of config_db.json, or paths of such files and of pg_profile_lookup.ini, later ones adding to
    earlier ones.  lookup: the text of a lookup file.  options, given: asic, the chip that it must fit, that of the
    platform in DEVICE_METADATA where it is not named; buffer and cell_size in place of the chip's; values with units.
    Raises InvalidInput when something is no configuration at all; what is wrong inside one is a finding.
    """
    if isinstance(config, Mapping):
        raw, texts = dict(config), [] if lookup is None else [lookup]
    else:
        raw, texts = _files([config] if isinstance(config, (str, Path)) else config)
        texts += [] if lookup is None else [lookup]
    tables, unknown, findings = read(raw)
    rows: list[ini.Row] = []
    for text in texts:
        found, wrong = ini.parse(text)
        rows, findings = rows + found, findings + wrong
    if not any(tables.values()) and not rows:
        findings.append(Finding("error", "empty", "", _EMPTY))
    asked = options if options is not None else _options(given)
    named = asic_of_configuration(raw)
    if asked.asic is None and asked.buffer is None:
        asked = asked.model_copy(update={"asic": None if named is None or named.buffer is None else named.id})
        findings.append(_held_against(asked.asic))
    chip = None if asked.asic is None else asic_named(asked.asic)
    reads = chip or named
    findings += beyond(tables, powers_of(chip))
    return report_of(
        tables, rows, _memory(asked, chip), unknown, findings, None if reads is None else reads.id, asked.includes_xoff
    )


def _held_against(asic: str | None) -> Finding:
    """The chip that the configuration must fit where the caller names none."""
    if asic is None:
        return Finding(
            "note",
            "chip-unknown",
            "",
            "no chip is named and the platform's is not known: whether the "
            "memory suffices is not checked; name an asic, or give the buffer",
        )
    return Finding("note", "chip-by-platform", "DEVICE_METADATA|localhost.platform", f"checked against {asic}")


def _options(given: dict[str, Any]) -> ImportOptions:
    try:
        return ImportOptions.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(problems_of(error, given, ImportOptions)) from None


def _memory(options: ImportOptions, chip: Asic | None) -> Memory | None:
    size = options.buffer if options.buffer is not None else None if chip is None else chip.buffer
    if size is None:
        if chip is not None:
            raise InvalidInput.at("buffer", None, f"no source gives the packet memory of {chip.name}; give it")
        return None
    cell = options.cell_size if options.cell_size is not None else None if chip is None else chip.cell
    return Memory(float(size), float(cell) if cell is not None else float(USUAL_CELL))


def _files(paths: Sequence[str | Path]) -> tuple[dict[str, Any], list[str]]:
    """The tables of all JSON files together, and the texts of all lookup files."""
    raw: dict[str, Any] = {}
    texts: list[str] = []
    for path in map(Path, paths):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput.at("config_db", str(path), f"cannot be read: {error}") from None
        if path.suffix == ".ini":
            texts.append(text)
            continue
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidInput.at("config_db", str(path), f"is not a valid JSON document: {error}") from None
        if not isinstance(document, dict):
            raise InvalidInput.at("config_db", str(path), "a configuration is an object of tables")
        for name, rows in document.items():
            both = isinstance(rows, dict) and isinstance(raw.get(name), dict)
            raw[name] = {**raw[name], **rows} if both else rows
    return raw, texts
