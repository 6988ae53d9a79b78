"""Vendor: the classical budget inflated by part-empty cells, or the law behind a chip's shipped tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from footroom.base.component import About
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Size, Time, quantity
from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Budget, Ledger
from footroom.formulas.headroom.laws import Law, laws_of
from footroom.formulas.headroom.link import QUANTUM, Link
from footroom.formulas.headroom.quanta import table_quanta_at
from footroom.formulas.headroom.schemes.scheme import Scheme
from footroom.formulas.headroom.schemes.wire import WireBudget

#: Smallest frame with preamble and gap [B].
SMALLEST_ON_THE_LINE = 84
#: Smallest frame as it is stored [B].
SMALLEST_STORED = 64
_DERIVED = "fitted to tables shipped with SONiC, see docs/headroom.md"
#: Cell inflation by name: memory over bytes of the line, and how it is written.
INFLATIONS: dict[str, tuple[Callable[[float], float], str]] = {
    "none": (lambda cell: 1.0, "1"),
    "small_frame": (lambda cell: max(1.0, cell / SMALLEST_ON_THE_LINE), "cell / 84"),
    "stored_frame": (lambda cell: max(1.0, cell / SMALLEST_STORED), "cell / 64"),
    "cell_plus_one": (lambda cell: 2 * cell / (cell + 1), "2·cell / (cell + 1)"),
}
#: How speeds share values in shipped tables: those that have their own [bit/s], slower ones get the next of them.
STEPS: dict[str, tuple[float, ...]] = {"own": (), "paired": (25e9, 50e9), "from_50G": (50e9,)}


class Vendor(WireBudget, Scheme):
    """xoff = k · bytes of the line, in whole cells.

    A chip whose shipped tables follow k·(A + C·(t0 + 2·D)/8) brings its own k, A and t0, with the largest error they
    leave; any other gets the classical budget (see ieee) times k. Makers of switches with one chip differ up to
    threefold, because they assume different packets: ``maker`` chooses whose law it is.
    """

    counts_cells: ClassVar[bool] = True
    about: ClassVar[About] = About(
        title="Vendor's rule",
        summary="Scales the bytes on the line up to the cells they take; a known chip has the law of its tables.",
        sources=(
            "sonic-net/sonic-buildimage device/*/pg_profile_lookup.ini",
            "k = cell/84: a 64 B frame takes 84 B of the line and one cell",
        ),
        holds="chips with a fitted rule, within the error that its note gives; for other chips the error is not known",
        departures="no vendor publishes its rule: the form is inferred from shipped numbers",
    )
    formula: ClassVar[str] = "k·(A + C·(t0 + 2·D)/8) for a known chip, else k·(classical budget); in whole cells"
    kind: Literal["vendor"] = "vendor"
    maker: str | None = quantity(
        None,
        "1",
        "Switch maker whose tables the rule was fitted to; the first one known when not given.",
        max_length=40,
        source=_DERIVED,
    )
    inflation: Literal["none", "small_frame", "stored_frame", "cell_plus_one"] = quantity(
        "small_frame",
        "1",
        "Packets that fill their cells worst: none (k = 1), 64 B frames with preamble and gap (cell/84) or without "
        "(cell/64), or packets one byte longer than a cell.",
        source=_DERIVED,
    )
    inflation_factor: float | None = quantity(
        None, "1", "Worst-case cell factor k; if omitted, by chip or rule.", ge=1, le=1024, symbol="k", source=_DERIVED
    )
    fixed: Size | None = quantity(
        None,
        "B",
        "Constant bytes of frames in the chip's rule; by chip when not given.",
        ge=0,
        le=1e9,
        symbol="A",
        source=_DERIVED,
    )
    reaction_time: Time | None = quantity(
        None,
        "s",
        "Reaction time in the chip's rule; by chip when not given.",
        ge=0,
        le=1e-2,
        symbol="t0",
        source=_DERIVED,
    )
    reaction_rule: Literal["time", "quanta"] = quantity(
        "time",
        "1",
        "Whether the rule's reaction is a time, or the pause quanta of the speed.",
        advanced=True,
        source=_DERIVED,
    )
    speed_steps: Literal["own", "paired", "from_50G"] = quantity(
        "own",
        "1",
        "How speeds share values in the chip's tables: each has its own, 10 and 40 Gb/s get those of 25 "
        "and 50 Gb/s, or all below 50 Gb/s that of 50 Gb/s.",
        advanced=True,
        source=_DERIVED,
    )

    @classmethod
    def of_chip(cls, asic: str, given: Mapping[str, Any]) -> dict[str, Any]:
        laws = laws_of(asic)
        if not laws:
            return {}
        law = _by_maker(laws, asic, given.get("maker"))
        found: dict[str, Any] = {"fixed": law.fixed, "speed_steps": law.steps}
        if law.reaction is None:
            found["reaction_rule"] = "quanta"
        else:
            found["reaction_time"] = law.reaction
        if isinstance(law.inflation, str):
            return found | {"inflation": law.inflation}
        return found if "inflation" in given else found | {"inflation_factor": law.inflation}

    def chip_notes(self, asic: str | None) -> tuple[str, ...]:
        if asic is None:
            return ()
        laws = laws_of(asic)
        if not laws:
            return (f"no rule is known for {asic}: the classical budget is scaled up",)
        law = _by_maker(laws, asic, self.maker)
        others = [other.maker for other in laws if other is not law]
        more = (f"rules of {', '.join(others)} are known too; choose one by the maker",) if others else ()
        return (law.words(), *more)

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        by_quanta = self.reaction_rule == "quanta"
        if not by_quanta and (self.fixed is None) != (self.reaction_time is None):
            missing = "fixed" if self.fixed is None else "reaction_time"
            raise InvalidInput.at(missing, None, "fixed and reaction_time describe one law: give both, or neither")
        if self.maker is not None and self.fixed is None:
            raise InvalidInput.at("maker", self.maker, "picks shipped tables: give an asic that has some")
        ledger = Ledger()
        notes: list[str] = []
        if self.fixed is not None:
            taken = self._law(ledger, link, self.fixed, reaction)
        else:
            taken = self.add_wire_lines(ledger, link, reaction)
            notes += self.wire_notes(link)
        factor, formula = self._factor(link.cell)
        on_the_line = ledger.exact
        ledger.add(
            "Cells left part empty",
            on_the_line * (factor - 1),
            f"{written.size(on_the_line)} × ({formula} − 1)",
            _DERIVED,
            "cells",
        )
        unrounded = ledger.exact
        headroom = ledger.close(round(link.cell), "Rounding to whole cells", _DERIVED)
        if reaction is None:  # a measurement knows nothing of how tables are written
            headroom = self._raised(ledger, link, headroom)
        if self.inflation_factor is None:
            filled = "; ".join(
                f"k = {text}: {round(on_the_line * rule(link.cell))} B" for rule, text in INFLATIONS.values()
            )
            notes.append(f"bytes before rounding, by how small frames fill their cells: {filled}")
        outside = self.wire_outside(link, reaction) if self.fixed is None else ""
        return Budget(headroom, tuple(ledger.lines), unrounded, taken, factor, notes=tuple(notes), outside=outside)

    def _law(self, ledger: Ledger, link: Link, fixed: float, reaction: float | None) -> float:
        rate = written.rate(link.speed)
        ledger.add("Frames (A)", fixed, written.size(fixed), _DERIVED, "frames")
        ledger.add(
            "Cable, there and back",
            2 * link.bytes_in(link.delay),
            f"2 × {written.time(link.delay)} × {rate} / 8",
            _DERIVED,
            "cable",
        )
        if reaction is None and self.reaction_rule == "quanta":
            quanta = table_quanta_at(link.speed)
            taken = self.response_bytes(quanta)
            ledger.add(
                "Peer's response",
                taken,
                f"{written.factor(taken / QUANTUM)} quanta × {QUANTUM} B",
                _DERIVED,
                "reaction",
            )
            return taken
        taken = link.bytes_in(self.reaction_time or 0.0) if reaction is None else reaction
        ledger.add(
            "Reaction (t0)" if reaction is None else "Reaction, measured",
            taken,
            f"{written.time(taken * 8 / link.speed)} × {rate} / 8",
            _DERIVED if reaction is None else "measured watermark",
            "reaction",
        )
        return taken

    def _raised(self, ledger: Ledger, link: Link, headroom: int) -> int:
        """The headroom of the speed whose value this one gets, with a line for the difference."""
        faster = next((speed for speed in STEPS[self.speed_steps] if link.speed <= speed), link.speed)
        if faster == link.speed:
            return headroom
        value = self.budget(replace(link, speed=faster)).headroom
        rates = written.rate(link.speed), written.rate(faster)
        ledger.add(
            f"Value of {rates[1]}",
            value - headroom,
            f"tables of this chip give {rates[0]} what {rates[1]} gets",
            _DERIVED,
            "extra",
        )
        return value

    def _factor(self, cell: float) -> tuple[float, str]:
        if self.inflation_factor is not None:
            return self.inflation_factor, written.factor(self.inflation_factor)
        rule, text = INFLATIONS[self.inflation]
        return rule(cell), text.replace("cell", written.plain(cell))


def _by_maker(laws: tuple[Law, ...], asic: str, maker: object) -> Law:
    """The law of that maker, the first when none is named. Raises InvalidInput."""
    if maker is None:
        return laws[0]
    for law in laws:
        if law.maker.lower() == str(maker).lower():
            return law
    raise InvalidInput.at("maker", str(maker), f"laws of {asic} are known of {', '.join(law.maker for law in laws)}")
