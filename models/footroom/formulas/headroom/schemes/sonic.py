"""SONiC: what the switch's own buffer manager computes, in each form its formula has had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from footroom.base.component import About
from footroom.base.errors import InvalidInput
from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Budget, Ledger, Line, round_up
from footroom.formulas.headroom.chips import CHIPS
from footroom.formulas.headroom.link import QUANTUM, Link
from footroom.formulas.headroom.quanta import SONIC_QUANTA, TABLE_QUANTA
from footroom.formulas.headroom.schemes import sonic_cells, sonic_tables
from footroom.formulas.headroom.schemes.forms import FORMS, KIB, NEWEST, Form
from footroom.formulas.headroom.schemes.scheme import Scheme
from footroom.formulas.headroom.schemes.sonic_parameters import SonicParameters

if TYPE_CHECKING:
    from footroom.formulas.headroom.document import HeadroomPool, SchemeExtras, SonicForm

#: Speed of light in a cable that SONiC uses [m/s].
PROPAGATION = 1.98e8
#: Private headroom of each lossless port beside a shared headroom pool, and the pool's least size [B].
PRIVATE, LEAST_POOL = 10 * KIB, 655_360
#: Quanta by speed [bit/s], by the rule that takes them.
_QUANTA = {"quanta": SONIC_QUANTA, "table_quanta": TABLE_QUANTA}
#: What bytes that the plugin counts by 1024 are divided by, and how it is written.
_BINARY, _EXACT = (1.024, " / 1.024"), (1.0, "")


class Sonic(SonicParameters, Scheme):
    """xoff = lossless MTU + (port MTU + cable + gearbox + MAC + response + tile) · cell occupancy, in whole KiB.

    Holds for Spectrum and, in the form ``barefoot``, Tofino 2: their switches run it. For other chips it is a
    comparison, as SONiC reads their headroom from tables.
    """

    counts_cells: ClassVar[bool] = True
    about: ClassVar[About] = About(
        title="SONiC dynamic headroom",
        summary="Computes xon, xoff and size as SONiC's buffer manager does on Spectrum and Tofino switches.",
        sources=tuple(form.source for form in FORMS.values()),
        holds="Spectrum 1 to 6 and Tofino 2, at the speeds of SONiC's table of quanta",
        departures="none in the arithmetic. SONiC's share of bytes leaves the percentage out of the numerator, so that "
        "50 % of 64 B among 1024 B counts as 11.8 % of the bytes where it is 5.9 %; larger lossless packets "
        "can thus lower the headroom",
    )
    formula: ClassVar[str] = (
        "xoff = ⌈L_lossless + (MTU_port + 2·D·C/8 + 2·t_gearbox·C/8 + t_MAC + response + C·t_tile/8)·occupancy⌉ KiB; "
        "xon = ⌈pipeline⌉ KiB"
    )
    kind: Literal["sonic"] = "sonic"

    @classmethod
    def of_chip(cls, asic: str, given: Mapping[str, Any]) -> dict[str, Any]:
        found = dict(CHIPS[asic].sonic) if asic in CHIPS else {}
        found |= sonic_tables.parameters_of(asic, given)
        form = FORMS.get(str(given.get("form") or found.get("form", NEWEST)))
        if form is not None and not form.tile:
            found.pop("tile_delay", None)
        if form is not None and not form.chip_extra:
            found.pop("extra_headroom", None)
        return found

    def chip_notes(self, asic: str | None) -> tuple[str, ...]:
        name = self.form_used.name
        if asic is None:
            newest = ", the newest; no chip with shipped tables is named" if name == NEWEST else ""
            return (f"form {name} of SONiC's formula{newest}",)
        if asic not in CHIPS or not CHIPS[asic].sonic:
            return (f"form {name}; SONiC reads the headroom of {asic} from tables: this formula is a comparison",)
        note = (CHIPS[asic].note,) if CHIPS[asic].note else ()
        if self.sku is None:
            usual = CHIPS[asic].sku
            return (
                f"form {name}"
                + (
                    f", as asked; left out, it is that of the shipped table of {usual}"
                    if usual
                    else ", the one of this chip's plugin"
                ),
                *note,
            )
        return (self._era(asic, self.sku), *note)

    def _era(self, asic: str, sku: str) -> str:
        """Which form is used and why, and how far it reproduces what ships."""
        table = sonic_tables.table_named(asic, sku)
        found = sonic_tables.reproduced(type(self), asic, table.sku)
        changed = [name for name, value in table.sonic.items() if getattr(self, name) != value]
        return (
            f"form {self.form} and parameters of the shipped table of {table.sku}, which give {found.exact} of "
            f"{found.rows} shipped rows of {asic} to the byte"
            + (f"; {', '.join(changed)} as given instead" if changed else "")
            + f"; sku chooses another table, form {NEWEST} is what SONiC's plugin has now"
        )

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        form = self.form_used
        if self.sku is not None and self.lane_rate is None:
            raise InvalidInput.at("sku", self.sku, "picks a shipped table: give an asic that has some")
        notes = [] if self.sku is None or link.timed else list(sonic_tables.exceptions_at(self.sku, link.cable))
        percentage = self.small_packet_percentage
        ledger, taken, occupancy = self._xoff(form, link, reaction, percentage, notes)
        unrounded = ledger.exact
        xoff = ledger.close(KIB, "Rounding to KiB", form.source)
        extra = self.extra_headroom
        ledger.add("Chip's extra headroom", extra, written.size(extra), form.source, "extra")
        pooled = self.over_subscribe_ratio > 0 or bool(self.shared_headroom_pool)
        if form.compensation and not pooled and percentage < 100:
            worst = self._xoff(form, link, reaction, 100.0, [])[0].close(KIB, "", form.source)
            if xoff + form.compensation < worst:
                ledger.add(
                    "Compensation for the small-packet percentage",
                    form.compensation,
                    f"{xoff} + {form.compensation} B < {worst} B, the xoff of small packets only",
                    form.source,
                    "extra",
                )
        headroom = int(ledger.exact)
        lanes = self.lanes_at(link.speed)
        xon = self._xon(form, lanes)
        size_lines = self._size(form, pooled, lanes, xon, headroom)
        size = int(sum(line.bytes for line in size_lines))
        further: SchemeExtras = {"form": self._form(form)}
        if pooled and (pool := self._pool(xon, headroom, size)) is not None:
            further["shared_headroom_pool"] = pool
        return Budget(
            headroom,
            tuple(ledger.lines),
            unrounded + headroom - xoff,
            taken,
            occupancy,
            xon,
            size,
            size_lines,
            tuple(notes),
            further,
            self._outside(form, link) if reaction is None else "",
        )

    def _outside(self, form: Form, link: Link) -> str:
        """Why the speed is outside SONiC's table of quanta; empty where it is not, or where it is not used."""
        known = _QUANTA.get(self.response_rule or form.response_rule)
        if self.response_quanta is not None or known is None or link.speed in known:
            return ""
        return f"SONiC's table of quanta has no {written.rate(link.speed)}: give response_quanta"

    def _xoff(
        self, form: Form, link: Link, reaction: float | None, percentage: float, notes: list[str]
    ) -> tuple[Ledger, float, float]:
        """Lines before rounding, the reaction among them, and the cell occupancy."""
        ledger, rate = Ledger(), written.rate(link.speed)
        cable_divisor, cable_divided = _BINARY if form.binary else _EXACT
        gearbox_divisor, gearbox_divided = _BINARY if form.binary_gearbox else _EXACT
        ledger.add("Port's largest frame", self.port_mtu, written.size(self.port_mtu), form.source, "frames")
        delay = link.delay_at(PROPAGATION)
        distance = written.time(delay) if link.timed else f"{written.plain(link.cable)} m / 198000 km/s"
        ledger.add(
            "Cable, there and back",
            2 * link.bytes_in(delay) / cable_divisor,
            f"2 × {distance} × {rate} / 8{cable_divided}",
            form.source,
            "cable",
        )
        ledger.add(
            "Gearbox, both ways",
            2 * link.bytes_in(self.gearbox_delay) / gearbox_divisor,
            f"2 × {written.time(self.gearbox_delay)} × {rate} / 8{gearbox_divided}",
            form.source,
            "reaction",
        )
        if reaction is None:
            reaction = self._reaction(form, link, ledger, notes)
        else:
            ledger.add(
                "Reaction, measured",
                reaction,
                f"{written.time(reaction * 8 / link.speed)} × {rate} / 8",
                "measured watermark",
                "reaction",
            )
        on_the_line = ledger.exact
        occupancy, formula = sonic_cells.occupancy(self, form, link.cell, percentage)
        ledger.add(
            "Cells that small packets leave part empty",
            on_the_line * (occupancy - 1),
            f"{written.size(on_the_line)} × ({formula} − 1)",
            form.source,
            "cells",
        )
        ledger.add(
            "Lossless packet in progress", self.lossless_mtu, written.size(self.lossless_mtu), form.source, "frames"
        )
        return ledger, reaction, occupancy

    def _reaction(self, form: Form, link: Link, ledger: Ledger, notes: list[str]) -> float:
        before, rate = ledger.exact, written.rate(link.speed)
        ledger.add("MAC and PHY", self.mac_phy_delay, written.size(self.mac_phy_delay), form.source, "reaction")
        quanta = self.response_quanta
        known = _QUANTA.get(self.response_rule or form.response_rule)
        if quanta is None and known is not None:
            quanta = known.get(link.speed)
            if quanta is None:
                notes.append(
                    f"SONiC has no quanta for {rate} and falls back to peer_response_time, "
                    f"{written.size(self.peer_response_time)}: expect loss; set response_quanta"
                )
        twice = 2 if form.doubled_at == link.speed else 1
        response = twice * (self.peer_response_time if quanta is None else quanta * QUANTUM)
        formula = written.size(self.peer_response_time) if quanta is None else f"{written.plain(quanta)} × {QUANTUM} B"
        ledger.add("Peer's response", response, f"2 × {formula}" if twice == 2 else formula, form.source, "reaction")
        ledger.add(
            "Tile of the chip",
            link.bytes_in(self.tile_delay),
            f"{written.time(self.tile_delay)} × {rate} / 8",
            form.source,
            "reaction",
        )
        return ledger.exact - before

    def _form(self, form: Form) -> SonicForm:
        """The form used, for programs: its name, the switch model it was taken from, whether it is the newest."""
        return {"name": form.name, "source": form.source, "sku": self.sku, "newest": form.name == NEWEST}

    def _xon(self, form: Form, lanes: int) -> int:
        latency = self.pipeline_latency
        return round_up(2 * latency - form.lane_trim if lanes == 8 else latency, KIB)

    def _size(self, form: Form, pooled: bool, lanes: int, xon: int, xoff: int) -> tuple[Line, ...]:
        lines = [
            Line(
                "xon",
                xon,
                form.source,
                f"pipeline latency {written.size(self.pipeline_latency)}"
                + (", doubled for 8 lanes" if lanes == 8 else ""),
                "extra",
            )
        ]
        if not (pooled or form.size_is_xon):
            lines.append(Line("xoff", xoff, form.source, "as above", "extra"))
            if lanes == 8:
                lines.append(
                    Line("Port MTU of an 8-lane port", self.port_mtu, form.source, written.size(self.port_mtu), "extra")
                )
            total = sum(line.bytes for line in lines)
            if rest := round_up(total, KIB) - total:
                lines.append(Line("Rounding to KiB", rest, form.source, f"from {written.size(total)}", "rounding"))
        return tuple(lines)

    def _pool(self, xon: int, xoff: int, size: int) -> HeadroomPool | None:
        """The shared headroom pool, where it can be told: given, or by the ratio and the number of ports."""
        if self.shared_headroom_pool:
            return {"size": self.shared_headroom_pool, "formula": "given"}
        if self.ports is None:
            return None
        owed = (xon + xoff - size) * self.ports * self.priority_groups - PRIVATE * self.ports
        found = round_up(max(0, owed) / self.over_subscribe_ratio, 1) or LEAST_POOL
        formula = (
            f"(({xon} + {xoff} − {size}) B × {self.ports} ports × {self.priority_groups} groups "
            f"− {PRIVATE} B × {self.ports} ports) / {written.plain(self.over_subscribe_ratio)}"
        )
        return {"size": found, "formula": formula}
