"""Averages over whole cycles: where a run ends does not change them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import footroom as fr
from footroom.engines.fluid.batch import Batch, Outcome
from footroom.engines.fluid.integrator import integrate
from footroom.engines.fluid.model import Model


def _nothing(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    pass


def _wave(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = 1.0 + np.sin(time)
    out[1] = out[0] * out[0]


def _burst(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any) -> None:
    out[0] = np.exp(-time) * np.sin(time)
    out[1] = out[0]


def _measured(observe: Any, end: float, warmup: float = 0.0, **changes: Any) -> Outcome:
    step = 1e-3
    return integrate(
        Model(observe.__name__, _nothing, _nothing, _nothing, observe),
        Batch(
            params=np.zeros((1, 1)),
            initial=np.zeros((1, 1)),
            remembered=1,
            delays=1,
            signals=2,
            remembered_signals=0,
            step=np.array([step]),
            steps=np.array([round(end / step)]),
            warmup=np.array([round(warmup / step)]),
            longest_delay=np.array([1.0]),
            levels=np.array([[0.0, 2.0]]),
            **changes,
        ),
    )


@pytest.mark.parametrize("end", [20.5, 24.0, 27.0, 61.0])
def test_a_sine_has_its_exact_means_wherever_the_window_ends(end: float) -> None:
    whole = _measured(_wave, end, warmup=1.0, whole_cycles=True)
    # Mean of 1 + sin is 1, of its square 3/2; the median of the histogram is 1.
    assert whole.mean[0] == pytest.approx([1.0, 1.5], abs=0.01)
    assert whole.quantile(0, 0.5) == pytest.approx(1.0, abs=0.02)
    assert whole.window[0] == pytest.approx(2.0 * np.pi * whole.cycles[0], abs=0.02)
    assert whole.histogram.sum() == pytest.approx(1.0)
    plain = _measured(_wave, end, warmup=1.0)
    assert plain.cycles[0] == 0
    assert plain.window[0] == pytest.approx(end - 1.0)


def test_a_transient_is_no_cycle() -> None:
    found = _measured(_burst, 60.0, whole_cycles=True)
    assert found.cycles[0] == 0
    assert found.window[0] == pytest.approx(60.0)
    # Integral of exp(-t) sin t over all time is 1/2.
    assert found.mean[0, 1] == pytest.approx(0.5 / 60.0, rel=1e-3)


def _answer(duration: float, packets: int, marking: dict[str, Any] | None = None, *beside: Any, **changes: Any) -> Any:
    return fr.run(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "20 Mb/s", "access": "1 Gb/s", "rtt": "100 ms"},
            "switch": {"buffer": packets * 1500, "marking": marking or {"kind": "none"}},
            "traffic": [{"kind": "long_lived", "flows": 4, "congestion": {"kind": "newreno"}} | changes, *beside],
            "run": {"duration": duration, "warmup": "10 s", "mtu": 1500},
        },
        engine="fluid",
    )


@settings(max_examples=12, deadline=None)
@given(duration=st.floats(30.0, 200.0), packets=st.integers(15, 150))
def test_the_length_of_a_run_hardly_changes_its_averages(duration: float, packets: int) -> None:
    long, found = _answer(200.0, packets).metrics, _answer(duration, packets).metrics
    assert found["utilisation"] == pytest.approx(long["utilisation"], abs=0.002)
    assert found["drop_rate"] == pytest.approx(long["drop_rate"], rel=0.02)
    assert found["queue_mean"] == pytest.approx(long["queue_mean"], rel=0.02)


def test_notes_say_what_the_averages_cover() -> None:
    # With arriving flows beside them the averaged equations answer under RED.
    marks = {"kind": "red", "kmin": "15 kB", "kmax": "60 kB", "pmax": 0.1}
    beside = {"kind": "poisson", "load": 0.01, "sizes": "10 kB"}
    assert any("whole cycles of the queue" in note for note in _answer(60.0, 100, marks, beside).notes)
    # Shorter than one cycle.
    assert any(note.startswith("The queue does not repeat itself") for note in _answer(10.5, 100, marks, beside).notes)
