"""BBR's model of its path, in any version: the least round trip, and the rate at which its packets are delivered.

A packet sent at t - R is delivered at the rate x(t-R) C/y(t-R) where it found the link busy (a queue, or arrivals y of
C or more), at x(t-R) otherwise. The least round trip is a running minimum; where no sample has been as low for an
interval, ProbeRTT lowers the windows for a moment, the least of it takes the place of the old one, and every cycle
begins anew. Beside flows that keep a queue it is therefore too long, and the windows with it (Ware et al., IMC 2019).

Flows take turns (``turns``): version 1 as unevenly as flows that began at random, version 2, which draws the length of
its long periods anew every time, evenly. Source: Scherrer, Legner, Perrig, Schmid,
Model-based insights on the performance, fairness, and stability of BBR, IMC 2022, with switches in place of its steep
sigmoids.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.base.errors import Infeasible
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.laws import turns
from footroom.engines.fluid.laws.flows import Flows, Pace, Path, Pressure, Rest
from footroom.engines.fluid.sight import arrived, level, locate, round_trip
from footroom.result.explanation import Explanation, Term

OWN, STATE, SEEN = layout.OWN, layout.STATE, layout.SEEN
CLASSES = turns.MOST
#: Smallest window, packets (tcp_bbr.c, bbr_cwnd_min_target).
LEAST_WINDOW = 4.0
# Parameters: seconds between two ProbeRTT and of one, flows of each class, how far ahead each class is.
INTERVAL, LASTS, SHARES, AHEAD = OWN, OWN + 1, OWN + 2, OWN + 2 + CLASSES
OWN_END = AHEAD + CLASSES
# State all flows of a group share: least round trip, time since a sample as low, time left of ProbeRTT, least in it.
LEAST, SINCE, LEFT, FRESH, BLOCK = 0, 1, 2, 3, 4
COMMON = ("least_round_trip", "since", "left", "fresh")
# Looked up: round trip, share of what was sent that is delivered per second, then class by class what is delivered.
TRIP, SHARE, DELIVERED = 0, 1, 2
SEEN_END = DELIVERED + CLASSES
#: A sample this close to the least round trip is as low: queues empty to within a step, real samples to within noise.
_AS_LOW = 1.01


@helper
def look(past: Any, params: Any, out: Any, own: int, time: float, first: int, stride: int) -> Any:
    """Round trip and delivery of what was sent then; ``first``, ``stride``: where the classes' rates are kept.

    Returns the place in the past of the packets acknowledged now.
    """
    at = int(params[own + SEEN])
    trip = round_trip(past, params, own, time, out[at + TRIP])
    place = locate(past, time - trip)
    capacity, offered = params[layout.CAPACITY], arrived(past, place)
    busy = offered >= capacity or level(past, place, layout.QUEUE, params) > 0.0
    share = capacity / max(offered, 1e-9 * capacity) if busy else 1.0
    out[at + TRIP] = trip
    out[at + SHARE] = share
    for k in range(CLASSES):
        rate = level(past, place, first + stride * k, params) * share
        out[at + DELIVERED + k] = min(rate, capacity)
    return place


@helper
def probe(past: Any, params: Any, seen: Any, out: Any, own: int) -> float:
    """Keep the least round trip and ProbeRTT's clocks. Returns 1 on leaving ProbeRTT, -1 inside it, 0 otherwise."""
    block, step = int(params[own + STATE]), past[history.STEP]
    trip = seen[int(params[own + SEEN]) + TRIP]
    out[block + SINCE] = 0.0 if trip <= out[block + LEAST] * _AS_LOW else out[block + SINCE] + step
    out[block + LEAST] = min(out[block + LEAST], trip)
    if out[block + LEFT] > 0.0:
        out[block + LEFT] -= step
        out[block + FRESH] = min(out[block + FRESH], trip)
        if out[block + LEFT] > 0.5 * step:
            return -1.0
        out[block + LEFT] = 0.0
        out[block + SINCE] = 0.0
        out[block + LEAST] = out[block + FRESH]
        return 1.0
    if params[own + INTERVAL] > 0.0 and out[block + SINCE] >= params[own + INTERVAL]:
        # At least one round trip, or its effect would not be seen.
        out[block + LEFT] = max(params[own + LASTS], trip)
        out[block + FRESH] = trip
        return -1.0
    return 0.0


