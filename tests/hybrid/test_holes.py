"""Holes that packets leave in fluid come back with it, so that a sender loses by itself what it sends in excess."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

import footroom as fr
from footroom.engines.hybrid import coupled, layout
from footroom.engines.hybrid.background import Background
from footroom.engines.packet.backlog import draw_open
from footroom.engines.packet.environment import Environment
from footroom.engines.packet.fluid_holes import behind, in_hole, note_hole, note_step
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


_hole: Any = note_hole
_step: Any = note_step
_behind: Any = behind
_in_hole: Any = in_hole
_draw_open: Any = draw_open


@njit
def _note(t: Any, begin: int, end: int, sent: float) -> None:
    """A packet is sent from ``begin`` to ``end``, or a step begins where both are the same."""
    x = t.fluids[0]
    x.sent = sent
    if end > begin:
        _hole(t, t.ports[x.port], x, begin, end)
    else:
        _step(t, x, begin)


@njit
def _late(t: Any, now: int) -> float:
    return float(_behind(t, t.fluids[0], now))


@njit
def _comes(t: Any, now: int) -> bool:
    x = t.fluids[0]
    return bool(_in_hole(t, t.ports[x.port], x, now))


@njit
def _open(t: Any, come: float) -> float:
    x = t.fluids[0]
    _draw_open(t.ports[x.port], x, come)
    return float(x.open)


def opened(**topology: Any) -> tuple[Environment, Background]:
    environment, background = coupled(scenario(**topology))
    assert isinstance(background, Background)
    return environment, background


PACKET = 6_000_000


def test_a_hole_comes_back_after_one_round_trip() -> None:
    """Two packets in a step of eight, the first at its second packet's time and the other at its seventh."""
    environment, _ = opened()
    t = environment.simulation.tables
    x = t.fluids[0]
    trip = int(x["hole_trip"])
    # From leaving the queue to coming to it again: the round trip without the time to send a packet there.
    assert trip == pytest.approx(20e9, abs=2 * PACKET)
    since = 10**9 + trip
    for begin, end, sent in ((0, 0, 0), (1, 2, 1), (6, 7, 5), (8, 8, 6)):
        _note(t, since - trip + begin * PACKET, since - trip + end * PACKET, 1500.0 * sent)
    x["rate_since"], x["rate_until"], x["rate"] = since, since + 8 * PACKET, 0.75 * 1500.0 / PACKET
    for n, come in ((0, 0.0), (1, 0.0), (1.5, 0.5), (2, 1.0), (4, 1.0), (6, 1.0), (6.25, 1.25), (7, 2.0)):
        assert _late(t, since + int(n * PACKET)) == pytest.approx((come - 2.0 * n / 8.0) * 1500.0, abs=1e-3)
    assert _late(t, since + 8 * PACKET) == 0.0
    # Fluid begins anew with a burst of its own, of which a packet at least is on its way for that long.
    comes = [_comes(t, since + int(n * PACKET)) for n in (0.5, 1.5, 2.5, 3.5, 5.5, 6.5, 7.5)]
    assert comes == [False, True, True, False, False, True, True]


def test_what_windows_have_grown_by_comes_with_the_fluid_that_left() -> None:
    """Of a step of which one half was a hole, a tenth more comes back than had left."""
    environment, _ = opened()
    t = environment.simulation.tables
    x = t.fluids[0]
    trip, since = int(x["hole_trip"]), 10**9 + int(x["hole_trip"])
    for begin, end, sent in ((0, 1, 0), (2, 2, 1)):
        _note(t, since - trip + begin * PACKET, since - trip + end * PACKET, 1500.0 * sent)
    x["rate_since"], x["rate_until"], x["rate"] = since, since + 2 * PACKET, 0.55 * 1500.0 / PACKET
    for n, come in ((0.5, 0.0), (1, 0.0), (1.5, 0.55), (1.75, 0.825)):
        assert _late(t, since + int(n * PACKET)) == pytest.approx((0.55 * n - come) * 1500.0, abs=1e-3)


def test_a_hole_that_lies_in_two_steps_comes_in_both() -> None:
    """Of a packet that is sent from the middle of the last eighth of a step on, half comes back in it."""
    environment, _ = opened()
    t = environment.simulation.tables
    x = t.fluids[0]
    trip, since = int(x["hole_trip"]), 10**9 + int(x["hole_trip"])
    for begin, end, sent in ((0, 0, 0), (7.5, 8.5, 7.5), (8, 8, 7.5), (16, 16, 15)):
        _note(t, since - trip + int(begin * PACKET), since - trip + int(end * PACKET), 1500.0 * sent)
    x["rate_since"], x["rate_until"], x["rate"] = since, since + 8 * PACKET, 7.5 / 8.0 * 1500.0 / PACKET
    assert _late(t, since + 4 * PACKET) == pytest.approx(-0.25 * 1500.0, abs=1e-3)
    x["rate_since"], x["rate_until"] = since + 8 * PACKET, since + 16 * PACKET
    assert _late(t, since + 9 * PACKET) == pytest.approx((0.5 - 0.5 / 8.0) * 1500.0, abs=1e-3)


