"""Rightmost roots against closed forms, and counts and margins against roots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import lambertw
from tests.stability.systems import Reno, System

from footroom.base.errors import InvalidInput, NotConverged
from footroom.calculators.stability.judgement import Changed, judge
from footroom.calculators.stability.loop import Loop
from footroom.calculators.stability.winding import roots_on_the_right
from footroom.engines.fluid.linear import stack_of
from footroom.engines.fluid.roots import rightmost, rightmost_many, stable_many

Array = np.ndarray[Any, Any]


def scalar(a: float, b: float, delay: float) -> System:
    """x' = a x + b x(t - delay)."""
    return System(("x",), np.array([[a]]), ((np.array([[b]]), delay),))


def test_a_root_hit_to_the_last_bit_and_beyond() -> None:
    """Two states exchange so fast that next to their root at 0 the matrix is singular as well; the third is apart."""
    present, delayed = np.zeros((3, 3)), np.zeros((3, 3))
    present[:2, :2] = 1e5 * np.array([[-1.0, 1.0], [1.0, -1.0]])
    delayed[2, 2] = -1.0
    assert abs(rightmost(System(("x", "y", "z"), present, ((delayed, 1.0),)))) < 1e-6


def by_lambert(a: float, b: float, delay: float) -> complex:
    """Rightmost root of s = a + b exp(-s delay): the principal branch (Shinozaki and Mori, Automatica 42(10), 2006)."""
    root = complex(a + lambertw(b * delay * math.exp(-a * delay)) / delay)
    return complex(root.real, abs(root.imag))


@pytest.mark.parametrize(
    ("a", "b", "delay"),
    [
        (0.0, -1.0, 1.0),
        (0.0, -1.5, 1.0),
        (0.0, -2.0, 1.0),
        (1.0, -1.2, 0.5),
        (-3.0, 2.0, 4.0),
        (-1.0, -40.0, 0.3),
        (2e5, -3e5, 1e-6),
        (-1e-3, -2e-3, 500.0),
        (0.5, 0.5, 1.0),
        (-100.0, -90.0, 1.0),
    ],
)
def test_rightmost_root_of_one_equation(a: float, b: float, delay: float) -> None:
    root = rightmost(scalar(a, b, delay))
    assert root == pytest.approx(by_lambert(a, b, delay), rel=1e-9, abs=1e-9 / delay)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(-6, 2), st.floats(-6, 6)), min_size=2, max_size=5),
    st.floats(0.05, 3.0),
    st.integers(0, 2**32 - 1),
)
def test_rightmost_root_of_equations_in_disguise(pairs: list[tuple[float, float]], delay: float, seed: int) -> None:
    """Independent equations seen through a random change of coordinates and of units."""
    random = np.random.default_rng(seed)
    size = len(pairs)
    basis = np.linalg.qr(random.normal(size=(size, size)))[0] * 10.0 ** random.uniform(-3, 3, size)[:, None]
    back = np.linalg.inv(basis)
    system = System(
        tuple("abcde"[:size]),
        basis @ np.diag([a for a, _ in pairs]) @ back,
        ((basis @ np.diag([b for _, b in pairs]) @ back, delay),),
    )
    expected = max((by_lambert(a, b, delay) for a, b in pairs), key=lambda root: root.real)
    assert rightmost(system).real == pytest.approx(expected.real, rel=1e-6, abs=1e-6)


def test_pure_delay_is_stable_up_to_half_pi() -> None:
    edge = math.pi / 2
    assert rightmost(scalar(0.0, -edge, 1.0)) == pytest.approx(1j * edge, abs=1e-10)
    found = judge(scalar(0.0, -1.0, 1.0))
    assert found.stable is True
    assert found.margins is not None
    assert found.gain is not None
    assert found.margins.crossover == pytest.approx(1.0)
    assert found.margins.phase == pytest.approx(90.0 - math.degrees(1.0))
    assert found.margins.delay == pytest.approx(edge - 1.0)
    assert found.gain == pytest.approx((edge, edge))
    assert judge(scalar(0.0, -1.6, 1.0)).right == 2


def test_double_root() -> None:
    """x' = -x(t-1)/e: two real roots meet at -1."""
    assert rightmost(scalar(0.0, -1.0 / math.e, 1.0)) == pytest.approx(-1.0, abs=1e-6)


def test_no_delay_at_all_is_a_matrix() -> None:
    system = System(("x", "y"), np.array([[0.0, 1.0], [-4.0, -1.0]]), ())
    assert rightmost(system) == pytest.approx(complex(-0.5, math.sqrt(3.75)))
    assert judge(system).margins is None
    at_once = System(("x",), np.array([[1.0]]), ((np.array([[-3.0]]), 0.0),))
    assert rightmost(at_once) == pytest.approx(-2.0)


def test_a_delay_that_does_not_matter() -> None:
    found = judge(scalar(-3.0, 2.0, 4.0))
    assert (found.stable, found.margins) == (True, None)
    assert "no delay" in found.notes[0]


def test_several_delays() -> None:
    """x' = -b x(t-1) - c x(t-2) on its known boundary: with s = jw, b cos w + c cos 2w = 0, b sin w + c sin 2w = w."""
    w = 0.9
    b, c = np.linalg.solve([[math.cos(w), math.cos(2 * w)], [math.sin(w), math.sin(2 * w)]], [0.0, w])
    one = np.array([[1.0]])
    system = System(("x",), np.zeros((1, 1)), ((-b * one, 1.0), (-c * one, 2.0)))
    assert rightmost(system) == pytest.approx(1j * w, abs=1e-9)
    assert judge(Changed(system, gain=0.99)).stable is True
    assert judge(Changed(system, gain=1.01)).stable is False


