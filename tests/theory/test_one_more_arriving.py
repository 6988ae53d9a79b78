"""One more transfer beside arriving flows: by hand on an idle link, beside probes in packets, and its limits."""

from __future__ import annotations

import math
from typing import Any

import pytest

import footroom as fr


def scenario(load: float, sizes: str = "20 kB", buffer: int = 100, **run: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e9, "access": 1e10, "rtt": 0.01},
        "switch": {"buffer": buffer * 1500},
        "traffic": [{"kind": "poisson", "load": load, "sizes": sizes}],
        "run": {"duration": "6 s", "warmup": "1 s", **run},
    }


def test_on_an_all_but_idle_link_it_is_a_round_trip_and_the_transmission() -> None:
    found = fr.run(scenario(1e-6, transfer="10 kB"), engine="theory").metrics
    # A round trip counts one packet of the seven; both directions cross the access links as well.
    trip = 0.01 + (1500 + 64) * 8 * (1 / 1e9 + 2 / 1e10)
    assert found["transfer_p50"] == pytest.approx(trip + 7 * 12e-6, rel=1e-6)
    assert found["transfer_p99"] == pytest.approx(found["transfer_p50"])


def test_the_median_meets_the_median_of_an_exponential_queue() -> None:
    idle = fr.run(scenario(1e-6, transfer="10 kB"), engine="theory").metrics["transfer_p50"]
    found = fr.run(scenario(0.7, transfer="10 kB"), engine="theory").metrics
    # Nobody waits with probability 0.3; half of all meet less than the queue whose chance to be exceeded is 0.5.
    # One of a hundred queues more or less is 3 % of it.
    middle = found["queue_mean"] / 0.7 * math.log(0.7 / 0.5) * 8 / 1e9
    assert found["transfer_p50"] - idle == pytest.approx(middle, rel=0.1)


@pytest.mark.parametrize("load", [0.2, 0.7])
def test_both_percentiles_are_those_of_packets(load: float) -> None:
    asked = scenario(load, transfer="10 kB", probe_share=0.02)
    packets, found = fr.run(asked, engine="packet"), fr.run(asked, engine="theory")
    for name in ("transfer_p50", "transfer_p99"):
        assert name not in found.outside
        assert found.metrics[name] == pytest.approx(packets.metrics[name], rel=0.1)


def test_where_it_was_found_not_to_hold_is_marked() -> None:
    assert "own slow start" in fr.run(scenario(0.2, transfer="1 MB"), engine="theory").outside["transfer_p50"]
    assert (
        "several windows"
        in fr.run(scenario(0.8, buffer=600, transfer="50 kB"), engine="theory").outside["transfer_p99"]
    )


def test_a_sweep_gives_what_single_points_give() -> None:
    asked = scenario(0.5, transfer="10 kB")
    swept = fr.sweep(asked, over={"switch.buffer": [15e4, 3e5]}, engines=["theory"])
    assert swept.points[0].result.metrics["transfer_p99"] == pytest.approx(
        fr.run(asked, engine="theory").metrics["transfer_p99"]
    )
    times = [point.result.metrics["transfer_p99"] for point in swept.points]
    assert times[0] <= times[1] * (1.0 + 1e-6)
