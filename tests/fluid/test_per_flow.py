"""The fluid that follows every flow: closed forms, the packet engine, and where it stops holding."""

from __future__ import annotations

import ctypes
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import NotConverged
from footroom.engines.fluid.calls import MANY_FLOWS, ONE_FLOW, compiled
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.laws.cubic import Cubic
from footroom.engines.fluid.laws.flows import MODE, NET, ROW, THRESHOLD, WINDOW
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.per_flow import run as per_flow
from footroom.engines.fluid.per_flow.run import Course
from footroom.engines.fluid.sawtooth import cubic_ramp_utilisation, sawtooth_utilisation

RENO = Reno(10.0, refined=True)


def course(
    flows: int, capacity: float, trip: float, products: float, law: Any = RENO, seed: int = 1, **link: Any
) -> Course:
    """One link of ``products`` bandwidth-delay products."""
    return per_flow.run(
        [Link(capacity, products * capacity * trip, **link)], [Group(flows, trip, law)], seed=seed, min_rto=[0.2]
    )[0]


def used(found: Course, capacity: float) -> float:
    return found.served / found.time / capacity


@pytest.mark.parametrize("products", [0.1, 0.25, 0.5, 1.0, 2.0])
def test_one_flow_is_the_sawtooth(products: float) -> None:
    # The sawtooth neither pauses for recovery nor overshoots: a round trip of a thousand either way.
    found = course(1, 10_000.0, 0.2, products)
    assert used(found, 10_000.0) == pytest.approx(sawtooth_utilisation(products), abs=0.004)


@pytest.mark.parametrize("products", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("fast", [False, True])
def test_one_cubic_flow_is_its_ramp(products: float, fast: bool) -> None:
    found = course(1, 10_000.0, 0.1, products, Cubic(converges=fast))
    assert used(found, 10_000.0) == pytest.approx(cubic_ramp_utilisation(products, converges=fast), abs=0.01)


def test_a_steeper_line_loses_more() -> None:
    """RFC 9438, section 4.3: 9/17 packets per round trip, or 1 once the window of the last loss is reached again."""
    plain, steep = (course(20, 20_000.0, 0.01, 0.5, Cubic(steepens=steepens)) for steepens in (False, True))
    assert 1.1 < (steep.lost / steep.served) / (plain.lost / plain.served) < 17.0 / 9.0


def test_windows_follow_the_square_root_of_the_cuts() -> None:
    """Mathis et al. 1997: W sqrt(p) is sqrt(3/2) where cuts come at even intervals, sqrt(2) where they come as a
    Poisson process independent of the window; p counts cuts per packet sent.
    """
    for flows in (20, 50):  # with smaller windows the two round trips without growth weigh more
        found = course(flows, 83_333.0, 0.02, 1.0)
        assert math.sqrt(1.5) * 0.97 < found.window * math.sqrt(found.cuts / found.served) < math.sqrt(2.0)


def test_packets_balance() -> None:
    found = course(30, 8_333.0, 0.04, 0.1, background=1_000.0)
    sent = 30 * found.rates[0] * found.time
    # Served: what the flows and the background got through. Rates are those of packets in the network, losses excluded.
    assert sent + 1_000.0 * found.time == pytest.approx(found.served, rel=0.01)
    assert sum(found.histogram) == pytest.approx(found.time)
    assert found.served <= 8_333.0 * found.time * (1.0 + 1e-9)


def test_more_buffer_never_lowers_utilisation_or_raises_drops() -> None:
    for law in (RENO, Cubic()):
        found = [course(50, 83_333.0, 0.02, products, law) for products in (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)]
        utilisation = [used(one, 83_333.0) for one in found]
        assert all(b >= a - 1e-9 for a, b in pairwise(utilisation))
        drops = [one.lost / one.served for one in found]
        assert drops == sorted(drops, reverse=True)


def test_rows_may_stand_for_several_flows(monkeypatch: pytest.MonkeyPatch) -> None:
    full = course(200, 83_333.0, 0.02, 0.25)
    monkeypatch.setattr(per_flow, "MOST_ROWS", 50)
    shared = course(200, 83_333.0, 0.02, 0.25)
    assert (full.rows, shared.rows) == (200, 50)
    assert used(shared, 83_333.0) == pytest.approx(used(full, 83_333.0), abs=0.015)
    assert shared.lost / shared.served == pytest.approx(full.lost / full.served, rel=0.15)


def test_the_same_seed_gives_the_same_bits_and_another_seed_hardly_another_answer() -> None:
    first, again, other = (course(10, 8_333.0, 0.04, 0.25, seed=seed) for seed in (1, 1, 2))
    assert (first.served, first.lost, first.queue) == (again.served, again.lost, again.queue)
    assert first.served != other.served
    assert used(first, 8_333.0) == pytest.approx(used(other, 8_333.0), abs=0.01)


def test_a_short_round_trip_gets_more() -> None:
    groups = [Group(10, 0.01, RENO), Group(10, 0.04, RENO)]
    found = per_flow.run([Link(83_333.0, 200.0)], groups, seed=1, min_rto=[0.2, 0.2])[0]
    # Growth per second goes as 1/R^2; losses in proportion to rate bring the ratio to between R and R^2.
    assert 4.0 < found.rates[0] / found.rates[1] < 16.0


def scenario(flows: int, products: float, spread: float = 0.0, **host: Any) -> dict[str, Any]:
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": "100 Mb/s",
            "access": "1 Gb/s",
            "rtt": "40 ms",
            "rtt_spread": spread,
        },
        "switch": {"buffer": products * 500e3},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": "1 s", "host": host}],
        "run": {"duration": "60 s", "warmup": "12 s", "mtu": "1500 B"},
    }


