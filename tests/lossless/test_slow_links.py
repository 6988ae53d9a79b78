"""Links and hosts so slow that times do not fit the engines' clock are refused, with what would fit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.components.fields import put, small

from footroom.base.errors import InvalidInput
from footroom.engines.plan import build_plan
from footroom.engines.plan.memory import memory
from footroom.scenario import Scenario


def _pausing(rate: float, mtu: float, **headroom: Any) -> dict[str, Any]:
    document = put(small(), "topology.bottleneck", rate)
    document["switch"] = {"buffer": 1e9, "headroom": {"kind": "static_independent", **headroom}}
    document["run"]["mtu"] = mtu
    return document


def _refused(path: str, words: str, ask: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        ask()
    (problem,) = refused.value.problems
    assert problem.path == path
    assert words in problem.message


@pytest.mark.parametrize("look", [memory, build_plan])
def test_a_link_too_slow_to_count_a_packet_is_refused_before_its_pause_is_looked_at(look: Any) -> None:
    slow = Scenario.parse(_pausing(1.0, 1500.0, refresh=0.99999))
    _refused("topology", "give 120 bit/s or more", lambda: look(slow))


@pytest.mark.parametrize("look", [memory, build_plan])
def test_a_pause_that_the_clock_cannot_hold_is_refused_with_the_quanta_that_fit(look: Any) -> None:
    """65535 quanta of 512 bits at 6 bit/s are 65 days; 2^62 ps are 53."""
    _refused("switch.headroom.quanta", "give 54043 or less", lambda: look(Scenario.parse(_pausing(6.0, 64.0))))
    look(Scenario.parse(_pausing(6.0, 64.0, quanta=54043)))


def test_the_longest_transmission_counts_the_frame_and_the_gap() -> None:
    """64 B take 99.8 s at 5.13 bit/s and fit; with 18 B of frame and 20 B of gap they do not."""
    slow = put(put(small(), "topology.bottleneck", 5.13), "run.mtu", 64.0)
    assert build_plan(Scenario.parse(slow)).picoseconds_per_byte.max() * 64 > 0
    framed = Scenario.parse(put(slow, "run.framing", "ethernet"))
    _refused("topology", "102 B with its frame and gap takes 159 s", lambda: build_plan(framed))


def test_a_burst_that_the_clock_cannot_hold_is_refused() -> None:
    document = put(put(small(), "run.mtu", 65536.0), "switch.buffer", 1e6)
    host = {"rate_limit": 1.0, "burst": 64, "autosize": False}
    _refused(
        "traffic.0.host.rate_limit",
        "one burst takes 3.36e+07 s at this rate",
        lambda: build_plan(Scenario.parse(put(document, "traffic.0.host", host))),
    )