@dataclass(frozen=True)
class BbrFlows(Flows):
    """interval, lasts: seconds until ProbeRTT and of one; an interval of 0 leaves it out."""

    interval: float = 10.0
    lasts: float = 0.2

    jumps: ClassVar[bool] = True
    takes_turns: ClassVar[bool] = True
    #: Steps per round trip that resolve its events; the engine may make it a quarter of that.
    steps: ClassVar[float]
    #: Where a class keeps its bandwidth estimate.
    estimates_at: ClassVar[int]
    source: ClassVar[str] = "Scherrer, Legner, Perrig, Schmid, IMC 2022"
    holds: ClassVar[str] = "bandwidth-delay products of some packets per flow; no start-up, no aggregation of packets"

    def parameters(self, path: Path) -> tuple[float, ...]:
        return self.interval, self.lasts, *turns.shares(path), *self.ahead(path)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        raise Infeasible(
            "BBR never converges: every flow goes on probing for bandwidth, so there is no fixed point and no "
            "linear response; its equilibrium on average is among the explanations of a run"
        )

    def pace(self, path: Path) -> Pace:
        probing = self.interval + max(self.lasts, path.base) if self.interval > 0.0 else 0.0
        return Pace(path.base / self.steps, max(self.period(path.base), probing))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        """The bandwidth estimate is a mean over the flows."""
        estimates = states[BLOCK + self.estimates_at :: (len(states) - BLOCK) // CLASSES]
        mean = sum(share * one for share, one in zip(turns.shares(path), estimates, strict=True)) / path.count
        return {"bandwidth_estimate": mean * path.packet * 8.0, "least_round_trip": states[LEAST]}

    def ahead(self, path: Path) -> tuple[float, ...]:
        """Share of a cycle that each class is ahead of the first."""
        raise NotImplementedError

    def period(self, base: float) -> float:
        """Longest time (s) from one probing for bandwidth to the next on a path of ``base`` s."""
        raise NotImplementedError

    def estimate(self, path: Path) -> Explanation:
        """Bandwidth estimate of a flow when one at a time probes at 5/4."""
        flows = path.flows
        return Explanation(
            "bbr_bandwidth",
            "Bandwidth that a flow estimates",
            "x = 5 C / (4 N + 1)",
            5.0 * path.capacity / (4.0 * flows + 1.0) * path.packet * 8.0,
            "bit/s",
            self.source,
            "Flows probe one at a time; those that overlap estimate up to 5 C / (4 N).",
            (Term("C", "capacity", path.capacity * path.packet * 8.0, "bit/s"), Term("N", "flows", flows, "1")),
        )

    def probing(self, path: Path) -> tuple[Explanation, ...]:
        """Share of time in ProbeRTT where the queue never empties; none when it is left out."""
        if self.interval <= 0.0:
            return ()
        lasts = max(self.lasts, path.base)
        return (
            Explanation(
                "bbr_probe_rtt",
                "Share of time in ProbeRTT",
                "t = d / (T + d)",
                lasts / (self.interval + lasts),
                "1",
                "tcp_bbr.c, bbr_update_min_rtt",
                "Queues that never empty; a run shorter than T does not contain any.",
                (
                    Term("d", "length of one, at least a round trip", lasts, "s"),
                    Term("T", "time without a lower round trip that brings one on", self.interval, "s"),
                ),
            ),
        )

    def queue(
        self, path: Path, name: str, title: str, formula: str, share: float, holds: str, *, valid: bool
    ) -> Explanation:
        """A queue of ``share`` bandwidth-delay products."""
        pipe = path.capacity * path.base
        return Explanation(
            name,
            title,
            formula,
            share * pipe * path.packet,
            "B",
            self.source,
            holds,
            (
                Term("C", "capacity", path.capacity * path.packet * 8.0, "bit/s"),
                Term("d", "round trip", path.base, "s"),
                Term("N", "flows", path.flows, "1"),
            ),
            valid,
        )


def ratio(path: Path) -> float:
    """Buffer over bandwidth-delay product, infinite without a limit."""
    return path.buffer / (path.capacity * path.base) if math.isfinite(path.buffer) else math.inf
