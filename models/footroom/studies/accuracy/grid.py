"""The grid: one path under four controls, with the numbers that decide what a buffer does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from footroom.scenario import Scenario

#: The path of every case: bit/s, s, and packets of 1500 bytes that it holds.
RATE, TRIP, PATH = 5e8, 0.012, 500.0
#: Long flows, buffers in bandwidth-delay products, and loads of the transfers beside them.
FLOWS, BUFFERS, LOADS = (4, 12, 40), (0.25, 1.0), (0.05, 0.3)
#: Controls with every load, and those with the lower one alone.
LOSS_BASED, OTHERS = ("newreno", "cubic"), ("bbr", "dctcp")
#: Under DCTCP, the part of the buffer at which marks begin.
MARKED = 0.5


@dataclass(frozen=True)
class Case:
    """control: of all flows.  flows: long-lived ones.  buffer: bandwidth-delay products.  load: of transfers of 30 kB,
    as a share of the link.
    """

    control: str
    flows: int
    buffer: float
    load: float

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.control}, {self.flows} flows, buffer {self.buffer:g} BDP, load {self.load:g}"

    @property
    def bytes(self) -> float:
        """Buffer [B]."""
        return self.buffer * PATH * 1500.0

    def scenario(self) -> Scenario:
        """What every engine is asked; the engine ``hybrid`` has the long flows as fluid."""
        control: dict[str, Any] = {"congestion": {"kind": self.control}}
        switch: dict[str, Any] = {"buffer": self.bytes}
        if self.control == "dctcp":
            switch["marking"] = {"kind": "step", "threshold": MARKED * self.bytes}
        return Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": RATE, "access": 10.0 * RATE, "rtt": TRIP},
                "switch": switch,
                "traffic": [
                    {"kind": "long_lived", "flows": self.flows, "start_jitter": 0.3, **control, "as": "fluid"},
                    {"kind": "poisson", "load": self.load, "sizes": 30e3, **control},
                ],
                "run": {"duration": 20.0, "warmup": 5.0, "mtu": 1500},
            }
        )


CASES: tuple[Case, ...] = tuple(
    Case(control, flows, buffer, load)
    for control in LOSS_BASED + OTHERS
    for flows in FLOWS
    for buffer in BUFFERS
    for load in (LOADS if control in LOSS_BASED else LOADS[:1])
)
