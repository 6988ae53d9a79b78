"""Both packet engines pause, resume and drop alike: every packet at every picosecond, and every priority group."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.lossless.small import fabric
from tests.lossless.test_fabric import KINDS
from tests.reference.agreement import compiled

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.metrics import metrics_of
from footroom.engines.reference.pause_metrics import refusals, rows
from footroom.scenario import Scenario

_METRICS = ("lossless_drops", "pause_frames", "pause_time", "xoff_time", "headroom_max", "utilisation", "queue_max")


def agree(raw: dict[str, Any]) -> dict[str, float]:
    """Assert that both engines treat every packet alike and report the same pauses; the metrics."""
    plan = build_plan(Scenario.parse(raw))
    trace: list[tuple[int, str, int, int, int, int]] = []
    network = Network(plan, trace)
    network.run(plan.duration)
    ours, theirs = metrics_of(network), simulate(plan)
    assert len(trace) > 1000
    assert trace == compiled(plan)
    for name in _METRICS:
        assert theirs.metrics[name] == pytest.approx(ours[name], rel=1e-9), name
    told = rows(network)
    assert told is not None
    assert theirs.priority_groups is not None
    assert [row.keys() for row in told] == [row.keys() for row in theirs.priority_groups]
    for row, other in zip(told, theirs.priority_groups, strict=True):
        assert other == {
            name: pytest.approx(value, rel=1e-9) if isinstance(value, float) else value for name, value in row.items()
        }
    assert refusals(network) == theirs.notes[len(plan.notes) :]
    return theirs.metrics


@pytest.mark.parametrize("kind", KINDS)
def test_under_overload(kind: str) -> None:
    assert agree(fabric(**KINDS[kind]))["pause_frames"] > 0


def test_with_too_little_headroom() -> None:
    short: dict[str, Any] = {
        "headroom": {"kind": "static_independent", "lossless": [0, 1], "size": "6 kB", "allowance": 0}
    }
    assert agree(fabric(**short))["lossless_drops"] > 0


@pytest.mark.parametrize("seed", range(6))
def test_settings_drawn_at_random(seed: int) -> None:
    draw = random.Random(seed)
    headroom: dict[str, Any] = {
        "kind": draw.choice(["static_independent", "dynamic_shared"]),
        "lossless": draw.choice([[0], [1], [0, 1]]),
        "reserved": draw.choice([0, 1500, "4 kB"]),
        "alpha": draw.choice([0.0625, 0.5, 2]),
        "xon_offset": draw.choice([0, 3072]),
        "pause": draw.choice(["timed", "on_off"]),
    }
    if draw.random() < 0.5:
        headroom["size"] = draw.choice(["5 kB", "20 kB"])
    agree(
        fabric(
            headroom=headroom,
            release=draw.choice(["start", "end"]),
            scheduling={"kind": draw.choice(["drr", "strict_priority"])},
            marking=draw.choice([{"kind": "none"}, {"kind": "step", "threshold": "20 kB"}]),
        )
    )
