"""Pools given as sizes, the way a switch's configuration has them, against the cells of the chip.

A packet is counted twice, once at ingress and once at egress, over the same bytes; so ingress and egress pools are
never added to one another. On one side, sizes are limits and may overlap, but what is guaranteed must exist:

* The largest pool, all headroom (``xoff``) and everything reserved must fit the chip together. Else packets that a
  limit admits take the memory that was promised to headroom, and a lossless packet is lost, or the chip refuses to be
  programmed (sonic-buildimage #28657).
* An egress pool must fit the chip.
* Sizes of several ingress pools may add up to more than the chip: then total occupancy decides before the pools do.
* Where a size counts headroom it counts what is reserved as well, as SAI's text has it: shipped pools of Tomahawk 5 are
  as large as the memory, and 8636 B are kept for each priority group.
* The egress pool of lossless traffic should not be smaller than its ingress pool with headroom: else packets are
  dropped at egress before headroom is used up (sonic-buildimage #21320).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import Problem
from footroom.base.quantity import Size, quantity
from footroom.calculators.pool.memory import Line, Memory, whole

if TYPE_CHECKING:
    from footroom.calculators.pool.document import PoolsCheck

_TEXT = re.compile(r"^\s*([^=]+?)\s*=\s*([^+]+?)\s*(?:\+\s*(.+?))?\s*$")
Side = Literal["ingress", "egress"]


class PoolSize(Document):
    """One pool. In SONiC's words an entry of BUFFER_POOL."""

    name: str = Field(min_length=1, max_length=80, description="What the switch calls it: ingress_lossless_pool.")
    size: Size = quantity(..., "B", "Most that may be held in it.", ge=0, le=1e15)
    xoff: Size = quantity(0.0, "B", "Headroom that its priority groups share.", ge=0, le=1e15)
    side: Side | None = Field(None, description="ingress or egress; none means as the name begins.")
    includes_xoff: bool | None = Field(
        None,
        description=(
            "Whether size counts xoff, and what is reserved. Automatic: no, but yes where only that fits and the chip "
            "is "
            "not known to leave xoff out: SAI's text says yes (SAI #980), Tomahawk, Tomahawk 2 and 6, Trident3 and "
            "Spectrum do not."
        ),
    )

    @model_validator(mode="after")
    def _possible(self) -> PoolSize:
        if self.side is None and not self.name.startswith(("ingress", "egress")):
            raise PydanticCustomError("at:side", "give ingress or egress; the name does not begin with either")
        if self.xoff and self.direction == "egress":
            raise PydanticCustomError("at:xoff", "only ingress pools have headroom")
        if self.includes_xoff and self.xoff > self.size:
            raise PydanticCustomError("at:xoff", "must not exceed the size that includes it")
        return self

    @property
    def direction(self) -> str:
        """``ingress`` or ``egress``."""
        return self.side or self.name.split("gress")[0] + "gress"

    @property
    def shared(self) -> float:
        """Memory shared apart from headroom [B]."""
        return self.size - self.xoff if self.includes_xoff else self.size

    def shared_in(self, memory: Memory) -> float:
        """The same in whole cells of ``memory``: size and headroom are, each, and so is their difference [B]."""
        return memory.rounded(self.size) - (memory.rounded(self.xoff) if self.includes_xoff else 0.0)

    @property
    def lossless(self) -> bool:
        """Whether it is meant for lossless traffic: it has headroom, or its name says so."""
        return self.xoff > 0 or "lossless" in self.name


def parse_pools(value: Any) -> Any:
    """Pools from text such as ``ingress_lossless_pool=26531072+6291456`` (size and xoff) or from a SONiC BUFFER_POOL
    object; anything else is left for validation.
    """
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if isinstance(value, dict) and all(isinstance(entry, dict) for entry in value.values()):
        return [_of_sonic(name, entry) for name, entry in value.items()]
    return [_parse(part) for part in value] if isinstance(value, (list, tuple)) else value


