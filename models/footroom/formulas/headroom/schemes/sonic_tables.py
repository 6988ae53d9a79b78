"""The shipped table whose form and parameters SONiC's formula takes on a chip, and how many rows it reproduces."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput
from footroom.formulas.headroom.chips import CHIPS
from footroom.formulas.headroom.shipped.tables import Table, tables

if TYPE_CHECKING:
    from footroom.formulas.headroom.schemes.sonic import Sonic


@dataclass(frozen=True)
class Reproduced:
    """Rows of shipped tables whose xoff a set of parameters gives to the byte. exact: how many.  rows: of how many."""

    exact: int
    rows: int


def tables_of(asic: str) -> tuple[Table, ...]:
    """Shipped tables of the chip of that id that follow SONiC's formula."""
    chip = CHIPS.get(asic)
    return tuple(table for table in tables() if chip is not None and table.chip == chip.shipped and table.sonic)


def table_named(asic: str, sku: str) -> Table:
    """The table of that switch model on the chip. Raises InvalidInput at ``sku``."""
    own = {table.sku.lower(): table for table in reversed(tables_of(asic))}
    found = own.get(sku.lower())
    if found is not None:
        return found
    if not own:
        raise InvalidInput.at("sku", sku, f"no shipped table of {asic} follows SONiC's formula")
    near = difflib.get_close_matches(sku.lower(), own, n=3, cutoff=0.6)
    hint = (
        f"did you mean {', '.join(own[name].sku for name in near)}?"
        if near
        else f"known are {', '.join(sorted(table.sku for table in own.values()))}"
    )
    raise InvalidInput.at("sku", sku, f"no shipped table of {asic} is of that switch model; {hint}")


def parameters_of(asic: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Form and parameters of the table that applies, its model under ``sku``; none where the caller names a form.

    Without ``sku`` it is the chip's usual table. Raises InvalidInput for a model that is not known, and for a form
    beside a model.
    """
    sku = given.get("sku")
    if sku is not None and given.get("form") is not None:
        raise InvalidInput.at(
            "form", str(given["form"]), f"the shipped table of {sku} has its own form: give form or sku, not both"
        )
    chip = CHIPS.get(asic)
    if sku is None and (given.get("form") is not None or chip is None or not chip.sku):
        return {}
    table = table_named(asic, str(sku or (chip.sku if chip else "")))
    return {**table.sonic, "sku": table.sku}


@functools.cache
def reproduced(scheme: type[Sonic], asic: str, sku: str, among: str | None = None) -> Reproduced:
    """How many shipped rows of the chip the parameters of the table of ``sku`` give to the byte.

    among: only the tables of that id, all of the chip when None.  Exceptions of single rows are left out.
    """
    sonic = scheme.model_validate(scheme.of_chip(asic, {"sku": sku}))
    chosen = [table for table in tables_of(asic) if among in (None, table.id)]
    exact = sum(sonic.budget(table.link(row)).headroom == row.xoff for table in chosen for row in table.rows)
    return Reproduced(exact, sum(len(table.rows) for table in chosen))


def exceptions_at(sku: str, cable: float) -> tuple[str, ...]:
    """What the rows of that switch model are known to count otherwise at this length of cable [m]."""
    table = next(table for table in tables() if table.sku == sku)
    return tuple(
        f"the shipped rows of {sku} at {cable:g} m follow with "
        f"{', '.join(f'{name} {value}' for name, value in deviation.sonic.items())}, for a reason unknown; "
        "this answer does not"
        for deviation in table.deviations
        if cable in deviation.cables
    )