systems = st.builds(
    lambda size, delays, seed, strength, shift: _random(size, delays, seed, strength, shift),
    st.integers(1, 4),
    st.lists(st.floats(0.01, 10.0), min_size=1, max_size=3),
    st.integers(0, 2**32 - 1),
    st.floats(0.05, 3.0),
    st.floats(0.0, 3.0),
)


def _random(size: int, delays: list[float], seed: int, strength: float, shift: float) -> System:
    random = np.random.default_rng(seed)
    present = random.normal(size=(size, size)) - shift * np.eye(size)
    delayed = [strength * random.normal(size=(size, size)) / math.sqrt(len(delays)) for _ in delays]
    return System(tuple("abcd"[:size]), present, tuple(zip(delayed, delays, strict=True)))


@settings(max_examples=40)
@given(systems)
def test_both_methods_agree_on_any_system(system: System) -> None:
    root, right = rightmost(system), roots_on_the_right(system)
    assert (root.real > 0.0) == (right > 0)
    if right > 0:
        assert right >= (2 if root.imag > 0.0 else 1)
    # The characteristic determinant vanishes there, next to its size nearby.
    stack = stack_of([system])
    at = np.array([[root]]) * stack.unit[0]
    here, beside = (np.linalg.svd(stack.matrix(at + away)[0, 0], compute_uv=False)[-1] for away in (0.0, 0.1j))
    assert here <= 1e-6 * max(1.0, beside)


@settings(max_examples=40)
@given(systems)
def test_margins_say_where_the_verdict_changes(system: System) -> None:
    found = judge(system)  # raises when the methods contradict one another
    if found.margins is None:
        return
    assert (found.margins.phase > 0.0) is found.stable
    if (delay := found.margins.delay) is None:
        return
    assert (delay > 0.0) is found.stable
    # A hair less and a hair more delay than the margin: stable below, unstable above.
    hair = 1e-3 / found.margins.crossover
    assert roots_on_the_right(Changed(system, delay=delay - hair)) == 0
    assert roots_on_the_right(Changed(system, delay=delay + hair)) > 0


@settings(max_examples=40)
@given(systems)
def test_loop_gain_is_the_ratio_of_determinants_for_one_signal(system: System) -> None:
    loop = Loop.of(system)
    w = 0.37
    present, delayed = system.present, system.delayed
    identity = np.eye(len(present))
    closed = np.linalg.det(1j * w * identity - present - sum(m * np.exp(-1j * w * t) for m, t in delayed))
    ratio = closed / np.linalg.det(1j * w * identity - present)
    assert np.prod(1.0 + loop.gains(np.array([w]))[0]) == pytest.approx(ratio, rel=1e-6)


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    many = [Reno(slope, flows=flows).system() for slope in (5e-5, 2e-4, 1e-3) for flows in (20, 60, 200)]
    assert rightmost_many(many) == pytest.approx([rightmost(system) for system in many], rel=1e-8)


def test_a_root_on_the_right_that_few_nodes_find_decides_as_all_of_them_do() -> None:
    many = [Reno(slope, flows=flows).system() for slope in (5e-5, 2e-4, 1e-3) for flows in (20, 60, 200)]
    whole = rightmost_many(many).real < 0.0
    assert set(whole) == {True, False}
    assert list(stable_many(many)) == list(whole)


def test_identical_modes_are_counted_each() -> None:
    twice = System(("x", "y"), np.zeros((2, 2)), ((-1.6 * np.eye(2), 1.0),))
    assert roots_on_the_right(twice) == 4
    assert rightmost(twice) == pytest.approx(rightmost(scalar(0.0, -1.6, 1.0)), abs=1e-6)


def test_a_root_on_the_axis_decides_nothing() -> None:
    idle = System(("x", "y"), np.array([[0.0, 0.0], [0.0, -1.0]]), ((np.array([[0.0, 0.0], [0.0, -0.5]]), 1.0),))
    found = judge(idle)
    assert found.stable is None
    assert "imaginary axis" in found.notes[0]
    assert roots_on_the_right(idle) == 0
    # Beside it, a root on the right is counted all the same.
    grows = System(("x", "y"), np.array([[0.0, 0.0], [0.0, 1.0]]), idle.delayed)
    assert judge(grows).stable is False
    assert roots_on_the_right(grows) == 1


def test_a_system_in_which_nothing_moves_has_no_count() -> None:
    still = System(("x",), np.zeros((1, 1)), ((np.zeros((1, 1)), 1.0),))
    assert judge(still).stable is None
    with pytest.raises(NotConverged, match="neither grows nor decays"):
        roots_on_the_right(still)


@pytest.mark.parametrize(
    "system",
    [
        System((), np.zeros((0, 0)), ()),
        System(("x",), np.array([[math.nan]]), ()),
        System(("x",), np.zeros((1, 2)), ()),
        System(("x",), np.zeros((1, 1)), ((np.zeros((2, 2)), 1.0),)),
        System(("x",), np.zeros((1, 1)), ((np.eye(1), -1.0),)),
    ],
)
def test_what_is_no_system_is_refused(system: System) -> None:
    with pytest.raises(InvalidInput):
        rightmost(system)
