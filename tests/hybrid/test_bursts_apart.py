"""Flows between the same two hosts keep bursts of their own: what one has grown by joins no other's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.background import Background


def backbone(flows: int, seed: int) -> dict[str, Any]:
    """Windows of 70 packets that a receiver limits, over a buffer that loses nothing, with little beside."""
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": "10 Gb/s",
            "access": "40 Gb/s",
            "rtt": "40 ms",
            "rtt_spread": 0.2,
        },
        "switch": {"buffer": "20 MB"},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "start_jitter": "1 s",
                "as": "fluid",
                "host": {"receive_window": "100 kB", "autosize": False},
            },
            {"kind": "poisson", "load": 0.01, "sizes": "100 kB"},
        ],
        "run": {"duration": "3 s", "warmup": "1500 ms", "seed": seed},
    }


def test_queues_without_losses_are_as_long_as_among_packets() -> None:
    # The queue is that of bursts which meet. It was 1.8 times as long when bursts of like flows joined.
    packets, hybrid = (
        np.mean([fr.run(backbone(400, seed), engine=engine).metrics["queue_mean"] for seed in (1, 2, 3)])
        for engine in ("packet", "hybrid")
    )
    assert hybrid == pytest.approx(packets, rel=0.25)


def test_every_flow_has_a_route_of_its_own_where_round_trips_differ() -> None:
    _, background = coupled(fr.Scenario.parse(backbone(40, 1)))
    assert isinstance(background, Background)
    assert len(background.trips) == 40
