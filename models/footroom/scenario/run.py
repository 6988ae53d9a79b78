"""How long a scenario runs and with which random numbers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.framing import FRAMINGS, Framing
from footroom.base.quantity import Size, Time, quantity

#: Windows of a series and steps of a timeline at most.
MOST_WINDOWS, MOST_STEPS = 100_000, 20_000


class Timeline(Document):
    """What to record over time around an event; packet engine only."""

    start: Time = quantity(0.0, "s", "Start of the recording.", ge=0)
    end: Time = quantity(..., "s", "End of the recording.", gt=0)
    step: Time = quantity(1e-5, "s", "Length of a step; extremes within a step are kept.", gt=0)

    @model_validator(mode="after")
    def _few_steps(self) -> Timeline:
        if self.end <= self.start:
            raise PydanticCustomError("at:end", "end must be after start")
        if self.step > self.end - self.start:
            raise PydanticCustomError("at:step", f"must be at most {self.end - self.start:g} s, from start to end")
        if (self.end - self.start) / self.step > MOST_STEPS:
            raise PydanticCustomError("at:step", f"more than {MOST_STEPS} steps; lengthen step or shorten the span")
        return self


class Run(Document):
    """Duration, warm-up, seed, replicas and packet size."""

    duration: Time = quantity(30.0, "s", "Simulated time.", gt=0, le=86400)
    warmup: Time = quantity(10.0, "s", "Time at the start that is not measured.", ge=0)
    seed: int = quantity(1, "1", "Random seed.", ge=0, le=2**53)
    replicas: int = quantity(1, "1", "Runs with different seeds; intervals need at least two.", ge=1, le=1000)
    mtu: Size = quantity(1500.0, "B", "Size of a full IP packet.", ge=64, le=65536, symbol="MTU")
    framing: Literal["ip", "ethernet"] = quantity(
        "ip",
        "1",
        "How packets are counted on links and in memory: ip counts the bytes of IP packets; ethernet adds "
        "18 B of "
        "header and checksum, pads frames to 64 B, and adds 20 B of preamble and gap on links.",
        advanced=True,
        source="IEEE 802.3 §3 and §4A.4.2",
    )

    transfer: Size = quantity(
        1e6,
        "B",
        "Size of one more transfer over the bottleneck, whose completion time is transfer_p50 and "
        "transfer_p99: at the topology's round trip, from the first byte sent to the last one acknowledged.",
        ge=1,
        le=1e12,
        symbol="S",
    )
    probe_share: float | None = quantity(
        None,
        "1",
        "Share of the bottleneck that the packet engine gives to probes, transfers of run.transfer beside "
        "the load whose completion times it measures; none runs no probes and measures no such time.",
        gt=0,
        le=0.02,
        advanced=True,
    )
    series: Time | None = quantity(
        None,
        "s",
        "Length of the windows over which the packet engine also reports utilisation, drops and queues of "
        "every watched port; none reports the whole run only.",
        gt=0,
        advanced=True,
    )
    timeline: Timeline | None = Field(
        default=None, description="Record queues, thresholds, free memory, marks and drops over time."
    )
    memories: Time | None = quantity(
        None,
        "s",
        "Time between samples of whose packets wait in every switch's memory, for the mean of each traffic entry; "
        "packet engine only.",
        gt=0,
        advanced=True,
    )
    fabric: Time | None = quantity(
        None,
        "s",
        "Time between samples of every port of the fabric, for queues, pauses and rates of flows over time; also "
        "records what caused each pause and which flows it held back. Packet engine only.",
        gt=0,
        advanced=True,
    )
    slowdown: bool = quantity(
        True,
        "1",
        "Compare completion times with those of the same flow alone, which the packet "
        "engine has to compute; without it there is no slowdown.",
        advanced=True,
    )
    keep_flows: bool = quantity(
        False, "1", "Report size, start and completion time of every completed flow.", advanced=True
    )

    @property
    def frames(self) -> Framing:
        """The framing in numbers."""
        return FRAMINGS[self.framing]

    @model_validator(mode="after")
    def _measured(self) -> Run:
        if self.warmup >= self.duration:
            raise PydanticCustomError("at:warmup", "warmup must be shorter than duration, or nothing is measured")
        if self.mtu != int(self.mtu):
            raise PydanticCustomError("at:mtu", "mtu must be a whole number of bytes")
        measured = self.duration - self.warmup
        for name, many in (
            ("series", "windows; lengthen them"),
            ("memories", "looks; lengthen the time between them"),
            ("fabric", "looks; lengthen the time between them"),
        ):
            span = getattr(self, name)
            if span is not None and span > measured:
                raise PydanticCustomError(
                    f"at:{name}", f"must be at most {measured:g} s, the time from run.warmup to run.duration"
                )
            if span is not None and measured / span > MOST_WINDOWS:
                raise PydanticCustomError(f"at:{name}", f"more than {MOST_WINDOWS} {many}")
        if self.timeline is not None and self.timeline.end > self.duration:
            raise PydanticCustomError("at:timeline.end", "must not lie beyond run.duration")
        return self
