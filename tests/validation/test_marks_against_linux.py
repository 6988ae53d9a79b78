"""The packet engine's hosts of the profile ``linux`` under a step of marks, beside measured Linux hosts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.validation.cases import DATA, as_measured

import footroom as fr

#: Runs of several flows: a pause of the measuring machine moves a lone flow too far.
RUNS: list[dict[str, Any]] = [
    row
    for row in json.loads((DATA / "linux-marks.json").read_text())["cases"]
    if row["flows"] > 1 and row["lateness"].get("stalled", 1.0) < 0.002
]


def scenario(row: dict[str, Any], cut: str, seed: int) -> dict[str, Any]:
    """The measured case for Footroom."""
    law = {"reno": "newreno"}.get(row["congestion"], row["congestion"])
    host = {"profile": "linux", "ecn": True, "mark_cut": cut, **as_measured(row)}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": row["rate"], "access": 1e10, "rtt": row["rtt"]},
        "switch": {
            "buffer": f"{row['buffer']} packets",
            "marking": {"kind": "step", "threshold": f"{row['step']} packets"},
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": row["flows"],
                "start_jitter": 1.0,
                "congestion": {"kind": law},
                "host": host,
            }
        ],
        "run": {"duration": row["warmup"] + row["window"], "warmup": row["warmup"], "mtu": 1500, "seed": seed},
    }


def used(row: dict[str, Any], cut: str) -> tuple[float, float]:
    """Utilisation, and part of the packets that were marked; means of two seeds."""
    found = [fr.run(scenario(row, cut, seed)).metrics for seed in (1, 2)]
    packets = [m["utilisation"] * row["rate"] * row["window"] / 12_000 for m in found]
    marked = [m["marks"] / count for m, count in zip(found, packets, strict=True)]
    return float(np.mean([m["utilisation"] for m in found])), float(np.mean(marked))


@pytest.mark.parametrize("row", RUNS, ids=[f"{r['flows']} {r['congestion']}, {r['step']}" for r in RUNS])
def test_utilisation_and_marks_are_those_of_linux(row: dict[str, Any]) -> None:
    utilisation, marked = used(row, "round_trip")
    assert utilisation == pytest.approx(row["utilisation"], abs=0.045)
    assert marked == pytest.approx(row["mark_rate"], rel=0.25)


def test_cuts_at_once_are_further_from_linux() -> None:
    """What the option is for: means of all runs, in points of utilisation."""
    off = {
        cut: np.mean([abs(used(row, cut)[0] - row["utilisation"]) for row in RUNS]) for cut in ("round_trip", "at_once")
    }
    assert off["round_trip"] < 0.035
    assert off["at_once"] > 0.045
