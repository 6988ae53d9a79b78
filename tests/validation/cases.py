"""Recorded measurements of long-lived flows at one bottleneck, and the scenarios that repeat them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

DATA = Path(__file__).parent / "data"
_FRAME, _PACKET = 1514.0, 1500.0


def as_measured(row: dict[str, Any]) -> dict[str, Any]:
    """How the hosts of a row differed from those that Linux ships: offload, and the memory of connections.

    Rows without a ``sysctl`` were measured with those of ``tools.linux_dumbbell``.
    """
    bursts = {} if row.get("offload") else {"burst_limit": 1}
    return bursts | ({} if row.get("sysctl") else {"receive_buffer": 8388608, "write_buffer": 33554432})


@dataclass(frozen=True)
class Case:
    """One measured case. ``rate`` in bit/s of 1514 B frames, ``rtt`` in s, ``buffer`` and ``queue_mean`` in packets."""

    name: str
    buffer_bdp: float
    flows: int
    rate: float
    rtt: float
    buffer: int
    sack: bool
    warmup: float
    window: float
    utilisation: float
    utilisation_error: float
    drop_rate: float
    drop_rate_error: float
    queue_mean: float
    timeouts: int
    tail_loss_probes: int
    latest_acknowledgement: float
    congestion: str = "newreno"

    @property
    def sound(self) -> bool:
        """Whether the measuring machine kept up: its longest pause let fewer packets gather than the buffer holds."""
        return self.latest_acknowledgement * self.rate / (8.0 * _FRAME) <= self.buffer

    @property
    def label(self) -> str:
        """Name, buffer in bandwidth-delay products, and whether selective acknowledgements were off."""
        return f"{self.name} {self.buffer_bdp:g}{'' if self.sack else ' no-sack'}"

    def scenario(self, seed: int = 1, probes: bool = False) -> Scenario:
        """The same case for Footroom, whose packets have no Ethernet header, with or without probes of lost tails."""
        host = {"recovery": "prr" if self.sack else "newreno", "tail_loss_probe": probes}
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
                        "host": host,
                    }
                ],
                "run": {"duration": self.warmup + self.window, "warmup": self.warmup, "seed": seed},
            }
        )

    @property
    def seeds(self) -> range:
        """Enough seeds to know the mean: tiny buffers scatter more, and so do timeouts without SACK."""
        return range(1, 11 if self.buffer < 16 or not self.sack else 3)

    @property
    def probe_seeds(self) -> range:
        """Enough seeds to know the mean number of probes, which scatters by some 13 % from run to run in D50.

        As many as send 2000 probes by Linux's count: then the mean is known to 3 or 4 %.
        """
        return range(1, 1 + max(len(self.seeds), math.ceil(2000 / max(self.tail_loss_probes, 1))))

    def packet_engine(self, probes: bool = False, seeds: range | None = None) -> dict[str, float]:
        """Means over the seeds of what the packet engine finds; ``queue_mean`` in packets as above."""
        found = [simulate(build_plan(self.scenario(seed, probes), seed)).metrics for seed in seeds or self.seeds]
        mean = {
            key: float(np.mean([m.get(key, 0.0) for m in found]))
            for key in ("utilisation", "drop_rate", "queue_mean", "timeouts", "tail_loss_probes")
        }
        return {**mean, "queue_mean": mean["queue_mean"] / _PACKET}


def cases(name: str) -> list[Case]:
    """The cases of a file in the data folder."""
    rows: list[dict[str, Any]] = json.loads((DATA / name).read_text())["cases"]
    return [Case(**{key: row[key] for key in Case.__dataclass_fields__ if key in row}) for row in rows]
