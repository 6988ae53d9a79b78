"""Inputs and answers of the fluid engine, in SI units (bit/s, bytes, seconds)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.base.errors import InvalidInput, Problem, Unsupported
from footroom.engines.fluid.laws import Flows, Reno
from footroom.engines.fluid.markings import DropTail, Marking
from footroom.result.explanation import Explanation

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class FlowGroup:
    """Identical long-lived flows.

    count: flows, >= 1.  rtt: round trip without queueing, s.  flows: their congestion control.
    drops: the marking drops their packets instead of marking them.  label: what a reader calls them.
    entry: the scenario's entry they belong to; several groups may (a spread of round trips).  min_rto: s, least
    timeout.  paced: senders spread their packets over the round trip.  burst: packets by which what a sender sends at
    once raises the queue, 1 where nothing meets it.  every: packets that an acknowledgement covers.
    """

    count: int
    rtt: float
    flows: Flows = field(default_factory=lambda: Reno(10.0, refined=True))
    drops: bool = False
    label: str = ""
    entry: int = 0
    min_rto: float = 0.2
    paced: bool = False
    burst: float = 1.0
    every: int = 1


@dataclass(frozen=True)
class FluidInputs:
    """One bottleneck and its flows.

    capacity: bit/s.  mtu: bytes per packet on the wire, all packets alike.  buffer: bytes.  duration, warmup: s.
    background: open-loop load in bit/s, below the capacity.  marking: in packets.
    background_drops: the marking drops the background's packets instead of marking them.  seed: of losses that hit
    flows at random.
    """

    capacity: float
    mtu: float
    buffer: float
    groups: tuple[FlowGroup, ...]
    duration: float
    warmup: float
    marking: Marking = field(default_factory=DropTail)
    background: float = 0.0
    background_drops: bool = False
    seed: int = 1

    @property
    def packets_per_second(self) -> float:
        """Capacity in packets."""
        return self.capacity / (8.0 * self.mtu)

    @property
    def flows(self) -> int:
        """Long-lived flows in all groups."""
        return sum(group.count for group in self.groups)


@dataclass(frozen=True)
class Trajectory:
    """Decimated course: time (s), mean window per flow (bytes), queue (bytes, absent where it is not a state), share
    of arriving packets lost or marked.
    """

    time: Floats
    window: Floats
    loss: Floats
    queue: Floats | None = None


@dataclass(frozen=True)
class FluidAnswer:
    """One buffer size answered.

    variant: ``per_flow``, or the marking's name (``drop_tail``, ``red`` …) for the averaged equations.
    metrics: contract names, only what the model yields.
    notes: which variant answered, why, and what it leaves out.
    levels: queues (bytes) an arriving packet meets, all equally likely.
    rates: bit/s that one flow of each group sends on average.
    outside: metric to reason, where the model does not hold.
    cuts: how often flows cut their windows, per packet they send; 0 where single flows are not followed.
    """

    buffer: float
    variant: str
    metrics: dict[str, float]
    notes: tuple[str, ...]
    explanations: tuple[Explanation, ...]
    trajectory: Trajectory | None = None
    levels: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()
    outside: dict[str, str] = field(default_factory=dict)
    cuts: float = 0.0


def check(inputs: FluidInputs, buffers: Floats) -> None:
    """Raise InvalidInput naming every field at fault, Unsupported when there is no long-lived flow."""
    if not inputs.groups:
        raise Unsupported(
            "the fluid engine models long-lived flows; there are none", path="groups", engines=("packet",)
        )
    problems: list[Problem] = []

    def need(path: str, value: float, fine: bool, message: str) -> None:
        if not (math.isfinite(value) and fine):
            problems.append(Problem(path, value, message))

    need("capacity", inputs.capacity, inputs.capacity > 0.0, "a positive rate in bit/s")
    need("mtu", inputs.mtu, inputs.mtu > 0.0, "a positive size in bytes")
    need("duration", inputs.duration, inputs.duration > 0.0, "a positive time in seconds")
    need("warmup", inputs.warmup, 0.0 <= inputs.warmup < inputs.duration, "at least 0 and shorter than the duration")
    need("background", inputs.background, 0.0 <= inputs.background < inputs.capacity, "at least 0, below the capacity")
    for i, group in enumerate(inputs.groups):
        need(f"groups.{i}.count", group.count, group.count >= 1, "at least one flow")
        need(f"groups.{i}.rtt", group.rtt, group.rtt > 0.0, "a positive time in seconds")
        if group.rtt >= inputs.duration:
            need(f"groups.{i}.rtt", group.rtt, False, "shorter than the duration")
    for buffer in buffers:
        need("buffer", float(buffer), buffer >= inputs.mtu, f"at least one packet ({inputs.mtu:g} bytes)")
    if problems:
        raise InvalidInput(problems)
