"""BBR in the fluid: published equilibria, independently integrated values, and the cycle's events one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.engines.fluid import layout
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.laws import BbrV1, BbrV2, Group, Reno
from footroom.engines.fluid.link import Flow, Link, arrange, flow, simulate
from footroom.engines.fluid.markings import DropTail
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

#: The network of the published check: 100 Mb/s, packets of 1514 B, 30 ms.
CAPACITY, BASE = 100e6 / 8 / 1514, 0.03
PIPE = CAPACITY * BASE
ALWAYS = BbrV1(interval=0.0)  # without ProbeRTT


def run(
    law: Any,
    flows: int,
    ratio: float,
    *,
    steps: float = 25.0,
    duration: float = 20.0,
    warmup: float = 10.0,
) -> tuple[Flow, float]:
    """Balances, and mean queue in bandwidth-delay products."""
    link = Link(CAPACITY, ratio * PIPE)
    got = simulate(
        arrange([link], [Group(flows, BASE, law)], DropTail(), step=BASE / steps, duration=duration, warmup=warmup)
    )
    return flow(got, 0, CAPACITY), float(got.mean[0, layout.QUEUE]) / PIPE


def scenario(
    version: int = 1,
    *,
    flows: int = 10,
    rtt: str = "20 ms",
    buffer: str = "250 kB",
    **congestion: Any,
) -> Scenario:
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "100 Gb/s", "rtt": rtt},
            "switch": {"buffer": buffer},
            "traffic": [
                {"kind": "long_lived", "flows": flows, "congestion": {"kind": "bbr", "version": version, **congestion}}
            ],
            "run": {"duration": "30 s", "warmup": "9 s"},
        }
    )


@pytest.mark.parametrize(("flows", "queue"), [(2, 1.169), (5, 1.134), (10, 1.089)])
@pytest.mark.parametrize("ratio", [2.0, 4.0])
def test_deep_buffers_hold_about_one_bandwidth_delay_product(flows: int, queue: float, ratio: float) -> None:
    found, mean = run(ALWAYS, flows, ratio)
    assert mean == pytest.approx(queue, rel=0.15)
    assert found.loss == 0.0
    assert found.utilisation == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("flows", "ratio", "loss"), [(2, 0.25, 0.125), (5, 0.25, 0.193), (10, 0.25, 0.21), (2, 1.0, 0.097), (5, 1.0, 0.075)]
)
def test_shallow_buffers_lose_what_the_estimates_add_up_to(flows: int, ratio: float, loss: float) -> None:
    found, _ = run(ALWAYS, flows, ratio)
    assert found.loss == pytest.approx(loss, rel=0.15)
    assert found.utilisation == pytest.approx(1.0)


def test_one_flow_drains_what_it_adds() -> None:
    for ratio in (0.25, 1.0, 4.0):
        found, mean = run(ALWAYS, 1, ratio, steps=100)
        # A quarter of a product for one of eight round trips up, and one down.
        assert mean == pytest.approx(1 / 32, rel=0.04)
        assert found.loss < 1e-4
    # Also where the step does not divide the round trip.
    assert run(ALWAYS, 1, 4.0, steps=12.7)[1] == pytest.approx(1 / 32, rel=0.04)


def plain(flows: int, ratio: float, steps: int, duration: float) -> tuple[float, float]:
    """Mean queue and loss of version 1 by Euler's method, every flow on its own, phases as the step finds them."""
    h, buffer = BASE / steps, ratio * PIPE
    count = round(duration / h)
    estimate, best = np.full(flows, CAPACITY / flows), np.zeros(flows)
    clock = np.array({2: [0.0, 0.75], 4: [0.0, 25 / 48, 28 / 48, 41 / 48]}[flows]) * 8.0 * BASE
    rates, queues, offered = np.zeros((count, flows)), np.zeros(count), np.zeros(count)
    queue, total, lost, arrived = 0.0, 0.0, 0.0, 0.0
    for n in range(count):
        phase = (clock / BASE + 1e-9).astype(int)
        gain = np.where(phase == 0, 1.25, np.where(phase == 1, 0.75, 1.0))
        rates[n] = np.minimum(2.0 * estimate * BASE / (BASE + queue / CAPACITY), gain * estimate)
        queues[n], offered[n] = queue, rates[n].sum()
        trip = BASE + queue / CAPACITY
        for _ in range(4):
            then = max(0, n - round(trip / h))
            trip = BASE + queues[then] / CAPACITY
        if n * h >= trip:
            busy = queues[then] > 0.0 or offered[then] >= CAPACITY
            best = np.maximum(best, rates[then] * (CAPACITY / offered[then] if busy else 1.0))
        clock += h
        over = clock >= 8.0 * BASE - 1e-9
        estimate = np.where(over & (best > 0.0), best, estimate)
        best = np.where(over, 0.0, best)
        clock = np.where(over, clock - 8.0 * BASE, clock)
        if n * h >= 0.25 * duration:
            total += queue
            arrived += offered[n] * h
            lost += max(0.0, queue + h * (offered[n] - CAPACITY) - buffer)
        queue = min(buffer, max(0.0, queue + h * (offered[n] - CAPACITY)))
    return total / (0.75 * count) / PIPE, lost / arrived


