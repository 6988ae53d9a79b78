"""Whether a configuration fits its chip: the only place that adds up memory, by the rules of ``calculators.pool``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from footroom.base.errors import Infeasible, Problem
from footroom.calculators.pool.memory import Memory, whole
from footroom.calculators.pool.pools import PoolCheck, PoolSize, check_pools

_WORDS = {"size": "a shared pool", "xoff": "headroom, all groups together,", "reserved": "reserved memory"}


@dataclass(frozen=True)
class Demand:
    """What a configuration takes out of a chip's memory.

    memory: the chip's.  reserved: kept for priority groups alone, whole cells [B].  pools: sizes of the shared memory;
    ``xoff`` of an ingress pool is the headroom kept beside it: a shared headroom pool, or all groups' own headroom.
    """

    memory: Memory
    reserved: float
    pools: tuple[PoolSize, ...]

    @property
    def headroom(self) -> float:
        """Memory kept for packets that arrive after a pause [B]."""
        return sum(pool.xoff for pool in self.pools)

    @property
    def verdict(self) -> PoolCheck:
        """The pools against the chip."""
        return check_pools(self.pools, self.memory, self.reserved)

    @property
    def left(self) -> float:
        """Bytes left over; negative when overcommitted."""
        return self.memory.usable - self.verdict.asked

    @property
    def would_fit(self) -> dict[str, str]:
        """Each way out on its own: ``size`` of the shared pool, ``xoff``, ``reserved``, and what would fit."""
        return {problem.path.rsplit(".", 1)[-1]: problem.message for problem in self.verdict.problems}

    @property
    def refusal(self) -> str:
        """Why it does not fit and what would; empty when it fits."""
        verdict = self.verdict
        if not verdict.problems:
            return ""
        shared = max(pool.size for pool in self.pools)
        parts = ((shared, "shared"), (self.headroom, "headroom"), (self.reserved, "reserved"))
        text = (
            f"the configuration takes {self._text(verdict.asked)} of the {self._text(self.memory.usable)} there "
            f"are: {', '.join(f'{self._text(size)} {word}' for size, word in parts)}"
        )
        return text + "".join(f"; of {_WORDS.get(name, name)} {message}" for name, message in self.would_fit.items())

    def check(self, paths: Mapping[str, str], hint: str = "") -> None:
        """Raise Infeasible when it does not fit, with one problem for each way out.

        paths: the option behind ``size``, ``xoff`` and ``reserved``.  hint: a way out that is not one of these numbers.
        """
        if self.refusal:
            given = {"size": max(pool.size for pool in self.pools), "xoff": self.headroom, "reserved": self.reserved}
            problems = [
                Problem(paths[name], whole(given[name]), f"of {_WORDS[name]} {message}")
                for name, message in self.would_fit.items()
                if name in paths
            ]
            raise Infeasible(self.refusal + hint, problems=problems)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: bytes, and cells where the cell is known."""
        verdict, cell = self.verdict, self.memory.cell
        return {
            "memory": whole(self.memory.buffer),
            "cell_size": cell,
            "cells": self.memory.cells,
            "reserved": whole(self.reserved),
            "headroom": whole(self.headroom),
            "pools": {pool.name: whole(pool.size) for pool in self.pools},
            "asked": whole(verdict.asked),
            "asked_cells": None if cell is None else round(verdict.asked / cell),
            "left": whole(self.left),
            "feasible": not verdict.problems,
            "reason": self.refusal,
            "would_fit": self.would_fit,
            "warnings": list(verdict.warnings),
        }

    def _text(self, size: float) -> str:
        cells = f" ({self.memory.cells_for(size)} cells)" if self.memory.cell is not None else ""
        return f"{size:.0f} B{cells}"


def places(memory: Memory, sizes: Iterable[tuple[int, float]]) -> int:
    """Bytes that ``count`` places of ``size`` bytes each take, every place in whole cells."""
    return round(sum(count * memory.rounded(size) for count, size in sizes))
