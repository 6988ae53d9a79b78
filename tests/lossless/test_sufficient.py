"""Headroom by the formula suffices, most of it is used when everything comes at the worst moment, and less loses."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.result import Result
from footroom.scenario import Scenario

#: Full packets at 100 Gb/s over 1.5 µs.
FULL, FORMULA = 1500, 44_340


def overload(**headroom: Any) -> Result:
    """Four hosts send to one at the rate of the link without pause, in full packets, until they are stopped."""
    return simulate(
        build_plan(
            Scenario.parse(
                {
                    "topology": {"kind": "star", "hosts": 5, "rate": "100 Gb/s", "rtt": "6 us"},
                    "switch": {
                        "buffer": "2 MB",
                        "release": "end",
                        "headroom": {"kind": "static_independent", "alpha": 0.0625, **headroom},
                    },
                    "traffic": [
                        {
                            "kind": "long_lived",
                            "flows": 4,
                            "start_jitter": "1 us",
                            "destinations": ["h0"],
                            "host": {"initial_window": 1000, "jitter": 0, "ack_every": 64},
                        }
                    ],
                    "run": {"duration": "400 us", "warmup": 0, "mtu": "1500 B"},
                }
            )
        )
    )


def test_all_but_a_frame_of_the_formula_is_used() -> None:
    assert fr.headroom(speed="100G", delay="1.5 us").schemes["sih"]["headroom"] == FORMULA
    found = overload()
    assert found.metrics["lossless_drops"] == 0
    assert found.metrics["pause_frames"] > 4
    assert FORMULA - FULL < found.metrics["headroom_max"] <= FORMULA + FULL + 84


def test_two_thirds_of_it_lose_packets_where_they_come_in() -> None:
    found = overload(size=FORMULA * 2 // 3)
    assert found.metrics["lossless_drops"] > 0
    assert found.priority_groups is not None
    assert sum(row["drops"] for row in found.priority_groups) == found.metrics["lossless_drops"]
    assert all(row["port"].endswith(f">{row['switch']}") for row in found.priority_groups)
    assert any("because the headroom there was full" in note for note in found.notes)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_hosts_with_jitter_lose_nothing(kind: str, seed: int) -> None:
    """Packets may be later than the cable's delay by half of the jitter."""
    found = simulate(
        build_plan(
            Scenario.parse(
                {
                    "topology": {
                        "kind": "leaf_spine",
                        "leaves": 2,
                        "spines": 2,
                        "hosts_per_leaf": 4,
                        "host_rate": "100 Gb/s",
                        "fabric_rate": "100 Gb/s",
                        "link_delay": "1 us",
                    },
                    "switch": {"buffer": "2 MB", "headroom": {"kind": kind, "alpha": 0.0625}},
                    "traffic": [
                        {
                            "kind": "long_lived",
                            "flows": 8,
                            "start_jitter": "5 us",
                            "host": {"initial_window": 1000, "jitter": "200 ns"},
                        }
                    ],
                    "run": {"duration": "300 us", "warmup": 0, "mtu": "1500 B", "seed": seed},
                }
            )
        )
    )
    assert found.metrics["pause_frames"] > 0
    assert found.metrics["lossless_drops"] == 0
