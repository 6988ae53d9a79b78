"""Every published experiment, at its smallest size: each target is judged, and what no scale can change is met."""

from __future__ import annotations

import math
from typing import Any

import pytest

from footroom import papers

#: Targets that hold at any size: arithmetic, orders, and laws of a single queue.
AT_ANY_SIZE = (
    "FB-EBB-IN-02",
    "FB-EBB-01",
    "FB-EBB-02",
    "FB-FA-IN-01",
    "FB-FA-01",
    "FB-FA-07",
    "SB-IN-01",
    "SB-IN-02",
    "SB-IN-03",
    "SB-12",
    "SB-13",
    "SB-14",
    "HPCC-IN-01",
    "HPCC-IN-02",
    "HPCC-IN-03",
    "HPCC-IN-04",
    "HPCC-IN-05",
    "HPCC-08",
    "HPCC-09",
    "HPCC-10",
    "HPCC-11",
    "HPCC-24",
    "HPCC-25",
    "DSH-01",
    "DSH-02",
    "DSH-03",
    "DSH-05",
    "DSH-06",
    "DSH-09",
    "DSH-13",
    "DSH-14",
    "DSH-15",
    "DSH-16",
)


@pytest.fixture(scope="module")
def judged() -> dict[str, Any]:
    return {target["id"]: target for target in papers.run(tier="smoke").to_dict()["targets"]}


def test_every_target_is_judged_once(judged: dict[str, dict[str, Any]]) -> None:
    assert set(judged) == {target.id for paper in papers.papers() for target in paper.targets}
    for target in judged.values():
        assert target["verdict"] in ("met", "missed", "undecided", "not_testable")
        assert target["reason"] or target["verdict"] == "met"
        low, high = target["interval"] or (0.0, 0.0)
        assert -math.inf < low <= high < math.inf


@pytest.mark.parametrize("target", AT_ANY_SIZE)
def test_what_no_scale_changes_is_met(target: str, judged: dict[str, dict[str, Any]]) -> None:
    assert judged[target]["verdict"] == "met", judged[target]["reason"]
