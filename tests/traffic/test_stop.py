"""Open loops that stop before the run does, so that what has begun can end."""

from __future__ import annotations

from typing import Any

import pytest
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported

STAR = {"kind": "star", "hosts": 6, "rate": "1 Gb/s", "rtt": "100 us"}
OPEN: list[dict[str, Any]] = [
    {"kind": "poisson", "load": 0.5, "sizes": {"kind": "fixed", "size": "20 kB"}},
    {"kind": "incast", "load": 0.5, "degree": 3, "size": "20 kB"},
]


@pytest.mark.parametrize("entry", OPEN, ids=lambda one: one["kind"])
def test_what_arrives_before_is_the_same_and_nothing_comes_later(entry: dict[str, Any]) -> None:
    whole = drawn(document([entry], STAR)).start
    part = drawn(document([entry | {"stop": "0.3 s"}], STAR)).start
    assert part.tolist() == [time for time in whole.tolist() if time < 3e11]
    assert 0 < len(part) < len(whole)


@pytest.mark.parametrize("entry", OPEN, ids=lambda one: one["kind"])
def test_all_of_them_end(entry: dict[str, Any]) -> None:
    raw = document([entry | {"stop": "10 ms"}], STAR)
    raw["run"] |= {"duration": "40 ms", "warmup": 0}
    found = fr.run(raw, engine="packet").metrics
    assert found["fct_unfinished"] == 0
    assert found["fct_count"] == len(drawn(raw).start)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (OPEN[0] | {"start": "20 ms", "stop": "10 ms"}, "traffic.0.stop.*later than start"),
        (OPEN[1] | {"start": "20 ms", "stop": "10 ms"}, "traffic.0.stop.*later than start"),
        ({"kind": "incast", "degree": 3, "size": "1 kB", "period": "1 ms", "stop": "10 ms"}, "traffic.0.stop.*load"),
    ],
)
def test_what_cannot_be_is_refused(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        drawn(document([entry], STAR))


def test_the_fluid_refuses_it() -> None:
    raw = {
        "topology": {"kind": "dumbbell", "pairs": 2, "bottleneck": "1 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "1 MB"},
        "traffic": [{"kind": "long_lived", "flows": 2}, OPEN[0] | {"stop": "0.3 s"}],
    }
    with pytest.raises(Unsupported, match="until the run ends"):
        fr.run(raw, engine="fluid")
