"""The theory engine: which model answers, and what it promises."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footroom.base.errors import InvalidInput
from footroom.engines.theory.engine import LongLived, ShortFlows, TheoryInputs, evaluate, evaluate_many
from footroom.engines.theory.episodes import episodes, overflow
from footroom.engines.theory.long_lived import bounds_cross, long_lived
from footroom.engines.theory.sizing import root_n_utilisation
from footroom.engines.theory.small_buffers import loads_reached, loss_needed

RENO = LongLived(50, beta=0.5, ack_every=1, burst=2)
WAN = TheoryInputs(capacity=1e9, buffer=250e3, mtu=1500, mss=1448, rtt=0.02, groups=(RENO,))
WEB = ShortFlows(load=0.7, sizes=(1e4, 1e5, 1e6), weights=(5, 4, 1), access=1e10)
SHORT = replace(WAN, groups=(), short=WEB)


def test_one_flow_follows_the_sawtooth() -> None:
    """b = 0.25: from 0.625 to 1.25 BDP, utilisation 0.89286 as published."""
    answer = evaluate(replace(WAN, groups=(LongLived(1),), buffer=0.25 * 2.5e6))
    assert round(answer.metrics["utilisation"], 5) == 0.89286
    packets = 2.5e6 / 1500
    delivered = ((1 - 0.625**2) / 2 + (1.25**2 - 1) / 2) * packets**2
    assert answer.metrics["drop_rate"] == pytest.approx(1 / (1 + delivered))
    assert answer.metrics["throughput"] == pytest.approx(1e9 * answer.metrics["utilisation"])
    assert answer.metrics["queue_max"] == 625e3


def test_episodes_against_drawn_episodes() -> None:
    """Draw who is hit, flow by flow, and add up the cycles: the closed form integrates the same thing."""
    flows, path, ratio = 30, 900.0, 0.2
    event = overflow((LongLived(flows, 0.5, 1, 2),), path)
    draw = np.random.default_rng(1)
    time = sent = queued = 0.0
    top = 1.0 + ratio
    window = np.full(flows, top / flows)
    for _ in range(20_000):
        hit = draw.random(flows) < event.hit
        window = window * (1.0 + event.growth / window.sum())
        window = np.where(hit, window / 2.0, window)
        low = window.sum()
        steps = np.linspace(low, max(top, low), 41)
        middle = (steps[1:] + steps[:-1]) / 2.0
        width = np.diff(steps) / event.growth
        time += float((np.maximum(middle, 1.0) * width).sum()) + top + event.hit * max(low, 1.0)
        sent += float((middle * width).sum()) + top + event.hit * low
        queued += float((np.maximum(middle - 1.0, 0.0) * np.maximum(middle, 1.0) * width).sum())
        queued += ratio * top + event.hit * max(low - 1.0, 0.0) * max(low, 1.0)
        window = window + max(top - low, 0.0) / flows
    # Windows above the path deliver w per max(1, w) of time, hence the volume is the integral of w.
    form = episodes(np.array([ratio]), event)
    assert float(form.queue_mean[0]) == pytest.approx(queued / time, rel=0.05)
    assert float(form.period[0]) == pytest.approx(time / 20_000, rel=0.05)
    assert float(form.utilisation[0]) == pytest.approx(min(sent / time, 1.0), abs=0.01)
    assert float(form.drop_rate[0]) == pytest.approx(event.growth / (event.growth + sent / 20_000), rel=0.05)


@pytest.mark.parametrize("flows", [2, 3, 10, 100])
def test_drops_strike_flows_at_random(flows: int) -> None:
    """Every flow grows a packet, and as many packets drop: flows hit and their scatter as balls thrown into boxes."""
    event = overflow((LongLived(flows, 0.5, 1.0, 2.0),), 1000.0)
    draws = np.random.default_rng(5)
    hit = np.array([len(set(draws.integers(flows, size=flows).tolist())) for _ in range(20_000)]) / flows
    assert event.hit == pytest.approx(hit.mean(), rel=0.01)
    assert event.cut == pytest.approx(0.5 * hit.mean(), rel=0.01)
    # Windows differ as well: uniform between 2/3 and 4/3 of their mean.
    spread = 0.25 * (hit.var() + hit.mean() / 27.0 / flows)
    assert event.scatter**2 == pytest.approx(spread, rel=0.04)
    assert event.drops_per_cut == pytest.approx(1.0 / hit.mean(), rel=0.01)


def test_rare_drops_cut_one_flow_each() -> None:
    assert overflow((LongLived(50, 0.5, 1000.0, 1.0),), 1000.0).drops_per_cut == pytest.approx(1.0, abs=1e-3)


@given(st.integers(1, 20_000), st.floats(1e2, 1e8), st.floats(1e2, 1e8), st.floats(0.3, 0.9), st.floats(1, 3))
def test_long_flow_promises(flows: int, first: float, second: float, beta: float, ack_every: float) -> None:
    inputs = replace(WAN, groups=(LongLived(flows, beta, ack_every, 2),))
    small, large = (row for row in evaluate_many(inputs, np.array(sorted((first, second)))))
    for row in (small, large):
        assert 0.0 <= row["utilisation"] <= 1.0
        assert 0.0 <= row["drop_rate"] <= 1.0
        assert 0.0 <= row["queue_mean"] <= row["queue_max"] * (1 + 1e-9)
    assert small["utilisation"] <= large["utilisation"] + 1e-9
    assert small["drop_rate"] >= large["drop_rate"] * (1 - 1e-9)
    assert small["queue_mean"] <= large["queue_mean"] * (1 + 1e-9) + 1e-6


@pytest.mark.parametrize("flows", [2, 50, 1000])
@pytest.mark.parametrize("buffer", [0.0, 1.0, 1500.0, 2.5e6, 1e15])
def test_finite_at_the_ends(flows: int, buffer: float) -> None:
    for inputs in (
        replace(WAN, buffer=buffer, groups=(LongLived(flows, 0.5, 1, 2),)),
        replace(SHORT, buffer=buffer),
        replace(WAN, buffer=buffer, short=WEB),
    ):
        answer = evaluate(inputs)
        assert all(math.isfinite(value) for value in answer.metrics.values())
        text = json.dumps([one.to_dict() for one in answer.explanations], allow_nan=False)
        assert "formula" in text


def test_many_buffers_equal_one_by_one() -> None:
    buffers = np.geomspace(1e3, 1e7, 7)
    for inputs in (WAN, SHORT, replace(WAN, short=WEB), replace(WAN, groups=(LongLived(1),))):
        rows = evaluate_many(inputs, buffers)
        for buffer, row in zip(buffers, rows, strict=True):
            assert row == pytest.approx(evaluate(replace(inputs, buffer=float(buffer))).metrics, rel=1e-12)
    assert "fct_mean" not in evaluate_many(SHORT, buffers, completion=False)[-1]


@pytest.mark.parametrize("flows", [1000, 10_000])
def test_utilisation_is_at_least_gaussian_unless_random_loss_comes_first(flows: int) -> None:
    inputs = replace(WAN, capacity=1e11, groups=(LongLived(flows, 0.5, 1, 2),))
    ratios = np.array([0.01, 0.5, 1.0, 2.0]) / math.sqrt(flows)
    answer = long_lived(inputs, ratios * inputs.bdp)
    for ratio, used, gaussian, random in zip(ratios, answer.utilisation, answer.gaussian, answer.random, strict=True):
        assert gaussian == pytest.approx(root_n_utilisation(float(ratio), 1.0, flows))
        assert random or used >= gaussian
    assert not answer.random.all()
    # Flows with equal round trips are cut together, however many they are.
    in_step = long_lived(replace(inputs, out_of_step=False), ratios * inputs.bdp)
    assert (in_step.utilisation <= answer.utilisation).all()
    assert in_step.utilisation[2] < answer.gaussian[2]


def test_a_few_packets_of_buffer_limit_the_load() -> None:
    """The load found is the one at which M/D/1/B loses what the windows need."""
    from footroom.engines.theory.equal_packets import md1b_loss

    found, loss = loads_reached(np.array([12.0, 30.0]), 40.0, 0.0, 0.5, 1.0, 1.0)
    assert np.all(np.diff(found) > 0.0)
    for buffer, load, needed in zip((12.0, 30.0), found, loss, strict=True):
        assert md1b_loss(float(load), buffer) == pytest.approx(needed, rel=0.05)
        assert needed == pytest.approx(float(loss_needed(np.array(load * 40.0), 0.5, 1.0)))
    answer = evaluate(replace(WAN, buffer=7.5e3))
    assert answer.metrics["utilisation"] < 0.8
    assert any("random bursts" in note for note in answer.notes)


def test_receive_windows_can_keep_the_queue_empty() -> None:
    """50 windows of 20 packets fill 1000 of 1667 packets: 60 %, no loss, no queue."""
    answer = evaluate(replace(WAN, groups=(replace(RENO, max_window=20),)))
    assert answer.metrics["utilisation"] == pytest.approx(0.6)
    assert answer.metrics["drop_rate"] == 0.0
    assert answer.metrics["queue_mean"] == 0.0
    standing = evaluate(replace(WAN, buffer=5e6, groups=(replace(RENO, max_window=40),)))
    assert standing.metrics["queue_mean"] == pytest.approx(50 * 40 * 1500 - 2.5e6)


def test_open_loop_load_is_taken_off_the_capacity() -> None:
    """Long flows over 1 Gb/s with 30 % background are those of 0.7 Gb/s, with the buffer the same multiple of BDP."""
    mixed = evaluate(replace(WAN, short=replace(WEB, load=0.3)))
    alone = evaluate(replace(WAN, capacity=0.7e9, buffer=0.7 * WAN.buffer))
    assert mixed.metrics["drop_rate"] == pytest.approx(alone.metrics["drop_rate"])
    assert mixed.metrics["utilisation"] == pytest.approx(0.3 + 0.7 * alone.metrics["utilisation"])
    assert any("Open-loop traffic takes 0.3" in note for note in mixed.notes)
    with pytest.raises(InvalidInput, match="long-lived"):
        evaluate(replace(WAN, short=replace(WEB, load=1.0)))


def test_groups_add_up() -> None:
    """Two halves are the whole."""
    half = replace(RENO, flows=25)
    assert evaluate(replace(WAN, groups=(half, half))).metrics == pytest.approx(evaluate(WAN).metrics, rel=1e-3)


def test_short_flows_close_their_loops() -> None:
    """The loss is the one of M/M/1/K at the load with retransmissions and the bursts that loss allows."""
    from footroom.engines.theory.loss_curves import mm1b_loss
    from footroom.engines.theory.poisson_flows import bursts
    from footroom.formulas.transfer.throughput import expected_window

    answer = evaluate(replace(SHORT, buffer=60e3))
    loss = answer.metrics["drop_rate"]
    assert 1e-4 < loss < 0.3
    burst = bursts(SHORT, WEB, expected_window(loss)).effective
    assert mm1b_loss(WEB.load / (1 - loss), 2 * 40 / burst) == pytest.approx(loss, rel=0.02)
    assert answer.metrics["utilisation"] == 0.7


def test_short_flows_by_load_and_buffer() -> None:
    drops = [evaluate(replace(SHORT, short=replace(WEB, load=load))).metrics["drop_rate"] for load in (0.5, 0.8, 0.95)]
    assert drops == sorted(drops)
    by_buffer = [row["drop_rate"] for row in evaluate_many(SHORT, np.array([3e4, 3e5, 3e6]))]
    assert by_buffer == sorted(by_buffer, reverse=True)


def test_overload_loses_the_excess_and_gives_no_completion_time() -> None:
    answer = evaluate(replace(SHORT, buffer=1e7, short=replace(WEB, load=1.25)))
    assert answer.metrics["drop_rate"] == pytest.approx(0.2, abs=1e-3)
    assert answer.metrics["utilisation"] == pytest.approx(1.0, abs=1e-3)
    assert "fct_mean" not in answer.metrics
    assert any("no steady value" in note for note in answer.notes)


def test_completion_of_one_packet_on_an_idle_path() -> None:
    """One round trip and its own transmission; a flow of 25 packets from a window of 10 needs a second one."""

    def mean(size: float) -> float:
        idle = replace(SHORT, buffer=1e7, short=ShortFlows(1e-9, (size,), access=1e10))
        return evaluate(idle).metrics["fct_mean"]

    assert mean(1448) == pytest.approx(0.02 + 12e-6, rel=1e-6)
    assert mean(25 * 1448) == pytest.approx(2 * 0.02 + 15 * 12e-6, rel=1e-6)


def test_completion_terms_are_those_of_the_single_flow_formula() -> None:
    """Recovery and avoidance of :func:`completion_time`; only slow start is counted in whole round trips."""
    from footroom.engines.theory.poisson_flows import completions
    from footroom.formulas.transfer.completion import completion_time, pipelined_time

    loss, queue = 0.01, 50e3
    rtt = 0.02 + queue * 8 / 1e9
    done = completions(SHORT, WEB, loss, queue, 0.3)
    for size, seconds in zip(WEB.sizes, done.times, strict=True):
        one = completion_time(math.ceil(size / 1448), loss, rtt, 0.2, 10.0)
        start = pipelined_time(one.slow_start_segments, rtt, 0.3e9 / 12_000)
        assert seconds == pytest.approx(start + one.recovery + one.avoidance)


def test_slowdown_is_one_when_idle_and_grows_with_load() -> None:
    slow = [
        evaluate(replace(SHORT, short=replace(WEB, load=load))).metrics["slowdown_p50"] for load in (1e-9, 0.6, 0.9)
    ]
    assert slow[0] == pytest.approx(1.0, abs=1e-3)
    assert slow == sorted(slow)


def test_every_metric_is_explained_or_follows_from_one() -> None:
    names = {one.name for one in evaluate(replace(WAN, short=WEB)).explanations}
    assert {
        "utilisation",
        "drop_rate",
        "queue_mean",
        "fct_mean",
        "bdp",
        "bdp_over_root_n",
        "law_dependent",
        "bscl",
        "short_flow_bound",
    } <= names


@pytest.mark.parametrize(
    ("build", "path"),
    [
        (lambda: replace(WAN, groups=()), "groups"),
        (lambda: replace(WAN, capacity=0.0), "capacity"),
        (lambda: replace(WAN, mss=2000.0), "mss"),
        (lambda: LongLived(0), "flows"),
        (lambda: LongLived(3, beta=1.0), "beta"),
        (lambda: ShortFlows(0.5, ()), "sizes"),
        (lambda: ShortFlows(0.5, (1e3, 1e4), (1.0,)), "weights"),
        (lambda: ShortFlows(0.5, (1e3,), (0.0,)), "weights"),
        (lambda: evaluate_many(WAN, np.array([1e5, math.nan])), "buffer"),
    ],
)
def test_refusals_name_the_field(build, path: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput) as caught:
        build()
    assert caught.value.problems[0].path == path


def test_import_is_light() -> None:
    """The engine is imported by every surface; SciPy is only paid for by the formulas that need it."""
    code = "import sys, footroom.engines.theory.engine; sys.exit(any(name.startswith('scipy') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, env=_environment()).returncode == 0


def _environment() -> dict[str, str]:
    import os
    from pathlib import Path

    import footroom.engines.theory

    root = Path(footroom.engines.theory.__file__).parents[3]
    return {**os.environ, "PYTHONPATH": str(root)}


def test_utilisation_does_not_jump_with_the_number_of_flows() -> None:
    """Round trips that differ: the Gaussian bound rises above the episodes gradually, from a few dozen flows on."""
    for ratio in (0.05, 0.1, 0.25):
        used = [
            evaluate(
                TheoryInputs(
                    capacity=1e9, buffer=ratio * 2.5e6, mtu=1500.0, mss=1448.0, rtt=0.02, groups=(LongLived(flows),)
                )
            ).metrics["utilisation"]
            for flows in range(20, 320, 10)
        ]
        assert max(abs(b - a) for a, b in pairwise(used)) < 0.02


def test_the_bend_between_two_bounds_is_named() -> None:
    """50 flows at 1 Gb/s, 20 ms, out of step: one bound below the buffer named, the other above it."""
    inputs = replace(WAN, spread=0.5)
    crossing = bounds_cross(inputs)
    assert crossing is not None
    around = long_lived(inputs, np.array([0.99 * crossing, crossing, 1.01 * crossing]))
    assert around.cycle[0] > around.gaussian[0]
    assert around.gaussian[2] > around.cycle[2]
    assert around.gaussian[1] == pytest.approx(around.cycle[1], abs=1e-6)
    assert any(f"{crossing / 1e3:.3g} kB" in note for note in evaluate(inputs).notes)
    step = replace(inputs, out_of_step=False)
    assert bounds_cross(step) is None
    assert not any("bends" in note for note in evaluate(step).notes)
