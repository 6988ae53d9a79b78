"""Recorded runs of a lossless fabric in the simulator of HPCC, and the scenarios that repeat them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.validation.cases import DATA

import footroom as fr

#: Bytes of a packet on the wire and in memory, and what takes as long there as a whole number of nanoseconds.
PACKET, NANOSECONDS = 1048, 83
#: Bits per second of 1048 B in 83 ns.
RATE = PACKET * 8 / (NANOSECONDS * 1e-9)
_PAYLOAD = PACKET - 52

#: What the file calls a set: how senders react.
_CONTROLS: dict[str, dict[str, Any]] = {
    "vendor": {"cnp_interval": 4e-6, "alpha_timer": 1e-6, "rate_timer": 300e-6},
    "paper": {"cnp_interval": 50e-6, "alpha_timer": 50e-6, "rate_timer": 55e-6},
}
_DCQCN = {
    "kind": "dcqcn",
    "g": 1 / 256,
    "fast_recovery": 1,
    "additive_increase": 20e6,
    "hyper_increase": 200e6,
    "hyper_grows": False,
    "target_follows": False,
    "byte_counter": None,
    "minimum_rate": 1e9,
}
#: Without marks and losses a window that holds all of a transfer from the start is a sender at line rate.
_NEVER_SLOW = {"kind": "newreno"}


@dataclass(frozen=True)
class Fabric:
    """One recorded case: what the other simulator found. Times in s, sizes in bytes."""

    set: str
    senders: int
    size: int | None
    buffer: int
    link_delay: float
    completion: list[float] | None
    pause_frames: int
    pause_time: float
    first_pause: float | None
    drops: int
    queue_mean: float
    queue_p50: float
    queue_p99: float
    queue_max: float

    @property
    def label(self) -> str:
        """What tells it from the others."""
        what = "steady" if self.completion is None else "incast"
        return f"{what} {self.set}, {self.senders}:1, {self.buffer / 2**20:g} MiB, {self.link_delay * 1e6:g} us"

    @cached_property
    def last(self) -> float:
        """Completion time of the last sender."""
        assert self.completion is not None
        return max(self.completion)

    def scenario(self, duration: float, warmup: float = 0.0, **run: Any) -> fr.Scenario:
        """The same for Footroom, for ``duration`` s of which ``warmup`` is not measured."""
        marks = self.set in _CONTROLS
        marking: dict[str, Any] = {"kind": "none"}
        if marks:
            marking = {"kind": "red", "kmin": 400_000, "kmax": 1_600_000, "pmax": 0.2, "sample": "departure"}
        entry: dict[str, Any] = {"kind": "long_lived", "flows": self.senders, "start_jitter": 0}
        if self.size is not None:
            entry = {"kind": "incast", "degree": self.senders, "size": self.size // 1000 * _PAYLOAD}
        return fr.Scenario.parse(
            {
                "name": self.label,
                "topology": {"kind": "star", "hosts": self.senders + 1, "rate": RATE, "rtt": 4 * self.link_delay},
                "switch": {
                    "buffer": self.buffer,
                    "queues": 2,
                    "scheduling": {"kind": "strict_priority"},
                    "marking": marking,
                    "headroom": {
                        "kind": "static_independent",
                        "lossless": [0],
                        "reserved": 4096,
                        "alpha": 1 / 8,
                        "size": round(3 * 100e9 * self.link_delay / 8),
                        "xon": 0,
                        "xon_offset": 3072,
                        "pause": "on_off",
                        "response": 0,
                        "allowance": 0,
                    },
                },
                "traffic": [
                    {
                        **entry,
                        "priority": 0,
                        "congestion": _DCQCN | _CONTROLS[self.set] if marks else _NEVER_SLOW,
                        "host": {
                            "ack_priority": 1,
                            "jitter": 0,
                            "ack_every": 1,
                            "mss": _PAYLOAD,
                            **({} if marks else {"initial_window": 1000}),
                        },
                    }
                ],
                "run": {"duration": duration, "warmup": warmup, "mtu": PACKET, "slowdown": False, **run},
            }
        )


def fabrics(*sets: str) -> list[Fabric]:
    """The recorded cases of these sets."""
    rows: list[dict[str, Any]] = json.loads((DATA / "ns3-lossless.json").read_text())["cases"]
    return [Fabric(**row) for row in rows if row["set"] in sets]
