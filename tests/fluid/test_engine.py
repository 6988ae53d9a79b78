"""The engine: choice of variant, honesty of its answers, refusals, and its cache of compiled code."""

from __future__ import annotations

import dataclasses
import math
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.fluid import bench, bottleneck, calls
from footroom.engines.fluid.engine import evaluate, evaluate_many
from footroom.engines.fluid.inputs import FlowGroup, FluidAnswer, FluidInputs
from footroom.engines.fluid.laws import Reno
from footroom.engines.fluid.markings import DropTail, Red
from footroom.engines.fluid.regime import regime, relaxation_time

ACCESS = FluidInputs(1e9, 1500.0, 150e3, (FlowGroup(50, 0.01),), 10.0, 2.0)
CORE = FluidInputs(10e9, 1500.0, 30e3, (FlowGroup(1000, 0.05),), 60.0, 20.0)
SIZES = (30e3, 300e3, 1.25e6)
ALWAYS = {"utilisation", "drop_rate", "queue_mean", "queue_p50", "queue_p99", "throughput"}


def changed(inputs: FluidInputs, **changes: Any) -> FluidInputs:
    """The inputs with some fields replaced."""
    return dataclasses.replace(inputs, **changes)


def marked(drops: bool) -> FlowGroup:
    """Fifty flows whose packets an early notice drops or marks."""
    return FlowGroup(50, 0.01, Reno(10.0, refined=drops), drops)


def sane(answer: FluidAnswer) -> None:
    """Every number finite, ordered and within its range."""
    m = answer.metrics
    assert set(m) >= ALWAYS
    assert all(math.isfinite(value) for value in m.values())
    assert 0 < m["utilisation"] <= 1
    assert 0 <= m["drop_rate"] < 1
    assert 0 <= m["queue_p50"] <= m["queue_p99"] <= answer.buffer
    assert 0 <= m["queue_mean"] <= answer.buffer
    assert answer.notes
    assert all(math.isfinite(item.value) and item.source for item in answer.explanations)


def test_relaxation_time_is_the_slowest_mode_of_the_queue() -> None:
    for load, places in ((0.7, 12), (1.0, 20), (1.3, 9)):
        rates = np.zeros((places + 1, places + 1))
        for k in range(places):
            rates[k, k + 1], rates[k + 1, k] = load, 1.0
        rates -= np.diag(rates.sum(axis=1))
        slowest = np.sort(-np.linalg.eigvals(rates).real)[1]
        assert relaxation_time(load, places, 5.0) == pytest.approx(1 / (5.0 * slowest))


@pytest.mark.parametrize(
    ("flows", "buffer", "capacity", "trip", "small", "reason"),
    [
        (1000, 50, 1e6, 0.05, True, ""),
        (50, 20, 1e6, 0.05, False, "fewer"),
        (100, 60, 1e6, 0.05, False, "sqrt"),
        (1000, 100, 1e6, 1e-4, False, "relaxes"),
    ],
)
def test_regime_conditions(flows: int, buffer: float, capacity: float, trip: float, small: bool, reason: str) -> None:
    judged = regime(flows, buffer, 1.0, capacity, trip)
    assert judged.small == small
    assert all(reason in text for text in judged.reasons)


def test_a_small_buffer_is_shown_beside_the_loss_curve_of_many_flows() -> None:
    answers = evaluate_many(CORE, [30e3, 90e3, 3e6])
    for answer in answers:
        sane(answer)
        assert answer.variant == "per_flow"
    used = [answer.metrics["utilisation"] for answer in answers]
    assert used == sorted(used)
    assert "relaxation_time" not in {item.name for item in answers[2].explanations}
    told = {item.name: item for item in answers[0].explanations}
    loss, load, window = (told[name].value for name in ("fluid_loss", "fluid_load", "fluid_window_0"))
    assert told["critical_delay"].valid
    assert load == pytest.approx(1000 * window / 0.05 / CORE.packets_per_second)
    assert window**2 * loss == pytest.approx(2 * (1 - loss))


def test_drop_tail_answers() -> None:
    answers = evaluate_many(ACCESS, SIZES)
    for answer in answers:
        sane(answer)
        assert answer.variant == "per_flow"
        assert answer.metrics["throughput"] == pytest.approx(answer.metrics["utilisation"] * 1e9)
        assert answer.metrics["queue_max"] == pytest.approx(answer.buffer)
        # Equal round trips of 50 flows behind 20 packets stay in step.
        few = {"utilisation", "throughput", "drop_rate"} if answer is answers[0] else set()
        assert answer.outside.keys() <= {"queue_mean", "queue_p50", *few}
    assert answers[0].metrics["utilisation"] < answers[2].metrics["utilisation"]


