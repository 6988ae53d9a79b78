"""Both packet engines on lossless fabrics with RDMA hosts, cells, frames and marks, to the picosecond."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.lossless.small import fabric
from tests.reference.agreement import agree

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

NUMBERS = range(10)


def scenario(number: int) -> dict[str, Any]:
    """Two racks that overload one another; everything about headroom, pauses and hosts is drawn at random."""
    draw = random.Random(number)
    headroom: dict[str, Any] = {
        "kind": ("static_independent", "dynamic_shared")[number % 2],
        "lossless": draw.choice([[0, 1], [1], [0, 1, 2]]),
        "alpha": draw.choice([None, 0.125, 0.5, 2.0]),
        "reserved": draw.choice([0, "3 kB"]),
        "xon_offset": draw.choice([0, "2 kB"]),
        "size": draw.choice([None, None, "6 kB"]),
        "pause": draw.choice(["timed", "on_off"]),
        "quanta": draw.choice([65535, 200]),
        "response": draw.choice([None, 0, "2 us"]),
        "allowance": draw.choice([None, 0]),
    }
    if number % 2 == 0:
        headroom |= draw.choice([{}, {"oversubscription": 2}, {"lossless_share": 0.6}, {"xon": "4 kB"}])
    switch = {
        "headroom": headroom,
        "release": draw.choice(["start", "end"]),
        "cell_size": draw.choice([None, 208]),
        "buffer": draw.choice(["200 kB", "300 kB"]),
        "reserved": draw.choice([0, 1500]),
        "scheduling": draw.choice([{"kind": "drr"}, {"kind": "strict_priority"}]),
        "sharing": draw.choice([{"kind": "dynamic_threshold", "alpha": 0.25}, {"kind": "complete"}]),
        "marking": draw.choice([{"kind": "none"}, {"kind": "red", "kmin": "5 kB", "kmax": "30 kB", "pmax": 0.5}]),
    }
    if switch["cell_size"] is not None:  # headroom by the scheme takes up to 3.25 times as much
        switch["buffer"] = "400 kB"
    raw = fabric(number, **switch)
    if draw.random() < 0.6:
        host = {"recovery": draw.choice(["go_back_n", "selective"]), "min_rto": "300 us", "low_rto": "100 us"}
        for entry in raw["traffic"][:2]:
            entry |= {"congestion": {"kind": "dcqcn", "additive_increase": "500 Mb/s"}, "host": host}
    raw["run"]["framing"] = draw.choice(["ip", "ethernet"])
    return raw


@pytest.mark.parametrize("number", NUMBERS)
def test_lossless_fabrics_agree_to_the_picosecond(number: int) -> None:
    agree(build_plan(Scenario.parse(scenario(number))))