@pytest.mark.parametrize(("flows", "ratio"), [(2, 4.0), (2, 0.25), (4, 0.25)])
def test_against_plain_python(flows: int, ratio: float) -> None:
    queue, loss = plain(flows, ratio, 100, 8.0)
    found, mean = run(ALWAYS, flows, ratio, duration=8.0, warmup=2.0)
    assert mean == pytest.approx(queue, rel=0.02)
    assert found.loss == pytest.approx(loss, rel=0.02, abs=1e-4)


@pytest.mark.parametrize("law", [ALWAYS, BbrV1(), BbrV2()])
@pytest.mark.parametrize("ratio", [0.25, 4.0])
def test_half_the_step_changes_nothing(law: Any, ratio: float) -> None:
    pair = (25, 50) if isinstance(law, BbrV2) else (50, 100)
    for flows in (1, 6):
        (coarse, coarse_queue), (fine, fine_queue) = (run(law, flows, ratio, steps=steps) for steps in pair)
        assert coarse_queue == pytest.approx(fine_queue, rel=0.02, abs=2e-3)
        assert coarse.utilisation == pytest.approx(fine.utilisation, abs=1e-3)
        assert coarse.loss == pytest.approx(fine.loss, rel=0.01, abs=1e-3)


@pytest.mark.parametrize("flows", [2, 5, 10, 50])
def test_version_2_keeps_a_queue_of_what_it_cruises_with(flows: int) -> None:
    quiet = BbrV2(interval=0.0)
    found, mean = run(quiet, flows, 2.0)
    # 0.85 of the 5/4 that probing held, of a bandwidth of 5 C / (4 N + 1); the published form leaves the 17/16 out.
    assert mean == pytest.approx(0.85 * 1.25 * 5 * flows / (4 * flows + 1) - 1.0, rel=0.15)
    assert (flows - 1) / (4 * flows + 1) < mean < 0.35 * run(ALWAYS, flows, 2.0)[1]
    assert found.loss == 0.0
    shallow, _ = run(quiet, flows, 0.25)
    assert shallow.loss < 0.02
    assert shallow.utilisation > 0.99


def test_version_2_fills_very_deep_buffers() -> None:
    # Start-up leaves no upper bound on what is in flight, so windows are two products, as in version 1.
    assert run(BbrV2(interval=0.0), 5, 8.0)[1] > 0.9
    assert run(BbrV2(interval=0.0), 5, 4.0)[1] < 0.4