@pytest.mark.parametrize(("burst", "apart", "together"), [(2.0, 2.0 / 3.0, 1.0 / 3.0), (1.0, 0.0, 0.0)])
def test_every_other_window_leaves_a_place_open_that_growth_takes(burst: float, apart: float, together: float) -> None:
    """Odd windows leave one, and a window takes one as it grows: a third of the time. Packets that divide a window do
    so once where they lie together. Acknowledgements of single packets leave none.
    """
    environment, _ = opened()
    t = environment.simulation.tables
    x = t.fluids[0]
    x["window"], x["burst"] = 50 * 1500.0, burst
    for step, share in ((10.0, apart), (0.4, together)):
        come = float(x["open_come"])
        drawn = [_open(t, come + step * n * 50 * 1500.0) for n in range(1, 4001)]
        assert np.mean(drawn) == pytest.approx(share, abs=0.06)


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
    t = environment.simulation.tables
    x = t.fluids[0]
    trip, count = int(x["hole_trip"]), int(10 * x["hole_trip"]) // PACKET
    for n in range(count):
        _note(t, (n - 1) * PACKET, n * PACKET, 0.0)
    first = count * PACKET - trip
    kept = t.holes[int(x["first_hole"]) : int(x["first_hole"]) + int(x["hole_mask"]) + 1]
    assert kept["until"].min() <= first
    latest = np.sort(kept["until"][kept["until"] > first])
    assert len(latest) >= trip // PACKET
    assert (np.diff(latest) == PACKET).all()


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
        # Two long steps before this one lie in the ring, a round trip later.
        for at in range(count - 2 * past, count - past):
            fluid = float(background._back[(at + trip) % ring]["bytes"])
            ends = at * step * 1e12, (at + 1) * step * 1e12
            packets = float(np.sum(np.clip(kept["until"], *ends) - np.clip(kept["begin"], *ends))) * speed / 1e12
            assert fluid + packets == pytest.approx(speed * step, abs=1.5 * 1500.0)
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


def test_long_flows_keep_their_place_where_transfers_overflow_a_shallow_buffer() -> None:
    """Means of two seeds. Room opened for transfers between bursts of fluid, in holes as well: it lost 1.5 times as
    much as packets in its place, and the link was used 8 points less.
    """
    used, lost = [], []
    for kind, engine in (("packets", "packet"), ("fluid", "hybrid")):
        law = {"congestion": {"kind": "cubic"}}
        document: dict[str, Any] = {
            "topology": {"kind": "dumbbell", "bottleneck": 3e9, "access": 1.2e10, "rtt": 6.25e-3},
            "switch": {"buffer": 140e3},
            "traffic": [
                {"kind": "long_lived", "flows": 17, "start_jitter": 0.02, "as": kind, **law},
                {"kind": "poisson", "load": 0.3, "sizes": 340e3, **law},
            ],
            "run": {"duration": 3.0, "warmup": 0.75, "mtu": 1500},
        }
        given = [Scenario.parse({**document, "run": document["run"] | {"seed": seed}}) for seed in (1, 2)]
        runs = [fr.run(each, engine=engine) for each in given]
        used.append(float(np.mean([run.metrics["utilisation"] for run in runs])))
        lost.append(float(np.mean([run.metrics["drop_rate"] for run in runs])))
    assert used[0] < 0.9
    assert used[1] == pytest.approx(used[0], abs=0.05)
    assert lost[1] == pytest.approx(lost[0], rel=0.2)


def test_a_long_flow_loses_the_place_that_its_last_packet_waits_for() -> None:
    """Means of two seeds, beside transfers that divide the window of a single flow. Where no place was open, it lost
    a third as much as its packets, and its queue was longer by 0.11 of the buffer.
    """
    queue = []
    for kind, engine in (("packets", "packet"), ("fluid", "hybrid")):
        document: dict[str, Any] = {
            "topology": {"kind": "dumbbell", "bottleneck": 2.5e8, "access": 1e9, "rtt": 1.3e-3},
            "switch": {"buffer": 87e3},
            "traffic": [
                {"kind": "long_lived", "flows": 1, "as": kind, "congestion": {"kind": "cubic"}},
                {"kind": "poisson", "load": 0.08, "sizes": 211e3, "congestion": {"kind": "newreno"}},
            ],
            "run": {"duration": 8.0, "warmup": 2.0, "mtu": 1500},
        }
        given = [Scenario.parse({**document, "run": document["run"] | {"seed": seed}}) for seed in (1, 2)]
        queue.append(float(np.mean([fr.run(each, engine=engine).metrics["queue_mean"] for each in given])) / 87e3)
    assert queue[1] == pytest.approx(queue[0], abs=0.07)
