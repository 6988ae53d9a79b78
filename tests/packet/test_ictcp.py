"""ICTCP against what its authors claim and what its windows amount to by hand, and the twin that shares no code."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.agreement import agree

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.packet import Simulation
from footroom.engines.packet.features import ALLOTMENT
from footroom.engines.packet.setup import used
from footroom.engines.packet.tables import AllottedTables, PlainTables
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

RATE, RTT, PACKET = 1e9, 100e-6, 1500
STAR = {"kind": "star", "hosts": 49, "rate": RATE, "rtt": RTT}


def document(traffic: list[dict[str, Any]], buffer: int = 128_000, **run: Any) -> dict[str, Any]:
    return {
        "topology": STAR,
        "switch": {"buffer": buffer},
        "traffic": traffic,
        "run": {"duration": 0.3, "warmup": 0, "slowdown": False, **run},
    }


def incast(workers: int, law: str, **more: Any) -> dict[str, Any]:
    return document(
        [
            {
                "kind": "query",
                "workers": workers,
                "total": 65536 * workers,
                "pause": "1 ms",
                "congestion": {"kind": law},
                "host": {"quick_acks": 16},
            }
        ],
        **more,
    )


def longs(flows: int, **law: Any) -> dict[str, Any]:
    return document(
        [{"kind": "long_lived", "flows": flows, "start_jitter": "1 ms", "congestion": {"kind": "ictcp", **law}}],
        warmup=0.1,
    )


#: Workers whose first windows, two packets each, fit into the buffer when all arrive at once.
MOST = 128_000 // (2 * PACKET)


@pytest.mark.parametrize("workers", [8, 16, 40])
def test_no_timeout_and_goodput_near_the_line(workers: int) -> None:
    # Wu et al.: almost zero timeouts and high goodput, where TCP collapses (incast of 64 kB from each of n senders).
    assert workers <= MOST
    metrics = fr.run(incast(workers, "ictcp")).metrics
    assert metrics["timeouts"] == 0.0
    assert metrics["drop_rate"] == 0.0
    assert 65536 * workers * 8 / metrics["qct_p99"] > 0.85 * RATE


def test_newreno_collapses_there() -> None:
    metrics = fr.run(incast(40, "newreno", duration=1.0)).metrics
    assert metrics["timeouts"] > 10
    assert 65536 * 40 * 8 / metrics["qct_mean"] < 0.2 * RATE


def test_beyond_the_smallest_windows_it_loses_packets_too() -> None:
    assert fr.run(incast(MOST, "ictcp", duration=0.1)).metrics["drop_rate"] == 0.0
    assert fr.run(incast(MOST + 3, "ictcp", duration=0.1)).metrics["drop_rate"] > 0.0


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_long_flows_use_alpha_of_the_link(flows: int) -> None:
    # One more segment per round trip is 12 % of the link; within two of them of alpha, and nothing waits.
    metrics = fr.run(longs(flows)).metrics
    segment = 8 * PACKET / RTT / RATE
    assert 0.9 - 2 * segment < metrics["utilisation"] < 0.9 + segment
    assert metrics["queue_max"] <= flows * PACKET
    assert metrics["fairness"] > 0.99


@pytest.mark.parametrize("flows", [20, 40])
def test_many_long_flows_hold_two_segments_each(flows: int) -> None:
    metrics = fr.run(longs(flows)).metrics
    assert metrics["utilisation"] == pytest.approx(1.0, abs=1e-3)
    assert metrics["timeouts"] == 0.0
    # All windows, less what the path holds; up to four packets of these are in transmission at either end.
    waiting = flows * 2 * PACKET - RATE * RTT / 8
    assert waiting - 4 * PACKET < metrics["queue_mean"] <= metrics["queue_max"] < waiting


def test_a_smaller_alpha_leaves_more_of_the_link() -> None:
    shares = [fr.run(longs(1, alpha=alpha)).metrics["utilisation"] for alpha in (0.4, 0.6, 0.9)]
    assert shares == sorted(shares)
    assert shares[0] < 0.55


def test_other_traffic_counts() -> None:
    # A NewReno flow takes what is spare, so that windows of ICTCP do not grow.
    both = longs(1)
    both["traffic"].append(
        {"kind": "long_lived", "flows": 1, "start_jitter": 0, "sources": ["h40"], "destinations": ["h0"]}
    )
    result = fr.run(both | {"run": both["run"] | {"series": 0.05}})
    assert result.series is not None
    mine, other = (sum(flow["goodput"]) for flow in sorted(result.series["flows"], key=lambda flow: flow["entry"]))
    assert mine < 0.2 * other


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "long_lived", "flows": 3, "start_jitter": "1 ms"},
        {"kind": "query", "workers": 8, "total": "400 kB"},
        {"kind": "query", "workers": 8, "total": "400 kB", "connections": "persistent"},
        {"kind": "long_lived", "flows": 5, "start_jitter": "1 ms", "host": {"profile": "linux", "min_rto": "5 ms"}},
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_engines_agree(entry: dict[str, Any], beside: bool) -> None:
    traffic = [{"host": {"min_rto": "5 ms"}, **entry, "congestion": {"kind": "ictcp"}}]
    if beside:
        traffic.append({"kind": "long_lived", "flows": 1, "start_jitter": 0})
    agree(build_plan(Scenario.parse(document(traffic, 40_000, duration=0.02, warmup=0.002))))


def test_only_runs_with_it_have_its_code() -> None:
    for law, expected in (("ictcp", AllottedTables), ("newreno", PlainTables)):
        simulation = Simulation(build_plan(Scenario.parse(incast(4, law))))
        assert type(simulation.tables) is expected
        assert (ALLOTMENT in used(simulation.plan, simulation.tables.classes)) == (law == "ictcp")
        assert (len(simulation.tables.offers) > 1) == (law == "ictcp")


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_closed_forms_and_fluids_refuse_it(engine: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(longs(2), engine=engine)
    assert refusal.value.engines == ("packet", "reference")
