"""Answering a headroom question by every scheme asked."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from footroom.calculators.headroom.answer import HeadroomAnswer
from footroom.calculators.headroom.question import Question, ask
from footroom.calculators.headroom.setting import cover
from footroom.calculators.headroom.watermark import refit
from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Budget, whole
from footroom.formulas.headroom.chips import CHIPS
from footroom.formulas.headroom.kept import in_memory
from footroom.formulas.headroom.link import USUAL_CELL, Link
from footroom.formulas.headroom.schemes import SCHEMES, Scheme
from footroom.formulas.headroom.shipped import tables
from footroom.formulas.headroom.shipped.nearest import nearest
from footroom.parts.asics import Asic, asic_named

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import (
        ConfiguredScheme,
        HeadroomDocument,
        HeadroomEnd,
        HeadroomInputs,
        SchemeDocument,
        SchemeSize,
        WatermarkPlace,
        WatermarkScheme,
    )

#: From this cable on [m], one priority group needs megabytes at 100 Gb/s.
_FAR = 10e3
#: Most ports of the largest chips; at speeds that would give more, capacity does not determine their number.
_MOST_PORTS = 1024


def headroom(**asked: Any) -> HeadroomAnswer:
    """Headroom of one link by each scheme: ``fr.headroom(speed="100G", cable="300 m", asic="tomahawk")``.

    Keys and units are those of the command line and the API, with underscores. Raises InvalidInput.
    """
    return answer(ask(asked))


def answer(question: Question) -> HeadroomAnswer:
    """The answer to a parsed question. Raises InvalidInput."""
    asic = None if question.asic is None else asic_named(question.asic)
    notes: list[str] = []
    link = question.link(_cell(question, asic, notes))
    given = {name: value for name in question.model_fields_set if (value := getattr(question, name)) is not None}
    used: set[str] = set()
    schemes: dict[str, SchemeDocument] = {}
    marks: dict[str, WatermarkScheme] = {}
    covers: dict[str, ConfiguredScheme] = {}
    for name in question.scheme:
        scheme, origins = _made(SCHEMES.get(name), given, asic, question)
        used |= set(type(scheme).model_fields)
        schemes[name] = _document(scheme, scheme.budget(link), link, origins, question, asic)
        if question.watermark is not None:
            marks[name] = refit(scheme, _seen_at(question, link), question.watermark, link)
        if question.configured is not None:
            covers[name] = cover(scheme, link, question.configured)
    notes += _general_notes(question, link, set(given), used)
    chip = CHIPS[asic.id].shipped if asic is not None and asic.id in CHIPS else ""
    if asic is not None and asic.port_rate is not None:
        fastest = max(
            asic.port_rate, *(row.speed for table in tables() if table.chip == chip for row in table.rows), 0.0
        )
        if question.speed > fastest:
            notes.append(f"the fastest ports known of {asic.id} have {written.rate(fastest)}")
    found = None if asic is not None and not chip else nearest(link, chip or None)
    if found is None and asic is not None:
        notes.append(f"no shipped table of {asic.id} is known")
    # Of schemes that do not hold here only where no other is left.
    holding = [name for name, one in schemes.items() if not one["outside"]]
    order = sorted(holding or schemes, key=lambda name: schemes[name]["headroom"])
    document: HeadroomDocument = {
        "inputs": _inputs(question, link, asic),
        "schemes": schemes,
        "range": {"lowest": _end(order[0], schemes), "highest": _end(order[-1], schemes)},
        "shipped": found,
        "notes": notes,
    }
    if question.configured is not None:
        document["configured"] = {"bytes": question.configured, "schemes": covers}
    if question.watermark is not None:
        document["watermark"] = {
            "bytes": question.watermark,
            "cells": math.ceil(question.watermark / link.cell),
            "at": _where(_seen_at(question, link)),
            "schemes": marks,
        }
    return HeadroomAnswer(document)


def _cell(question: Question, asic: Asic | None, notes: list[str]) -> float:
    """Bytes of a cell, and where they come from."""
    if "cell_size" in question.model_fields_set:
        return question.cell_size
    if asic is None:
        notes.append(f"no chip is named: cells of {USUAL_CELL} B are assumed, those of Trident2 and Tomahawk")
        return question.cell_size
    if asic.cell is None:
        notes.append(f"the cell size of {asic.id} is not known: {USUAL_CELL} B are assumed")
        return question.cell_size
    if "cell" in asic.unsure:
        notes.append(f"the cell size of {asic.id}, {asic.cell} B, is not sourced")
    return float(asic.cell)


def _made(kind: Any, given: dict[str, Any], asic: Asic | None, question: Question) -> tuple[Scheme, dict[str, str]]:
    """The scheme with its parameters, and where each comes from: given, chip or default."""
    filled: dict[str, Any] = {}
    if asic is not None:
        filled = dict(kind.of_chip(asic.id, given))
        ports = 0 if asic.capacity is None else int(asic.capacity // question.speed)
        if 0 < ports <= _MOST_PORTS:
            filled.setdefault("ports", ports)
        if asic.buffer is not None:
            filled.setdefault("buffer", float(asic.buffer))
    own = {name for name in kind.model_fields if name != "kind"}
    values = {name: value for name, value in {**filled, **given}.items() if name in own}
    origins = {name: "given" if name in given else "chip" if name in filled else "default" for name in own}
    made: Scheme = kind.model_validate(values)
    return made, origins


def _document(
    scheme: Scheme, budget: Budget, link: Link, origins: dict[str, str], question: Question, asic: Asic | None
) -> SchemeDocument:
    about = scheme.about
    notes = [*budget.notes, *scheme.chip_notes(None if asic is None else asic.id)]
    lossless = getattr(scheme, "lossless_mtu", question.mtu)
    if "mtu" in question.model_fields_set and lossless != question.mtu:
        notes.append(
            f"the lossless MTU here is {written.size(lossless)}, not the {written.size(question.mtu)} asked "
            "for: it has an option of its own, lossless_mtu"
        )
    if not scheme.counts_cells:
        most = in_memory(budget.headroom, link.cell)
        notes.append(
            f"bytes of the line: in cells of {whole(link.cell)} B packets of 64 B and more fill up to {most} B of "
            f"memory ({most // int(link.cell)} cells), which is what a scenario with switch.cell_size sets aside"
        )
    size: SchemeSize = {}
    if budget.size is not None:
        size = {"size": budget.size, "size_lines": [line.to_dict() for line in budget.size_lines]}
    fields = type(scheme).model_fields
    return {
        "title": about.title,
        "headroom": budget.headroom,
        "xon": budget.xon,
        "xoff": budget.headroom,
        "cells": -(-budget.headroom // int(link.cell)),
        **size,
        "lines": [line.to_dict() for line in budget.lines],
        "formula": scheme.formula,
        "holds": about.holds,
        "outside": budget.outside,
        "departures": about.departures,
        "sources": list(about.sources),
        "notes": notes,
        "parameters": [
            {"name": name, "value": getattr(scheme, name), "unit": _unit(fields[name]), "from": origins[name]}
            for name in fields
            if name != "kind"
        ],
        **budget.extra,
    }


def _unit(field: Any) -> str:
    return str(field.json_schema_extra["unit"])


def _seen_at(question: Question, link: Link) -> Link:
    """The link on which the watermark was measured: the link asked about, with any differences given."""
    seen = replace(link, speed=question.watermark_speed or link.speed, mtu=question.watermark_mtu or link.mtu)
    if question.watermark_cable is None:
        return seen
    return Link.of_cable(seen.speed, question.watermark_cable, seen.mtu, seen.cell)


def _where(link: Link) -> WatermarkPlace:
    return {"speed": link.speed, "cable": link.cable, "delay": link.delay, "mtu": link.mtu}


def _inputs(question: Question, link: Link, asic: Asic | None) -> HeadroomInputs:
    return {
        **_where(link),
        "cell_size": int(link.cell),
        "asic": None if asic is None else asic.id,
        "scheme": list(question.scheme),
    }


def _end(name: str, schemes: dict[str, SchemeDocument]) -> HeadroomEnd:
    return {"scheme": name, "headroom": schemes[name]["headroom"]}


def _general_notes(question: Question, link: Link, given: set[str], used: set[str]) -> list[str]:
    notes = []
    idle = sorted(given - used - set(Question.model_fields))
    if idle:
        notes.append(f"not used by {', '.join(question.scheme)}: {', '.join(idle)}")
    if link.cable >= _FAR and link.speed >= 100e9:
        notes.append("at this distance one priority group needs megabytes: check that the chip has external memory")
    return notes
