"""Recorded measurements of BBR flows at one bottleneck, and the scenarios that repeat them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.validation.cases import DATA, as_measured

from footroom.engines.packet.recording import Recording
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

_FRAME, _PACKET = 1514.0, 1500.0
_KINDS = {"bbr": "bbr", "cubic": "cubic", "reno": "newreno"}


@dataclass(frozen=True)
class BbrCase:
    """One measured case. ``rate`` in bit/s of 1514 B frames, times in s, ``buffer`` and ``queue_mean`` in packets.

    congestion: of the flows in turn, with commas between.  offload: whether the sender hands on batches.  fairness:
    Jain's index.  share: part of what BBR's flows have, where there are others.
    """

    name: str
    buffer_bdp: float
    flows: int
    rate: float
    rtt: float
    buffer: int
    congestion: str
    offload: bool
    warmup: float
    window: float
    utilisation: float
    drop_rate: float
    queue_mean: float
    drop_rate_error: float = 0.0
    fairness: float | None = None
    share: float | None = None
    sysctl: tuple[str, ...] | list[str] = ()

    def scenario(self, seed: int = 1) -> Scenario:
        """The same case for Footroom, whose packets have no Ethernet header."""
        kinds = [_KINDS[name] for name in self.congestion.split(",")]
        # Without segmentation offload bursts are single segments; BBR's window has room for long ones all the same.
        host = {"profile": "linux"} | as_measured({"offload": self.offload, "sysctl": self.sysctl})
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
                        "flows": len(range(k, self.flows, len(kinds))),
                        "start_jitter": 1.0,
                        "congestion": {"kind": kind},
                        "host": host,
                    }
                    for k, kind in enumerate(kinds)
                ],
                "run": {"duration": self.warmup + self.window, "warmup": self.warmup, "seed": seed},
            }
        )

    def packet_engine(self, seeds: int = 1) -> dict[str, float]:
        """Means over the seeds of what the packet engine finds, with the names of the fields above."""
        found = [self.run(seed) for seed in range(1, seeds + 1)]
        return {key: float(np.mean([one[key] for one in found])) for key in found[0]}

    def run(self, seed: int) -> dict[str, float]:
        """What one seed finds, with the names of the fields above."""
        plan = build_plan(self.scenario(seed), seed)
        recording = Recording(plan)
        recording.advance(plan.warmup)
        flows = recording.simulation.tables.flows
        before = flows["delivered"].astype(float)
        recording.advance(plan.duration, ends=True)
        got = recording.simulation.tables.flows["delivered"].astype(float) - before
        metrics = recording.result().metrics
        ours = self.congestion.split(",").index("bbr")
        return {
            **{key: metrics[key] for key in ("utilisation", "drop_rate", "fairness")},
            "queue_mean": metrics["queue_mean"] / _PACKET,
            "share": float(got[plan.flow_stack == ours].sum() / got.sum()),
        }


def cases() -> list[BbrCase]:
    """What is recorded."""
    rows: list[dict[str, Any]] = json.loads((DATA / "linux-bbr.json").read_text())["cases"]
    return [BbrCase(**{key: row[key] for key in BbrCase.__dataclass_fields__ if key in row}) for row in rows]
