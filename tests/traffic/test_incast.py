"""Incast: who answers whom, how often, and when the last answer is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.plan import build_plan
from footroom.result.fct import query_metrics
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 9, "rate": "10 Gb/s", "rtt": "80 us"}
FABRIC = {"kind": "leaf_spine", "leaves": 4, "spines": 2, "hosts_per_leaf": 4}


def incast(**more: Any) -> dict[str, Any]:
    return {"kind": "incast", "degree": 5, "size": "20 kB", **more}


def ends(raw: dict[str, Any]) -> list[tuple[str, str]]:
    plan = build_plan(Scenario.parse(raw))
    return [(plan.names[a], plan.names[b]) for a, b in zip(plan.flow_source, plan.flow_destination, strict=True)]


def test_a_query_on_a_rack_takes_as_long_as_its_answers_on_the_link() -> None:
    # All answers fit into their first windows, so the receiver's link is busy from the first packet to the last.
    degree, packets, rate, rtt = 8, 10, 10e9, 80e-6
    host = {"jitter": 0, "ack_every": 1, "initial_window": packets, "small_queue": None}
    raw = document([incast(degree=degree, size=1448 * packets, start="1 ms", host=host)], STAR, duration="5 ms")
    raw["switch"]["buffer"] = "4 MB"
    result = fr.run(raw)
    expected = rtt + (1500 * (1 + degree * packets) + 2 * 64) * 8.0 / rate
    assert result.metrics["qct_count"] == 1.0
    assert result.metrics["qct_unfinished"] == 0.0
    assert result.metrics["qct_mean"] == pytest.approx(expected, abs=2e-9)
    assert result.metrics["qct_p99"] == result.metrics["qct_mean"]
    assert result.metrics["fct_count"] == degree
    assert result.metrics["fct_p99"] <= result.metrics["qct_p99"]


def test_thirty_two_workers_answer_over_dctcp() -> None:
    raw = {
        "topology": {"kind": "star", "hosts": 33, "rate": "10 Gb/s", "rtt": "80 us"},
        "switch": {
            "buffer": "4 MB",
            "sharing": {"kind": "dynamic_threshold", "alpha": 1},
            "marking": {"kind": "step", "threshold": "30 kB"},
            "headroom": {"kind": "none"},
            "scheduling": {"kind": "fifo"},
        },
        "traffic": [
            {
                "kind": "incast",
                "degree": 32,
                "size": "32 kB",
                "start": "0 s",
                "congestion": {"kind": "dctcp"},
                "host": {"min_rto": "10 ms", "ack_every": 1, "initial_window": 10},
            }
        ],
        "run": {"duration": "100 ms", "warmup": "0 s", "seed": 1, "replicas": 1, "mtu": "1500 B"},
    }
    packet, reference = fr.run(raw).metrics, fr.run(raw, engine="reference").metrics
    # 22 full packets and one of 144 B of payload from each: 0.85 ms of the receiver's link, and a round trip.
    least = 32 * (22 * 1500 + 144 + 52) * 8.0 / 10e9 + 80e-6
    assert least < packet["qct_mean"] < 1.5 * least
    assert packet["marks"] > 0
    assert packet["drop_rate"] == 0.0
    for name in ("qct_count", "qct_unfinished", "qct_mean", "qct_p50", "qct_p99"):
        assert packet[name] == reference[name]


def test_one_query_converges_where_flows_do() -> None:
    assert ends(document([incast()], STAR)) == [(f"h{k}", "h0") for k in range(1, 6)]
    assert ends(document([incast(degree=2)])) == [("s0", "r0"), ("s1", "r0")]


def test_a_fabric_has_a_receiver_and_workers_drawn_at_random() -> None:
    pairs = ends(document([incast()], FABRIC))
    assert len({target for _, target in pairs}) == 1
    assert len({source for source, _ in pairs} | {pairs[0][1]}) == 6
    others = {tuple(ends(document([incast()], FABRIC, seed=seed))) for seed in range(2, 6)}
    assert len(others) == 4


def test_racks_can_be_kept_apart() -> None:
    flows = drawn(document([incast(load=0.3, other_racks=True)], FABRIC, duration="20 ms"))
    assert len(flows.start) > 500
    assert (flows.source // 4 != flows.destination // 4).all()
    flows = drawn(document([incast(load=0.3)], FABRIC, duration="20 ms"))
    # Any of the 15 other hosts: 3 of them in the same rack.
    within = np.mean(flows.source // 4 == flows.destination // 4)
    assert within == pytest.approx(3 / 15, abs=4 * np.sqrt(0.16 / len(flows.start)))


def test_queries_of_a_load_are_a_poisson_process_of_that_load() -> None:
    raw = document([incast(load=0.4, degree=6)], FABRIC, duration="100 ms")
    flows = drawn(raw)
    queries = len(flows.events)
    expected = 0.4 * 16 * 1e10 / 8.0 / (6 * 20e3) * 0.1
    assert queries == pytest.approx(expected, abs=4 * np.sqrt(expected))
    gaps = np.diff(flows.events) / 1e12
    assert gaps.std() == pytest.approx(gaps.mean(), rel=0.1)
    assert (np.bincount(flows.event) == 6).all()
    for query in range(0, queries, 50):
        mine = flows.event == query
        assert len(np.unique(flows.destination[mine])) == 1
        assert len(np.unique(flows.source[mine])) == 6
        assert flows.destination[mine][0] not in flows.source[mine]
    received = np.bincount(flows.destination[::6], minlength=16)[:16]
    assert ((received - queries / 16) ** 2 / (queries / 16)).sum() < 37.7  # chi-squared, 15 degrees, 0.1 %


def test_queries_by_the_clock_repeat_the_same_hosts() -> None:
    flows = drawn(document([incast(period="100 ms", start="50 ms", jitter="1 ms")], FABRIC))
    assert flows.events.tolist() == [round((0.05 + 0.1 * k) * 1e12) for k in range(10)]
    late = flows.start - flows.events[flows.event]
    assert late.min() >= 0
    assert 0.9e9 < late.max() <= 1e9
    hosts = np.stack([flows.source, flows.destination], axis=1).reshape(10, 5, 2)
    assert (hosts == hosts[0]).all()
    assert len(drawn(document([incast(period="100 ms", repeat=3)], FABRIC)).events) == 3


def test_more_answers_than_hosts_are_spread_evenly_and_said() -> None:
    plan = build_plan(Scenario.parse(document([incast(degree=20)], STAR)))
    assert sorted(np.bincount(plan.flow_source, minlength=9)[1:9]) == [2] * 4 + [3] * 4
    (note,) = plan.notes
    assert note.startswith("traffic.0: the 20 answers of a query come from 8 hosts, 2 to 3 from each; ")
    assert "access rate" in note


def test_workers_share_hosts_where_asked() -> None:
    plan = build_plan(Scenario.parse(document([incast(degree=6, workers_per_host=4)], STAR)))
    assert [plan.names[a] for a in plan.flow_source] == ["h1", "h2"] * 3
    assert "come from 2 hosts, 3 from each; " in plan.notes[0]
    flows = drawn(document([incast(degree=6, workers_per_host=3, load=0.2)], FABRIC, duration="20 ms"))
    for query in range(0, len(flows.events), 20):
        counts = np.unique(flows.source[flows.event == query], return_counts=True)[1]
        assert counts.tolist() == [3, 3]
    assert (flows.continues == -1).all()


def test_the_answer_says_which_connections_were_simulated() -> None:
    assert "opens a connection" in build_plan(Scenario.parse(document([incast()], STAR))).notes[0]
    kept = document([incast(connections="persistent", period="10 ms")], STAR)
    plan = build_plan(Scenario.parse(kept))
    assert "persistent" in plan.notes[0]
    # Worker by worker, one query after the other.
    assert plan.flow_continues[:15].tolist() == [-1] * 5 + list(range(10))


def test_sizes_may_be_distributed() -> None:
    flows = drawn(document([incast(load=0.1, size={"kind": "bounded_pareto", "minimum": 1e3, "maximum": 1e5})], FABRIC))
    assert len(np.unique(flows.size)) > 100


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"period": "1 ms", "load": 0.1}, "period"),
        ({"repeat": 2}, "repeat"),
        ({"period": "1 ps"}, "period"),
        ({"other_racks": True}, "other_racks"),
        ({"sources": ["h0"], "destinations": ["h0"]}, "sources"),
        ({"destinations": ["nobody"]}, "destinations"),
        ({"destinations": ["nobody"], "load": 0.1}, "destinations"),
        ({"connections": "persistent"}, "connections"),
        ({"workers_per_host": 0}, "workers_per_host"),
        ({"degree": 0}, "degree"),
        ({"start": "1 s"}, "start"),
        ({"size": "10 Gb"}, "size"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(more: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        drawn(document([incast(**more)], STAR))
    assert refusal.value.problems[0].path.split(".")[2] == field


def test_loads_of_several_entries_add_up() -> None:
    with pytest.raises(InvalidInput, match="add up to 1"):
        Scenario.parse(document([incast(load=0.6), {"kind": "poisson", "load": 0.5, "sizes": "10 kB"}], STAR))


def test_a_query_ends_with_its_last_answer() -> None:
    event = np.array([0, 0, 1, -1, 1, 2, 3])
    begin = np.array([0.0, 1.0, 2.0, 9.0])
    end = np.array([0.5, 3.0, 1.5, 7.0, np.inf, 5.0, np.inf])
    found = query_metrics(event, begin, end, opened=0.0, now=8.0)
    # Query 0 took 3 s, query 2 took 3 s, query 1 lacks an answer, query 3 has not begun.
    assert found == {
        "qct_count": 2.0,
        "qct_unfinished": 1.0,
        "query_rate": 0.25,
        "qct_mean": 3.0,
        "qct_p50": 3.0,
        "qct_p99": 3.0,
    }
    assert query_metrics(event, begin, end, opened=4.0, now=8.0)["qct_count"] == 1.0
    assert query_metrics(np.array([-1]), np.zeros(0), np.zeros(1), 0.0, 1.0) == {}