def test_one_flow_is_shown_beside_its_sawtooth() -> None:
    answer = evaluate(changed(ACCESS, groups=(FlowGroup(1, 0.01),), duration=30.0, warmup=10.0, buffer=312.5e3))
    told = {item.name: item.value for item in answer.explanations}
    assert told["sawtooth_utilisation"] == pytest.approx(0.89286, abs=5e-6)
    assert answer.metrics["utilisation"] == pytest.approx(told["sawtooth_utilisation"], abs=0.03)


@pytest.mark.parametrize("drops", [False, True])
def test_red_settles_or_cycles_as_its_linearisation_says(drops: bool) -> None:
    gentle = changed(ACCESS, marking=Red(10, 600, 0.03), buffer=1.5e6, groups=(marked(drops),))
    answer = evaluate(gentle, averaged=True)
    sane(answer)
    assert answer.variant == "red"
    told = {item.name: item.value for item in answer.explanations}
    assert answer.metrics["drop_rate"] == pytest.approx(told["fluid_loss"] if drops else 0.0, rel=0.02)
    assert answer.metrics["queue_mean"] == pytest.approx(told["fluid_queue"], rel=0.02)
    if not drops:
        assert told["fluid_growth"] < 0
        steep = evaluate(
            changed(ACCESS, marking=Red(10, 100, 0.2), buffer=1.5e6, groups=(marked(False),)), averaged=True
        )
        assert {item.name: item.value for item in steep.explanations}["fluid_growth"] > 0
        assert steep.metrics["queue_max"] > 2 * steep.metrics["queue_mean"]


def test_background_takes_its_share() -> None:
    plain, loaded = (evaluate(changed(ACCESS, background=rate, buffer=1.25e6)) for rate in (0.0, 0.4e9))
    assert loaded.metrics["drop_rate"] > plain.metrics["drop_rate"]
    windows = [{i.name: i.value for i in a.explanations}["fluid_window_0"] for a in (plain, loaded)]
    assert windows[1] == pytest.approx(0.6 * windows[0], rel=0.05)


def test_batch_equals_single() -> None:
    for inputs, sizes in ((ACCESS, SIZES), (CORE, (30e3, 60e3))):
        together = evaluate_many(inputs, sizes, threads=2)
        again = evaluate_many(inputs, sizes, threads=1)
        assert [a.metrics for a in together] == [a.metrics for a in again]
    uneven = (*SIZES, 60e6)  # the last needs a coarser step, which must not touch the others
    for size, answer in zip(uneven, evaluate_many(ACCESS, uneven), strict=True):
        assert evaluate(changed(ACCESS, buffer=size)).metrics == answer.metrics


