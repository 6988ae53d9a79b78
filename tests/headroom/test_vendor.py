"""The vendors' rule against the tables that vendors ship."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from footroom.asics import asic_named
from footroom.headroom.chips import CHIPS, Law
from footroom.headroom.link import Link
from footroom.headroom.schemes import SCHEMES, Ieee, Vendor
from footroom.headroom.shipped import Row, Table, tables

FITTED = {chip: found.law for chip, found in CHIPS.items() if found.law is not None and found.law.tables}


def rows_of(law: Law) -> list[tuple[Row, Table]]:
    """The rows that a law was fitted to, each value once."""
    found: dict[tuple[float, float, int], tuple[Row, Table]] = {}
    for table in tables():
        if table.id in law.tables:
            for row in table.rows:
                if not row.repeats and row.speed not in law.without:
                    found.setdefault((row.speed, row.cable, row.xoff), (row, table))
    return list(found.values())


def relative_error(chip: str, row: Row, table: Table) -> float:
    scheme = Vendor.model_validate(Vendor.of_chip(chip, {}))
    unrounded = scheme.budget(Link.of_cable(row.speed, row.cable, cell=table.cell or 208)).unrounded
    return abs(unrounded / row.xoff - 1)


@pytest.mark.parametrize("chip", FITTED)
def test_a_law_leaves_the_error_it_states(chip: str) -> None:
    rows = rows_of(FITTED[chip])
    assert len(rows) == FITTED[chip].rows
    worst = max(relative_error(chip, row, table) for row, table in rows)
    assert FITTED[chip].error - 1e-4 <= worst <= FITTED[chip].error


@pytest.mark.parametrize("chip", FITTED)
def test_no_other_constants_would_leave_less(chip: str) -> None:
    """Smallest largest error by linear programming, over k, k·A and k·t0."""
    law = FITTED[chip]
    rows = rows_of(law)
    xoff = np.array([row.xoff for row, _ in rows], dtype=float)
    rate = np.array([row.speed / 8 for row, _ in rows])
    cable = np.array([row.cable for row, _ in rows])
    columns = np.c_[1e4 / xoff, 1e-6 * rate / xoff, 1e-8 * rate * cable / xoff]
    ones = np.ones((len(rows), 1))
    factor = (rows[0][1].cell or 0) / 84 if law.inflation is None else None
    best = linprog([0, 0, 0, 1], np.r_[np.c_[columns, -ones], np.c_[-columns, -ones]], np.r_[ones, -ones],
                   bounds=[(None, None), (None, None), (factor, factor), (0, None)])
    assert law.error == pytest.approx(best.x[3], abs=1.5e-4)


def test_cell_over_84_explains_four_broadcom_chips_within_five_percent_and_misses_trident3_by_a_hair() -> None:
    by_cells = {chip: law.error for chip, law in FITTED.items() if law.inflation is None}
    assert {chip for chip, error in by_cells.items() if error <= 0.05} == {
        "tomahawk2", "tomahawk4", "tomahawk5", "trident4-x9"}
    assert by_cells["trident3-x7"] == by_cells["trident3-x5"] == 0.0506


@pytest.mark.parametrize(("chip", "low", "high"), [("tomahawk4", 5, 300), ("trident4-x9", 5, 300),
                                                   ("trident3-x7", 5, 300), ("tomahawk2", 5, 300)])
def test_the_slope_per_metre_alone_gives_cell_over_84(chip: str, low: float, high: float) -> None:
    """No fit: k is read off the difference of two shipped rows at each speed from 50 Gb/s on."""
    rows = {(row.speed, row.cable): (row, table) for row, table in rows_of(FITTED[chip])}
    speeds = {speed for speed, _ in rows if speed >= 50e9}
    factors = [(rows[speed, high][0].xoff - rows[speed, low][0].xoff) / (2 * 5e-9 * speed / 8 * (high - low))
               for speed in speeds]
    cell = rows[next(iter(rows))][1].cell or 0
    assert np.mean(factors) == pytest.approx(cell / 84, rel=0.04)


def test_tomahawk6_follows_from_tomahawk5_and_its_cell() -> None:
    """A row that no constant was fitted to: 400 Gb/s, 500 m, 1887900 B, sonic-buildimage pull request 29565."""
    scheme = Vendor.model_validate(Vendor.of_chip("tomahawk6", {}))
    cell = asic_named("tomahawk6").cell or 0
    assert scheme.budget(Link.of_cable(400e9, 500, cell=cell)).headroom == pytest.approx(1_887_900, rel=0.002)


def test_without_a_law_the_classical_budget_is_inflated_and_rounded_up_to_cells() -> None:
    link = Link.of_cable(100e9, 300, cell=254)
    wire = Ieee().budget(link).unrounded
    for rule, factor in (("none", 1.0), ("small_frame", 254 / 84), ("cell_plus_one", 508 / 255)):
        budget = Vendor(inflation=rule).budget(link)
        assert budget.unrounded == pytest.approx(wire * factor)
        assert budget.headroom % 254 == 0
        assert 0 <= budget.headroom - wire * factor < 254
    assert Vendor(inflation_factor=1.5).budget(link).unrounded == pytest.approx(1.5 * wire)


def test_every_chip_known_here_is_a_chip_and_its_parameters_belong_to_schemes() -> None:
    shipped = {table.chip for table in tables()}
    for name, chip in CHIPS.items():
        assert asic_named(name).id == name
        assert chip.shipped in shipped | {""}
        assert set(chip.sonic) <= set(SCHEMES.get("sonic").model_fields)
    assert {chip.shipped for chip in CHIPS.values()} >= shipped
