"""Which form of SONiC's formula is the default: that of the chip's shipped tables, the newest without a chip."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.calculators.headroom.document import SchemeDocument
from footroom.calculators.headroom.shipped.__main__ import main
from footroom.calculators.headroom.shipped.reproduction import reproduction
from footroom.formulas.headroom.chips import CHIPS
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import Sonic, Vendor
from footroom.formulas.headroom.schemes.sonic_tables import reproduced, tables_of
from footroom.formulas.headroom.shipped import tables
from footroom.parts.asics import asic_named

#: Shipped rows that follow to the byte: with nothing but the chip named, with the row's own switch model, all rows.
ROWS = {
    "spectrum": (33, 63, 71),
    "spectrum-2": (18, 48, 53),
    "spectrum-3": (101, 209, 231),
    "spectrum-4": (72, 144, 176),
    "spectrum-5": (78, 78, 78),
    "spectrum-6": (14, 14, 14),
}
SPECTRUM = tuple(ROWS)


def asked(**given: Any) -> SchemeDocument:
    return fr.headroom(**{"speed": "400G", "cable": "300 m", "scheme": "sonic", **given}).schemes["sonic"]


def test_how_many_shipped_rows_the_default_gives_to_the_byte() -> None:
    found = {one.asic: (one.exact, one.named or 0, one.rows) for one in reproduction() if one.scheme == "sonic"}
    assert found == ROWS
    assert [sum(row[i] for row in found.values()) for i in range(3)] == [316, 556, 623]


def test_the_newest_form_gives_almost_none_of_them() -> None:
    """Why the newest form is not the default of a chip."""
    newest = {asic: Sonic.model_validate(Sonic.of_chip(asic, {"form": "2026"})) for asic in SPECTRUM}
    exact = len(
        [
            row
            for asic, sonic in newest.items()
            for table in tables_of(asic)
            for row in table.rows
            if sonic.budget(table.link(row)).headroom == row.xoff
        ]
    )
    assert exact == 2


@pytest.mark.parametrize("asic", SPECTRUM)
def test_no_other_table_of_the_chip_reproduces_more_rows_than_the_usual_one(asic: str) -> None:
    counts = {table.sku: reproduced(Sonic, asic, table.sku).exact for table in tables_of(asic)}
    assert counts[CHIPS[asic].sku] == max(counts.values())


@pytest.mark.parametrize("table", [table for table in tables() if table.sonic], ids=lambda table: table.id)
def test_a_switch_model_that_is_named_gives_its_own_rows(table: Any) -> None:
    """All rows of a table but its known exceptions, in the answer that a user gets."""
    asic = next(name for name, chip in CHIPS.items() if chip.shipped == table.chip)
    sonic = Sonic.model_validate(Sonic.of_chip(asic, {"sku": table.sku}))
    for row in table.rows:
        if table.parameters(row.speed, row.cable) == dict(table.sonic) and row.cable not in table.halved:
            exact = sonic.budget(table.link(row)).headroom == row.xoff
            assert exact or row.repeats or row.speed <= 10e9 or (row.speed, row.cable) in {(400e9, 1500), (400e9, 2000)}


def test_the_answer_names_the_form_and_where_it_comes_from() -> None:
    found = asked(asic="spectrum-4")
    assert found["form"] == {
        "name": "2024",
        "source": found["lines"][0]["source"],
        "sku": "Mellanox-SN5600-C256S1",
        "newest": False,
    }
    assert any("72 of 176 shipped rows" in note and "form 2026" in note for note in found["notes"])
    assert found["headroom"] == 243_712  # the shipped row


def test_without_a_chip_the_newest_form_is_the_default_and_said() -> None:
    found = asked()
    assert (found["form"]["name"], found["form"]["sku"], found["form"]["newest"]) == ("2026", None, True)
    assert any("the newest; no chip" in note for note in found["notes"])
    assert asked(asic="tomahawk5")["form"]["name"] == "2026"
    assert any("comparison" in note for note in asked(asic="tomahawk5")["notes"])


def test_a_form_that_is_named_overrides_the_table_with_the_plugins_own_parameters() -> None:
    found = asked(asic="spectrum-4", form="2024")
    values = {one["name"]: (one["value"], one["from"]) for one in found["parameters"]}
    assert (values["port_mtu"], values["lossless_mtu"]) == ((9100, "default"), (1024, "default"))
    assert found["form"]["sku"] is None
    assert any("Mellanox-SN5600-C256S1" in note for note in found["notes"])


def test_a_parameter_that_is_named_overrides_the_table_and_the_answer_says_so() -> None:
    found = asked(asic="spectrum-4", port_mtu=1024, cable=1000)
    assert found["headroom"] == 610_304  # the shipped row, which counts a port MTU of 1024 B
    assert any("port_mtu as given instead" in note for note in found["notes"])


def test_rows_of_one_length_that_count_another_port_mtu_are_named_beside_the_answer() -> None:
    assert any("1000 m follow with port_mtu 1024" in note for note in asked(asic="spectrum-4", cable=1000)["notes"])
    assert not any("port_mtu 1024" in note for note in asked(asic="spectrum-4", cable=300)["notes"])


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ({"asic": "spectrum-4", "sku": "Mellanox-SN5600-C256S2"}, "sku", "did you mean Mellanox-SN5600-C256S1"),
        ({"asic": "spectrum-4", "sku": "nonsense"}, "sku", "known are ACS-SN5600"),
        ({"asic": "spectrum-3", "sku": "ACS-SN5600"}, "sku", "of spectrum-3"),
        ({"asic": "tomahawk5", "sku": "ACS-SN5600"}, "sku", "no shipped table of tomahawk5 follows SONiC's formula"),
        ({"sku": "ACS-SN5600"}, "sku", "give an asic"),
        ({"asic": "spectrum-4", "sku": "ACS-SN5600", "form": "2024"}, "form", "give form or sku"),
        ({"asic": "spectrum-4", "form": "2025"}, "form", "2026"),
    ],
)
def test_a_switch_model_that_cannot_be_used_is_refused(given: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        asked(**given)
    assert [problem.path for problem in caught.value.problems] == [path]
    assert message in caught.value.problems[0].message


def test_jericho2_follows_the_law_of_jericho2c_plus_within_one_percent() -> None:
    law = Vendor.model_validate(Vendor.of_chip("jericho2", {}))
    table = next(table for table in tables() if table.chip == "Jericho2")
    errors = [abs(law.budget(table.link(row)).unrounded / row.xoff - 1) for row in table.rows]
    assert len(errors) == 15
    assert max(errors) < 0.01


@pytest.mark.parametrize(
    ("asic", "maker", "sku", "slowest", "worst"),
    [
        ("tomahawk6", "Nokia", "Nokia-IXR7220-H6-O256", 400e9, 1.59),
        ("teralynx-10", "Marvell", "dbmvtx9180_64x100G", 1e15, 0.47),
    ],
)
def test_tables_that_follow_nothing_documented_are_named_with_how_far_off_the_law_is(
    asic: str, maker: str, sku: str, slowest: float, worst: float
) -> None:
    law = Vendor.model_validate(Vendor.of_chip(asic, {"maker": maker}))
    table = next(table for table in tables() if table.sku == sku)
    cell = asic_named(asic).cell or 0
    errors = [
        law.budget(Link.of_cable(row.speed, row.cable, cell=cell)).headroom / row.xoff - 1
        for row in table.rows
        if row.speed < slowest
    ]
    assert max(errors) == pytest.approx(worst, abs=0.005)
    found = fr.headroom(speed="100G", cable="40 m", asic=asic, maker=maker, scheme="vendor")
    assert any(f"up to {100 * worst:.0f} % above" in note for note in found.schemes["vendor"]["notes"])
    shipped = found.to_dict()["shipped"]
    assert shipped is not None
    shown = {one["sku"]: one.get("note", "") for one in shipped["tables"]}
    assert "no documented rule" in shown[sku]


def test_nokias_rows_from_400_gbit_are_not_called_undocumented() -> None:
    shipped = fr.headroom(speed="400G", cable="40 m", asic="tomahawk6").to_dict()["shipped"]
    assert shipped is not None
    assert not any("no documented rule" in one.get("note", "") for one in shipped["tables"])


def test_the_command_prints_what_the_function_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    text = capsys.readouterr().out
    assert any(line.split()[:5] == ["spectrum-4", "sonic", "176", "72", "144"] for line in text.splitlines())
    assert main(["--nonsense"]) == 2
    assert "--json" in capsys.readouterr().err
