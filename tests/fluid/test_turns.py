"""Flows that take turns: how many are in which class, however they are listed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footroom.engines.fluid.laws import BbrV1, Group, Path, Reno, turns
from footroom.engines.fluid.link import Link, path_of
from footroom.engines.fluid.markings import DropTail


def path(count: float, before: float, alike: float) -> Path:
    return Path(1e4, 0.1, 1500.0, count, alike, 100.0, None, alike, before)


@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50))
def test_counting_flow_by_flow(count: int, before: int, after: int) -> None:
    alike = before + count + after
    used = min(turns.MOST, alike)
    expected = np.bincount(np.arange(before, before + count) % used, minlength=turns.MOST)
    assert turns.shares(path(count, before, alike)) == pytest.approx(list(expected))
    assert turns.classes(path(count, before, alike)) == used
    assert sorted(set(turns.evenly(path(count, before, alike)))) == pytest.approx([k / used for k in range(used)])


@pytest.mark.parametrize("used", [1, 2, 3, 5, 6])
def test_places_at_random_have_the_gaps_of_random_places(used: int) -> None:
    draws = np.sort(np.random.default_rng(1).uniform(size=(100_000, used)), axis=1)
    gaps = np.sort(np.diff(draws, axis=1, append=draws[:, :1] + 1.0), axis=1).mean(axis=0)
    places = np.array(turns.at_random(path(used, 0, used))[:used])
    assert places[0] == 0.0
    assert np.sort(np.diff(places, append=1.0)) == pytest.approx(gaps, rel=0.01)
    assert turns.at_random(path(13, 0, 13)) == turns.at_random(path(6, 0, 6))


def test_a_place_follows_from_what_a_group_is_not_from_where_it_stands() -> None:
    near, far, other = Group(7, 0.01, BbrV1()), Group(4, 0.02, BbrV1()), Group(3, 0.005, Reno())
    link = Link(1e4, 100.0)
    for groups in ([near, far, other], [far, other, near], [other, near, far]):
        places = {group.base: path_of(link, groups, i, DropTail()) for i, group in enumerate(groups)}
        assert [(places[base].before, places[base].alike) for base in (0.01, 0.02)] == [(0.0, 11.0), (7.0, 11.0)]
        total = np.add(turns.shares(places[0.01]), turns.shares(places[0.02]))
        assert total.sum() == 11
        assert total.max() - total.min() <= 1
