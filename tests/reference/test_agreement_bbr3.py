"""Both packet engines send the same packets at the same picoseconds under BBR version 3, and in limited bursts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.reference.agreement import agree
from tests.reference.test_agreement import scenario

from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


@pytest.mark.parametrize("number", range(300, 316))
def test_under_version_3(number: int) -> None:
    draw = random.Random(number)
    raw = scenario(number).to_dict()
    for entry in raw["traffic"]:
        entry["congestion"] = {
            "kind": "bbr",
            "version": 3,
            "probe_rtt_interval": draw.choice([None, 0.1]),
            "probe_rtt_time": 0.02,
            "aggregation": draw.random() < 0.7,
            "departure_time": draw.random() < 0.7,
            "ecn_low": number % 2 == 0,
        }
        entry["host"] |= {
            "recovery": "prr",
            "tail_loss_probe": draw.random() < 0.5,
            "autosize": draw.random() < 0.5,
            "burst_limit": draw.choice([1, 65535]),
            "rate_limit": 5e6 if number % 7 == 0 else None,
        }
    if number % 3 == 0:  # beside flows that fill the buffer
        raw["traffic"].append({"kind": "long_lived", "flows": 2, "start_jitter": 0.05, "congestion": {"kind": "cubic"}})
    if number % 4 == 0:
        raw["switch"]["marking"] = {"kind": "step", "threshold": 6000}
    agree(build_plan(Scenario.parse(raw)))


def bounded(flows: int, buffer: str, **more: Any) -> Scenario:
    """Enough rounds for probes that raise and lower the bound on what is in flight."""
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "200 Mb/s", "rtt": "4 ms"},
            "switch": {"buffer": buffer, **more},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": 0.2,
                    "host": {"profile": "linux"},
                    "congestion": {"kind": "bbr", "version": 3, "ecn_low": bool(more)},
                }
            ],
            "run": {"duration": 7.0, "warmup": 1.0},
        }
    )


@pytest.mark.parametrize(("flows", "buffer"), [(1, "4 packets"), (3, "8 packets"), (2, "200 packets")])
def test_over_several_probes(flows: int, buffer: str) -> None:
    agree(build_plan(bounded(flows, buffer)))


def test_over_several_probes_with_marks() -> None:
    agree(build_plan(bounded(2, "60 packets", marking={"kind": "step", "threshold": "5 packets"})))


def test_both_drop_what_a_law_without_marks_sends_where_others_are_marked() -> None:
    raw = bounded(2, "60 packets", marking={"kind": "step", "threshold": "5 packets"}).to_dict()
    raw["traffic"][0]["congestion"] = {"kind": "bbr"}
    raw["run"] |= {"duration": 1.0, "warmup": 0.2}
    agree(build_plan(Scenario.parse(raw)))
