"""Inputs of the theory engine: one bottleneck, long-lived flows, short flows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.base.errors import InvalidInput
from footroom.formulas.transfer.checks import at_least, between, not_negative, positive


@dataclass(frozen=True)
class LongLived:
    """Flows that never end and share one window law.

    flows: how many, >= 1.  beta: factor on the window at a loss, in (0, 1).
    ack_every: segments per window-increase step; 1 grows one segment per round trip (also delayed ACKs with byte
    counting), 2 is delayed ACKs that count ACKs.  burst: segments that leave back to back, >= 1; equal to the host's
    ACK ratio unless it paces.  max_window: receive window [packets].  cubic: between losses the window climbs CUBIC's
    curve; the time it takes is that of the line.  converges: with fast convergence.
    """

    flows: int
    beta: float = 0.5
    ack_every: float = 1.0
    burst: float = 1.0
    max_window: float = math.inf
    cubic: bool = False
    converges: bool = False

    def __post_init__(self) -> None:
        at_least("flows", self.flows, 1)
        between("beta", self.beta, 0.0, 1.0)
        positive("ack_every", self.ack_every)
        at_least("burst", self.burst, 1.0)
        if not self.max_window > 0.0:
            raise InvalidInput.at("max_window", self.max_window, "more than 0 packets are needed")


@dataclass(frozen=True)
class ShortFlows:
    """Flows arriving as a Poisson process, whatever the network does.

    load: offered bits over capacity, > 0.  sizes: flow sizes [B].  weights: how often each occurs (any scale), one per
    size; empty for equally often.  initial_window, max_window [packets].  access: rate of a sender [bit/s].
    ack_every: segments per ACK in slow start; windows grow by 1 + 1/ack_every per round trip.
    """

    load: float
    sizes: tuple[float, ...]
    weights: tuple[float, ...] = ()
    initial_window: float = 10.0
    max_window: float = math.inf
    access: float = math.inf
    ack_every: float = 1.0

    def __post_init__(self) -> None:
        positive("load", self.load)
        at_least("sizes", len(self.sizes), 1)
        for size in self.sizes:
            positive("sizes", size)
        if self.weights and len(self.weights) != len(self.sizes):
            raise InvalidInput.at("weights", len(self.weights), f"one weight per size is needed, {len(self.sizes)}")
        for weight in self.weights:
            not_negative("weights", weight)
        if self.weights:
            positive("weights", math.fsum(self.weights))
        at_least("initial_window", self.initial_window, 1.0)
        if not self.max_window >= self.initial_window:
            raise InvalidInput.at("max_window", self.max_window, "at least initial_window is needed")
        if not self.access > 0.0:
            raise InvalidInput.at("access", self.access, "a rate above 0 is needed")
        at_least("ack_every", self.ack_every, 1.0)

    @property
    def shares(self) -> tuple[float, ...]:
        """Probability of each size; adds up to 1."""
        if not self.weights:
            return (1.0 / len(self.sizes),) * len(self.sizes)
        total = math.fsum(self.weights)
        return tuple(weight / total for weight in self.weights)


@dataclass(frozen=True)
class TheoryInputs:
    """One bottleneck and what runs over it.

    capacity [bit/s], buffer [B], mtu: size of a packet on the wire [B], mss: payload in it [B],
    rtt: mean round-trip time without queue [s], min_rto: smallest retransmission timeout [s].
    groups: long-lived flows.  short: flows that arrive and end.  At least one of the two.
    out_of_step: round trips differ, so that long-lived flows are not cut together. Paced flows are all the same: their
    packets are so evenly mixed that an overflow hits nearly all of them (Aggarwal, Savage and Anderson, INFOCOM 2000).
    spread: round trips of the flows are evenly distributed within rtt·(1 ± spread), in [0, 1).
    paced: all long-lived flows pace. held: packets for which receivers owe an acknowledgement, on average.
    """

    capacity: float
    buffer: float
    mtu: float
    mss: float
    rtt: float
    groups: tuple[LongLived, ...] = ()
    short: ShortFlows | None = None
    min_rto: float = 0.2
    out_of_step: bool = True
    spread: float = 0.0
    paced: bool = False
    held: float = 0.0

    def __post_init__(self) -> None:
        positive("capacity", self.capacity)
        between("spread", self.spread, 0.0, 1.0, ends="low")
        not_negative("buffer", self.buffer)
        positive("mtu", self.mtu)
        between("mss", self.mss, 0.0, self.mtu, ends="high")
        positive("rtt", self.rtt)
        positive("min_rto", self.min_rto)
        if not self.groups and self.short is None:
            raise InvalidInput.at("groups", self.groups, "long-lived or short flows are needed")

    @property
    def bdp(self) -> float:
        """Bandwidth-delay product [B]."""
        return self.capacity * self.rtt / 8.0

    @property
    def flows(self) -> int:
        """Long-lived flows in all groups."""
        return sum(group.flows for group in self.groups)

    @property
    def background(self) -> float:
        """Load of the short flows [1], 0 without any."""
        return self.short.load if self.short else 0.0
