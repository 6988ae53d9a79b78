"""The answer to a pool question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footroom.base.errors import Infeasible, Problem
from footroom.base.notebook import pandas
from footroom.base.version import VERSION
from footroom.calculators.pool.division import HEADROOM, Division, outside_of
from footroom.calculators.pool.fitting import Fit
from footroom.calculators.pool.memory import Line, whole
from footroom.calculators.pool.pools import PoolCheck
from footroom.calculators.pool.question import Question
from footroom.result import Explanation

if TYPE_CHECKING:
    from footroom.calculators.pool.document import (
        Amount,
        IncastDocument,
        MarkingDocument,
        PausesDocument,
        PoolDocument,
        PortCheck,
        SchemeShare,
        SharesDocument,
        SplitDocument,
        ThresholdDocument,
    )

SCHEMA = 1


@dataclass(frozen=True)
class Sections:
    """Parts of an answer, as ``PoolDocument`` declares them; None where there is nothing to say."""

    port_check: list[PortCheck] | None = None
    schemes: dict[str, SchemeShare] | None = None
    thresholds: list[ThresholdDocument] | None = None
    shares: list[SharesDocument] | None = None
    incast: IncastDocument | None = None
    pauses: PausesDocument | None = None
    marking: MarkingDocument | None = None
    split: SplitDocument | None = None


@dataclass(frozen=True)
class PoolAnswer:
    """A configuration and whether its guarantees fit the chip.

    division: every guarantee.  memory_source: where the chip's figures come from.  check: pools given as sizes.
    fits: ways out when the division does not fit.  sections: thresholds, shares, incast, pauses, marking, split,
    schemes; those about shared memory are None when there is none.  All in SI base units.
    """

    question: Question
    division: Division
    memory_source: str
    check: PoolCheck | None
    fits: tuple[Fit, ...] = ()
    sections: Sections = Sections()
    notes: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether the guarantees fit the chip."""
        return (
            self.division.fits
            and (self.check is None or not self.check.problems)
            and all(row["feasible"] for row in self.sections.port_check or ())
        )

    @property
    def lines(self) -> tuple[Line, ...]:
        """Guarantees, what is left to share, and bytes beyond whole cells: together the memory."""
        memory = self.division.memory
        found = list(self._guarantees)
        left = memory.usable - self.committed
        if left >= 0:
            cells = None if memory.cell is None else round(left / memory.cell)
            found.append(Line("footroom", "Footroom, shared", 1, left, left, cells))
            if memory.usable < memory.buffer:
                rest = memory.buffer - memory.usable
                found.append(Line("remainder", "Less than one cell", 1, rest, rest, 0))
        return tuple(found)

    @property
    def _guarantees(self) -> tuple[Line, ...]:
        """Those of the ports; where there are none, those of the pools."""
        return self.check.lines if self.check and not self.division.groups else self.division.lines()

    @property
    def committed(self) -> float:
        """All guarantees, in whole cells [B]."""
        return sum(line.size for line in self._guarantees)

    @property
    def reason(self) -> str:
        """Why it is refused, with what is asked and what there is; empty when it is not."""
        found = []
        memory = self.division.memory
        for what, asked in (
            ("the guarantees", self.division.committed),
            ("the pools with headroom and reserves", self.check.asked if self.check else 0.0),
        ):
            if asked > memory.usable:
                excess = asked - memory.usable
                if memory.cell is None:
                    found.append(f"{what} ask for {asked:.0f} B of {memory.usable:.0f}: {excess:.0f} B too many")
                else:
                    cells = [round(size / memory.cell) for size in (asked, memory.usable, excess)]
                    found.append(
                        f"{what} ask for {cells[0]} of {cells[1]} cells: {cells[2]} cells ({excess:.0f} B) too many"
                    )
        if self.check and self.check.problems and self.check.asked <= memory.usable:
            found.append("an egress pool is larger than the memory")
        found += [
            f"a port of {row['ports']} is given {row['bytes']} B; the limit of one port is {row['limit']} B"
            for row in self.sections.port_check or ()
            if not row["feasible"]
        ]
        return "; ".join(found)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Fields at fault, each with what would fit if it alone changed."""
        ways = tuple(Problem(fit.path, fit.given, fit.text) for fit in self.fits)
        return ways + (self.check.problems if self.check else ())

    def require(self) -> PoolAnswer:
        """Itself, if feasible. Raises Infeasible with every line and what would fit."""
        if self.feasible:
            return self
        lines = "; ".join(
            f"{line.title}: {line.size:.0f} B" + ("" if line.cells is None else f", {line.cells} cells")
            for line in self.lines
        )
        ways = "; ".join(f"{p.path}: {p.message}" for p in self.problems if p.message != "not enough alone")
        raise Infeasible(
            f"{self.reason}. {f'Asked: {lines}. ' if lines else ''}What would fit, each alone: {ways}",
            problems=self.problems,
            answer=self.to_dict(),
        )

    def to_dict(self) -> PoolDocument:
        """Plain data, bare numbers in SI base units."""
        memory = self.division.memory
        headroom = sum(line.size for line in self._guarantees if line.name in HEADROOM)
        return {
            "feasible": self.feasible,
            "reason": self.reason,
            "outside": outside_of(self.division.groups),
            "memory": {
                "buffer": whole(memory.buffer),
                "cell_size": None if memory.cell is None else whole(memory.cell),
                "cells": memory.cells,
                "source": self.memory_source,
            },
            "lines": [line.to_dict(memory) for line in self.lines],
            "committed": self._amount(self.committed),
            "headroom": self._amount(headroom),
            "footroom": self._amount(memory.usable - self.committed),
            "would_fit": [fit.to_dict() for fit in self.fits]
            + [
                {"path": p.path, "given": p.given, "value": None, "text": p.message}
                for p in (self.check.problems if self.check else ())
            ],
            "pools": self.check.to_dict(memory) if self.check else None,
            "port_check": self.sections.port_check,
            "schemes": self.sections.schemes,
            "thresholds": self.sections.thresholds,
            "shares": self.sections.shares,
            "incast": self.sections.incast,
            "pauses": self.sections.pauses,
            "marking": self.sections.marking,
            "split": self.sections.split,
            "notes": list(self.notes),
            "explanations": [e.to_dict() for e in self.explanations],
            "question": self.question.to_dict(),
            "provenance": {"version": VERSION, "schema": SCHEMA},
        }

    def _amount(self, size: float) -> Amount:
        memory = self.division.memory
        return {
            "bytes": whole(size),
            "cells": None if memory.cell is None else round(size / memory.cell),
            "share": size / memory.buffer,
        }

    def to_frame(self) -> Any:
        """A pandas frame with one row per line. Raises Unsupported without pandas."""
        return pandas().DataFrame([line.to_dict(self.division.memory) for line in self.lines])

    def figure(self) -> Any:
        """A Plotly figure of how memory is divided, beside every scheme. Raises Unsupported without plotly."""
        from footroom.calculators.pool.figure import draw

        return draw(self.to_dict())