@pytest.mark.parametrize(
    ("flows", "products", "spread"), [(5, 0.25, 0.0), (10, 1.0, 0.0), (20, 0.1, 0.0), (20, 0.5, 0.2), (10, 2.0, 0.2)]
)
def test_packets_agree(flows: int, products: float, spread: float) -> None:
    asked = scenario(flows, products, spread)
    fluid, packet = (fr.run(asked, engine=engine).metrics for engine in ("fluid", "packet"))
    assert fluid["utilisation"] == pytest.approx(packet["utilisation"], abs=0.03)
    assert 1 / 1.4 < fluid["drop_rate"] / packet["drop_rate"] < 1.4
    assert abs(fluid["queue_mean"] - packet["queue_mean"]) < 0.1 * products * 500e3


def test_bursts_that_fill_the_buffer_are_outside_the_model() -> None:
    assert "bursts" in fr.run(scenario(5, 0.02), engine="fluid").to_dict()["outside_validity"]["utilisation"]
    # 30 packets are enough where round trips are equal, or where senders pace; else 1.5 sqrt(2 x 333) = 39 are needed.
    assert "stay in step" in fr.run(scenario(5, 0.09), engine="fluid").outside["utilisation"]
    assert "utilisation" not in fr.run(scenario(5, 0.2), engine="fluid").outside
    assert "utilisation" not in fr.run(scenario(5, 0.09, 0.2, pacing=True), engine="fluid").outside
    collide = fr.run(scenario(5, 0.09, 0.2), engine="fluid").outside
    assert "Below 39 packets" in collide["utilisation"]


def test_completion_times_hold_no_further_than_the_queue_they_are_computed_from() -> None:
    for products, load, reason in ((0.02, 0.005, "bursts"), (0.5, 0.05, "Transfers arrive"), (0.5, 0.005, None)):
        short = {"kind": "poisson", "load": load, "sizes": {"kind": "fixed", "size": "20 kB"}}
        asked = scenario(5, products)
        found = fr.run({**asked, "traffic": [*asked["traffic"], short]}, engine="fluid")
        marked = {name: why for name, why in found.outside.items() if name.startswith("fct_")}
        if reason is None:
            assert not marked
        else:
            assert set(marked) == {name for name in found.metrics if name.startswith("fct_")}
            assert all(reason in why for why in marked.values())


