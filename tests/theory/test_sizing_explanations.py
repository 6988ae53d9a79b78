"""Sizing rules as explanations: the number can be worked out again from the terms, and the range is stated."""

from __future__ import annotations

import json
import math

import pytest

from footroom.base.errors import Infeasible, InvalidInput
from footroom.engines.theory import rules
from footroom.engines.theory.short_flows import mixture_moments
from footroom.result.explanation import Explanation


def put_in(one: Explanation) -> dict[str, float]:
    return {term.symbol: term.value for term in one.terms}


def test_bdp_by_hand() -> None:
    one = rules.bdp(1e9, 0.02)
    terms = put_in(one)
    assert one.value == terms["C"] * terms["RTT"] / 8 == 2.5e6
    assert one.valid
    assert not rules.bdp(1e9, 0.02, flows=50).valid


def test_many_flows_need_less_than_one_product_only_with_windows_to_recover_by() -> None:
    path = (1e9, 0.02)  # 1667 packets
    for many, thin in (
        (rules.bdp(*path, flows=50), rules.bdp(*path, flows=800)),
        (rules.decrease_dependent(*path, 0.5, flows=50), rules.decrease_dependent(*path, 0.5, flows=800)),
        (rules.law_dependent(*path, "bbr", flows=50), rules.law_dependent(*path, "bbr", flows=800)),
    ):
        assert "keep the link busy with less" in many.holds
        assert "a flow's window is 2.1 packets: a larger buffer" in thin.holds
        assert not many.valid
        assert not thin.valid
    assert "less" in rules.bdp(*path, flows=800, packet=500.0).holds


def test_root_n_by_hand_and_its_range() -> None:
    one = rules.bdp_over_root_n(1e10, 0.1, 10_000)
    terms = put_in(one)
    assert one.value == pytest.approx(terms["C"] * terms["RTT"] / 8 / math.sqrt(terms["n"]))
    assert one.valid
    few = rules.bdp_over_root_n(1e10, 0.1, 249)
    assert not few.valid
    assert "249 flows" in few.holds
    thin = rules.bdp_over_root_n(1e9, 0.001, 300)  # 83 packets for 300 flows
    assert not thin.valid
    assert "packets" in thin.holds


def test_root_n_for_utilisation() -> None:
    one = rules.root_n_for_utilisation(1e10, 0.1, 10_000, 0.98989)
    assert one.value == pytest.approx(125e6 / 100, rel=1e-3)
    with pytest.raises(Infeasible):
        rules.root_n_for_utilisation(1e9, 0.1, 1, 0.9999)


def test_tiny_by_hand() -> None:
    one = rules.tiny_buffer(0.8, 64, 1500)
    assert round(one.value / 1500, 3) == 44.488
    terms = put_in(one)
    assert one.value == pytest.approx(
        terms["P"] * math.log(terms["W"] ** 2 / (2 * (1 - terms["θ"]))) / math.log(1 / terms["ρ"])
    )
    assert not rules.tiny_buffer(0.8, 64, smooth=False).valid


def test_short_flows_by_hand() -> None:
    one = rules.short_flow_bound(0.8, mixture_moments([62], [1.0], 2), 1500, 0.025)
    assert round(one.value / 1500, 2) == 162.31
    assert not rules.short_flow_bound(0.8, mixture_moments([62], [1.0], 2), burst_ratio=0.1).valid


@pytest.mark.parametrize(("law", "ratio"), [("reno", 1.0), ("cubic", 307 / 717), ("scalable", 1 / 7), ("bbr", 0.25)])
def test_law_dependent(law: str, ratio: float) -> None:
    one = rules.law_dependent(1e10, 1e-3, law)
    assert one.value == pytest.approx(1.25e6 * ratio)
    terms = put_in(one)
    assert one.value == pytest.approx(terms["BDP"] * (terms["U"] - terms["u0"]) / terms["s"])
    assert not rules.law_dependent(1e10, 1e-3, law, flows=2).valid


def test_law_dependent_refuses_unknown_laws() -> None:
    with pytest.raises(InvalidInput, match="scalable"):
        rules.law_dependent(1e10, 1e-3, "vegas")
    assert rules.decrease_dependent(1e10, 1e-3, 0.5).value == pytest.approx(1.25e6)


def test_bscl_by_hand() -> None:
    one = rules.bscl(1e8, 0.05, 100, 0.01, 1500)
    terms = put_in(one)
    assert one.value == pytest.approx(terms["n"] * terms["P"] * terms["0.87/√p"] - terms["C"] * terms["RTT"] / 8)
    assert not rules.bscl(1e8, 0.05, 100, 0.2).valid
    with pytest.raises(InvalidInput):
        rules.bscl(1e8, 0.05, 100, 0.0)


def test_incast_by_hand() -> None:
    # 32 senders of 10 segments of 1448 B, 1500 B each on the wire, less 100 kB drained in 80 us.
    one = rules.incast_first_window(1e10, 80e-6, 32, 1448, 10, packet=1500)
    assert one.value == pytest.approx(32 * 15_000 - 100_000)
    small = rules.incast_first_window(1e10, 80e-6, 32, 1448, 10, response=2896, packet=1500)
    assert small.value == 0.0


@pytest.mark.parametrize(
    "one",
    [
        rules.bdp(1e9, 0.02),
        rules.bdp_over_root_n(1e9, 0.02, 50),
        rules.root_n_for_utilisation(1e9, 0.02, 50),
        rules.tiny_buffer(0.8, 64),
        rules.short_flow_bound(0.8, mixture_moments([62], [1.0], 2)),
        rules.law_dependent(1e9, 0.02, "cubic"),
        rules.decrease_dependent(1e9, 0.02, 0.5),
        rules.bscl(1e9, 0.02, 50),
        rules.incast_first_window(1e9, 1e-4, 32, 1448),
    ],
    ids=lambda one: one.name,
)
def test_every_rule_is_complete(one: Explanation) -> None:
    assert one.unit == "B"
    assert one.value >= 0.0
    assert one.source
    assert one.holds
    assert all(term.unit in {"B", "bit/s", "s", "packet", "1", "packet/s"} for term in one.terms)
    json.dumps(one.to_dict(), allow_nan=False)
