"""DCQCN in the packet engine against its own algorithm without a network, the fluid's fixed point and stability."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import footroom as fr

LINE, PACKET = 40e9, 8000.0


def scenario(flows: int, rtt: str, series: str | None = None) -> Any:
    run = {"duration": "250 ms", "warmup": "100 ms", "mtu": "1000 B"} | ({"series": series} if series else {})
    return fr.Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": LINE, "access": LINE, "rtt": rtt, "pairs": flows},
            "switch": {
                "buffer": "20 MB",
                "marking": {"kind": "red", "kmin": "5 kB", "kmax": "200 kB", "pmax": 0.01, "sample": "departure"},
            },
            "traffic": [
                {"kind": "long_lived", "flows": flows, "start_jitter": "1 us", "congestion": {"kind": "dcqcn"}}
            ],
            "run": run,
        }
    )


def mean_rate(probability: float, start: float, seconds: float = 6.0, pacing: float = 50e-6) -> float:
    """Mean rate [bit/s] of one sender whose packets are marked independently: SIGCOMM 2015 with the paper's numbers.

    pacing: for how long after a notification marks lead to no other [s].
    """
    draw = random.Random(1)
    now, area, rate, target, alpha = 0.0, 0.0, start, start, 0.1
    changed, due, may_notify, timed, counted = 0.0, 55e-6, 0.0, 0, 0
    left, until_mark = 80e6, draw.expovariate(probability) * PACKET
    notices: list[float] = []
    while now < seconds:
        at_mark, at_count, notice = now + until_mark / rate, now + left / rate, notices[0] if notices else 9e9
        at = min(due, at_mark, at_count, notice)
        sent = rate * (at - now)
        area, until_mark, left = area + sent, until_mark - sent, left - sent
        marked, expired, counter, notified = at == at_mark, at == due, at == at_count, at == notice
        now = at
        if marked:
            until_mark = draw.expovariate(probability) * PACKET
            if now >= may_notify:
                may_notify = now + pacing
                notices.append(now + 8e-6)
        if notified:
            del notices[0]
            alpha *= (255 / 256) ** int((now - changed) / 55e-6)
            target, rate = rate, rate * (1 - alpha / 2)
            alpha, changed, due, left, timed, counted = alpha + (1 - alpha) / 256, now, now + 55e-6, 80e6, 0, 0
        elif expired or counter:
            if expired:
                due, timed = due + 55e-6, timed + 1
            if counter:
                left, counted = 80e6, counted + 1
            if max(timed, counted) > 5:
                target += 40e6
            rate = (rate + min(target, LINE)) / 2
    return area / now


@pytest.mark.parametrize("flows", [2, 4, 6])  # with more the queue reaches kmax, where everything is marked
def test_the_queue_settles_where_marks_hold_the_rate_at_a_fair_share(flows: int) -> None:
    asked = scenario(flows, "8 us")
    metrics = fr.run(asked, engine="packet").metrics
    share = LINE / flows
    marks = metrics["marks"] / (metrics["throughput"] * 0.15 / PACKET)
    # The rate falls with about the 0.8th power of the marks. A few thousand marks, not quite independent.
    assert mean_rate(marks, share) == pytest.approx(share, rel=0.12)
    # The published equations let every mark act at once and need a fifth fewer.
    fluid = fr.stability(asked)
    assert 1.0 < metrics["queue_mean"] / fluid.fixed_point["queue"] < 1.4
    # With notifications paced as receivers do, the queue follows from the algorithm cycle by cycle.
    told = {item.name: item.value for item in fluid.explanations}
    assert told["dcqcn_queue_paced"] == pytest.approx(metrics["queue_mean"], rel=0.08)
    assert metrics["utilisation"] > 0.99


@pytest.mark.parametrize("flows", [2, 10])
def test_the_fluid_needs_fewer_marks_than_the_algorithm_alone(flows: int) -> None:
    """Why its queue is shorter than that of packets: one sender without any queue, at its probability, is too fast."""
    fixed = fr.stability(scenario(flows, "8 us")).fixed_point
    share = LINE / flows
    assert mean_rate(fixed["probability"], share) == pytest.approx(1.2 * share, rel=0.05)
    # The time in which marks are ignored is the whole reason: without it the same sender gets its fair share.
    assert mean_rate(fixed["probability"], share, pacing=0.0) == pytest.approx(share, rel=0.05)


@pytest.mark.parametrize("flows", [8, 10])  # where the queue of packets touches kmax
def test_near_kmax_the_paced_fixed_point_is_a_tenth_above_packets(flows: int) -> None:
    asked = scenario(flows, "8 us")
    told = {item.name: item.value for item in fr.stability(asked).explanations}
    assert told["dcqcn_queue_paced"] == pytest.approx(fr.run(asked, engine="packet").metrics["queue_mean"], rel=0.15)


@pytest.mark.parametrize(("flows", "pacing"), [(2, 50e-6), (10, 50e-6), (6, 20e-6)])
def test_a_paced_sender_alone_gets_its_fair_share_at_that_share_of_marks(flows: int, pacing: float) -> None:
    raw = scenario(flows, "8 us").to_dict()
    raw["traffic"][0]["congestion"]["cnp_interval"] = pacing
    told = {item.name: item.value for item in fr.stability(raw).explanations}
    share = LINE / flows
    assert mean_rate(told["dcqcn_marks_paced"], share, pacing=pacing) == pytest.approx(share, rel=0.04)


def test_it_oscillates_where_the_fluid_says_so() -> None:
    spread = {}
    for rtt in ("8 us", "400 us"):
        asked = scenario(2, rtt, series="100 us")
        found = fr.run(asked, engine="packet").to_dict()["series"]["ports"]
        queue = np.array(next(iter(found.values()))["queue"], np.float64)
        spread[fr.stability(asked).stable] = queue.std() / queue.mean()
    assert spread[True] < 1.0
    assert spread[False] > 1.4


def spread(flows: int, scale: int) -> float:
    """Standard deviation of the queue over its mean at 70 us, all rates, thresholds and flows times ``scale``."""
    found = fr.run(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": LINE * scale,
                "access": LINE,
                "rtt": "70 us",
                "pairs": flows * scale,
            },
            "switch": {
                "buffer": "1 GB",
                "marking": {
                    "kind": "red",
                    "kmin": 5e3 * scale,
                    "kmax": 200e3 * scale,
                    "pmax": 0.01,
                    "sample": "departure",
                },
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows * scale,
                    "start_jitter": "1 ms",
                    "congestion": {"kind": "dcqcn"},
                    "host": {"jitter": 0},
                }
            ],
            "run": {"mtu": "1000 B", "duration": "120 ms", "warmup": "60 ms", "series": "20 us", "seed": 3},
        },
        engine="packet",
    ).to_dict()["series"]["ports"]
    queue = np.array(next(iter(found.values()))["queue"], np.float64)
    queue = queue[len(queue) // 2 :]
    return float(queue.std() / queue.mean())


@pytest.mark.parametrize(("flows", "stable"), [(2, True), (10, False)])
def test_chance_shrinks_with_the_number_of_flows_and_oscillation_does_not(flows: int, stable: bool) -> None:
    """Eight times as many flows on a link eight times as fast: 1/sqrt(8) of the deviation, unless the fluid cycles."""
    assert fr.stability(scenario(flows, "70 us")).stable is stable
    kept = spread(flows, 8) / spread(flows, 1)
    if stable:
        assert kept == pytest.approx(8**-0.5, rel=0.4)
    else:
        assert kept > 0.8
