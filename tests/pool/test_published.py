"""Numbers that papers and configurations publish."""

from __future__ import annotations

import pytest
from tests.pool.plain import plain

from footroom.base.errors import Infeasible
from footroom.calculators.pool import PoolAnswer, assess
from footroom.calculators.pool.compute import pool
from footroom.calculators.pool.margin import margin

MIB = 1 << 20


def share(buffer: float, ports: str, **more: object) -> float:
    found = assess(buffer=buffer, ports=ports, classes=8, lossless_classes=8, cable="300 m", scheme="sih", **more)
    return float(plain(found)["headroom"]["share"])


@pytest.mark.parametrize(
    ("buffer", "ports", "percent"),
    [
        (9, "48x10G", 43.1),
        (12, "32x40G", 44.4),
        (16, "32x100G", 67.7),
        (42, "64x100G", 51.5),
        (64, "32x400G", 59.8),
        (113, "64x400G", 67.8),
    ],
    ids=["trident-plus", "trident2", "tomahawk", "tomahawk2", "tomahawk3", "tomahawk4"],
)
def test_share_of_memory_by_generation(buffer: int, ports: str, percent: float) -> None:
    """DSH (ICDCS 2023), figure 4: 44.4 % for Trident2 is printed there, and from 43 to 67 % over the generations."""
    assert 100 * share(buffer * MIB, ports) == pytest.approx(percent, abs=0.05)


def test_share_of_memory_of_a_tomahawk_to_four_digits() -> None:
    found = assess(buffer="16 MiB", ports="32x100G@300m", classes=8, lossless_classes=8, mtu=1500, scheme="sih")
    assert plain(found)["schemes"]["sih"]["share"] == pytest.approx(0.6766, abs=5e-5)
    assert plain(found)["schemes"]["sih"]["bytes"] == 44_340 * 32 * 8
    with_cells = share(16 * MIB, "32x100G", cell_size=208)
    assert with_cells == pytest.approx(214 * 208 * 256 / (16 * MIB)), "44 340 B take 214 cells"


def dsh(scheme: str) -> PoolAnswer:
    """The evaluation of DSH: Tomahawk, 32 × 100G, 2 µs of link, seven queues with 3 KiB of their own."""
    return assess(
        buffer="16 MiB",
        ports="32x100G",
        cable="400 m",
        classes=8,
        lossless_classes=7,
        reserved_pg="3 KiB",
        scheme=scheme,
        alpha_lossless=1 / 16,
        congested_lossless=18,
        congested_lossy=0,
    )


def test_dsh_shares_four_times_as_much() -> None:
    sih, shared = (dsh(scheme).division.footroom for scheme in ("sih", "dsh"))
    assert dsh("sih").division.headroom == pytest.approx(12.73e6, abs=5e3), "56 840 × 32 × 7"
    assert sih == pytest.approx(3.36e6, abs=5e3)
    assert shared == pytest.approx(14.27e6, abs=5e3)
    assert shared / sih == pytest.approx(4.25, abs=0.005)


def test_pause_thresholds_of_the_dsh_evaluation() -> None:
    """18 queues at their limit may hold 98.7 and 362.9 kB each, the latter η below its threshold."""
    held = {scheme: plain(dsh(scheme))["thresholds"][0]["bytes"] for scheme in ("sih", "dsh")}
    assert held["sih"] == pytest.approx(98.7e3, abs=100)
    assert held["dsh"] == pytest.approx(362.9e3, abs=100)


def test_thresholds_of_dcqcn() -> None:
    """DCQCN (SIGCOMM 2015), section 4: 12 MB, 32 × 40G, eight classes, 22.4 kB in flight."""
    found = assess(
        buffer=12e6,
        ports="32x40G",
        classes=8,
        lossless_classes=8,
        headroom=22.4e3,
        alpha_lossless=1.0,
        congested_lossy=0,
        marking={"kmin": 5e3, "kmax": 21e3},
    )
    left = found.division.footroom
    assert left / 256 == pytest.approx(24.47e3, abs=10), "t_PFC, an equal part for each priority group"
    worst = [case for case in plain(found)["marking"]["cases"] if case["case"] == "worst"]
    assert worst[0]["largest"] == pytest.approx(21.75e3, abs=10), "t_ECN with beta 8"
    assert [case["first"] for case in worst] == ["marking", "marking"]
    over = plain(
        assess(
            buffer=12e6,
            ports="32x40G",
            classes=8,
            lossless_classes=8,
            headroom=22.4e3,
            alpha_lossless=1.0,
            congested_lossy=0,
            marking={"kmin": 22e3, "kmax": 22e3},
        )
    )["marking"]["cases"]
    assert next(case for case in over if case["case"] == "worst")["first"] == "pause"


@pytest.mark.parametrize(("queues", "feeds", "alpha"), [(1, 1.0, 0.125), (256, 32.0, 1.0), (4, 0.25, 8.0)])
def test_marking_and_pause_meet_where_it_says(queues: int, feeds: float, alpha: float) -> None:
    asked = margin("", 1e4, free=5e6, alpha=alpha, queues=queues, feeds=feeds, weight=0.7, rate=100e9)
    meeting = margin("", asked.largest, free=5e6, alpha=alpha, queues=queues, feeds=feeds, weight=0.7, rate=100e9)
    assert meeting.margin == pytest.approx(0.0, abs=1e-6)
    below = margin("", 0.99 * asked.largest, free=5e6, alpha=alpha, queues=queues, feeds=feeds, weight=0.7, rate=100e9)
    assert below.first == "marking"
    assert below.to_dict()["time"] == pytest.approx(below.margin * 8 / 100e9)


NH4210 = {
    "ingress_lossless_pool": {"size": "258035400", "type": "ingress", "mode": "dynamic", "xoff": "81553920"},
    "egress_lossless_pool": {"size": "258035400", "type": "egress", "mode": "static"},
}


def test_more_cells_than_the_chip_has_are_refused() -> None:
    """sonic-buildimage #28657: 808 546 cells were asked of 636 183."""
    chip = {"buffer": 636_183 * 420, "cell_size": 420}
    with pytest.raises(Infeasible) as refusal:
        pool(pools=NH4210, **chip)
    text = str(refusal.value)
    for words in ("808546 of 636183 cells", "172363 cells", "614370 cells", "194176 cells"):
        assert words in text
    ways = {problem.path: problem for problem in refusal.value.problems}
    assert "442007 cells" in ways["pools.0.size"].message
    assert "21813 cells" in ways["pools.0.xoff"].message
    assert refusal.value.answer is not None
    assert refusal.value.answer["pools"]["free_cells"] == -172_363
    # What the size was before headroom was added to it fits.
    fitting = {**NH4210, "ingress_lossless_pool": {**NH4210["ingress_lossless_pool"], "size": "176481480"}}
    assert pool(pools=fitting, **chip).feasible
    # Where size counts xoff already, the same numbers fit.
    assert pool(
        pools={**NH4210, "ingress_lossless_pool": {**NH4210["ingress_lossless_pool"], "includes_xoff": True}}, **chip
    ).feasible
