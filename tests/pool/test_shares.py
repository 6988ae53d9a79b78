"""A fixed share beside dynamic thresholds: closed forms, and a queue filled byte by byte."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pool.plain import plain

from footroom.calculators.pool import assess

ASKED: dict[str, Any] = {"buffer": 16e6, "cell_size": 1000, "ports": "32x100G", "classes": 8, "headroom": "40 kB"}


def lossy(**fields: Any) -> dict[str, Any]:
    asked = {**ASKED, "lossless_classes": 0, "congested_lossless": 0, **fields}
    found: dict[str, Any] = plain(assess(**asked))["shares"][-1]
    return found


def test_fixed_shares_add_up_to_the_footroom() -> None:
    answer = plain(assess(**ASKED, lossless_classes=2))
    footroom = answer["footroom"]["bytes"]
    by = {one["queue"]: one for one in answer["shares"]}
    assert by["lossless"]["queues"] == 64
    assert by["lossy"]["queues"] == 192
    assert sum(one["queues"] * one["fixed"]["bytes"] for one in by.values()) == pytest.approx(footroom)


@given(alpha=st.sampled_from([1 / 16, 0.5, 1.0, 8.0]))
def test_thresholds_are_those_of_choudhury_and_hahne(alpha: float) -> None:
    found = lossy(alpha_lossy=alpha)
    for case in found["dynamic"]:
        assert case["bytes"] == pytest.approx(alpha * 16e6 / (1 + case["congested"] * alpha))
    assert [case["congested"] for case in found["dynamic"]] == [1, 2, 4, 8, 16, 32, 64, 128, 256]


@pytest.mark.parametrize("alpha", [1 / 512, 1 / 256, 1 / 16, 1.0, 8.0])
def test_a_threshold_holds_the_fixed_share_up_to_n_minus_one_over_alpha_queues(alpha: float) -> None:
    """alpha/(1 + n·alpha) ≥ 1/N exactly while n ≤ N − 1/alpha."""
    assert lossy(alpha_lossy=alpha)["even_at"] == max(0, math.floor(256 - 1 / alpha + 1e-9))


def test_a_fixed_share_takes_the_burst_that_fills_it_byte_by_byte() -> None:
    found = lossy(burst_rate="400G")["fixed"]
    held = arrived = 0.0
    while held < found["bytes"]:
        arrived += 4.0  # while four bytes come in, one leaves
        held += 3.0
    assert found["burst"] == pytest.approx(arrived, abs=8)


def test_neighbours_cost_a_dynamic_queue_and_not_a_fixed_one() -> None:
    found = lossy(alpha_lossy=1, burst_rate="400G")
    alone, beside = found["dynamic"][0], found["dynamic"][-1]
    assert alone["burst"] > 100 * beside["burst"]
    assert beside["bytes"] < found["fixed"]["bytes"] < alone["bytes"]


def test_lossy_queues_with_a_pool_of_their_own_share_it_alone() -> None:
    found = lossy(egress_lossy_pool="8 MB", lossless_classes=2)
    share = 8e6 / 192
    assert found["fixed"] == {"among": 192, "bytes": pytest.approx(share), "burst": pytest.approx(share * 31 / 30)}


def test_a_burst_no_faster_than_the_port_fills_nothing() -> None:
    found = lossy(burst_rate="100G")
    assert found["fixed"]["burst"] is None
    assert all(case["burst"] is None for case in found["dynamic"])
