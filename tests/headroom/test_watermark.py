"""A measured watermark corrects the time that schemes assume."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import footroom as fr
from footroom.calculators.headroom.watermark import refit
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import SCHEMES

ALL = list(SCHEMES)
#: What a scheme may add above the unrounded sum: KiB and SONiC's compensation, a cell, a byte.
STEP = 3 * 1024


@given(
    kind=st.sampled_from(ALL),
    speed=st.sampled_from([10e9, 100e9, 400e9]),
    cable=st.floats(1, 1000),
    response=st.floats(100, 5000),
)
def test_a_watermark_made_with_a_known_response_gives_it_back(
    kind: Any, speed: float, cable: float, response: float
) -> None:
    """Generate the watermark with another response than the scheme assumes; the refit must find that one."""
    link = Link.of_cable(speed, cable)
    truth = response * 64.0
    watermark = kind().budget(link, truth).unrounded
    found: Any = refit(kind(), link, watermark, link)
    assert found["valid"]
    assert found["fitted"]["bytes"] == pytest.approx(truth, abs=STEP)
    assert found["fitted"]["seconds"] == pytest.approx(found["fitted"]["bytes"] * 8 / speed)
    assert abs(found["headroom"] - watermark) <= STEP


def test_sih_by_hand() -> None:
    """100 Gb/s, 300 m, 1500 B: cable and packets are 40500 B, so 65716 B seen are 25216 B of response, 394 quanta."""
    mark = fr.headroom(speed="100G", cable="300 m", scheme="sih", watermark=65_716).to_dict()["watermark"]
    found = mark["schemes"]["sih"]
    assert found["fitted"] == pytest.approx({"bytes": 25_216, "seconds": 2.01728e-6, "quanta": 394})
    assert (found["predicted"], found["margin"], found["enough"]) == (44_340, 44_340 - 65_716, False)
    assert found["headroom"] == 65_716


def test_what_was_seen_at_one_cable_and_speed_answers_for_another() -> None:
    asked = {"speed": "100G", "cable": "300 m", "scheme": "sih"}
    near = fr.headroom(**asked, watermark=65_716 - 2 * 16_250, watermark_cable="40 m").to_dict()["watermark"]
    assert near["schemes"]["sih"]["headroom"] == 65_716
    slow = fr.headroom(**asked, watermark="20 kB", watermark_speed="10G").to_dict()["watermark"]["schemes"]["sih"]
    assert slow["fitted"]["seconds"] == pytest.approx((20_000 - 6_750) * 8 / 10e9)
    assert slow["headroom"] == round(40_500 + slow["fitted"]["seconds"] * 100e9 / 8)


def test_a_watermark_below_frames_and_cable_is_called_that_and_not_fitted() -> None:
    found = fr.headroom(speed="100G", cable="300 m", watermark="10 kB").to_dict()["watermark"]["schemes"]
    for scheme in found.values():
        assert scheme["valid"] is False
        assert "worst case" in scheme["reason"]
        assert "headroom" not in scheme
        assert scheme["margin"] > 0


def test_a_watermark_in_cells_and_memory_bytes() -> None:
    mark = fr.headroom(speed="400G", cable="40 m", asic="tomahawk5", scheme="vendor", watermark=400_000)
    document = mark.to_dict()["watermark"]
    assert document["cells"] == 1575  # 400000 / 254, rounded up
    fitted = document["schemes"]["vendor"]["fitted"]["bytes"]
    assert fitted == pytest.approx(400_000 / (254 / 84) - 22_921.8 - 20_000)
