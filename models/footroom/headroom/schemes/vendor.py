"""Vendor: the classical budget inflated by part-empty cells, or the law behind a chip's shipped tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from footroom.component import About
from footroom.errors import InvalidInput
from footroom.headroom import written
from footroom.headroom.budget import Budget, Ledger
from footroom.headroom.chips import CHIPS
from footroom.headroom.link import Link
from footroom.headroom.schemes.scheme import Scheme
from footroom.headroom.schemes.wire import WireBudget
from footroom.quantity import Size, Time, quantity

#: Smallest frame with preamble and gap [B].
SMALLEST_ON_THE_LINE = 84
_DERIVED = "fitted to tables shipped with SONiC, see docs/headroom.md"
#: Cell inflation by name: memory over bytes of the line, and how it is written.
INFLATIONS: dict[str, tuple[Callable[[float], float], str]] = {
    "none": (lambda cell: 1.0, "1"),
    "small_frame": (lambda cell: max(1.0, cell / SMALLEST_ON_THE_LINE), "cell / 84"),
    "cell_plus_one": (lambda cell: 2 * cell / (cell + 1), "2·cell / (cell + 1)"),
}


class Vendor(WireBudget, Scheme):
    """xoff = k · bytes of the line, in whole cells.

    A chip whose shipped tables follow k·(A + C·(t0 + 2·D)/8) brings its own k, A and t0, with the largest error they
    leave; any other gets the classical budget (see ieee) times k.
    """

    about: ClassVar[About] = About(
        title="Vendor's rule",
        summary="Inflates the bytes of the line by the cells they take; a known chip has the law of its tables.",
        sources=("sonic-net/sonic-buildimage device/*/pg_profile_lookup.ini",
                 "k = cell/84: a 64 B frame takes 84 B of the line and one cell"),
        holds="chips with a fitted law, within the error each states; elsewhere as good as budget and assumed mix",
        departures="no vendor publishes its rule: the form is inferred from shipped numbers",
    )
    formula: ClassVar[str] = "k·(A + C·(t0 + 2·D)/8) for a known chip, else k·(classical budget); in whole cells"
    kind: Literal["vendor"] = "vendor"
    inflation: Literal["none", "small_frame", "cell_plus_one"] = quantity(
        "small_frame", "1", "Packets that fill their cells worst: none (k = 1), 64 B frames (cell/84), or packets one "
        "byte longer than a cell.", source=_DERIVED)
    inflation_factor: float | None = quantity(None, "1", "k itself; by chip or rule when not given.", ge=1, le=1024,
                                              symbol="k", source=_DERIVED)
    fixed: Size | None = quantity(None, "B", "Bytes of frames in the chip's law; by chip when not given.", ge=0, le=1e9,
                                  symbol="A", source=_DERIVED)
    reaction_time: Time | None = quantity(None, "s", "Time in the chip's law; by chip when not given.", ge=0, le=1e-2,
                                          symbol="t0", source=_DERIVED)

    @classmethod
    def of_chip(cls, asic: str, given: Mapping[str, Any]) -> dict[str, Any]:
        law = CHIPS[asic].law if asic in CHIPS else None
        if law is None:
            return {}
        found: dict[str, Any] = {"fixed": law.fixed, "reaction_time": law.reaction}
        if law.inflation is not None and "inflation" not in given:
            found["inflation_factor"] = law.inflation
        return found

    @classmethod
    def chip_notes(cls, asic: str) -> tuple[str, ...]:
        law = CHIPS[asic].law if asic in CHIPS else None
        if law is None:
            return (f"no law is known for {asic}: the classical budget is inflated",)
        return (law.words(),)

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        ledger = Ledger()
        notes: list[str] = []
        if (self.fixed is None) != (self.reaction_time is None):
            missing = "fixed" if self.fixed is None else "reaction_time"
            raise InvalidInput.at(missing, None, "fixed and reaction_time describe one law: give both, or neither")
        if self.fixed is not None and self.reaction_time is not None:
            taken = self._law(ledger, link, self.fixed, self.reaction_time, reaction)
        else:
            taken = self.add_wire_lines(ledger, link, reaction)
            notes += self.wire_notes(link)
        factor, formula = self._factor(link.cell)
        on_the_line = ledger.exact
        ledger.add("Cells left part empty", on_the_line * (factor - 1),
                   f"{written.size(on_the_line)} × ({formula} − 1)", _DERIVED, "cells")
        unrounded = ledger.exact
        headroom = ledger.close(round(link.cell), "Rounding to whole cells", _DERIVED)
        if self.inflation_factor is None:
            notes.append("; ".join(f"k = {text}: {round(on_the_line * rule(link.cell))} B"
                                   for rule, text in INFLATIONS.values()))
        return Budget(headroom, tuple(ledger.lines), unrounded, taken, factor, notes=tuple(notes))

    def _law(self, ledger: Ledger, link: Link, fixed: float, time: float, reaction: float | None) -> float:
        rate = written.rate(link.speed)
        ledger.add("Frames (A)", fixed, written.size(fixed), _DERIVED, "frames")
        ledger.add("Cable, there and back", 2 * link.bytes_in(link.delay),
                   f"2 × {written.time(link.delay)} × {rate} / 8", _DERIVED, "cable")
        taken = link.bytes_in(time) if reaction is None else reaction
        ledger.add("Reaction (t0)" if reaction is None else "Reaction, measured", taken,
                   f"{written.time(taken * 8 / link.speed)} × {rate} / 8",
                   _DERIVED if reaction is None else "measured watermark", "reaction")
        return taken

    def _factor(self, cell: float) -> tuple[float, str]:
        if self.inflation_factor is not None:
            return self.inflation_factor, written.factor(self.inflation_factor)
        rule, text = INFLATIONS[self.inflation]
        return rule(cell), text.replace("cell", written.plain(cell))
