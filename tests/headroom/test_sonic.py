"""SONiC's formula against what SONiC's developers report of it."""

from __future__ import annotations

import typing
from typing import Any

import pytest

import footroom as fr
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import Sonic
from footroom.formulas.headroom.schemes.forms import FORMS, NEWEST
from footroom.formulas.headroom.schemes.sonic_cells import small_share

G, KIB = 1e9, 1024
#: Port MTU 9100, lossless MTU 1024, 50 % small packets: sonic-swss pull request 3235, comment of 15 July 2024.
REPORTED = [
    (400 * G, 300, 144, 8, 0.0, (38_912, 272_384, 320_512)),
    (100 * G, 40, 144, 4, 0.0, (19_456, 51_200, 70_656)),
    (800 * G, 300, 192, 8, 120e-9, (38_912, 474_112, 522_240)),
    (200 * G, 40, 192, 4, 120e-9, (19_456, 65_536, 84_992)),
]


def answers(sonic: Sonic, speed: float, cable: float, cell: int) -> tuple[int, int, int | None]:
    budget = sonic.budget(Link.of_cable(speed, cable, cell=cell))
    return budget.xon, budget.headroom, budget.size


@pytest.mark.parametrize(("speed", "cable", "cell", "lanes", "tile", "reported"), REPORTED)
def test_the_reported_values_of_2024(
    speed: float, cable: float, cell: int, lanes: int, tile: float, reported: tuple[int, int, int]
) -> None:
    assert answers(Sonic(form="2024", lanes=lanes, tile_delay=tile), speed, cable, cell) == reported


@pytest.mark.parametrize(("speed", "cable", "cell", "lanes", "tile", "reported"), REPORTED)
def test_the_newest_form_adds_two_kib_where_small_packets_only_would_need_more(
    speed: float, cable: float, cell: int, lanes: int, tile: float, reported: tuple[int, int, int]
) -> None:
    xon, xoff, size = reported
    found = answers(Sonic(lanes=lanes, tile_delay=tile), speed, cable, cell)
    assert found == (xon, xoff + 2 * KIB, size + 2 * KIB)


@pytest.mark.parametrize(
    "given", [{"small_packet_percentage": 100}, {"over_subscribe_ratio": 2}, {"shared_headroom_pool": 655_360}]
)
def test_no_compensation_with_a_pool_or_small_packets_only(given: dict[str, Any]) -> None:
    link = Link.of_cable(100 * G, 40, cell=144)
    budget = Sonic(**given).budget(link)
    assert budget.headroom == Sonic(form="2024", **given).budget(link).headroom
    assert (budget.size == budget.xon) == ("small_packet_percentage" not in given)


def test_the_profile_that_a_regression_test_met_after_the_compensation() -> None:
    """sonic-mgmt pull request 26696: xoff 120832 for 118784, size 168960 for 166912, on an 8-lane port."""
    xon, xoff, size = answers(Sonic(lanes=8), 400 * G, 40, 192)
    before = answers(Sonic(form="2024", lanes=8), 400 * G, 40, 192)
    assert (xoff - before[1], typing.cast(int, size) - typing.cast(int, before[2])) == (2048, 2048)
    assert typing.cast(int, size) - xon - xoff == 168_960 - 38_912 - 120_832


def test_spectrum_six_gets_exactly_eighteen_kib_more_and_only_in_the_newest_form() -> None:
    link = Link.of_cable(800 * G, 40, cell=256)
    of_chip = Sonic.of_chip("spectrum-6", {"form": "2026"})
    assert of_chip["pipeline_latency"] == 42 * KIB
    plain = {name: value for name, value in of_chip.items() if name != "extra_headroom"}
    assert any("1810 quanta at 800 Gb/s" in note for note in Sonic().chip_notes("spectrum-6"))
    assert "extra_headroom" not in Sonic.of_chip("spectrum-6", {})
    assert Sonic(**of_chip).budget(link).headroom - Sonic(**plain).budget(link).headroom == 18 * KIB
    assert "extra_headroom" not in Sonic.of_chip("spectrum-6", {"form": "2024"})