def test_trajectory_on_request_only() -> None:
    assert evaluate(ACCESS).trajectory is None
    course = evaluate(ACCESS, trajectory_points=200).trajectory
    assert course is not None
    assert course.queue is not None
    assert course.time.size == course.window.size == course.queue.size == course.loss.size
    assert 150 <= course.time.size <= 201
    assert np.all(np.diff(course.time) > 0)
    assert 1500.0 < course.window[0] <= (1e9 * 0.01 / 8.0 + 150e3) / 50
    assert course.queue.max() <= 150e3 + 1e-6


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"capacity": 0.0}, "capacity"),
        ({"mtu": -1.0}, "mtu"),
        ({"duration": math.nan}, "duration"),
        ({"warmup": 10.0}, "warmup"),
        ({"background": 1e9}, "background"),
        ({"buffer": 100.0}, "buffer"),
        ({"groups": (FlowGroup(0, 0.01),)}, "groups.0.count"),
        ({"groups": (FlowGroup(1, 20.0),)}, "groups.0.rtt"),
    ],
)
def test_bad_input_is_refused_by_field(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        evaluate(changed(ACCESS, **changes))
    assert path in [problem.path for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("numbers", "path"),
    [((20, 10, 0.1), "maximum"), ((-1, 10, 0.1), "maximum"), ((1, 10, 0.0), "top"), ((1, 10, 0.1, 1.5), "weight")],
)
def test_a_ramp_that_is_none_is_refused(numbers: tuple[float, ...], path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Red(*numbers)
    assert [problem.path for problem in caught.value.problems] == [path]


def test_no_long_lived_flow_is_unsupported() -> None:
    with pytest.raises(Unsupported, match="packet"):
        evaluate(changed(ACCESS, groups=()))


def test_link_overloaded_by_one_packet_per_flow_is_no_loss_curve() -> None:
    groups = (FlowGroup(3000, 0.002, Reno(2.0, refined=True)),)
    answer = evaluate(changed(ACCESS, groups=groups, buffer=15e3, duration=1.0, warmup=0.2))
    sane(answer)
    assert "relaxation_time" not in {item.name for item in answer.explanations}
    assert "10 packets" in answer.outside["drop_rate"]


def test_a_buffer_that_takes_years_to_fill_is_answered_for_the_long_run() -> None:
    answer = evaluate(changed(ACCESS, capacity=1e6, groups=(FlowGroup(2, 1e-5),), buffer=1e9, duration=0.1, warmup=0.0))
    sane(answer)
    # Two flows share a pipe that is all buffer: cut to a half each in turn, it never falls below half.
    assert 0.5 < answer.metrics["queue_mean"] / 1e9 < 1.0
    assert any("still depends on how the flows started" in note for note in answer.notes)


def test_harsh_corners_are_answered() -> None:
    # Seeded draws over eight decades; starting windows far beyond the pipe fill the buffer within a step, where plain
    # Newton for the implicit round trip used to go to and fro, and whole windows are marked at once.
    draw = np.random.default_rng(5)
    for number in range(12):
        mtu, trip = float(draw.choice([576, 1500, 9000])), 10 ** draw.uniform(-5, -1)
        groups = tuple(
            FlowGroup(
                int(10 ** draw.uniform(0, 3)),
                trip * draw.uniform(0.2, 1),
                Reno(float(draw.choice([1, 100])), float(draw.choice([1, 2])), refined=True),
                bool(number % 2),
            )
            for _ in range(1 + number % 3)
        )
        capacity, duration = 10 ** draw.uniform(6, 11.5), trip * 10 ** draw.uniform(1, 2)
        red = Red(1, 10 ** draw.uniform(1, 3), 0.1, float(draw.choice([1, 0.002])))
        marking = red if number % 4 == 0 else DropTail()
        inputs = FluidInputs(
            capacity,
            mtu,
            mtu,
            groups,
            duration,
            0.3 * duration,
            marking,
            capacity * float(draw.choice([0, 0.9])),
            bool(number % 2),
        )
        for answer in evaluate_many(inputs, mtu * 10 ** draw.uniform(0, 5, 2)):
            sane(answer)


def test_windows_too_small_for_the_model_are_pointed_out() -> None:
    answer = evaluate(changed(ACCESS, groups=(FlowGroup(2000, 0.002, Reno(2.0, refined=True)),), buffer=60e3))
    sane(answer)
    assert "timeouts" in answer.outside["utilisation"]


_PROBE = """
from footroom.base.compile_cache import directory
from footroom.engines.fluid.integrator import _kernel
from footroom.engines.fluid import bottleneck, calls
from footroom.engines.fluid.markings import Red
from footroom.engines.fluid.per_flow.kernel import course
bottleneck.BOTTLENECK.addresses
from footroom.engines.fluid.engine import evaluate
from footroom.engines.fluid.inputs import FluidInputs, FlowGroup
for marking in ((), (Red(10, 100, 0.1),)):
    evaluate(FluidInputs(1e9, 1500.0, 150e3, (FlowGroup(50, 0.01),), 1.0, 0.2, *marking), averaged=bool(marking))
print(directory())
print(sum(_kernel.stats.cache_hits.values()), sum(course.stats.cache_hits.values()))
print(*(c.cache_hits for c in calls._KNOWN.values()))
"""


def test_second_process_compiles_nothing(tmp_path: Any) -> None:
    environment = {**os.environ, "FOOTROOM_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}

    def probe() -> list[str]:
        return subprocess.run(
            [sys.executable, "-c", _PROBE], env=environment, capture_output=True, text=True, check=True, timeout=900
        ).stdout.split()

    first, second = probe(), probe()
    if first[0] != second[0]:
        pytest.skip("a source was edited between the two processes, so both had to compile")
    assert set(first[1:]) == {"0"}
    assert set(second[1:]) == {"1"}


def test_addresses_are_made_once() -> None:
    before = bottleneck.BOTTLENECK.addresses
    count = len(calls._KNOWN)
    assert bottleneck.BOTTLENECK.addresses is before
    assert (Reno().law.addresses, len(calls._KNOWN)) == (Reno(5.0).law.addresses, count)


def test_benchmark_states_both_accuracies() -> None:
    found = bench.measure(lanes=4, steps=200)
    assert 0 < found["ours_error"] <= found["solve_ivp_error"] < 1e-4
    assert all(math.isfinite(value) and value > 0 for value in found.values())


def test_a_buffer_that_never_fills_answers_for_larger_ones() -> None:
    sizes = [100e3, 400e3, 800e3, 1.6e6, 3.2e6, 6.4e6]
    gentle = changed(ACCESS, marking=Red(10, 600, 0.03), groups=(marked(False),))
    together = evaluate_many(gentle, sizes[::-1], averaged=True)[::-1]
    assert [answer.buffer for answer in together] == pytest.approx(sizes)
    assert together[-1].metrics == together[-2].metrics
    for size, answer in zip(sizes, together, strict=True):
        alone = evaluate(changed(gentle, buffer=size), averaged=True)
        # The step follows the buffer a little.
        assert answer.metrics["queue_mean"] == pytest.approx(alone.metrics["queue_mean"], rel=2e-3)
        assert answer.metrics["utilisation"] == pytest.approx(alone.metrics["utilisation"], abs=1e-4)
