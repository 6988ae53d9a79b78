"""Recorded incasts of ns-3, and the scenarios that repeat them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.validation.cases import DATA

import footroom as fr

#: Payload of a full segment [B].
PAYLOAD = 1448

#: Smallest timeout [s]: a query that takes longer has waited for one.
TIMEOUT = 0.01

#: How Footroom is to do what the file calls a law: congestion control and loss recovery. ns-3's TcpNewReno grows by
#: acknowledgements, TcpLinuxReno by what they cover.
_HOSTS: dict[str, tuple[dict[str, Any], str]] = {
    "newreno": ({"kind": "newreno", "byte_counting": False}, "newreno"),
    "reno-sack": ({"kind": "newreno"}, "sack"),
    "dctcp": ({"kind": "dctcp"}, "sack"),
}


@dataclass(frozen=True)
class Incast:
    """One recorded series: what ns-3 found for each degree, one completion time [s] per seed."""

    law: str
    rtt: float
    segments: int
    initial_window: int
    ack_every: int
    completion: dict[int, list[float]]

    @property
    def label(self) -> str:
        """Everything that tells this series from the others."""
        return (
            f"{self.law}, {self.rtt * 1e6:.0f} us, {self.segments} segments, window {self.initial_window}"
            f"{', delayed acknowledgements' if self.ack_every > 1 else ''}"
        )

    def scenario(self, degree: int, seed: int, **host: Any) -> fr.Scenario:
        """The same query for Footroom."""
        congestion, recovery = _HOSTS[self.law]
        marking = {"kind": "step", "threshold": 65 * 1500} if self.law == "dctcp" else {"kind": "none"}
        return fr.Scenario.parse(
            {
                "topology": {"kind": "star", "hosts": max(3, degree + 1), "rate": "10 Gb/s", "rtt": self.rtt},
                "switch": {"buffer": "128 packets", "marking": marking},
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": degree,
                        "size": self.segments * PAYLOAD,
                        "congestion": congestion,
                        "host": {
                            "recovery": recovery,
                            "min_rto": TIMEOUT,
                            "rto_floor": "total",
                            "ack_every": self.ack_every,
                            "initial_window": self.initial_window,
                            **host,
                        },
                    }
                ],
                "run": {"duration": "20 s", "warmup": "0 s", "seed": seed},
            }
        )

    def theirs(self, degree: int) -> float:
        """Median completion time in ns-3 [s]."""
        return median(self.completion[degree])

    def ours(self, degree: int, **host: Any) -> float:
        """Median completion time in the packet engine over as many seeds [s]."""
        seeds = range(1, len(self.completion[degree]) + 1)
        found = [fr.run(self.scenario(degree, seed, **host)).metrics for seed in seeds]
        assert not any(metrics["qct_unfinished"] for metrics in found)
        return median(metrics["qct_mean"] for metrics in found)


def incasts() -> list[Incast]:
    """All recorded series."""
    rows: list[dict[str, Any]] = json.loads((DATA / "ns3-incast.json").read_text())["cases"]
    return [
        Incast(
            **{key: value for key, value in case.items() if key != "rows"},
            completion={row["degree"]: row["completion"] for row in case["rows"]},
        )
        for case in rows
    ]