def test_the_tile_belongs_to_spectrum_four_and_five_and_to_forms_since_2024() -> None:
    assert {chip: "tile_delay" in Sonic.of_chip(chip, {}) for chip in ("spectrum-3", "spectrum-4", "spectrum-5")} == {
        "spectrum-3": False,
        "spectrum-4": True,
        "spectrum-5": True,
    }
    assert "tile_delay" not in Sonic.of_chip("spectrum-4", {"form": "2021"})


@pytest.mark.parametrize(("form", "divisor"), [("2020", 1.0), ("2021", 1.024), ("2024", 1.024), ("2026", 1.024)])
def test_bytes_in_a_gearbox_are_counted_by_1024_in_plugins_but_not_in_tables(form: str, divisor: float) -> None:
    """The plugin has 8·1024 there since 2021 and kept it when the cable became exact; SN3800's tables are exact."""
    line = next(
        line
        for line in Sonic(form=form, gearbox_delay=400e-9).budget(Link.of_cable(100 * G, 5)).lines
        if line.name == "Gearbox, both ways"
    )
    assert line.bytes == pytest.approx(10_000 / divisor, abs=0.07)


@pytest.mark.parametrize(
    ("chip", "speed", "lanes"),
    [
        ("spectrum", 100, 4),
        ("spectrum-2", 200, 4),
        ("spectrum-3", 200, 4),
        ("spectrum-3", 400, 8),
        ("spectrum-4", 400, 4),
        ("spectrum-4", 800, 8),
        ("spectrum-5", 800, 8),
        ("spectrum-6", 800, 4),
        ("spectrum-6", 1600, 8),
    ],
)
def test_ports_get_eight_lanes_where_four_of_the_chip_are_too_slow(chip: str, speed: int, lanes: int) -> None:
    """As xon of the shipped tables has it: 38 KiB at 400 Gb/s on Spectrum-3, at 800 Gb/s on Spectrum-4, not on 6."""
    of_chip = Sonic.of_chip(chip, {})
    sonic = Sonic.model_validate(of_chip)
    assert sonic.budget(Link.of_cable(speed * G, 5)).xon == of_chip["pipeline_latency"] * (lanes // 4)
    assert (
        Sonic.model_validate({**of_chip, "lanes": 4}).budget(Link.of_cable(speed * G, 5)).xon
        == (of_chip["pipeline_latency"])
    )


@pytest.mark.parametrize(
    ("asic", "speed", "reported"),
    [("spectrum-3", "400G", (38_912, 272_384, 320_512)), ("spectrum-4", "800G", (38_912, 474_112, 522_240))],
)
def test_a_named_chip_gives_the_reported_values_without_further_options(
    asic: str, speed: str, reported: tuple[int, int, int]
) -> None:
    found = fr.headroom(speed=speed, cable="300 m", asic=asic, scheme="sonic", form="2024").schemes["sonic"]
    assert (found["xon"], found["xoff"], found["size"]) == reported


@pytest.mark.parametrize(
    ("asic", "cable", "speed", "xoff"),
    [("spectrum-5", 1000, "400G", 619_520), ("spectrum-5", 30, "100G", 48_128), ("spectrum-4", 250, "800G", 357_376)],
)
def test_options_of_the_contract_and_the_newest_form_give_shipped_rows_with_a_pool(
    asic: str, cable: int, speed: str, xoff: int
) -> None:
    """SN5640-C448O16, SN5600-C256S1: nothing but the chip, both MTUs and the over-subscription are named."""
    found = fr.headroom(
        speed=speed, cable=cable, asic=asic, scheme="sonic", port_mtu=9216, lossless_mtu=4096, over_subscribe_ratio=2
    ).schemes["sonic"]
    assert found["xoff"] == xoff
    assert found["size"] == found["xon"] == (38_912 if speed == "800G" else 19_456)


def test_the_plugin_of_2021_worked_by_hand() -> None:
    """Cell 144: factor 2.25, half the packets small: 1.625. Cable and gearbox are divided by 1.024."""
    cable, gearbox = 2 * 40 * 100e9 / 1.98e8 / 8 / 1.024, 2 * 5000 / 1.024
    on_the_line = 9100 + cable + gearbox + 0.8 * KIB + 394 * 64
    xoff = -(-(1024 + on_the_line * 1.625) // KIB) * KIB
    sonic = Sonic(form="2021", gearbox_delay=400e-9, lanes=8)
    assert answers(sonic, 100 * G, 40, 144) == (37 * KIB, xoff, -(-(37 * KIB + xoff + 9100) // KIB) * KIB)


def test_the_barefoot_plugin_worked_by_hand() -> None:
    """Tofino 2, cell 176: factor 2.75, occupancy 1.875; the response counts twice at 400 Gb/s, size is xon."""
    sonic = Sonic.model_validate(Sonic.of_chip("tofino2", {}))
    on_the_line = 9100 + 2 * 300 * 400e9 / 1.98e8 / 8 / 1.024 + 0.8 * KIB + 2 * 905 * 64
    assert answers(sonic, 400 * G, 300, 176) == (68 * KIB, -(-(1024 + on_the_line * 1.875) // KIB) * KIB, 68 * KIB)
    single = next(line for line in sonic.budget(Link.of_cable(100 * G, 5)).lines if line.name == "Peer's response")
    assert single.bytes == 394 * 64


def test_the_shared_headroom_pool_of_a_ratio() -> None:
    found = Sonic(over_subscribe_ratio=2, ports=32).budget(Link.of_cable(100 * G, 40, cell=144))
    owed = found.headroom * 32 * 2 - 10 * KIB * 32
    assert found.extra["shared_headroom_pool"]["size"] == -(-owed // 2)
    given = Sonic(shared_headroom_pool=1e6, ports=32).budget(Link.of_cable(100 * G, 40, cell=144))
    assert given.extra["shared_headroom_pool"]["size"] == 1e6


def test_a_speed_without_quanta_falls_back_as_the_plugin_does_and_warns() -> None:
    budget = Sonic().budget(Link.of_cable(1.6e12, 40))
    assert next(line.bytes for line in budget.lines if line.name == "Peer's response") == pytest.approx(3891.2, abs=0.1)
    assert any("expect loss" in note for note in budget.notes)
    mended = Sonic(response_quanta=1810).budget(Link.of_cable(1.6e12, 40))
    assert next(line.bytes for line in mended.lines if line.name == "Peer's response") == 1810 * 64


def test_sonic_counts_small_packets_as_more_bytes_than_they_are() -> None:
    """The departure that the scheme states: its share of bytes is 1/percentage of the true one."""
    link = Link.of_cable(100 * G, 300, cell=144)
    cells = next(line for line in Sonic().budget(link).lines if line.part == "cells")
    assert "11.7647" in cells.formula
    true_share = 0.5 * 64 / (0.5 * 64 + 0.5 * 1024)
    assert small_share(50, "bytes", 1024) == pytest.approx(100 * true_share / 0.5)
    assert small_share(50, "packets", 1024) == 50


def test_every_form_can_be_asked_for_and_the_newest_is_the_default() -> None:
    forms = typing.get_args(typing.get_args(Sonic.model_fields["form"].annotation)[0])
    assert forms == tuple(FORMS)
    assert Sonic().form_used.name == NEWEST == "2026"


def test_a_given_delay_is_kept_whatever_speed_sonic_gives_to_light() -> None:
    delay = Sonic().budget(Link.of_delay(100 * G, 1e-6))
    assert next(line.bytes for line in delay.lines if line.part == "cable") == 25_000
