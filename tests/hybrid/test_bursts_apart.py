"""Flows of like round trips keep bursts of their own: what one has grown by does not join the burst of another."""

from __future__ import annotations

import numpy as np
import pytest

import footroom as fr
from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.background import Background


def backbone(spread: float, buffer: str = "100 kB") -> dict[str, object]:
    """Windows of 80 packets over a buffer of eight of them, with little beside."""
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": "1 Gb/s",
            "access": "4 Gb/s",
            "rtt": "40 ms",
            "rtt_spread": spread,
        },
        "switch": {"buffer": buffer},
        "traffic": [
            {"kind": "long_lived", "flows": 40, "start_jitter": "1 s", "as": "fluid"},
            {"kind": "poisson", "load": 0.01, "sizes": "100 kB"},
        ],
        "run": {"duration": "4 s", "warmup": "2 s", "seed": 1},
    }


def test_queues_without_losses_are_as_long_as_among_packets() -> None:
    # Windows that a receiver limits: the queue is that of bursts which meet, and nothing is lost or cut.
    scenario = backbone(0.2, "20 MB")
    scenario["topology"]["bottleneck"], scenario["topology"]["access"] = "10 Gb/s", "40 Gb/s"  # type: ignore[index]
    scenario["traffic"][0] |= {"flows": 400, "host": {"receive_window": "100 kB", "autosize": False}}  # type: ignore[index]
    queues = {
        engine: np.mean(
            [
                fr.run(
                    scenario | {"run": {"duration": "3 s", "warmup": "1500 ms", "seed": seed}}, engine=engine
                ).metrics["queue_mean"]
                for seed in (1, 2, 3)
            ]
        )
        for engine in ("packet", "hybrid")
    }
    assert queues["hybrid"] / queues["packet"] == pytest.approx(1.0, abs=0.25), queues


def test_every_flow_has_a_route_of_its_own_where_round_trips_differ() -> None:
    _, background = coupled(fr.Scenario.parse(backbone(0.2)))
    assert isinstance(background, Background)
    assert len(background.trips) == 40
