"""What the fluid engine is asked and what it answers, in SI units (bit/s, bytes, seconds)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.errors import InvalidInput, Problem, Unsupported
from footroom.result.explanation import Explanation

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class FlowGroup:
    """Identical long-lived Reno flows.

    count: flows, >= 1.  rtt: round trip without queueing, s.  start_window: packets at t = 0.
    ack_every: packets per acknowledgement (2 with delayed ACKs).
    """

    count: int
    rtt: float
    start_window: float = 10.0
    ack_every: float = 1.0


@dataclass(frozen=True)
class RedMarking:
    """Probability 0 up to ``kmin`` bytes of queue, ``pmax`` at ``kmax``, 1 beyond.

    weight: of a sample in the exponential average (one per packet time); 1 uses the queue itself.
    drops: flows that do not understand marks are dropped instead.
    """

    kmin: float
    kmax: float
    pmax: float
    weight: float = 1.0
    drops: bool = False


@dataclass(frozen=True)
class FluidInputs:
    """One bottleneck and its flows.

    capacity: bit/s.  mtu: bytes per packet on the wire, all packets alike.  buffer: bytes.  duration, warmup: s.
    background: open-loop load in bit/s, below the capacity.  marking: None is drop-tail.
    """

    capacity: float
    mtu: float
    buffer: float
    groups: tuple[FlowGroup, ...]
    duration: float
    warmup: float
    marking: RedMarking | None = None
    background: float = 0.0

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

    variant: ``drop_tail``, ``red`` or ``small_buffer``.  metrics: contract names, only what the model yields.
    notes: which variant answered, why, and what it leaves out.
    bracket: for ``drop_tail``, (low, high) of a metric between flows in step, the answer, and flows never in step.
    """

    buffer: float
    variant: str
    metrics: dict[str, float]
    notes: tuple[str, ...]
    explanations: tuple[Explanation, ...]
    trajectory: Trajectory | None = None
    bracket: dict[str, tuple[float, float]] = field(default_factory=dict)


def check(inputs: FluidInputs, buffers: Floats) -> None:
    """Raise InvalidInput naming every field at fault, Unsupported when there is no long-lived flow."""
    if not inputs.groups:
        raise Unsupported("the fluid engine models long-lived flows; there are none", path="groups",
                          engines=("packet",))
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
        need(f"groups.{i}.start_window", group.start_window, group.start_window >= 1.0, "at least one packet")
        need(f"groups.{i}.ack_every", group.ack_every, group.ack_every >= 1.0, "at least 1")
        if group.rtt >= inputs.duration:
            need(f"groups.{i}.rtt", group.rtt, False, "shorter than the duration")
    if inputs.marking is not None:
        red = inputs.marking
        need("marking.kmin", red.kmin, red.kmin >= 0.0, "at least 0 bytes")
        need("marking.kmax", red.kmax, red.kmax > red.kmin, "above kmin")
        need("marking.pmax", red.pmax, 0.0 < red.pmax <= 1.0, "in (0, 1]")
        need("marking.weight", red.weight, 0.0 < red.weight <= 1.0, "in (0, 1]")
    for buffer in buffers:
        need("buffer", float(buffer), buffer >= inputs.mtu, f"at least one packet ({inputs.mtu:g} bytes)")
    if problems:
        raise InvalidInput(problems)
