"""Connections that carry a stream of queries: by hand, by counting, and both packet engines alike."""

from __future__ import annotations

from typing import Any

import pytest
from tests.traffic.drawing import document

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.packet import Simulation
from footroom.engines.packet.tables import FEWEST_QUERIES
from footroom.engines.plan import build_plan
from footroom.result.completions import EntryCompletions
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 5, "rate": "10 Gb/s", "rtt": "80 us"}


def stream(**more: Any) -> dict[str, Any]:
    host = {"jitter": 0, "ack_every": 8, **more.pop("host", {})}
    return {"kind": "rpc", "pairs": 1, "size": 4096, "outstanding": 1, "host": host, **more}


def row(result: fr.Result, name: str) -> EntryCompletions:
    return next(found for found in result.completions or () if found["name"] == name)


@pytest.mark.parametrize("law", ["newreno", "dcqcn"])
def test_one_query_at_a_time_takes_its_packets_and_a_round_trip(law: str) -> None:
    """4096 B are two packets of 1500 B and one of 1252 B; at the second link the last one waits for the one before."""
    entry = stream(congestion={"kind": law}, sources=["h1"], destinations=["h0"])
    result = fr.run(document([entry], STAR, duration="20 ms"))
    once = 80e-6 + (1500 + 2 * 1500 + 1252 + 2 * 64) * 8.0 / 10e9
    assert result.metrics["qct_mean"] == pytest.approx(once, abs=2e-9)
    assert result.metrics["qct_p99"] == pytest.approx(once, abs=2e-9)
    assert result.metrics["slowdown_p50"] == pytest.approx(1.0, abs=1e-4)
    assert abs(result.metrics["qct_count"] - 0.02 / once) <= 2.0  # the first begins within a round trip
    assert result.metrics["qct_unfinished"] == 1.0
    assert result.metrics["goodput"] == pytest.approx(4096 * 8 / once, rel=0.01)


def test_many_at_a_time_fill_the_link_and_wait_for_each_other() -> None:
    """64 queries under way on an idle path: the link is full, so that each takes the time of the 64 (Little's law)."""
    entry = stream(outstanding=64, congestion={"kind": "dcqcn"}, sources=["h1"], destinations=["h0"])
    result = fr.run(document([entry], STAR, duration="20 ms", warmup="5 ms"))
    took = (2 * 1500 + 1252) * 8.0 / 10e9
    assert result.metrics["query_rate"] == pytest.approx(1.0 / took, rel=1e-3)
    assert result.metrics["qct_mean"] == pytest.approx(64 * took, rel=1e-3)


def test_connections_share_a_link_by_connection_not_by_query() -> None:
    """Two senders, 3 connections each, 32 and 4 queries under way at a time; a full link is shared half and half."""
    common = {"pairs": 3, "destinations": ["h0"], "congestion": {"kind": "dcqcn"}}
    raw = document(
        [
            stream(name="many", outstanding=32, sources=["h1"], **common),
            stream(name="few", outstanding=16, sources=["h2"], **common),
        ],
        STAR | {"rtt": "10 us"},
        duration="30 ms",
        warmup="10 ms",
    )
    raw["switch"] = {"buffer": "4 MB", "marking": {"kind": "red", "kmin": "40 kB", "kmax": "200 kB", "pmax": 0.2}}
    result = fr.run(raw)
    many, few = row(result, "many"), row(result, "few")
    assert few["rate"] + many["rate"] == pytest.approx(10e9 / 8 / 4252, rel=0.05)
    assert few["rate"] > 0.5 * many["rate"]
    for found, under_way in ((many, 3 * 32), (few, 3 * 16)):  # Little's law
        assert found["rate"] * found["mean"] == pytest.approx(under_way, rel=0.05)


LOSSY: list[dict[str, Any]] = [
    {"congestion": {"kind": "newreno"}, "host": {"recovery": "newreno", "ack_every": 4, "min_rto": "2 ms"}},
    {"congestion": {"kind": "cubic"}, "host": {"recovery": "prr", "min_rto": "2 ms", "tail_loss_probe": True}},
    {"congestion": {"kind": "dcqcn"}, "host": {"recovery": "go_back_n", "ack_every": 3, "min_rto": "1 ms"}},
    {"congestion": {"kind": "dcqcn"}, "host": {"recovery": "selective", "low_rto": "500 us", "high_rto": "1 ms"}},
]


@pytest.mark.parametrize("how", LOSSY, ids=lambda how: f"{how['congestion']['kind']}-{how['host']['recovery']}")
def test_both_packet_engines_agree_where_packets_are_lost(how: dict[str, Any]) -> None:
    entries = [
        {
            "kind": "rpc",
            "pairs": 4,
            "size": 5000,
            "outstanding": n,
            "sources": [f"h{n % 4 + 1}"],
            "destinations": ["h0"],
            "name": str(n),
            **how,
        }
        for n in (16, 2, 1)
    ]
    raw = document(entries, STAR | {"rate": "1 Gb/s"}, duration="12 ms", warmup="1 ms")
    raw["switch"] = {"buffer": "40 kB"}
    fast, plain = fr.run(raw), fr.run(raw, engine="reference")
    assert fast.metrics["drop_rate"] > 0.0
    assert fast.metrics["qct_count"] > 70.0
    for name in ("qct_count", "qct_unfinished", "retransmissions", "timeouts", "fct_count"):
        assert fast.metrics[name] == plain.metrics[name]
    for name in ("qct_mean", "qct_p99", "goodput", "fairness"):
        assert fast.metrics[name] == pytest.approx(plain.metrics[name], rel=1e-9)
    assert fast.completions is not None
    assert plain.completions is not None
    for mine, other in zip(fast.completions, plain.completions, strict=True):
        times = [[each["rate"], each["mean"], each["p50"], each["p99"]] for each in (mine, other)]
        assert times[0] == pytest.approx(times[1], rel=1e-9)
        assert (mine["name"], mine["count"]) == (other["name"], other["count"])


def test_no_more_is_under_way_than_allowed_and_queries_end_in_order() -> None:
    plan = build_plan(
        Scenario.parse(
            document(
                [stream(pairs=3, outstanding=5, size=10_000, congestion={"kind": "dcqcn"}, sources=["h1"])],
                STAR,
                duration="3 ms",
            )
        )
    )
    simulation = Simulation(plan)
    per_query = plan.stacks[0].query
    assert per_query == 7
    for step in range(1, 200):
        simulation.run_until(plan.duration * step // 200)
        flows = simulation.tables.flows
        assert (flows["top"] <= (flows["una"] // per_query + 5) * per_query).all()
        assert (flows["answered"] == flows["una"] // per_query).all()
    simulation.check_conservation()
    answers = simulation.tables.queries[: int(simulation.tables.state["queries"][0])]
    assert len(answers) == simulation.tables.flows["answered"].sum() > 100


def test_the_list_of_queries_grows() -> None:
    entry = stream(size=100, outstanding=200, congestion={"kind": "dcqcn"}, sources=["h1"])
    result = fr.run(document([entry], STAR, duration="3 ms"))
    assert result.metrics["qct_count"] > 5 * FEWEST_QUERIES


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"size": "fb_keyvalue"}, "size"), ({"pause": "1 ms"}, "pause"), ({"outstanding": 0}, "outstanding")],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Scenario.parse(document([stream(**wrong)], STAR))
    assert refusal.value.problems[0].path == f"traffic.0.{field}"
