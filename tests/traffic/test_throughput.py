"""What one flow gets, against the bound of its window, its link and its rate limit, however its packets are bunched."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from footroom.engines import packet, reference
from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario

LINK, ACCESS, MSS, WIRE, ACK = 20e6, 200e6, 1448, 1500, 64
WINDOW = 48
ENGINES: dict[str, Callable[[Plan], float]] = {
    "packet": lambda plan: packet.simulate(plan).metrics["goodput"],
    "reference": lambda plan: reference.simulate(plan).metrics["goodput"],
}


def idle_round_trip(trip: float) -> float:
    """Propagation and transmission of one packet and of its acknowledgement [s]."""
    return trip + (WIRE + ACK) * 8.0 * (2 / ACCESS + 1 / LINK)


def one_flow(trip: float, **host: Any) -> Plan:
    """A flow without losses whose receiver lets ``WINDOW`` segments be outstanding, over whole round trips."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": LINK, "access": ACCESS, "rtt": trip},
                "switch": {"buffer": "1 MB"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 1,
                        "start_jitter": 0,
                        "host": {"receive_window": WINDOW * MSS, "jitter": 0, "ack_every": 1, **host},
                    }
                ],
                "run": {"duration": 10 * trip + measured(trip), "warmup": 10 * trip},
            }
        )
    )


def measured(trip: float) -> float:
    """About a second of whole round trips, since a window may arrive at once [s]."""
    return round(1.0 / idle_round_trip(trip)) * idle_round_trip(trip)


def bound(trip: float, rate_limit: float | None) -> float:
    """Most that the flow can get [bit/s]: a window every idle round trip, the link, or its own limit."""
    return min(WINDOW * MSS * 8.0 / idle_round_trip(trip), (rate_limit or LINK) * MSS / WIRE)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("trip", "burst"), list(product([0.001, 0.06], [1, 2, 11, 16, 64])))
def test_throughput_is_what_window_link_and_limit_allow(engine: str, trip: float, burst: int) -> None:
    """Waiting for a burst, or for a third of the window, leaves all but one of these segments unused."""
    waits = min(burst, WINDOW // 3) - 1
    for small_queue, pacing, rate_limit in product([None, 0.001], [False, True], [None, 4e6]):
        most = bound(trip, rate_limit)
        least = most * (1.0 - waits / WINDOW) if not pacing and rate_limit is None else most
        plan = one_flow(trip, burst=burst, small_queue=small_queue, pacing=pacing, rate_limit=rate_limit)
        edge = burst * MSS * 8.0 / measured(trip)  # one burst more or less within the measured time
        assert 0.99 * least - edge <= ENGINES[engine](plan) <= 1.01 * most + edge, (small_queue, pacing, rate_limit)
