"""Pools that ship with SONiC, and what sharing makes of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pool.plain import plain

from footroom.base.errors import Infeasible
from footroom.calculators.pool import assess
from footroom.calculators.pool.compute import pool
from footroom.calculators.pool.split import percentages


def pools(ingress: int, xoff: int, egress: int, **more: Any) -> dict[str, Any]:
    return {
        "ingress_lossless_pool": {"size": ingress, "xoff": xoff, "type": "ingress", **more},
        "egress_lossless_pool": {"size": egress, "type": "egress"},
    }


@pytest.mark.parametrize(
    ("asic", "ingress", "xoff", "egress", "free"),
    [
        ("tomahawk", 10_875_072, 4_194_112, 15_982_720, 913_536),
        ("trident3-x7", 26_531_072, 6_291_456, 32_822_528, 0),
        ("tomahawk2", 33_262_528, 8_965_632, 43_481_152, 1_252_992),
    ],
    ids=["S6100", "S5224f", "7260CX3"],
)
def test_shipped_pools_that_leave_headroom_out_of_size_fit(
    asic: str, ingress: int, xoff: int, egress: int, free: int
) -> None:
    """sonic-buildimage: Force10-S6100, DellEMC-S5224f-P-25G and Arista-7260CX3-C64."""
    found = plain(pool(asic=asic, pools=pools(ingress, xoff, egress)))["pools"]
    assert found["free_bytes"] == free
    assert found["warnings"] == []


def test_a_shipped_pool_as_large_as_the_chip_fits_only_if_size_counts_headroom() -> None:
    """sonic-buildimage, Arista-7060X6-64PE-O128S2 on Tomahawk5: size 166 115 492 and xoff 29 423 360."""
    asked = (166_115_492, 29_423_360, 166_115_492)
    with pytest.raises(Infeasible, match=r"115840 cells|29423360 B"):
        pool(asic="tomahawk5", pools=pools(*asked, includes_xoff=False))
    assert pool(asic="tomahawk5", pools=pools(*asked, includes_xoff=True)).feasible
    # Nokia-IXR7220-D4-36D on Trident4: a size in whole cells of 318 B, of which an xoff that is not.
    assert pool(asic="trident4-x9", pools=pools(84_219_120, 20_325_220, 84_219_120, includes_xoff=True)).feasible


def test_where_nobody_says_whether_size_counts_headroom_the_reading_that_fits_is_taken_and_said() -> None:
    """Arista-7060X6-64PE-B-P32O64; Tomahawk 6 is known to refuse it, and without a chip the strict reading stays."""
    asked = (164_619_432, 33_690_560, 164_619_432)
    found = pool(asic="tomahawk5", pools=pools(*asked))
    assert plain(found)["pools"]["includes_xoff"] == ["ingress_lossless_pool"]
    assert plain(found)["pools"]["free_bytes"] == 166_115_492 - 164_619_432
    assert any("is taken to count xoff" in note for note in found.notes)
    again = assess(plain(found)["question"])
    assert plain(again)["pools"]["bytes"] == plain(found)["pools"]["bytes"]
    for chip in ({"buffer": 166_115_492, "cell_size": 254}, {"asic": "tomahawk6", "buffer": 166_115_492}):
        refused = assess(**chip, pools=pools(*asked))
        assert not refused.feasible
        assert any("it would fit if" in note for note in refused.notes)


def test_a_size_that_counts_headroom_counts_reserves_too() -> None:
    asked = {"asic": "tomahawk5", "ports": "96x400G@5m", "pools": pools(164_619_432, 33_690_560, 164_619_432)}
    found = assess(**asked, reserved_pg=8636)
    assert plain(found)["pools"]["bytes"] == 164_619_432
    assert plain(found)["pools"]["feasible"]


def test_lossless_packets_that_egress_would_drop_first_are_told() -> None:
    """sonic-buildimage #21320: egress 32 340 992, ingress 32 689 152 with xoff 2 058 240."""
    found = assess(buffer=40_000_000, cell_size=256, pools=pools(32_689_152, 2_058_240, 32_340_992))
    assert found.feasible
    assert any("dropped at egress" in note for note in found.notes)


def test_overlapping_ingress_pools_are_limits_and_told() -> None:
    found = assess(buffer=10e6, pools="ingress_lossless_pool=6e6+1e6,ingress_lossy_pool=6e6")
    assert found.feasible
    assert plain(found)["pools"]["bytes"] == 7e6
    assert any("overlap by 3000000 B" in note for note in found.notes)


def test_reserves_of_the_ports_count_against_the_pools() -> None:
    fits = {"asic": "tomahawk", "ports": "32x100G", "pools": pools(10_875_072, 4_194_112, 15_982_720)}
    free = plain(assess(**fits))["pools"]["free_bytes"]
    less = plain(assess(**fits, reserved_queue=1664))["pools"]["free_bytes"]
    assert free - less == 32 * 8 * 1664
    with pytest.raises(Infeasible) as refusal:
        pool(**fits, reserved_queue=8 * 1664)
    assert "reserved" in [problem.path for problem in refusal.value.problems]