def test_probe_rtt_empties_the_queue_for_a_moment() -> None:
    link = Link(CAPACITY, 4.0 * PIPE)
    got = simulate(
        arrange(
            [link],
            [Group(5, BASE, BbrV1(interval=2.0))],
            DropTail(),
            step=BASE / 50,
            duration=12.0,
            warmup=3.0,
            points=10_000,
        )
    )
    times = np.arange(int(got.rows[0])) * float(got.trace_step[0])
    # Interval and duration, again and again; it begins at the end of a round trip that the queue has lengthened.
    low = times[np.flatnonzero(np.diff((got.trace[0, :, layout.RATES] < 0.05 * CAPACITY / 5).astype(int)) == 1)]
    assert np.diff(low) == pytest.approx(2.2, abs=0.1)
    assert low.size == 5
    share = flow(got, 0, CAPACITY).utilisation
    # The queue keeps the link busy for a round trip, windows of four packets for some more.
    assert 1.0 - 0.2 / 2.2 < share < 1.0 - 0.5 * (0.2 - 1.1 * BASE) / 2.2
    half = run(BbrV2(interval=2.0), 5, 2.0)[0].utilisation
    assert share < half < 1.0 - 0.25 * 0.2 / 2.2


def test_windows_below_four_packets_do_not_exist() -> None:
    found, mean = run(BbrV1(), 1000, 4.0)
    assert 5.0 * PIPE < 4.0 * 1000
    assert mean > 3.9
    assert found.utilisation == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("law", [BbrV1(interval=2.0), BbrV2(interval=2.0)])
def test_packets_balance(law: Any) -> None:
    link = Link(8000.0, 60.0, background=1500.0)
    groups = [Group(7, 0.04, law), Group(3, 0.1, law), Group(2, 0.05, Reno(10.0, refined=True))]
    got = simulate(arrange([link], groups, DropTail(), step=1e-3, duration=20, warmup=3))
    found = flow(got, 0, link.capacity)
    growth = got.closed[0, layout.QUEUE] - got.opened[0, layout.QUEUE]
    assert abs(found.offered - found.carried - found.lost - growth) / found.offered < 1e-9
    assert found.lost > 0.0
    assert 0.0 <= got.least[0, layout.QUEUE] <= got.greatest[0, layout.QUEUE] <= 60.0


@pytest.mark.parametrize("law", [BbrV1(), BbrV2()])
def test_equal_split_and_order_of_groups_change_nothing(law: Any) -> None:
    link = Link(CAPACITY, 0.5 * PIPE)

    def means(*groups: Group) -> np.ndarray[Any, Any]:
        got = simulate(arrange([link], groups, DropTail(), step=1e-3, duration=8, warmup=2))
        counts = np.array([group.count for group in groups])
        per_flow = got.mean[0, layout.RATES : layout.RATES + len(groups)]
        by_base = sorted({group.base for group in groups})
        shares = [sum(counts[i] * per_flow[i] for i, g in enumerate(groups) if g.base == base) for base in by_base]
        return np.array([flow(got, 0, CAPACITY).loss, got.mean[0, layout.QUEUE], *shares])

    whole = means(Group(20, BASE, law))
    assert means(Group(9, BASE, law), Group(11, BASE, law)) == pytest.approx(whole, rel=1e-6)
    mixed = Group(5, BASE, law), Group(8, 0.05, law), Group(4, 0.02, Reno(10.0, refined=True))
    assert means(*reversed(mixed)) == pytest.approx(means(*mixed), rel=1e-3)


@pytest.mark.parametrize("version", [1, 2])
def test_it_never_rests_and_says_so(version: int) -> None:
    system = system_of(scenario(version))
    with pytest.raises(Infeasible, match="never converges"):
        system.fixed_point()


