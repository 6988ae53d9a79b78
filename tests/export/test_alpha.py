"""alpha becomes a power of two, and the reader is told what that changes."""

from __future__ import annotations

import math

import pytest

from footroom.export.alpha import round_alpha
from footroom.export.interface import export
from footroom.export.sonic.tables import POWERS


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
    assert round_alpha(0.1, POWERS).note == ("alpha 0.1 becomes 2^-3 = 0.125: a lone queue may take 11.1 % of the pool "
                                             "instead of 9.1 %")


@pytest.mark.parametrize(("alpha", "exponent", "word"), [(1000.0, 7, "most"), (129.0, 7, "most"), (1e-4, -8, "least")])
def test_beyond_the_range_the_end_is_taken_and_named(alpha: float, exponent: int, word: str) -> None:
    rounded = round_alpha(alpha, POWERS)
    assert rounded.exponent == exponent
    assert f"the {word} that SONiC takes" in rounded.note


@pytest.mark.parametrize("alpha", [0.003, 0.1, 0.3, 1.0, 5.0, 100.0])
def test_the_configuration_carries_the_exponent_and_the_warning(alpha: float) -> None:
    made = export("sonic", ports="2x100G@40m", asic="tomahawk", alpha_lossless=alpha, alpha_lossy=1.0)
    profile = made.data("config_db.json")["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"]
    taken = 2.0 ** int(profile["dynamic_th"])
    assert abs(math.log2(taken / alpha)) <= 0.5
    warned = any("alpha of lossless priority groups" in warning for warning in made.warnings)
    assert warned == (taken != alpha)
