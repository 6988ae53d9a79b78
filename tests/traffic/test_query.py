"""Queries: how a total is divided, when the next one begins, and how long one takes by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.plan import SECOND, build_plan
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 9, "rate": "10 Gb/s", "rtt": "80 us"}
#: Hosts without randomness, whose answers fit into their first windows.
HOST = {"jitter": 0, "ack_every": 1, "initial_window": 10, "small_queue": None}


def query(**more: Any) -> dict[str, Any]:
    return {"kind": "query", "workers": 4, "total": "40 kB", **more}


def run(entry: dict[str, Any], duration: str = "20 ms", **more: Any) -> fr.Result:
    raw = document([entry], STAR, duration=duration, **more)
    raw["switch"]["buffer"] = "4 MB"
    return fr.run(raw)


def test_a_total_is_divided_to_the_byte() -> None:
    flows = drawn(document([query(workers=7, total="100 kB", repeat=1)], STAR))
    assert flows.size.sum() == 100_000
    assert flows.size.max() - flows.size.min() == 1
    assert len(set(flows.source.tolist())) == 7
    assert set(flows.destination.tolist()) == {0}


@pytest.mark.parametrize(("connections", "lead"), [("new", 1.5), ("persistent", 0.5)])
def test_a_closed_loop_takes_round_trip_transfer_and_pause(connections: str, lead: float) -> None:
    # Four answers of 10 full packets: the aggregator's link is busy from the first packet to the last.
    rate, rtt, pause, packets = 10e9, 80e-6, 1e-3, 40
    entry = query(total=1448 * packets, pause=pause, connections=connections, host=HOST | {"idle_restart": "none"})
    result = run(entry, keep_flows=True)
    expected = (lead + 1.0) * rtt + (1500 * (1 + packets) + 2 * 64) * 8.0 / rate
    assert result.metrics["qct_p50"] == pytest.approx(expected, rel=1e-6)
    assert result.metrics["qct_p99"] == pytest.approx(expected, rel=1e-6)
    # From begin to begin: the query and the pause.
    assert result.flows is not None
    begins = np.unique(np.round(result.flows["start"], 12))
    assert np.diff(begins) == pytest.approx(expected + pause, rel=1e-6)
    assert result.metrics["qct_count"] == np.floor((20e-3 + pause) / (expected + pause))


def test_with_a_period_queries_do_not_wait() -> None:
    slow = run(query(total="1 MB", period="100 us", repeat=5)).metrics
    assert slow["qct_count"] == 5.0
    # Five transfers of 0.83 ms share the link, so that the later ones wait for those before.
    assert slow["qct_p99"] > 3e-3
    assert run(query(total="1 MB", repeat=5)).metrics["qct_p99"] < 1.5e-3


def test_no_more_than_repeat_and_no_overlap_in_a_closed_loop() -> None:
    result = run(query(repeat=3, jitter="50 us"), keep_flows=True)
    assert result.metrics["qct_count"] == 3.0
    assert result.metrics["qct_unfinished"] == 0.0
    assert result.flows is not None
    start, end = np.array(result.flows["start"]), np.array(result.flows["start"]) + np.array(result.flows["fct"])
    order = np.argsort(start)
    for k in (4, 8):
        assert end[order[:k]].max() <= start[order[k:]].min()


@pytest.mark.parametrize(
    "more",
    [
        {"pause": "1 ms", "repeat": 6},
        {"workers": 12, "total": "100001 B", "connections": "persistent", "jitter": "20 us"},
        {"total": "300 kB", "period": "4 ms"},
        {"total": "300 kB", "period": "4 ms", "connections": "persistent"},
    ],
)
def test_engines_agree_beside_a_background_flow(more: dict[str, Any]) -> None:
    raw = {
        "topology": {"kind": "star", "hosts": 9, "rate": "1 Gb/s", "rtt": "150 us"},
        "switch": {"buffer": "30 kB"},
        "traffic": [
            {"kind": "long_lived", "flows": 1, "start_jitter": "1 ms"},
            query(total="100 kB", host={"min_rto": "5 ms"}) | more,
        ],
        "run": {"duration": "40 ms", "warmup": "2 ms"},
    }
    agree(build_plan(Scenario.parse(raw)))


def test_a_background_flow_makes_queries_slower() -> None:
    alone = document([query(total="1 MiB", host={"min_rto": "10 ms"})], STAR, duration="100 ms", warmup="5 ms")
    beside = document(
        [
            query(total="1 MiB", host={"min_rto": "10 ms"}),
            {"kind": "long_lived", "flows": 1, "start_jitter": 0, "sources": ["h8"], "destinations": ["h0"]},
        ],
        STAR,
        duration="100 ms",
        warmup="5 ms",
    )
    # Five flows share the link instead of four, and the queue of the fifth is there when a query begins.
    assert fr.run(beside).metrics["qct_mean"] > 1.25 * fr.run(alone).metrics["qct_mean"]


def test_a_fabric_keeps_the_hosts_of_the_first_query() -> None:
    fabric = {"kind": "leaf_spine", "leaves": 4, "spines": 2, "hosts_per_leaf": 4}
    flows = drawn(document([query(period="10 ms", repeat=3)], fabric))
    hosts = np.stack([flows.source, flows.destination], axis=1).reshape(3, 4, 2)
    assert (hosts == hosts[0]).all()
    assert len(set(hosts[0, :, 0].tolist())) == 4
    places = {tuple(drawn(document([query(repeat=1)], fabric), seed).source.tolist()) for seed in range(2, 6)}
    assert len(places) == 4


def test_queries_get_intervals_over_replicas() -> None:
    result = run(query(total="1 MB"), duration="5 ms", replicas=3)
    for name in ("qct_mean", "qct_p50", "qct_p99"):
        low, high = result.intervals[name]
        assert low <= result.metrics[name] <= high


def test_what_is_laid_out_covers_an_idle_network() -> None:
    plan = build_plan(Scenario.parse(document([query()], STAR, duration="20 ms")))
    assert plan.event_after.tolist() == list(range(-1, len(plan.event_start) - 1))
    # No query is quicker than 2.5 round trips less half the hosts' jitter at each end, and 40 kB at 10 Gb/s.
    assert len(plan.event_start) >= 20e-3 / (2.5 * 80e-6 + 40e3 * 8 / 10e9)
    assert plan.duration == 20e-3 * SECOND


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"pause": "1 ms", "period": "1 ms"}, "pause"),
        ({"workers": 9, "total": "8 B"}, "total"),
        ({"workers": 0}, "workers"),
        ({"total": "8 Mb"}, "total"),
        ({"handshake": -1}, "handshake"),
    ],
)
def test_what_cannot_be_is_refused(more: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Scenario.parse(document([query(**more)], STAR))
    assert refusal.value.problems[0].path == f"traffic.0.{field}"
