"""SimPy processes beside the compiled engine."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from typing import Any

import pytest
from tests.packet.scenarios import dumbbell
from tests.packet.test_determinism import run, same, state_of

from footroom.base.errors import InvalidInput
from footroom.engines.packet import Environment, simulate
from footroom.engines.plan import SECOND, build_plan
from footroom.parts.sharing import Static
from footroom.scenario import Scenario

Process = Generator[Any, Any, None]


def test_a_process_that_looks_changes_nothing(scenario: Scenario) -> None:
    raw = scenario.to_dict()
    raw["run"]["warmup"] = 1.999
    env = Environment(Scenario.parse(raw))
    queue = env.queue("left", "right")
    seen: list[int] = []

    def sampler() -> Process:
        while True:
            yield env.timeout(97e-6)
            seen.append(queue.bytes)

    env.process(sampler())
    env.run(until=1.99)
    undisturbed = run(Scenario.parse(raw), stops=1)
    env.simulation.run_until(2 * SECOND)
    assert len(seen) == 20515
    assert max(seen) > 0
    assert same(state_of(env.simulation), state_of(undisturbed))


def test_samples_average_to_the_measured_mean(scenario: Scenario) -> None:
    env = Environment(scenario)
    queue = env.queue("left", "right")
    seen: list[int] = []

    def sampler() -> Process:
        yield env.timeout(0.5)
        while True:
            yield env.timeout(50e-6)
            seen.append(queue.bytes)

    env.process(sampler())
    env.run()
    assert sum(seen) / len(seen) == pytest.approx(env.result().metrics["queue_mean"], rel=0.01)


def test_halving_a_link_halves_the_throughput() -> None:
    env = Environment(Scenario.parse(dumbbell(run={"duration": "3 s", "warmup": "0.5 s"})))

    def operator() -> Process:
        yield env.timeout(0.5)
        env.link("left", "right").rate = 50e6

    env.process(operator())
    env.run()
    result = env.result()
    assert result.metrics["throughput"] == pytest.approx(50e6, rel=0.02)
    assert 0.97 < result.metrics["utilisation"] <= 1.0


def test_lowering_a_threshold_takes_effect_at_once(scenario: Scenario) -> None:
    env = Environment(scenario)
    queue, late = env.queue("left", "right"), []

    def operator() -> Process:
        yield env.timeout(1.0)
        env.switch("left").share(Static(per_queue=6000.0))
        yield env.timeout(0.2)  # what waits is never dropped; it drains
        while True:
            late.append(queue.bytes)
            yield env.timeout(1e-4)

    env.process(operator())
    env.run()
    assert 0 < max(late) <= 6000


def test_a_completion_fires_at_its_picosecond() -> None:
    env = Environment(Scenario.parse(dumbbell(traffic=[{"kind": "poisson", "load": 0.3, "sizes": "20 kB"}])))
    fired: list[tuple[int, int]] = []

    def waiter(flow: int) -> Process:
        yield env.completion(flow)
        fired.append((env.simulation.now, int(env.simulation.tables.flows["end"][flow])))

    for flow in (0, 7, 20):
        env.process(waiter(flow))
    env.run()
    assert len(fired) == 3
    assert all(now == end for now, end in fired)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda e: e.queue("left", "nowhere"),
        lambda e: e.switch("s0"),
        lambda e: e.completion(99),
        lambda e: setattr(e.link("left", "right"), "rate", 0.0),
        lambda e: e.result(),
    ],
)
def test_wrong_names_and_values_are_refused(scenario: Scenario, wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        wrong(Environment(scenario))


def test_changing_a_rate_twice_and_at_the_very_start_keeps_the_share_honest(scenario: Scenario) -> None:
    env = Environment(scenario)
    env.link("left", "right").rate = 200e6

    def operator() -> Process:
        for moment, rate in ((0.7, 40e6), (1e-9, 60e6), (1e-9, 30e6), (0.4, 90e6)):
            yield env.timeout(moment)
            env.link("left", "right").rate = rate

    env.process(operator())
    env.run()
    assert 0.9 < env.result().metrics["utilisation"] <= 1.0


@pytest.mark.parametrize(
    "switch",
    [
        {"sharing": {"kind": "edt", "enqueues": 5}},
        {"sharing": {"kind": "abm", "unscheduled": 0}},
        {"sharing": {"kind": "smartbuf", "sigma": 4}},
        {"marking": {"kind": "red", "kmin": 3000, "kmax": 60_000, "pmax": 0.5, "weight": 0.02}},
    ],
)
def test_a_changed_rate_is_the_rate_for_policies_and_markings_too(switch: dict[str, Any]) -> None:
    def scenario(rate: str) -> Scenario:
        return Scenario.parse(
            dumbbell(
                topology={"kind": "dumbbell", "bottleneck": rate, "access": "1 Gb/s", "rtt": "10 ms"},
                switch={"buffer": "100 kB", **switch},
                traffic=[{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms", "host": {"jitter": "1 us"}}],
                run={"duration": "2 s", "warmup": "0.5 s"},
            )
        )

    changed, built = Environment(scenario("10 Mb/s")), Environment(scenario("80 Mb/s"))
    changed.link("left", "right").rate = 80e6
    changed.link("right", "left").rate = 80e6
    changed.run()
    built.run()
    assert changed.result().metrics == built.result().metrics


def recorded() -> Scenario:
    return Scenario.parse(
        dumbbell(
            switch={"buffer": "60 kB", "sharing": {"kind": "smartbuf", "sigma": 4}},
            traffic=[
                {"kind": "long_lived", "flows": 2, "start_jitter": "10 ms"},
                {"kind": "poisson", "load": 0.3, "sizes": "20 kB"},
            ],
            run={
                "duration": "1 s",
                "warmup": "0.2 s",
                "series": "70 ms",
                "memories": "1 ms",
                "keep_flows": True,
                "slowdown": False,
                "timeline": {"start": "0.15 s", "end": "0.4 s", "step": "1 ms"},
            },
        )
    )


def test_it_records_what_a_run_without_processes_records() -> None:
    env = Environment(recorded())
    looks: list[float] = []

    def sampler() -> Process:
        while True:
            yield env.timeout(0.7e-3)
            looks.append(env.now)

    env.process(sampler())
    env.run()
    ours, theirs = env.result().to_dict(), simulate(build_plan(recorded())).to_dict()
    assert len(looks) > 1000
    assert len(ours["series"]["time"]) == 11
    assert len(ours["flows"]["fct"]) > 100
    assert ours["memories"]
    assert len(ours["timeline"]["time"]) == 250
    for name in ("metrics", "series", "timeline", "flows", "memories"):
        assert ours[name] == theirs[name], name


def test_a_result_half_way_has_what_was_recorded_by_then() -> None:
    env = Environment(recorded())
    env.run(until=0.3)
    early = env.result()
    env.run()
    late = env.result()
    assert early.series is not None
    assert late.series is not None
    assert early.series["time"] == late.series["time"][:1]


def test_counters_run_on_when_the_warm_up_ends() -> None:
    env, seen = Environment(Scenario.parse(dumbbell(switch={"buffer": "10 packets"}))), []
    queue = env.queue("left", "right")

    def sampler() -> Process:
        while True:
            yield env.timeout(1e-3)
            row = env.simulation.tables.ports[env.plan.watched[0]]
            seen.append((queue.dropped, int(row["offered"]), int(row["sent_bytes"]), float(row["area"])))

    env.process(sampler())
    env.run()
    assert seen[400][0] > 0
    for before, after in itertools.pairwise(seen):
        assert all(b <= a for b, a in zip(before, after, strict=True))
    assert seen[-1][0] > env.result().metrics["drop_rate"] * env.result().offered > 0