def test_headroom_of_the_pools_is_what_the_ports_share() -> None:
    found = plain(
        assess(
            asic="tomahawk",
            ports="32x100G",
            scheme="ieee",
            pauses={"probability": 0.1},
            pools=pools(10_875_072, 4_194_112, 15_982_720),
        )
    )
    assert found["pauses"]["pool"] == 4_194_112
    assert found["pauses"]["at_once"] == 4_194_112 // (428 * 208), "88 916 B take 428 cells"


def test_a_configured_pool_bounds_the_thresholds() -> None:
    asked: dict[str, Any] = {
        "asic": "tomahawk",
        "ports": "32x100G",
        "headroom": 0,
        "alpha_lossless": 1.0,
        "congested_lossless": 1,
        "congested_lossy": 0,
    }
    free = plain(assess(**asked))["thresholds"][0]["bytes"]
    assert free == pytest.approx(15_982_720 / 2)
    less = plain(assess(**asked, pools={"ingress_lossless_pool": {"size": 8e6}}))["thresholds"][0]["bytes"]
    assert less == pytest.approx(4e6)
    lossy = plain(
        assess(
            **{**asked, "congested_lossy": 1},
            alpha_lossy=1.0,
            pools={"ingress_lossless_pool": {"size": 8e6}, "egress_lossy_pool": {"size": 2e6}},
        )
    )["thresholds"]
    assert [row["bytes"] for row in lossy] == pytest.approx([(8e6 - 1e6) / 2, 1e6])


def test_a_queue_that_is_alone_counts_itself() -> None:
    alone = plain(assess(asic="tomahawk", headroom=0, congested_lossless=0, congested_lossy=0, alpha_lossy=8))
    assert alone["thresholds"][1]["bytes"] == pytest.approx(15_982_720 * 8 / 9)
    apart = plain(
        assess(
            asic="tomahawk",
            headroom=0,
            congested_lossless=0,
            congested_lossy=0,
            alpha_lossless=1,
            alpha_lossy=8,
            egress_lossy_pool=9e6,
        )
    )["thresholds"]
    assert [row["bytes"] for row in apart] == pytest.approx([15_982_720 / 2, 8e6])


def test_an_incast_comes_in_by_the_fastest_ports_first() -> None:
    found = plain(assess(asic="tomahawk5", ports="40x100G,4x400G", incast={"degree": 6, "size": 1e5}))["incast"]
    assert found["rate"] == 4 * 400e9 + 2 * 100e9
    everyone = plain(assess(asic="tomahawk5", ports="40x100G,4x400G", incast={"degree": 99, "size": 1e5}))["incast"]
    assert everyone["rate"] == 4 * 400e9 + 39 * 100e9


def test_an_incast_in_a_lossless_class_is_held_where_it_comes_in() -> None:
    """DSH (ICDCS 2023), section V: 16 flows beside two congested ones pause nobody up to 40 % of the memory."""
    shares = {}
    for scheme in ("sih", "dsh"):
        found = plain(
            assess(
                buffer="16 MiB",
                ports="32x100G",
                cable="400 m",
                lossless_classes=7,
                reserved_pg="3 KiB",
                scheme=scheme,
                alpha_lossless=1 / 16,
                congested_lossless=2,
                congested_lossy=0,
                incast={"degree": 16, "size": 1e5, "lossless": True},
            )
        )["incast"]
        assert found["ports"] == 16
        shares[scheme] = found["burst"] / (16 << 20)
    assert shares["sih"] == pytest.approx(0.10, abs=0.005)
    assert shares["dsh"] == pytest.approx(0.40, abs=0.005)


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(1e-3, 1e9))
def test_percentages_add_up_and_headroom_gets_what_it_needs(headroom: float, lossless: float, lossy: float) -> None:
    found = percentages(headroom, lossless, lossy)
    total = headroom + lossless + lossy
    assert sum(found.values()) == 100
    assert all(0 <= part <= 100 for part in found.values())
    assert found["headroom"] >= 100 * headroom / total - 1e-6
    assert abs(found["lossless"] - 100 * lossless / total) < 1.5


def test_the_split_of_a_switch() -> None:
    """Headroom 17.8 %, and a quarter of the rest to two lossless classes of eight."""
    found = plain(assess(asic="tomahawk", lossless_classes=2, scheme="sih"))["split"]
    assert (found["lossless"], found["lossy"], found["headroom"]) == (21, 61, 18)
    even = plain(assess(asic="tomahawk", lossless_classes=2, scheme="sih", lossless_share=0.5))["split"]
    assert (even["lossless"], even["lossy"], even["headroom"]) == (41, 41, 18)
