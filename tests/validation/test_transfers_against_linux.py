"""Packets with ``host.profile: linux`` against Linux: transfers, fan-in and mixtures, as in data/linux-mixed.json."""

from __future__ import annotations

import pytest
from tests.validation.transfers import Load, loads

import footroom as fr


def of_kind(*kinds: str) -> list[Load]:
    return [load for load in loads() if load.kind in kinds]


def named(cases: list[Load]) -> list[object]:
    return [pytest.param(load, id=load.name) for load in cases]


@pytest.mark.parametrize("load", named(of_kind("long", "mixture")))
def test_long_flows_share_a_bottleneck_as_in_linux(load: Load) -> None:
    row, found = load.row, load.run()
    assert found["utilisation"] == pytest.approx(row["utilisation"], abs=0.02)
    if row["drop_rate"] > 1e-3:
        assert row["drop_rate"] / 1.5 < found["drop_rate"] < row["drop_rate"] * 1.5
    assert found["queue_mean"] == pytest.approx(row["queue_mean"], abs=0.15 * row["buffer"])
    if load.kind == "mixture":
        assert found["share"] == pytest.approx(row["shares"]["reno"], abs=0.1)


@pytest.mark.parametrize("load", named(of_kind("arrivals")))
def test_random_arrivals_take_as_long_as_in_linux(load: Load) -> None:
    """Each run has 400 to 630 arrivals of its own, so medians are known to some 8 %, those of Linux's one run too."""
    row, found = load.row, load.run()
    median, tail = load.completion
    assert found["p50"] == pytest.approx(median, rel=0.17)
    assert found["p99"] == pytest.approx(tail, rel=0.3)
    assert row["drop_rate"] / 1.5 < found["drop_rate"] < row["drop_rate"] * 1.5
    assert found["queue_mean"] == pytest.approx(row["queue_mean"], abs=0.15 * row["buffer"])


@pytest.mark.parametrize("load", named(of_kind("fan-in")))
def test_fan_in_takes_as_long_as_in_linux(load: Load) -> None:
    found, drop_rate = load.run(), load.row["drop_rate"]
    assert found["p50"] == pytest.approx(load.completion[0], rel=0.1)
    assert drop_rate / 1.5 <= found["drop_rate"] <= drop_rate * 1.5


def test_probes_of_a_fan_in_collide_as_in_linux_where_clocks_tick() -> None:
    """The measured machine ticked every 4 ms, and first windows of a query left over 2.7 ms, as seen at its router.

    How many probes the queue has room for when a tick comes differs from query to query, in Linux from 0 to 14 of 20.
    """
    load = next(load for load in loads() if load.name == "fan-reno-30-64k-40M-10ms")
    document = load.scenario(timer_tick="4 ms").to_dict()
    document["traffic"][0]["jitter"] = 2.7e-3
    found = fr.run(document, engine="packet").metrics
    assert load.row["timeouts"] / 2.0 < found["timeouts"] < load.row["timeouts"] * 2.0
    assert found["qct_p50"] == pytest.approx(load.completion[0], rel=0.15)
    assert found["qct_p99"] == pytest.approx(load.completion[1], rel=0.15)


def test_hystart_is_what_keeps_transfers_of_cubic_from_overflowing_the_buffer() -> None:
    """A transfer alone: Linux loses nothing; slow start that waits for a loss sends a tenth of it twice."""
    load = next(load for load in loads() if load.name == "single-cubic-1M-20M-30ms")
    assert load.row["drop_rate"] == load.run()["drop_rate"] == 0.0
    assert load.run(hystart="none")["drop_rate"] > 0.05
