"""Holes that packets leave in fluid come back with it, so that a sender loses by itself what it sends in excess."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

import footroom as fr
from footroom.engines.hybrid import coupled, layout
from footroom.engines.hybrid.background import Background
from footroom.engines.packet.environment import Environment
from footroom.engines.packet.fluid_holes import behind, note_hole
from footroom.scenario import Scenario


def scenario(
    fluid: bool = True, seed: int = 1, duration: float = 4.0, host: dict[str, Any] | None = None, **topology: Any
) -> Scenario:
    """Transfers of 700 packets beside 60 long flows, on a path of 3333."""
    long = {"kind": "long_lived", "flows": 60, "start_jitter": 0.4, "as": "fluid" if fluid else "packets"}
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": 2e9, "access": 2e10, "rtt": 0.02, **topology},
            "switch": {"buffer": 1.25e6},
            "traffic": [
                long | ({"host": host} if host else {}),
                {"kind": "poisson", "load": 0.05, "sizes": 1e6},
            ],
            "run": {"duration": duration, "warmup": 0.25 * duration, "mtu": 1500, "seed": seed},
        }
    )


_note: Any = note_hole
_behind: Any = behind


@njit
def _send(t: Any, end: int, size: float) -> None:
    _note(t, t.fluids[0], end, size)


@njit
def _late(t: Any, now: int) -> float:
    return float(_behind(t, t.fluids[0], now))


def opened(**topology: Any) -> tuple[Environment, Background]:
    environment, background = coupled(scenario(**topology))
    assert isinstance(background, Background)
    return environment, background


def test_a_hole_comes_back_after_one_round_trip() -> None:
    """Two packets in a step of eight, the first at its second packet's time and the other at its seventh."""
    environment, _ = opened()
    t, packet = environment.simulation.tables, 6_000_000
    x = t.fluids[0]
    trip = int(x["hole_trip"])
    # From leaving the queue to coming to it again: the round trip without the time to send a packet there.
    assert trip == pytest.approx(20e9, abs=2 * packet)
    since = 10**9 + trip
    for n in (2, 7):
        _send(t, since - trip + n * packet, 1500.0)
    x["rate_since"], x["rate_until"] = since, since + 8 * packet
    for n, come in ((0, 0), (1, 0), (2, 1), (4, 1), (6, 1), (7, 2)):
        assert _late(t, since + n * packet) == pytest.approx((come - 2.0 * n / 8.0) * 1500.0, abs=1e-6)
    assert _late(t, since + 8 * packet) == 0.0


def test_holes_do_not_come_back_where_round_trips_differ() -> None:
    environment, _ = opened(rtt_spread=0.2)
    x = environment.simulation.tables.fluids[0]
    assert x["hole_trip"] == 0
    assert x["hole_mask"] > 0


def test_holes_do_not_come_back_where_hosts_shape() -> None:
    environment, _ = coupled(scenario(host={"rate_limit": 3e7}))
    assert environment.simulation.tables.fluids[0]["hole_trip"] == 0


def test_holes_are_kept_for_a_round_trip_however_many_there_are() -> None:
    """A packet after the other for ten round trips: the latest round trip of them is still known in full."""
    environment, _ = opened()
    t, packet = environment.simulation.tables, 6_000_000
    x = t.fluids[0]
    trip, count = int(x["hole_trip"]), int(10 * x["hole_trip"]) // packet
    for n in range(count):
        _send(t, n * packet, 1500.0)
    x["rate_since"], x["rate_until"] = (count - 100) * packet, count * packet
    assert _late(t, (count - 50) * packet) == pytest.approx(0.0, abs=1500.0)
    x["rate_since"] = x["rate_until"] = 0
    first = count * packet - trip
    oldest = t.holes["until"][int(x["first_hole"]) : int(x["first_hole"]) + int(x["hole_mask"]) + 1].min()
    assert oldest <= first


def test_in_each_of_several_steps_the_link_has_sent_fluid_and_packets() -> None:
    """What comes back in one step and the packets that left in it fill the link's time, where fluid always waits."""
    environment, background = opened()
    speed, step = 2e9 / 8.0, float(background._clock[layout.STEP])
    seen = uneven = 0
    for until in np.arange(1.0, 4.0, 0.05):
        environment.run(until=float(until))
        t, count = environment.simulation.tables, int(background._clock[layout.COUNT])
        x, ring = t.fluids[0], len(background._back)
        past, trip = int(background._clock[layout.SPAN]), int(background._routes[0, layout.STEPS])
        if past == 1 or float(x["inside"]) < 0.2 * 1.25e6:
            continue
        kept = t.holes[int(x["first_hole"]) :]
        kept = kept[np.argsort(kept["until"])]
        # Two long steps before this one lie in the ring, a round trip later.
        for at in range(count - 2 * past, count - past):
            fluid = float(background._back[(at + trip) % ring]["bytes"])
            ends = np.searchsorted(kept["until"], [at * step * 1e12, (at + 1) * step * 1e12], side="right")
            packets = float(kept["bytes"][ends[1] - 1] - kept["bytes"][ends[0] - 1])
            assert fluid + packets == pytest.approx(speed * step, abs=2.5 * 1500.0)
            seen += 1
            uneven += packets > 0.3 * speed * step
    assert seen > 300
    assert uneven > 10
    environment.close()


def test_large_transfers_and_long_flows_lose_as_among_packets() -> None:
    """Means of two seeds; what has left was spread over several steps once, and long flows lost twice as much."""
    lost, queue = [], []
    for fluid in (False, True):
        runs = [fr.run(scenario(fluid, seed, 12.0), engine="hybrid" if fluid else "packet") for seed in (1, 2)]
        lost.append(float(np.mean([run.metrics["drop_rate"] for run in runs])))
        queue.append(float(np.mean([run.metrics["queue_mean"] for run in runs])) / 1.25e6)
    assert lost[1] == pytest.approx(lost[0], rel=0.3)
    assert queue[1] == pytest.approx(queue[0], abs=0.1)