def test_scenario_route_and_its_explanations() -> None:
    deep = fr.run(scenario(buffer="6 MB"), engine="fluid")
    told = {e.name: e for e in deep.explanations}
    assert told["bbr_bandwidth"].value == pytest.approx(5e9 / 41)
    assert told["bbr_queue"].value == pytest.approx(2.5e6)
    assert (told["bbr_queue"].valid, told["bbr_loss"].valid) == (True, False)
    assert told["bbr_loss"].value == pytest.approx(0.18)
    assert deep.metrics["queue_mean"] == pytest.approx(told["bbr_queue"].value, rel=0.15)
    # Two of them in the measured window, less what the queue still sends and the four packets of each window.
    assert 1.0 - deep.metrics["utilisation"] == pytest.approx(told["bbr_probe_rtt"].value, rel=0.25)
    shallow = fr.run(scenario(), engine="fluid")
    assert shallow.metrics["drop_rate"] == pytest.approx(0.18, rel=0.15)
    second = fr.run(scenario(2, buffer="6 MB"), engine="fluid")
    forms = {e.name: e.value for e in second.explanations}
    assert forms["bbr_queue"] == pytest.approx(9 / 41 * 2.5e6)
    assert second.metrics["queue_mean"] == pytest.approx(forms["bbr_queue_cruising"], rel=0.15)
    assert any("six classes" in note for note in deep.notes)


def test_parameters_reach_the_law() -> None:
    law = system_of(scenario(2, probe_rtt_interval="3 s", probe_rtt_time="50 ms")).groups[0].flows
    assert law == BbrV2(3.0, 0.05)
    assert system_of(scenario()).groups[0].flows == BbrV1(10.0, 0.2)
    assert system_of(scenario(2)).groups[0].flows == BbrV2(5.0, 0.2)
    path = system_of(scenario()).path(0)
    assert law.describe(path, law.start(path))["bandwidth_estimate"] == pytest.approx(1e8)


@pytest.mark.parametrize("bad", [{"version": 4}, {"probe_rtt_interval": -1}, {"probe_rtt_time": 0}, {"gain": 1.25}])
def test_bad_parameters_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        scenario(**bad)
    assert caught.value.problems[0].path.startswith("traffic.0.congestion")


@pytest.mark.parametrize("engine", ["fluid", "theory"])
def test_fluid_and_theory_refuse_version_3_by_name(engine: str) -> None:
    with pytest.raises(Unsupported, match="this version of BBR") as caught:
        fr.run(scenario(3), engine=engine)
    assert caught.value.engines == ("packet", "reference")


def test_packet_engines_refuse_version_2_by_name() -> None:
    with pytest.raises(Unsupported, match="fluid"):
        build_plan(scenario(2))
    build_plan(scenario(1))


@pytest.mark.parametrize("rate", ["10 Mb/s", "100 Gb/s"])
@pytest.mark.parametrize("rtt", ["1 ms", "200 ms"])
@pytest.mark.parametrize(("flows", "share"), [(1, 0.05), (1000, 0.05), (30, 5.0)])
def test_corners_are_answered(rate: str, rtt: str, flows: int, share: float) -> None:
    raw = scenario(flows=flows, rtt=rtt).to_dict()
    raw["topology"]["bottleneck"] = rate
    raw["topology"]["access"] = "1 Tb/s"
    capacity, base = {"10 Mb/s": 1e7, "100 Gb/s": 1e11}[rate], {"1 ms": 1e-3, "200 ms": 0.2}[rtt]
    buffer = max(1500.0, share * capacity * base / 8)
    raw["switch"]["buffer"] = buffer
    for version in (1, 2):
        raw["traffic"][0]["congestion"]["version"] = version
        metrics = fr.run(Scenario.parse(raw), engine="fluid").metrics
        assert all(math.isfinite(value) for value in metrics.values())
        assert 0.5 < metrics["utilisation"] <= 1.0
        assert 0.0 <= metrics["drop_rate"] < 1.0
        assert metrics["queue_mean"] <= buffer * (1.0 + 1e-9)
