"""ICTCP: the receiver's window keeps senders that meet at one host within its link (Wu et al., CoNEXT 2010)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.parts.congestion.law import Hooks, Law
from footroom.parts.congestion.newreno import NewReno

#: Words of a flow that belong to its receiver: window [segments], the end of what it has offered, whether the window
#: doubles, whether its host counts it, round trip [ps], begin of the present measurement [ps] and bytes since, measured
#: rate [bit/ps], round trips in a row that fell short, time of the last growth [ps], slot of the last fair cut.
WINDOW, OFFERED, DOUBLES, COUNTED, TRIP, SINCE, BYTES, RATE, SHORT, GREW, CUT = range(11)
#: Parameters of the receiver; those before them are of NewReno's hooks.
ALPHA, GAMMA1, GAMMA2, KEPT, PATIENCE, LEAST, SLOT, SPARE, FIRST = range(2, 11)


class Ictcp(Law):
    """NewReno at the sender, and a window that the receiver sets for all connections of its host together.

    A host divides time into slots of two halves, each as long as the mean round trip of what arrives, weighted by
    bytes. In the first it measures what comes in over its link; what that leaves of ``alpha`` times the link's rate is
    spare, and windows that are used up may grow by as much in the second half: double at first, by one segment once the
    spare rate did not allow that, and not before two round trips after the last growth. Every round trip a receiver
    compares the measured rate b of a connection with the one its window allows, e: with (e - b)/e at most ``gamma1``,
    or less than one segment, the window is used up; above ``gamma2`` for ``patience`` round trips in a row it shrinks
    by one segment. Where less than ``spare`` of the link is left, windows above the mean of the host's connections lose
    a segment once per slot. No window is smaller than ``minimum_window``, and what was offered is never taken back.
    """

    about: ClassVar[About] = About(
        title="ICTCP",
        summary="The receiver sets windows so that all senders together stay below its link's rate.",
        sources=("Wu, Feng, Guo, Zhang, ICTCP: Incast Congestion Control for TCP, CoNEXT 2010",),
        holds="queues at the receiver's own link; many workers that answer one host of a data centre",
        departures="slots begin with an arrival; round trips are those of time stamps (RFC 7323), smoothed by 1/8; the "
        "weight of old measurements is not in the paper; a bottleneck elsewhere is left to NewReno; host.autosize has "
        "no effect beside it: segments leave one by one",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["ictcp"] = "ictcp"
    alpha: float = quantity(
        0.9,
        "1",
        "Share of the receiver's link that all connections may fill.",
        gt=0,
        le=1,
        symbol="α",
        source="Wu et al., section 4.1",
    )
    gamma1: float = quantity(
        0.1,
        "1",
        "Largest shortfall of the measured rate with which a window counts as used up.",
        gt=0,
        lt=1,
        symbol="γ₁",
        source="Wu et al., section 4.3",
    )
    gamma2: float = quantity(
        0.5, "1", "Shortfall above which a window shrinks.", gt=0, lt=1, symbol="γ₂", source="Wu et al., section 4.3"
    )
    patience: int = quantity(
        3,
        "1",
        "Round trips in a row with such a shortfall before a window shrinks.",
        ge=1,
        le=100,
        source="Wu et al., section 4.3",
        advanced=True,
    )
    minimum_window: int = quantity(
        2,
        "packet",
        "Smallest receive window.",
        ge=1,
        le=1000,
        source="Wu et al., section 4.3: two segments",
        advanced=True,
    )
    first_window: int = quantity(
        2,
        "packet",
        "Receive window of a new connection.",
        ge=1,
        le=1000,
        source="Wu et al., section 4.3: two segments",
        advanced=True,
    )
    beta: float = quantity(
        0.2,
        "1",
        "Weight of the old value in the measured rate, which a larger sample replaces at once.",
        ge=0,
        lt=1,
        symbol="β",
        source="chosen: the paper names no value",
        advanced=True,
    )
    slot: Time = quantity(
        100e-6,
        "s",
        "Shortest half of a slot.",
        gt=0,
        le=1,
        source="chosen: the round trip of the paper's network",
        advanced=True,
    )
    spare: float = quantity(
        0.2,
        "1",
        "Spare share of the link below which windows above the mean shrink.",
        ge=0,
        le=1,
        source="Wu et al., section 4.4",
        advanced=True,
    )

    def allots(self) -> bool:
        return True

    def hooks(self) -> Hooks:
        return NewReno().hooks()

    def scratch(self) -> int:
        return 11

    def parameters(self) -> tuple[float, ...]:
        first = float(max(self.first_window, self.minimum_window))
        return (
            *NewReno().parameters(),
            self.alpha,
            self.gamma1,
            self.gamma2,
            self.beta,
            float(self.patience),
            float(self.minimum_window),
            self.slot * 1e12,
            self.spare,
            first,
        )
