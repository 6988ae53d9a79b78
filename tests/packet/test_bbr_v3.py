"""BBR version 3 in the packet engine against its source (google/bbr, branch v3) and arithmetic by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.packet.test_bbr import BDP

from footroom.engines import packet
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, build_plan
from footroom.parts.congestion import bbr_v1_words, bbr_v3, bbr_v3_words
from footroom.parts.congestion import bbr_v3_probe as probe
from footroom.scenario import Scenario


def scenario(
    flows: int = 1,
    buffer: float = BDP,
    duration: float = 10.0,
    rtt: str = "20 ms",
    version: int = 3,
    others: tuple[dict[str, Any], ...] = (),
    switch: dict[str, Any] | None = None,
    **more: Any,
) -> Scenario:
    """100 Mb/s."""
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": rtt},
            "switch": {"buffer": buffer, **(switch or {})},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": 0.01 if flows == 1 else 1.0,
                    "congestion": {"kind": "bbr", "version": version, **more},
                },
                *others,
            ],
            "run": {"duration": duration, "warmup": duration / 4.0},
        }
    )


def metrics(given: Scenario) -> dict[str, float]:
    return packet.simulate(build_plan(given)).metrics


def test_one_flow_fills_the_link_and_leaves_no_queue() -> None:
    """Less what ProbeRTT costs: half a product for 0.2 s of 5 s is 2 % (the source's own estimate)."""
    found = metrics(scenario())
    assert found["utilisation"] > 0.97
    assert found["queue_mean"] < 0.3 * BDP
    assert found["drop_rate"] == 0.0


def phases(until: float) -> list[tuple[float, str, float, float]]:
    """(time [s], phase, pacing gain, window) of a lone flow whenever the phase changes."""
    names = {0.0: "up", 1.0: "down", 2.0: "cruise", 3.0: "refill"}
    modes = {0.0: "startup", 1.0: "drain", 3.0: "probe_rtt"}
    simulation = Simulation(build_plan(scenario(duration=until)))
    found: list[tuple[float, str, float, float]] = []
    while simulation.tables.flows[0]["arrived"] == 0:
        simulation.run_until(simulation.now + SECOND // 1000)
    while simulation.now < until * SECOND:
        simulation.run_until(simulation.now + SECOND // 500)
        own = simulation.law_words(0)
        name = modes.get(float(own[bbr_v1_words.MODE])) or names[float(own[bbr_v1_words.PHASE])]
        if not found or found[-1][1] != name:
            found.append(
                (
                    simulation.now / SECOND,
                    name,
                    float(own[bbr_v1_words.PACING_GAIN]),
                    float(simulation.tables.flows[0]["cwnd"]),
                )
            )
    return found


def test_the_cycle_goes_down_cruises_refills_for_a_round_and_probes_up() -> None:
    """bbr_pacing_gain 1.25, 0.91, 1, 1; at most 63 rounds or 3 s from a probe to the next; ProbeRTT every 5 s."""
    seen = phases(12.0)
    assert [name for _, name, _, _ in seen[:2]] == ["startup", "drain"]
    after = {
        "drain": {"down", "cruise"},
        "down": {"cruise", "refill"},
        "cruise": {"refill"},
        "refill": {"up"},
        "up": {"down"},
        "probe_rtt": {"cruise"},
    }
    for (_, name, _, _), (_, following, _, _) in pairwise(seen[1:]):
        assert following in after[name] | {"probe_rtt"}
    gains = {name: gain for _, name, gain, _ in seen}
    assert gains["startup"] == pytest.approx(4 * math.log(2), rel=0.01)
    assert gains["drain"] == pytest.approx(math.log(2) / 2, rel=0.02)
    assert (gains["up"], gains["cruise"], gains["refill"]) == (1.25, 1.0, 1.0)
    assert gains["down"] == pytest.approx(0.91, abs=0.005)
    for (begin, name, _, _), (end, _, _, _) in pairwise(seen):
        if name == "refill":  # one round, of at least the 20 ms of the path
            assert 0.018 <= end - begin < 0.04
    ups = [at for at, name, _, _ in seen if name == "up"]
    assert all(later - earlier < min(63 * 0.025, 3.0) + 1.0 for earlier, later in pairwise(ups))
    dips = [at for at, name, _, _ in seen if name == "probe_rtt"]
    assert len(dips) == 2
    assert 5.0 < dips[0] < 5.5
    assert 5.0 < dips[1] - dips[0] < 7.0  # a shorter round trip seen meanwhile puts it off
    product = 100e6 * 0.02 / 8 / 1500
    windows = [window for _, name, _, window in seen if name == "probe_rtt"]
    assert all(window == pytest.approx(product / 2, rel=0.1) for window in windows)


@pytest.mark.parametrize(
    ("lost", "sent", "upper"),
    [
        (5, 100, 99.0),  # of 99 before it 4 were lost, more than 2 (2 % rounded up): it was too much before this one
        (3, 100, 99.0),
        (2, 100, 100.0),
        (1, 100, 500.0),
        (1, 40, 40.0),  # none were lost before: with this one it was
    ],
)
def test_the_upper_bound_is_where_losses_became_too_many(
    lost: int, sent: int, upper: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """bbr_inflight_hi_from_lost_skb: what was in flight when 2 % (5/256) of it had been lost."""
    monkeypatch.setattr(bbr_v3, "row", lambda pointer: pointer)
    own = np.zeros(bbr_v3.WORDS)
    own[[bbr_v3_words.SAMPLES, bbr_v1_words.MODE, bbr_v1_words.PHASE]] = 1.0, bbr_v1_words.PROBE_BW, bbr_v3_words.REFILL
    own[[bbr_v1_words.MIN_RTT, bbr_v1_words.BURST, bbr_v3_words.BW_HI, bbr_v3_words.LO]] = (
        1e10,
        1.0,
        1000.0,
        probe.UNBOUNDED,
    )
    own[[bbr_v3_words.HI, bbr_v3_words.BW_LO]] = 500.0, probe.UNBOUNDED
    flow = SimpleNamespace(arrived=1000, cwnd=30.0)
    report = SimpleNamespace(now=10**12, delivered=1, lost_since=lost, lost_flight=sent, lost_limited=0)
    bbr_v3.on_lost.function(flow, own, np.array([5e12, 2e11, 0.99, 2.0, 0.0, 1.0, 2.0, 1.0, 0.0]), report)
    too_many = lost > math.floor(sent * 5 / 256)
    assert own[bbr_v3_words.HI] == (upper if too_many else 500.0)
    assert own[bbr_v3_words.TOO_HIGH] == float(too_many)
    assert own[bbr_v3_words.LOSS_IN_ROUND] == 1.0


def test_losses_while_it_cruises_lower_both_bounds_by_three_tenths_but_not_below_what_arrives() -> None:
    """bbr_beta 0.3 (76/256): bw_lo and inflight_lo, each at least what the last round delivered."""
    own = np.zeros(bbr_v3.WORDS)
    own[[bbr_v1_words.MODE, bbr_v1_words.PHASE, bbr_v3_words.LO]] = (
        bbr_v1_words.PROBE_BW,
        bbr_v3_words.CRUISE,
        probe.UNBOUNDED,
    )
    own[[bbr_v3_words.BW_HI, bbr_v3_words.BW_LO, bbr_v3_words.LOSS_ROUND_STARTS]] = 1000.0, probe.UNBOUNDED, 1.0
    own[[bbr_v3_words.BW_LATEST, bbr_v3_words.IN_LATEST]] = 600.0, 80.0
    flow, report = SimpleNamespace(cwnd=100.0), SimpleNamespace(limited=0, lost=1)
    for bandwidth, window in ((1000.0 * 180 / 256, 80.0), (600.0, 80.0), (600.0, 80.0)):
        own[bbr_v3_words.LOSS_ROUND_STARTS] = 1.0
        probe._adapt_lower(flow, own, np.zeros(9), report, 600.0)  # type: ignore[no-untyped-call]
        assert own[bbr_v3_words.BW_LO] == pytest.approx(bandwidth)
        assert own[bbr_v3_words.LO] == window


def test_a_part_of_what_is_safe_is_left_to_others() -> None:
    """bbr_inflight_headroom 15 % (38/256)."""
    own = np.zeros(bbr_v3.WORDS)
    own[bbr_v3_words.HI] = 200.0
    assert probe._headroom(own) == 200 - math.floor(200 * 38 / 256)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("lost", "sent", "marked", "arrived", "too_high"),
    [
        (1, 100, 0, 0, False),
        (2, 100, 0, 0, True),  # 2 % as 5/256, rounded down to segments
        (19, 1000, 0, 0, False),
        (20, 1000, 0, 0, True),
        (0, 100, 50, 100, False),
        (0, 100, 51, 100, True),
    ],
)
def test_more_than_two_percent_lost_or_half_marked_is_too_much(
    lost: float, sent: float, marked: float, arrived: float, too_high: bool
) -> None:
    """bbr_loss_thresh 2 %, bbr_ecn_thresh 50 %."""
    own = np.zeros(bbr_v3.WORDS)
    own[bbr_v3_words.ELIGIBLE] = 1.0
    assert probe._too_high(own, lost, sent, marked, arrived) is too_high  # type: ignore[no-untyped-call]


def test_several_flows_lose_far_less_than_under_version_1_in_a_shallow_buffer() -> None:
    first, third = (metrics(scenario(10, 0.2 * BDP, 8.0, version=version)) for version in (1, 3))
    assert third["drop_rate"] < 0.3 * first["drop_rate"]
    assert third["utilisation"] > 0.95


def test_it_leaves_newreno_more_than_version_1_does() -> None:
    others = ({"kind": "long_lived", "flows": 2, "start_jitter": 1.0, "congestion": {"kind": "newreno"}},)
    left = []
    for version in (1, 3):
        given = scenario(2, 0.5 * BDP, 12.0, version=version, others=others).to_dict()
        given["run"]["keep_flows"] = True
        plan = build_plan(Scenario.parse(given))
        simulation = Simulation(plan)
        simulation.run_until(12 * SECOND)
        got = simulation.tables.flows["delivered"].astype(float)
        left.append(got[plan.flow_stack == 1].sum() / got.sum())
    assert left[1] > 1.5 * left[0]


def test_marks_keep_the_queue_at_their_threshold_on_short_paths() -> None:
    """bbr_ecn_max_rtt_us 5 ms: only a flow that has seen a shorter round trip answers, and only where told to."""
    marking = {"marking": {"kind": "step", "threshold": 10_000}}
    near = metrics(scenario(duration=3.0, rtt="2 ms", switch=marking, ecn_low=True))
    far = Simulation(build_plan(scenario(duration=3.0, rtt="20 ms", switch=marking, ecn_low=True)))
    far.run_until(2 * SECOND)
    assert near["drop_rate"] == 0.0
    assert near["utilisation"] > 0.97
    assert near["queue_mean"] < 2 * 10_000
    assert far.law_words(0)[bbr_v3_words.ELIGIBLE] == 0.0
