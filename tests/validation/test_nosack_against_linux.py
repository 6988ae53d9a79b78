"""Packets against Linux without selective acknowledgements on long fat paths, as recorded in data/linux-nosack.json.

Three to four runs of Linux a case, which scatter by up to 26 points; the engine's mean of ten seeds is compared with
their mean.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.validation.cases import DATA, as_measured

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

_FRAME, _PACKET = 1514.0, 1500.0
SEEDS = range(1, 11)


@dataclass(frozen=True)
class Case:
    """One case: ``rate`` in bit/s of 1514 B frames, ``buffer`` in packets; figures of every run of Linux."""

    name: str
    congestion: str
    flows: int
    rate: float
    rtt: float
    buffer: int
    warmup: float
    window: float
    utilisation: tuple[float, ...]
    drop_rate: tuple[float, ...]

    def found(self, **host: Any) -> dict[str, float]:
        """The engine's means over the seeds, for hosts of the profile linux without SACK but for ``host``."""
        runs = [simulate(build_plan(self._scenario(seed, host), seed)).metrics for seed in SEEDS]
        return {key: float(np.mean([run[key] for run in runs])) for key in ("utilisation", "drop_rate")}

    def _scenario(self, seed: int, host: dict[str, Any]) -> Scenario:
        return Scenario.parse(
            {
                "topology": {
                    "kind": "dumbbell",
                    "bottleneck": self.rate * _PACKET / _FRAME,
                    "access": 1e10,
                    "rtt": self.rtt,
                },
                "switch": {"buffer": f"{self.buffer} packets"},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": self.flows,
                        "start_jitter": 1.0,
                        "congestion": {"kind": self.congestion},
                        "host": {"profile": "linux", "recovery": "newreno", **as_measured({}), **host},
                    }
                ],
                "run": {"duration": self.warmup + self.window, "warmup": self.warmup, "seed": seed},
            }
        )


def _case(row: dict[str, Any]) -> Case:
    lists = {key: tuple(row[key]) for key in ("utilisation", "drop_rate")}
    return Case(**{key: row[key] for key in Case.__dataclass_fields__} | lists)


#: Linux raises the number of duplicates that show a loss when timeouts bring duplicates of their own, up to
#: tcp_max_reordering; the engine does not (docs/validation.md). With the threshold kept at 3 this case agrees.
MISSED = {"reno-2-0.1"}
CASES = [_case(row) for row in json.loads((DATA / "linux-nosack.json").read_text())["cases"]]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES if case.name not in MISSED])
def test_utilisation_is_within_ten_points_of_linux(case: Case) -> None:
    assert case.found()["utilisation"] == pytest.approx(np.mean(case.utilisation), abs=0.1)


def test_a_recovery_that_ends_in_a_burst_costs_what_it_costs_linux() -> None:
    """The flow sends little while it repairs, then a whole window at once, and repairs what that loses one by one."""
    case = next(each for each in CASES if each.name == "cubic-1-1.0")
    assert case.found()["drop_rate"] == pytest.approx(np.mean(case.drop_rate), rel=0.5)
    for without in ({"recovery_end": "flight"}, {"send_buffer": None}):
        assert case.found(**without)["utilisation"] > 0.9
