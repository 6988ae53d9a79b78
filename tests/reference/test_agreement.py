"""The compiled engine and this one, written apart, must treat every packet alike at every picosecond."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def host(draw: random.Random, recovery: str) -> dict[str, Any]:
    chosen: dict[str, Any] = {
        "recovery": recovery,
        "ack_every": draw.choice([1, 2, 4]),
        "ack_delay": draw.choice([0.001, 0.04]),
        "min_rto": draw.choice([0.005, 0.05, 0.2]),
        "rto_floor": draw.choice(["variance", "total"]),
        "initial_window": draw.choice([1, 4, 10]),
    }
    if draw.random() < 0.3:
        chosen["receive_window"] = draw.choice([15_000, 60_000])
    if draw.random() < 0.4:
        chosen["jitter"] = draw.choice([0, 1e-5, 1e-3])
    if draw.random() < 0.4:
        chosen |= {"pacing": draw.random() < 0.5, "burst": draw.choice([1, 4])}
    return chosen


def topology(draw: random.Random) -> dict[str, Any]:
    if draw.random() < 0.3:
        return {"kind": "star", "hosts": draw.randint(3, 6), "rate": "20 Mb/s", "rtt": draw.choice([1e-4, 0.01])}
    if draw.random() < 0.3:  # two paths of equal length, a slower link behind them
        ends = [("a", "w"), ("b", "w"), ("w", "x"), ("w", "y"), ("x", "z"), ("y", "z"), ("z", "c"), ("z", "d")]
        links = [{"ends": pair, "rate": "10 Mb/s" if "z" in pair else "30 Mb/s", "delay": 0.001} for pair in ends]
        return {"kind": "graph", "hosts": list("abcd"), "switches": list("wxyz"), "links": links}
    return {
        "kind": "dumbbell",
        "bottleneck": draw.choice(["10 Mb/s", "50 Mb/s"]),
        "rtt": draw.choice([0.001, 0.02]),
        "access": draw.choice(["10 Mb/s", "100 Mb/s", "1 Gb/s"]),
        "rtt_spread": draw.choice([0, 0.3]),
    }


def scenario(number: int) -> Scenario:
    """A small scenario, different for every number, with losses of all sorts."""
    draw = random.Random(number)
    styles = ["newreno", "sack", "prr"]
    traffic: list[dict[str, Any]] = [
        {
            "kind": "long_lived",
            "flows": draw.randint(1, 6),
            "start_jitter": draw.choice([0, 0.05]),
            "host": host(draw, styles[number % 3]),
        }
    ]
    if draw.random() < 0.5:
        traffic.append(
            {
                "kind": "poisson",
                "load": draw.choice([0.2, 0.6]),
                "host": host(draw, draw.choice(styles)),
                "sizes": {"kind": "fixed", "size": draw.choice([1000, 20_000, 100_000])},
            }
        )
    sharing = draw.choice(
        [
            {"kind": "complete"},
            {"kind": "static"},
            {"kind": "dynamic_threshold", "alpha": 0.5},
            {"kind": "dynamic_threshold", "alpha": 4},
        ]
    )
    return Scenario.parse(
        {
            "topology": topology(draw),
            "traffic": traffic,
            "switch": {
                "buffer": draw.choice([1500, 4500, 15_000, 60_000]),
                "sharing": sharing,
                "reserved": draw.choice([0, 20]),
            },
            "run": {"duration": 0.5, "warmup": 0.1, "seed": number},
        }
    )


@pytest.mark.parametrize("number", range(100, 118))
def test_and_under_cubic(number: int) -> None:
    draw = random.Random(number)
    raw = scenario(number).to_dict()
    for entry in raw["traffic"]:
        entry["congestion"] = {
            "kind": "cubic",
            "growth": draw.choice([0.4, 40.0]),
            "beta": draw.choice([0.7, 0.5]),
            "reno_friendly": draw.random() < 0.5,
            "fast_convergence": draw.random() < 0.7,
            "friendly_steepens": number % 2 == 0,
        }
    if number % 3 == 0:
        raw["switch"]["marking"] = {"kind": "step", "threshold": 3000}
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("number", range(300, 308))
def test_and_without_blocks_where_each_partial_acknowledgement_restarts_the_timer(number: int) -> None:
    raw = scenario(number).to_dict()
    for entry in raw["traffic"]:
        entry["host"] |= {"recovery": "newreno", "min_rto": 0.005, "partial_timer": "each", "initial_window": 10}
        entry["congestion"] = {"kind": "cubic" if number % 2 else "newreno"}
    raw["switch"] |= {"buffer": 30_000, "reserved": 0}
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("number", range(308, 316))
def test_and_without_blocks_where_a_recovery_ends_in_a_burst(number: int) -> None:
    raw = scenario(number).to_dict()
    for entry in raw["traffic"]:
        entry["host"] |= {"recovery": "newreno", "min_rto": 0.005, "partial_timer": "each", "initial_window": 10}
        entry["host"] |= {"recovery_end": "ssthresh", "send_buffer": 1 + number % 2}
        entry["congestion"] = {"kind": "cubic" if number % 4 < 2 else "newreno"}
    raw["switch"] |= {"buffer": 30_000, "reserved": 0}
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("number", range(200, 216))
def test_and_under_bbr(number: int) -> None:
    draw = random.Random(number)
    raw = scenario(number).to_dict()
    for entry in raw["traffic"]:
        entry["congestion"] = {
            "kind": "bbr",
            "probe_rtt_interval": draw.choice([None, 0.1]),
            "probe_rtt_time": 0.02,
            "policer": draw.random() < 0.5,
            "aggregation": draw.random() < 0.7,
            "probe_extra": draw.choice([0, 2]),
            "departure_time": draw.random() < 0.7,
            "pacing_margin": draw.choice([0, 0.01]),
        }
        entry["host"] |= {
            "recovery": draw.choice(["sack", "prr"]),
            "tail_loss_probe": draw.random() < 0.5,
            "autosize": draw.random() < 0.5,
            "rate_limit": 5e6 if number % 7 == 0 else None,
        }
    if number % 3 == 0:  # beside flows that fill the buffer
        raw["traffic"].append({"kind": "long_lived", "flows": 2, "start_jitter": 0.05, "congestion": {"kind": "cubic"}})
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("number", range(216, 224))
def test_and_in_bursts_that_size_themselves(number: int) -> None:
    raw = scenario(number).to_dict()
    raw["topology"] = {"kind": "dumbbell", "bottleneck": "50 Mb/s", "access": "200 Mb/s", "rtt": 0.005}
    for entry in raw["traffic"]:
        entry["host"] |= {
            "autosize": True,
            "pacing": number % 3 == 0,
            "rate_limit": 5e6 if number % 4 == 0 else None,
            "burst": 8,
            "receive_window": None,
        }
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("number", range(30, 36))
def test_and_with_a_quick_start(number: int) -> None:
    document = scenario(number).to_dict()
    for entry in document["traffic"]:
        entry["host"] |= {"ack_every": 4, "quick_acks": 1 + 5 * number % 16}
    agree(build_plan(Scenario.parse(document)))


@pytest.mark.parametrize("number", range(36, 48))
def test_and_in_bursts(number: int) -> None:
    document = scenario(number).to_dict()
    for entry in document["traffic"]:
        entry["host"] |= {
            "burst": (2, 11, 16, 64)[number % 4],
            "pacing": number % 3 == 0,
            "small_queue": None if number % 5 == 0 else 0.001,
            "rate_limit": 5e6 if number % 7 == 0 else None,
            "tail_loss_probe": number % 2 == 0 and entry["host"]["recovery"] != "newreno",
        }
    agree(build_plan(Scenario.parse(document)))


@pytest.mark.parametrize("number", range(30))
def test_same_packets_same_picoseconds_same_metrics(number: int) -> None:
    agree(build_plan(scenario(number)))
