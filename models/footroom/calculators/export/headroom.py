"""What lossless priority groups get: the only place that evaluates a scheme of headroom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from footroom.base.errors import InvalidInput
from footroom.calculators.export.configuration import PriorityGroup
from footroom.calculators.export.ledger import Ledger
from footroom.calculators.export.options import ExportOptions
from footroom.calculators.export.ports import Port
from footroom.formulas.headroom.budget import Budget
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import SCHEMES, Scheme, parameters_under
from footroom.parts.asics import Asic
from footroom.scenario.problems import problems_of

#: Vendors whose switches SONiC's own formula is written for, and whose shipped tables it reproduces.
_FORMULA_OF = ("NVIDIA", "Intel/Barefoot")


def default_scheme(asic: Asic | None) -> str:
    """SONiC's formula for its own chips, else the line-by-line budget times the waste of small packets."""
    return "sonic" if asic is not None and asic.vendor in _FORMULA_OF else "vendor"


def pooled(options: ExportOptions) -> bool:
    """Whether priority groups share their headroom."""
    return options.over_subscribe_ratio is not None or options.headroom_pool is not None


def scheme_of(options: ExportOptions, asic: Asic | None, known: Mapping[str, Any]) -> Scheme:
    """The scheme that ``options`` name, with the chip's parameters and those given. Raises InvalidInput.

    known: values already in the configuration, for schemes that have a parameter of that name.
    """
    name = options.scheme or default_scheme(asic)
    if name not in SCHEMES.names:
        raise InvalidInput.at("scheme", name, f"known are {', '.join(SCHEMES.names)}")
    kind: type[Scheme] = SCHEMES.get(name)  # type: ignore[assignment]
    settings = {key: value for key, value in known.items() if key in kind.model_fields}
    settings |= options.scheme_settings or {}
    with parameters_under("scheme_settings", kind):
        chip = {} if asic is None else kind.of_chip(asic.id, settings)
    try:
        return kind.model_validate({**chip, **settings})
    except ValidationError as error:
        raise InvalidInput(
            [
                replace(problem, path=f"scheme_settings.{problem.path}")
                for problem in problems_of(error, {**chip, **settings}, kind)
            ]
        ) from None


def groups_of(
    ports: Iterable[Port],
    options: ExportOptions,
    asic: Asic | None,
    cell: int,
    mtu: int,
    port_mtu: int,
    reserved: float,
    ledger: Ledger,
) -> dict[tuple[int, int], PriorityGroup]:
    """What a lossless priority group gets for each (speed [Mb/s], cable [m]), in whole cells. Raises InvalidInput.

    mtu: largest lossless packet; port_mtu: largest packet at all; reserved: kept for each group besides headroom [B].
    """
    found: dict[tuple[int, int], PriorityGroup] = {}
    pooling = {"over_subscribe_ratio": options.over_subscribe_ratio or 1} if pooled(options) else {}
    for speed, cable, lanes in sorted({(port.speed, port.cable, len(port.lanes)) for port in ports}):
        scheme = scheme_of(options, asic, {"lossless_mtu": mtu, "port_mtu": port_mtu, "lanes": lanes, **pooling})
        kind = str(type(scheme).model_fields["kind"].default)
        if not found:
            settings = ", ".join(f"{name} {value}" for name, value in scheme.model_dump(exclude_defaults=True).items())
            ledger.assume(
                "headroom.scheme",
                kind,
                "",
                f"{scheme.about.title}: {scheme.formula}" + (f"; with {settings}" if settings else ""),
                "; ".join(scheme.about.sources),
            )
        with parameters_under("scheme_settings", type(scheme)):
            budget = scheme.budget(Link.of_cable(speed * 1e6, cable, mtu, cell))
        # On its own chips SONiC's formula counts in KiB; the chip rounds to cells, which no table shows.
        whole_kib = budget.size is not None and asic is not None and asic.vendor in _FORMULA_OF
        group = _group(f"headroom.{speed}.{cable}m", budget, options, kind, cell, mtu, reserved, whole_kib, ledger)
        if (speed, cable) in found and group != found[speed, cable]:
            raise InvalidInput.at(
                "ports",
                f"{speed} Mb/s at {cable} m",
                "ports of one speed and cable but with different numbers of lanes need different headroom; SONiC "
                "distinguishes them by speed and cable only",
            )
        found[speed, cable] = group
        if budget.outside:
            ledger.warn(f"headroom ({kind}) is outside what its scheme holds for: {budget.outside}")
        for note in (*budget.notes, *(scheme.chip_notes(None if asic is None else asic.id) if len(found) == 1 else ())):
            ledger.warn(f"headroom ({kind}): {note}")
    return found


def _group(
    where: str,
    budget: Budget,
    options: ExportOptions,
    kind: str,
    cell: int,
    mtu: int,
    reserved: float,
    whole_kib: bool,
    ledger: Ledger,
) -> PriorityGroup:
    def cells(name: str, value: float, derivation: str, source: str) -> int:
        size = math.ceil(value / step - 1e-9) * step
        rounding = f", rounded up from {value:.10g} B to {size // cell} cells of {cell} B" if size != value else ""
        ledger.assume(f"{where}.{name}", size, "B", derivation + rounding, source)
        return size

    step = 1 if whole_kib else cell
    lines = "; ".join(f"{line.name}: {line.formula} = {line.bytes:.10g} B" for line in budget.lines)
    own = "; ".join(sorted({line.source for line in budget.lines})) or kind
    aside = 0 if budget.size is None else max(0, budget.size - (0 if pooled(options) else budget.headroom))
    given = "given"
    xoff = cells(
        "xoff", *((options.headroom, given, given) if options.headroom is not None else (budget.headroom, lines, own))
    )
    xon = cells(
        "xon",
        *(
            (options.xon, given, given)
            if options.xon is not None
            else (budget.xon, f"the scheme {kind}" + ("" if budget.xon else " sets none"), own)
        ),
    )
    offset = cells(
        "xon_offset",
        *(
            (options.xon_offset, given, given)
            if options.xon_offset is not None
            else (0, "none: xon says when a pause ends", kind)
            if budget.xon or options.xon is not None
            else (
                2 * mtu,
                f"two packets of {mtu} B below the limit, so that pauses do not follow one another at once",
                "assumed; shipped tables have 2288 B (Tomahawk) to 3556 B (Tomahawk 5), HPCC's simulator 3072 B",
            )
        ),
    )
    kept = cells(
        "reserved",
        *(
            (reserved, "memory of the queue alone", "the scenario or given")
            if reserved >= aside
            else (aside, "size without headroom, as the scheme sets it", own)
        ),
    )
    return PriorityGroup(xoff, xon, offset, kept)
