"""The shipped tables: what explains them, and how far a straight line between rows can be trusted."""

from __future__ import annotations

import pytest

from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import Sonic
from footroom.formulas.headroom.shipped import Row, Table, tables
from footroom.formulas.headroom.shipped.nearest import half, nearest

SPECTRUM = [table for table in tables() if table.chip.startswith("Spectrum")]
#: Rows to the byte, rows that are half of the formula in whole KiB, rows of the table.
EXPLAINED = {
    "ACS-MSN2700": (15, 0, 15),
    "Mellanox-SN2700-D48C8": (15, 5, 20),
    "ACS-MSN3700": (18, 0, 18),
    "ACS-MSN3800": (15, 0, 15),
    "ACS-MSN4700": (21, 0, 21),
    "Mellanox-SN4600C-D112C8": (15, 5, 20),
    "Mellanox-SN4700-O8C48": (33, 0, 35),
    "ACS-SN2201": (18, 0, 21),
    "Mellanox-SN4280-C48": (35, 0, 42),
    "Mellanox-SN4280-O28": (33, 0, 35),
    "ACS-SN4280": (21, 0, 21),
    "ACS-SN5600": (24, 0, 24),
    "Mellanox-SN3800-D112C8": (15, 5, 20),
    "Mellanox-SN4600C-D24C52": (25, 0, 25),
    "Mellanox-SN4700-C128": (26, 6, 32),
    "Mellanox-SN5600-V256": (24, 0, 24),
    "Mellanox-SN5600-C256S1": (40, 0, 40),
    "Mellanox-SN5610N-C224O8": (32, 0, 32),
    "Mellanox-SN5610N-C256S2": (32, 0, 32),
    "Mellanox-SN5640-C448O16": (36, 0, 36),
    "ACS-SN6600": (14, 0, 14),
    "Mellanox-SN5640-C512X2": (42, 0, 42),
    "Mellanox-SN2700-D40C8S8": (15, 0, 15),
}


def computed(table: Table, row: Row) -> tuple[int, int]:
    lanes = 8 if row.xon > 20_000 and table.chip != "Spectrum-6" else 4
    budget = Sonic.model_validate({**table.parameters(row.speed, row.cable), "lanes": lanes}).budget(table.link(row))
    return budget.headroom, budget.xon


def test_all_rows_came_along() -> None:
    assert len(tables()) == 66
    assert sum(len(table.rows) for table in tables()) == 1330
    assert all("/sonic-buildimage device/" in table.source for table in tables())
    assert sum(table.quality == "asic" for table in tables()) == 61
    assert len({(table.id, table.chip) for table in tables()}) == 66


@pytest.mark.parametrize("table", SPECTRUM, ids=lambda table: f"{table.sku}-{table.id}")
def test_the_formula_gives_spectrum_rows_to_the_byte(table: Table) -> None:
    exact = [row for row in table.rows if computed(table, row)[0] == row.xoff]
    halved = [
        row
        for row in table.rows
        if row not in exact and row.cable in table.halved and half(computed(table, row)[0]) == row.xoff
    ]
    assert (len(exact), len(halved), len(table.rows)) == EXPLAINED[table.sku]
    assert [row for row in table.rows if computed(table, row)[1] != row.xon] == []


def test_how_much_of_the_spectrum_tables_is_explained() -> None:
    totals = [sum(EXPLAINED[table.sku][i] for table in SPECTRUM) for i in range(3)]
    assert totals == [588, 21, 623]


def test_rows_that_repeat_another_are_marked() -> None:
    table = next(table for table in tables() if table.sku == "Mellanox-SN4280-C48")
    assert {row.repeats for row in table.rows if row.cable == 30} == {"40 m"}
    dell = next(table for table in tables() if table.sku == "DellEMC-Z9664f-O64")
    assert {row.repeats for row in dell.rows if row.speed == 10e9} == {"25 Gb/s"}


def test_a_row_between_two_others_lies_on_their_line() -> None:
    """Held-out rows: 474 of 483 within 3.3 %. The nine are one Arista table, the 400G rows of three others, and an
    800G row of a Teralynx table."""
    misses = []
    count = 0
    for table in tables():
        for speed in {row.speed for row in table.rows}:
            rows = sorted(
                (
                    row
                    for row in table.rows
                    if row.speed == speed
                    and not row.repeats
                    and row.cable not in table.halved
                    and table.parameters(row.speed, row.cable) == table.parameters(row.speed, 0)
                ),
                key=lambda row: row.cable,
            )
            for low, middle, high in zip(rows, rows[1:], rows[2:], strict=False):
                slope = (high.xoff - low.xoff) / (high.cable - low.cable)
                line = low.xoff + slope * (middle.cable - low.cable)
                count += 1
                if abs(line / middle.xoff - 1) > 0.033:
                    misses.append((table.sku, middle.speed))
    assert len(misses) == 9
    assert count == 483
    assert {sku for sku, _ in misses} == {
        "Arista-7260CX3-D96C16",
        "Mellanox-SN4700-O8C48",
        "Mellanox-SN4280-C48",
        "Mellanox-SN4280-O28",
        "dbmvtx9180_64x100G",
    }


def test_the_law_between_neighbours_is_the_line_through_them() -> None:
    found = nearest(Link.of_cable(400e9, 50), "Tomahawk5")["tables"]
    table = next(one for one in found if one["sku"] == "Arista-7060X6-64PE-B-O128")
    below, above, law = table["below"], table["above"], table["law"]
    assert table["exact"] is None
    assert below is not None
    assert above is not None
    assert law is not None
    assert (below["cable"], above["cable"]) == (40, 60)
    assert law["slope"] == (475_136 - 445_770) / 20
    assert law["xoff"] == (445_770 + 475_136) / 2
    assert law["inflation"] == pytest.approx(254 / 84, rel=0.04)
    assert not law["extrapolated"]


def test_an_exact_row_is_found_and_beyond_the_last_row_the_line_is_called_extrapolated() -> None:
    shipped = nearest(Link.of_cable(100e9, 300), "Spectrum")["tables"][0]
    exact, formula = shipped["exact"], shipped["formula"]
    assert exact is not None
    assert formula is not None
    assert exact["xoff"] == formula["xoff"] == 104_448
    beyond = nearest(Link.of_cable(100e9, 1000), "Spectrum")["tables"][0]
    assert beyond["law"] is not None
    assert beyond["law"]["extrapolated"]
    assert beyond["above"] is None


def test_without_a_chip_only_tables_with_the_speed_are_shown() -> None:
    found = nearest(Link.of_cable(200e9, 300), None)["tables"]
    assert {table["speed"] for table in found} == {200e9}
    assert len({table["chip"] for table in found}) > 3
    assert {table["chip"] for table in nearest(Link.of_cable(1.6e12, 300), None)["tables"]} == {"Tomahawk6"}
    assert nearest(Link.of_cable(300e9, 300), None)["tables"] == []


def test_a_chip_without_the_speed_shows_its_nearest_and_says_so() -> None:
    table = nearest(Link.of_cable(1.6e12, 300), "Spectrum-4")["tables"][0]
    assert table["speed"] == 800e9
    assert "no 1.6 Tb/s" in table["note"]
