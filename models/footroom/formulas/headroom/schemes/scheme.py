"""What every way of sizing headroom is: a frozen declaration that returns a budget for a link."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from footroom.base.component import Component
from footroom.base.errors import InvalidInput
from footroom.formulas.headroom.budget import Budget
from footroom.formulas.headroom.link import Link


class Scheme(Component):
    """A scheme. Its fields are its parameters; ``formula`` is what its lines add up to, in symbols.

    counts_cells: its headroom is memory, with a line for cells left part empty; otherwise it is bytes of the line.
    """

    engines: ClassVar[tuple[str, ...]] = ()
    counts_cells: ClassVar[bool] = False
    formula: ClassVar[str]

    @abstractmethod
    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        """The headroom of ``link``.

        reaction: measured bytes on the line that replace the scheme's own for the time that is neither frames nor
        cable [B].  Raises InvalidInput when parameters do not go together.
        """

    @classmethod
    def of_chip(cls, asic: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters that the chip of that id determines; ``given``: those the caller set, which win."""
        return {}

    def chip_notes(self, asic: str | None) -> tuple[str, ...]:
        """What the reader must know of this scheme with these parameters on the chip of that id, or without a chip."""
        return ()


@contextmanager
def parameters_under(path: str, kind: type[Scheme]) -> Iterator[None]:
    """Faults in parameters of ``kind`` get ``path`` in front, where a question keeps them under a key of its own."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(
            [
                replace(problem, path=f"{path}.{problem.path}") if problem.path in kind.model_fields else problem
                for problem in error.problems
            ]
        ) from None