def _of_sonic(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """``mode`` says how thresholds are taken, which does not matter to the sums; ``type`` is the side."""
    renamed = {"side" if key == "type" else key: value for key, value in entry.items() if key != "mode"}
    return {"name": name, **renamed}


def _parse(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    match = _TEXT.match(value)
    if match is None:
        raise PydanticCustomError(
            "pools",
            "expected a pool such as ingress_lossless_pool=26531072+6291456: name, size, and xoff if it has one",
        )
    name, size, xoff = match.groups()
    return {"name": name, "size": size} | ({"xoff": xoff} if xoff else {})


Pools = Annotated[
    tuple[PoolSize, ...],
    BeforeValidator(parse_pools, json_schema_input_type=str | list[Any] | dict[str, Any]),
    Field(max_length=16),
]


@dataclass(frozen=True)
class PoolCheck:
    """Pools against the chip.

    asked: bytes that must exist together on the ingress side, whole cells [B].  largest: the ingress pool that decides,
    empty when there is none.  lines: what these bytes are.  warnings: what fits but is odd.  problems: fields at
    fault, with what would fit instead; empty when all fits.  included: names of the pools whose size counts headroom.
    """

    asked: float
    largest: str
    lines: tuple[Line, ...]
    warnings: tuple[str, ...]
    problems: tuple[Problem, ...]
    included: tuple[str, ...] = ()

    def to_dict(self, memory: Memory) -> PoolsCheck:
        """Plain data; free: bytes left, below 0 when too much is asked."""
        free = memory.usable - self.asked
        cell = memory.cell
        return {
            "bytes": whole(self.asked),
            "cells": None if cell is None else round(self.asked / cell),
            "free_bytes": whole(free),
            "free_cells": None if cell is None else round(free / cell),
            "largest": self.largest,
            "lines": [line.to_dict(memory) for line in self.lines],
            "feasible": not self.problems,
            "warnings": list(self.warnings),
            "includes_xoff": list(self.included),
        }


def check_pools(pools: Sequence[PoolSize], memory: Memory, reserved: float, reading: str = "") -> PoolCheck:
    """``pools`` against ``memory``, of which ``reserved`` bytes (whole cells) are guaranteed to queues and the like.

    reading: how it was settled whether sizes count headroom, where that was left open; becomes a warning.
    """
    places = {pool.name: i for i, pool in enumerate(pools)}
    ingress = [pool for pool in pools if pool.direction == "ingress"]
    egress = [pool for pool in pools if pool.direction == "egress"]
    xoff = sum(memory.rounded(pool.xoff) for pool in ingress)
    largest = max(ingress, key=lambda pool: pool.shared, default=None)
    inside = reserved if largest and largest.includes_xoff else 0.0
    size = max(0.0, largest.shared_in(memory) - inside) if largest else 0.0
    asked = size + xoff + reserved
    lines = [Line.of(memory, "pool", f"{largest.name}, the largest at ingress", 1, size)] if largest else []
    lines += [
        Line.of(memory, "headroom_pool", f"Headroom of {pool.name}", 1, pool.xoff) for pool in ingress if pool.xoff
    ]
    lines += [Line.of(memory, "reserved", "Reserved", 1, reserved)] if reserved else []
    problems: list[Problem] = []
    if asked > memory.usable and largest is not None:
        place = f"pools.{places[largest.name]}"
        problems += _would_fit(memory, largest, place, size, xoff, reserved)
    chip = f"the chip has {_text(memory, memory.usable)}"
    problems += [
        Problem(f"pools.{places[pool.name]}.size", whole(pool.size), chip)
        for pool in egress
        if memory.rounded(pool.size) > memory.usable
    ]
    return PoolCheck(
        asked,
        largest.name if largest else "",
        tuple(lines),
        (*((reading,) if reading else ()), *_odd(memory, ingress, egress, xoff + reserved)),
        tuple(problems),
        tuple(pool.name for pool in ingress if pool.xoff and pool.includes_xoff),
    )


def _would_fit(memory: Memory, pool: PoolSize, place: str, size: float, xoff: float, reserved: float) -> list[Problem]:
    """Each way out on its own."""
    found = []
    others = xoff - memory.rounded(pool.xoff)
    at_most = memory.usable - xoff - reserved
    shown = at_most + (pool.xoff + reserved if pool.includes_xoff else 0.0)
    found.append(Problem(f"{place}.size", whole(pool.size), _fits(memory, shown, at_most >= 0)))
    if pool.xoff:
        at_most = memory.usable - size - reserved - others
        found.append(Problem(f"{place}.xoff", whole(pool.xoff), _fits(memory, at_most, at_most >= 0)))
    if reserved:
        at_most = memory.usable - size - xoff
        found.append(Problem("reserved", whole(reserved), _fits(memory, at_most, at_most >= 0)))
    return found


def _fits(memory: Memory, size: float, possible: bool) -> str:
    if not possible:
        return "no value fits while the rest stays"
    return f"at most {_text(memory, size)} fit while the rest stays"


def _odd(memory: Memory, ingress: Sequence[PoolSize], egress: Sequence[PoolSize], kept: float) -> list[str]:
    found = []
    together = sum(pool.shared_in(memory) for pool in ingress) + kept
    if len(ingress) > 1 and together > memory.usable:
        found.append(
            f"the ingress pools overlap by {_text(memory, together - memory.usable)}: limits, not guarantees; "
            "while one is full the others cannot be"
        )
    out = sum(pool.size for pool in egress if pool.lossless)
    into = sum(pool.shared + pool.xoff for pool in ingress if pool.lossless)
    if out and into > out:
        found.append(
            f"the egress pool of lossless traffic is {_text(memory, into - out)} smaller than the ingress "
            "pool with headroom: lossless packets may be dropped at egress before headroom is used up "
            "(sonic-buildimage #21320)"
        )
    return found


def _text(memory: Memory, size: float) -> str:
    cells = f" ({round(size / memory.cell):d} cells)" if memory.cell is not None else ""
    return f"{size:.0f} B{cells}"
