"""Absurd questions are refused or answered with numbers, never a fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footroom.base.errors import InvalidInput
from footroom.calculators.pool import assess

QUESTION: dict[str, Any] = {
    "asic": "tomahawk",
    "buffer": 16e6,
    "cell_size": 208,
    "cable": 300,
    "ports": [{"count": 24, "speed": 100e9, "cable": 5, "lossless_classes": 1}, {"count": 2, "speed": 400e9}],
    "classes": 8,
    "lossless_classes": 2,
    "mtu": 1500,
    "scheme": {"kind": "vendor", "response_quanta": 100},
    "headroom": None,
    "reserved_pg": 1248,
    "reserved_queue": 1664,
    "over_subscribe_ratio": 4,
    "headroom_pool": None,
    "private_headroom": 100,
    "management": 1000,
    "mirror": 1000,
    "port_limit": 1e9,
    "alpha_lossless": 0.125,
    "alpha_lossy": 8,
    "congested_lossless": 2,
    "congested_lossy": 1,
    "egress_lossy_pool": None,
    "burst_rate": 2e11,
    "lossless_share": 0.5,
    "incast": {"degree": 40, "size": 64e3, "lossless": False, "rate": 1e12},
    "pauses": {"probability": 0.1, "correlation": 0.1, "target": 1e-6},
    "marking": {"kmin": 1e5, "kmax": 4e5, "sources": 1, "feeds": 1, "queues": 2},
    "pools": [{"name": "ingress_lossless_pool", "size": 1e7, "xoff": 1e6}, {"name": "egress_pool", "size": 1e7}],
}


def _paths(here: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for step, inner in here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ():
        yield (*before, step)
        yield from _paths(inner, (*before, step))


PATHS = sorted(_paths(QUESTION), key=str)
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(
        [
            0,
            -1,
            1,
            0.5,
            1e-300,
            1e-12,
            1e300,
            10**18,
            10**300,
            True,
            False,
            None,
            "",
            "1e308 GB",
            "NaN",
            "32x100G",
            "dsh",
            "sonic",
            "sih",
            [],
            {},
            [[]],
            {"kind": None},
            {"kind": "dsh"},
            "jericho2",
            "x" * 999,
            [1] * 20,
        ]
    ),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(0.0, 1.0),
    st.floats(1e-12, 1e14),
)


def finite(value: Any) -> None:
    """JSON without NaN and infinities."""
    json.dumps(value, allow_nan=False)


def test_the_question_that_is_changed_is_a_good_one() -> None:
    found = assess(QUESTION)
    assert found.feasible
    finite(found.to_dict())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES), min_size=1, max_size=3))
def test_any_value_anywhere(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    question = copy.deepcopy(QUESTION)
    for path, value in changes:
        here: Any = question
        try:
            for step in path[:-1]:
                here = here[step]
            here[path[-1]] = value
        except (TypeError, KeyError, IndexError):
            continue
    try:
        found = assess(question)
    except InvalidInput:
        return
    document = found.to_dict()
    finite(document)
    assert found.feasible == (document["reason"] == "")
    if not found.feasible:
        assert found.problems or document["port_check"]


def test_memory_that_is_all_reserved_leaves_nothing_to_split() -> None:
    found = assess(buffer=208 * 8 * 4, cell_size=208, ports="4x100G", lossless_classes=0, reserved_queue=208)
    assert found.feasible
    assert found.division.footroom == 0
    assert found.to_dict()["split"] is None


@pytest.mark.parametrize("value", [None, [], "tomahawk", 3])
def test_a_question_is_an_object(value: Any) -> None:
    from footroom.calculators.pool import Question

    with pytest.raises(InvalidInput, match="a question is an object"):
        Question.parse(value)
