"""A headroom that is set: how slow a peer it covers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import footroom as fr
from footroom.calculators.headroom.setting import cover
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import SCHEMES


@given(
    kind=st.sampled_from(list(SCHEMES)),
    speed=st.sampled_from([10e9, 100e9, 800e9]),
    cable=st.floats(1, 2000),
    configured=st.floats(1e5, 1e8),
)
def test_a_peer_as_slow_as_covered_needs_what_is_set(kind: Any, speed: float, cable: float, configured: float) -> None:
    link = Link.of_cable(speed, cable)
    found: Any = cover(kind(), link, configured)
    if found["valid"]:
        needed = kind().budget(link, found["reaction"]["bytes"]).unrounded
        assert needed == pytest.approx(configured, abs=2048.001)  # SONiC's compensation may come or go
    else:
        assert kind().budget(link, 0.0).unrounded > configured - 2048.001


def test_by_hand() -> None:
    """100 Gb/s, 300 m: 65716 B cover 25216 B of response, 394 quanta, 1.71 µs beyond the 60 quanta of 3840 B."""
    asked: dict[str, Any] = {"speed": "100G", "cable": "300 m", "scheme": "sih"}
    found = fr.headroom(**asked, configured=65_716).to_dict()["configured"]["schemes"]["sih"]
    assert found["reaction"]["quanta"] == 394
    assert found["slack"] == pytest.approx(334 * 512 / 100e9)
    # Enough for the formula, which does not hold at this speed.
    assert (found["margin"], found["enough"]) == (65_716 - 44_340, False)
    short = fr.headroom(**asked, configured=44_000).to_dict()["configured"]["schemes"]["sih"]
    assert (short["enough"], short["slack"] < 0, short["valid"]) == (False, True, True)


def test_less_than_frames_and_cable_covers_nobody() -> None:
    found = fr.headroom(speed="100G", cable="300 m", scheme="ieee", configured="10 kB").to_dict()["configured"]
    assert found["schemes"]["ieee"]["valid"] is False
    assert "reaction" not in found["schemes"]["ieee"]
    assert "48340 B" in found["schemes"]["ieee"]["reason"]
