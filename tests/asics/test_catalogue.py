"""The catalogue of chips agrees with itself and with arithmetic."""

from __future__ import annotations

import pytest

from footroom.base.errors import InvalidInput
from footroom.parts.asics import ASICS, Asic, asic_named


def test_every_chip_is_found_by_id_name_and_part() -> None:
    assert len(ASICS) == 42
    assert len({asic.id for asic in ASICS}) == 42
    for asic in ASICS:
        assert asic_named(asic.id) is asic
        assert asic_named(asic.name.upper()) is asic
        assert asic_named(asic.part) is asic


@pytest.mark.parametrize("asic", ASICS, ids=lambda asic: asic.id)
def test_figures_of_one_chip_agree_with_one_another(asic: Asic) -> None:
    assert asic.id == asic.id.lower()
    assert " " not in asic.id
    assert asic.source
    assert asic.confidence in ("sourced", "partly sourced", "secondary", "observed", "unsure")
    for name in asic.unsure:
        assert getattr(asic, name) not in (None, ""), f"{name} cannot be unsure when it is not known"
    assert (asic.port_count is None) == (asic.port_rate is None)
    if asic.port_count is not None and asic.port_rate is not None and asic.capacity is not None:
        assert asic.port_count * asic.port_rate == asic.capacity
    if asic.cell is not None and asic.buffer_usable is not None:
        assert asic.buffer_usable % asic.cell == 0, "a pool is a whole number of cells"


@pytest.mark.parametrize(
    ("asic", "cells"),
    [
        ("trident-plus", 46_080),
        ("trident2", 61_376),
        ("tomahawk", 76_840),
        ("tomahawk2", 209_044),
        ("tomahawk4", 447_324),
    ],
)
def test_published_numbers_of_cells(asic: str, cells: int) -> None:
    chip = asic_named(asic)
    assert chip.buffer_usable is not None
    assert chip.cell is not None
    assert chip.buffer_usable / chip.cell == cells


@pytest.mark.parametrize(
    ("asic", "microseconds"),
    [("trident-plus", 118.0), ("trident2", 78.6), ("tomahawk", 41.9), ("tomahawk2", 55.1), ("tomahawk4", 35.3)],
)
def test_nominal_memory_holds_so_long_at_full_rate(asic: str, microseconds: float) -> None:
    """The trend the papers plot: 157 µs down to 37 µs of buffer at full rate, computed from nominal sizes."""
    chip = asic_named(asic)
    assert chip.buffer_nominal is not None
    assert chip.capacity is not None
    assert chip.buffer_nominal * 8e6 / chip.capacity == pytest.approx(microseconds, abs=0.05)


def test_a_guess_is_marked_as_one() -> None:
    assert asic_named("trident2-plus").cell == 208
    assert "cell" in asic_named("trident2-plus").unsure
    assert "cell" in asic_named("silicon-one-g200").unsure
    assert asic_named("jericho").buffer is None
    assert asic_named("tomahawk").unsure == ()


@pytest.mark.parametrize(("written", "near"), [("tomahwk", "tomahawk"), ("spectrum9", "spectrum"), ("", "known are")])
def test_an_unknown_chip_is_refused_with_the_nearest(written: str, near: str) -> None:
    with pytest.raises(InvalidInput, match=near) as refusal:
        asic_named(written, "switch.asic")
    assert refusal.value.problems[0].path == "switch.asic"
    assert refusal.value.problems[0].given == written
