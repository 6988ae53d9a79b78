"""Memory given out in whole cells, and the lines that say who gets how much of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footroom.calculators.pool.document import PoolLine


def whole(value: float) -> float:
    """An int where the value is one, so that sizes print without a point."""
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


@dataclass(frozen=True)
class Memory:
    """A chip's packet memory. buffer [B]; cell: unit in which it is given out [B], None when not known."""

    buffer: float
    cell: float | None

    @property
    def cells(self) -> int | None:
        """Number of whole cells."""
        return None if self.cell is None else math.floor(self.buffer / self.cell)

    def cells_for(self, size: float) -> int | None:
        """Whole cells that hold ``size`` bytes in one place."""
        return None if self.cell is None else math.ceil(size / self.cell)

    def rounded(self, size: float) -> float:
        """Bytes that ``size`` bytes in one place take [B]: whole cells, or themselves when the cell is not known."""
        return size if self.cell is None else math.ceil(size / self.cell) * self.cell

    @property
    def usable(self) -> float:
        """Bytes in whole cells [B]."""
        return self.buffer if self.cell is None else math.floor(self.buffer / self.cell) * self.cell


@dataclass(frozen=True)
class Line:
    """One share of memory.

    name: of the kind, stable.  title: for a reader.  count: places it is given to.  each: bytes per place as asked for.
    size: bytes taken, each place in whole cells.  cells: the same, None when the cell is not known.  source: who says
    so.
    """

    name: str
    title: str
    count: int
    each: float
    size: float
    cells: int | None
    source: str = ""

    @classmethod
    def of(cls, memory: Memory, name: str, title: str, count: int, each: float, source: str = "") -> Line:
        """``count`` places of ``each`` bytes."""
        cells = memory.cells_for(each)
        return cls(
            name, title, count, each, count * memory.rounded(each), None if cells is None else count * cells, source
        )

    def to_dict(self, memory: Memory) -> PoolLine:
        """Plain data, with the share of the memory."""
        return {
            "name": self.name,
            "title": self.title,
            "count": self.count,
            "each": whole(self.each),
            "bytes": whole(self.size),
            "cells": self.cells,
            "share": self.size / memory.buffer,
            "source": self.source,
        }