@pytest.mark.parametrize(
    ("host", "marked"), [({}, False), ({"ack_every": 1}, True), ({"ack_every": 1, "pacing": True}, False)]
)
def test_flows_whose_every_packet_is_acknowledged_are_marked_for_their_phases(
    host: dict[str, Any], marked: bool
) -> None:
    asked = {
        "topology": {"kind": "dumbbell", "bottleneck": "72 Mb/s", "access": "720 Mb/s", "rtt": "41 ms"},
        "switch": {"buffer": "300 kB"},
        "traffic": [{"kind": "long_lived", "flows": 5, "host": host}],
        "run": {"duration": "40 s", "warmup": "10 s"},
    }
    for engine in ("theory", "fluid"):
        reasons = fr.run(asked, engine=engine).outside
        assert ("in step with the link" in reasons.get("drop_rate", "")) is marked


def test_flows_that_lose_whole_windows_are_refused_and_not_given_a_negative_utilisation() -> None:
    asked = {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Mb/s", "access": "10 Mb/s", "rtt": "1 s"},
        "switch": {"buffer": "1 packet"},
        "traffic": [{"kind": "long_lived", "flows": 100_000}],
        "run": {"duration": "20 s", "warmup": "1 s"},
    }
    with pytest.raises(NotConverged, match="less than a packet for each"):
        fr.run(asked, engine="fluid")


def test_cubic_grows_no_faster_than_its_packets_are_acknowledged() -> None:
    # A buffer of 1 MB before 1 Mb/s makes round trips of 8 s; the cubic alone adds 200 packets in one.
    raw = {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Mb/s", "access": "10 Gb/s", "rtt": "50 ms"},
        "switch": {"buffer": "1 MB"},
        "traffic": [{"kind": "long_lived", "flows": 20, "congestion": {"kind": "cubic"}}],
        "run": {"duration": 2000, "warmup": 500},
    }
    packets, fluid = fr.run(raw).metrics, fr.run(raw, engine="fluid").metrics
    assert 1 / 1.4 < fluid["drop_rate"] / packets["drop_rate"] < 1.4
    assert fluid["queue_mean"] == pytest.approx(packets["queue_mean"], rel=0.1)


@pytest.mark.parametrize("law", [Reno(10.0, ack_every=2.0), Cubic()])
@pytest.mark.parametrize("amiss", [False, True])
def test_flows_that_grow_together_grow_as_each_by_itself(law: Any, amiss: bool) -> None:
    random = np.random.default_rng(1)
    rows = np.zeros((9, ROW))
    rows[:, WINDOW], rows[:, THRESHOLD], rows[:, NET] = 10.0 + 5.0 * random.random(9), 8.0, 9.0 * random.random(9)
    if amiss:
        rows[3, MODE], rows[6, THRESHOLD] = 2.0, 99.0  # one recovers, one is in slow start
    each, many = rows.copy(), rows.copy()
    own = np.array(law.one_flow_parameters())

    def at(array: Any) -> Any:
        return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

    grow, climb = compiled(law.one_flow.grow, ONE_FLOW).ctypes, compiled(law.one_flow.climb, MANY_FLOWS).ctypes
    for i, row in enumerate(each):
        if not (amiss and i in (3, 6)):
            before = row[WINDOW]
            grow(at(row), at(own), 1.0, 0.01, 0.1)
            row[NET] += row[WINDOW] - before
    inside = climb(at(many), len(many), at(own), 1.0, 0.01, 0.1)
    assert np.array_equal(many, each)
    assert many[0, WINDOW] > rows[0, WINDOW]
    assert inside == math.inf if amiss else inside == sum(each[:, NET].tolist())
