"""alpha becomes a power of two, and the reader is told what that changes."""

from __future__ import annotations

import math

import pytest

from footroom.calculators.export.alpha import round_alpha
from footroom.calculators.export.interface import export
from footroom.calculators.export.sonic.importing import import_sonic
from footroom.calculators.export.sonic.lookup import parse
from footroom.calculators.export.sonic.thresholds import POWERS


@pytest.mark.parametrize("n", range(-8, 8))
def test_a_power_of_two_is_kept_without_a_word(n: int) -> None:
    rounded = round_alpha(2.0**n, POWERS)
    assert (rounded.exponent, rounded.taken, rounded.note) == (n, 2.0**n, "")


@pytest.mark.parametrize("n", range(-8, 7))
def test_between_two_powers_the_nearer_in_ratio_is_taken(n: int) -> None:
    middle = 2.0 ** (n + 0.5)
    assert round_alpha(middle * 0.999, POWERS).exponent == n
    assert round_alpha(middle * 1.001, POWERS).exponent == n + 1


def test_the_note_says_what_a_lone_queue_may_take() -> None:
    # 0.1 / 1.1 = 9.09 %, 0.125 / 1.125 = 11.1 %
    assert round_alpha(0.1, POWERS).note == (
        "alpha 0.1 becomes 2^-3 = 0.125: a lone queue may take 11.1 % of the pool instead of 9.1 %"
    )


@pytest.mark.parametrize(("alpha", "exponent", "word"), [(1000.0, 7, "most"), (129.0, 7, "most"), (1e-4, -8, "least")])
def test_beyond_the_range_the_end_is_taken_and_named(alpha: float, exponent: int, word: str) -> None:
    rounded = round_alpha(alpha, POWERS)
    assert rounded.exponent == exponent
    assert f"the {word} that SONiC takes" in rounded.note


@pytest.mark.parametrize("alpha", [0.003, 0.1, 0.3, 1.0, 5.0, 100.0])
def test_the_configuration_carries_the_exponent_and_the_warning(alpha: float) -> None:
    made = export("sonic", ports="2x100G@40m", buffer="16 MB", cell_size=208, alpha_lossless=alpha, alpha_lossy=1.0)
    profile = made.data("config_db.json")["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"]
    taken = 2.0 ** int(profile["dynamic_th"])
    assert abs(math.log2(taken / alpha)) <= 0.5
    warned = any("alpha of lossless priority groups" in warning for warning in made.warnings)
    assert warned == (taken != alpha)


@pytest.mark.parametrize(
    ("asic", "low", "high"),
    [("tomahawk5", -7, 3), ("trident3-x7", -7, 3), ("spectrum-4", -7, 7), ("jericho2", -8, 7), (None, -8, 7)],
)
def test_a_chip_is_given_no_alpha_beyond_its_own(asic: str | None, low: int, high: int) -> None:
    """1/128 to 8 on Trident and Tomahawk; NVIDIA reads -8 as alpha 0, not as 1/256."""
    chip = {"asic": asic} if asic else {"buffer": "64 MB", "cell_size": 256}
    made = export("sonic", ports="2x100G@5m", alpha_lossless=1000, alpha_lossy=1e-4, **chip)
    profiles = made.data("config_db.json")["BUFFER_PROFILE"]
    assert profiles["pg_lossless_100000_5m_profile"]["dynamic_th"] == str(high)
    assert profiles["egress_lossy_profile"]["dynamic_th"] == str(low)
    assert {row.threshold for row in parse(made.text("pg_profile_lookup.ini"))[0]} == {high}
    assert len([warning for warning in made.warnings if " that " in warning and "takes)" in warning]) == 2


def test_reading_names_the_alpha_that_the_chip_does_not_take() -> None:
    made = export("sonic", ports="2x100G@5m", alpha_lossless=128, buffer="100 MB", cell_size=254)
    config = made.data("config_db.json")
    found = [(finding.code, finding.path) for finding in import_sonic(config, asic="tomahawk5").findings]
    assert ("alpha-beyond-chip", "BUFFER_PROFILE|pg_lossless_100000_5m_profile.dynamic_th") in found
    assert "alpha-beyond-chip" not in [finding.code for finding in import_sonic(config, asic="spectrum-4").findings]
