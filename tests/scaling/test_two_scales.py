"""Where two scales of one scenario should agree, they do; where the report says they do not, they do not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import footroom as fr
from footroom.result import Result
from footroom.scenario import replace
from footroom.scenario.scaling import scale

#: 1000 NewReno flows on 10 Gb/s: 33 packets of window each.
RAW: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "1 Gb/s", "rtt": "40 ms", "rtt_spread": 0.1},
    "switch": {"buffer": "527 packets"},
    "traffic": [{"kind": "long_lived", "flows": 1000, "start_jitter": "2 s"}],
    "run": {"duration": "25 s", "warmup": "8 s", "replicas": 4},
}
SHALLOW, DEEP = "527 packets", "20000 packets"


@cache
def ran(buffer: str, factor: float) -> Result:
    # What a deep buffer leaves unused scatters from seed to seed by as much as its mean: more of them show the mean.
    document = replace(RAW, "run.replicas", 8) if buffer == DEEP else RAW
    return fr.run(replace(document, "switch.buffer", buffer), "packet", scale=factor)


def overlap(a: Result, b: Result, metric: str) -> bool:
    (low, high), (other_low, other_high) = a.intervals[metric], b.intervals[metric]
    return low <= other_high and other_low <= high


def test_utilisation_of_a_shallow_buffer_is_the_same_at_both_scales() -> None:
    small, smaller = ran(SHALLOW, 25), ran(SHALLOW, 50)
    assert overlap(small, smaller, "utilisation"), (small.intervals, smaller.intervals)
    # The agreement means something: the intervals are narrow.
    assert all(high - low < 0.03 for low, high in (r.intervals["utilisation"] for r in (small, smaller)))


@pytest.mark.parametrize("factor", [25, 50])
def test_a_deep_buffer_fills_the_link_at_both_scales(factor: float) -> None:
    """To a thousandth. Overlap of intervals cannot say so: where every replica fills the link, the interval is a point.

    Twenty flows (S = 50) empty the queue now and then and leave 0.025 % of the link unused, forty 0.0015 %. The bound
    is no formality: a buffer smaller by a third (283 packets at S = 50, docs/scaling.md) leaves 0.5 % unused.
    """
    assert ran(DEEP, factor).intervals["utilisation"][0] > 0.999


def test_the_rule_for_deep_buffers_would_not_do_for_shallow_ones() -> None:
    """Divided by S instead of its root, the shallow buffer of 527 packets is 10 packets and loses utilisation."""
    document, _ = scale(RAW, 50)
    wrong = fr.run(replace(document, "switch.buffer", f"{527 / 50} packets"), "packet")
    assert wrong.intervals["utilisation"][1] < ran(SHALLOW, 50).intervals["utilisation"][0] - 0.02


def test_windows_decide_the_drop_rate_of_a_deep_buffer() -> None:
    assert overlap(ran(DEEP, 25), ran(DEEP, 50), "drop_rate")


def test_a_shallow_buffers_queue_departs_as_the_report_says() -> None:
    """B/BDP is not kept, so neither is the wait: √2 longer at twice the factor."""
    small, smaller = ran(SHALLOW, 25), ran(SHALLOW, 50)
    longest = [8.0 * r.metrics["queue_max"] / r.scenario["topology"]["bottleneck"] for r in (small, smaller)]
    assert longest[1] / longest[0] == pytest.approx(2**0.5, rel=0.02)
    drain = next(q for q in small.scaling["changed"] if q["name"] == "drain time B/C")  # type: ignore[index]
    assert longest[0] == pytest.approx(drain["after"], rel=0.02)
