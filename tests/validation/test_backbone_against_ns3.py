"""What small buffers cost flows that send in bursts: the packet engine against ns-3, data/ns3-backbone.json.

ns-3 finds losses as RFC 6675 does, so the engine's ``sack`` is what it is compared with.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.validation.cases import DATA

import footroom as fr

CASES: list[dict[str, Any]] = json.loads((DATA / "ns3-backbone.json").read_text())["cases"]


def utilisation(case: dict[str, Any], seed: int) -> float:
    scenario = fr.Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": case["rate"],
                "access": case["access"],
                "rtt": case["rtt"],
                "rtt_spread": case["rtt_spread"],
                "pairs": case["flows"],
            },
            "switch": {"buffer": f"{case['buffer']} packets"},
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": case["flows"],
                    "start_jitter": 1.0,
                    "congestion": {"kind": "newreno"},
                    "host": {"recovery": "sack", "rto_floor": "total"},
                }
            ],
            "run": {"duration": case["warmup"] + case["window"], "warmup": case["warmup"], "seed": seed},
        }
    )
    return float(fr.run(scenario).metrics["utilisation"])


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['flows']}-{case['buffer']}") for case in CASES])
def test_bursts_cost_as_much_utilisation(case: dict[str, Any]) -> None:
    found = float(np.mean([utilisation(case, seed) for seed in (1, 2, 3)]))
    assert found == pytest.approx(case["utilisation"], abs=0.03)
