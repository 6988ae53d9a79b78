"""Priority groups over time agree with what the run says of them as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.small import star

import footroom as fr


def recorded(**switch: Any) -> fr.Result:
    raw = star(5, buffer="3 MB", **switch)
    raw["traffic"] = [{"kind": "incast", "degree": 4, "size": "500 kB", "priority": 3, "congestion": {"kind": "dcqcn"}}]
    raw["run"] = {
        "duration": "400 us",
        "warmup": 0,
        "mtu": 1500,
        "slowdown": False,
        "timeline": {"end": "400 us", "step": "1 us"},
    }
    return fr.run(raw, engine="packet")


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_parts_of_steps_add_up_to_the_pause_time(kind: str) -> None:
    found = recorded(headroom={"kind": kind})
    assert found.timeline is not None
    assert found.priority_groups is not None
    groups = {group["port"]: group for group in found.timeline["groups"] if group["class"] == 3}
    assert len(groups) == 5
    step = found.timeline["step"]
    for port in ("h1>switch", "h2>switch", "h3>switch", "h4>switch"):
        whole = sum(
            one["pause_time"] for one in found.priority_groups if one["port"] == port and one["class"] in (3, None)
        )
        assert sum(groups[port]["paused"]) * step == pytest.approx(whole, rel=0.01)
        assert max(groups[port]["paused"]) > 0
        most = max(one["shared_max"] for one in found.priority_groups if one["port"] == port and one["class"] == 3)
        assert 0 < max(groups[port]["shared_max"]) <= most
    assert sum(groups["h0>switch"]["paused"]) == 0


def test_drops_are_where_they_happened() -> None:
    found = recorded(headroom={"kind": "static_independent", "size": "5 kB", "lossless": [3]})
    assert found.timeline is not None
    lost = sum(sum(group["dropped"]) for group in found.timeline["groups"])
    assert lost == found.metrics["lossless_drops"] > 0


def test_nothing_lossless_has_no_groups() -> None:
    found = recorded(headroom={"kind": "none"})
    assert found.timeline is not None
    assert found.timeline["groups"] == []


def test_an_egress_queue_of_a_lossless_class_has_no_limit_but_the_memory() -> None:
    found = recorded(headroom={"kind": "static_independent", "lossless": [3]})
    assert found.timeline is not None
    limits = {queue["class"]: set(queue["threshold"]) for queue in found.timeline["queues"]}
    assert limits.pop(3) == {3_000_000}
    assert all(max(limit) < 200_000 for limit in limits.values())
