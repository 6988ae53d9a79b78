"""BBR version 2: probes for bandwidth every few seconds, and bounds what is in flight by what was lost.

x = min(w/R, g x_btl),   every min(63 R_min, 2 s + offset):
refill  g = 1, w = min(2 x_btl R_min, w_hi), for R_min
up      g = 5/4, w_hi grows by 2^(t/R_min) packets per R_min while it is used up; until 5/4 x_btl R_min are in
        flight, or more than 2 % are lost, which lowers w_hi by 30 % (not below x_btl R_min); then x_btl is the most
        delivered in this period or the last
down    g = 3/4, until what is in flight is at most min(x_btl R_min, 0.85 w_hi), for 10 R_min at most
cruise  g = 1, w = min(2 x_btl R_min, w_lo, 0.85 w_hi); w_lo falls by 30 % per R_min while more than 2 % are lost,
        not below what is delivered per round trip
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.laws import bbr_path, turns
from footroom.engines.fluid.laws.bbr_path import (
    AHEAD,
    BLOCK,
    CLASSES,
    DELIVERED,
    LEAST,
    LEAST_WINDOW,
    LEFT,
    SHARES,
    TRIP,
)
from footroom.engines.fluid.laws.flows import Law, Oscillation, Path
from footroom.engines.fluid.sight import level, overflowed, waiting
from footroom.result.explanation import Explanation

STATE, SEEN, BASE, COUNT = layout.STATE, layout.SEEN, layout.BASE, layout.COUNT
# One class: time in its period, what it does, bandwidth estimate, the most delivered in this period and in the last,
# bounds on what is in flight, packets sent so far by one flow, what it sends.
CLOCK, DOING, ESTIMATE, BEST, BEFORE, HIGH, LOW, SENT, SENDING = range(9)
PER_CLASS = 9
CRUISE, REFILL, UP, DOWN = 0.0, 1.0, 2.0, 3.0
LOST = bbr_path.SEEN_END
SENT_THEN = LOST + 1
#: Share of losses that is too much, and what it costs: 30 % (tcp_bbr2.c, loss_thresh and beta).
TOO_MUCH, KEPT = 0.02, 0.7
#: Just below 5/4, which what is in flight reaches only in the limit.
FULL = 1.2475
#: Share of an upper bound that counts as using it up.
USED_UP = 0.99
HEADROOM = 0.85
#: Round trips between two probings at most, and of going down at most.
PERIOD, LONGEST_DOWN = 63.0, 10.0
_PER_ROUND = -math.log(KEPT)


@helper
def _sending(state: Any, params: Any, own: int, k: int) -> float:
    block = int(params[own + STATE])
    one = block + BLOCK + PER_CLASS * k
    estimate, doing = state[one + ESTIMATE], state[one + DOING]
    trip = params[own + BASE] + waiting(state, params)
    pipe = estimate * state[block + LEAST]
    if state[block + LEFT] > 0.0:
        return max(0.5 * pipe, LEAST_WINDOW) / trip
    window, pace = min(2.0 * pipe, state[one + HIGH]), estimate
    if doing == CRUISE:
        window = min(2.0 * pipe, state[one + LOW], HEADROOM * state[one + HIGH])
    elif doing == UP:
        pace = 1.25 * estimate
    elif doing == DOWN:
        pace = 0.75 * estimate
    return min(max(window, LEAST_WINDOW) / trip, pace)


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    total = 0.0
    for k in range(CLASSES):
        share = params[own + SHARES + k]
        if share > 0.0:
            total += share * _sending(state, params, own, k)
    return total / params[own + COUNT]


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    first, at = int(params[own + STATE]) + BLOCK, int(params[own + SEEN])
    place = bbr_path.look(past, params, out, own, time, first + SENDING, PER_CLASS)
    out[at + LOST] = overflowed(past, place)
    for k in range(CLASSES):
        out[at + SENT_THEN + k] = level(past, place, first + SENT + PER_CLASS * k, params)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    for i in range(block, block + BLOCK + PER_CLASS * CLASSES):
        out[i] = 0.0
    for k in range(CLASSES):
        out[block + BLOCK + PER_CLASS * k + SENT] = _sending(state, params, own, k)


@helper
def _act(
    out: Any, one: int, least: float, period: float, flight: float, lost: float, delivered: float, step: float
) -> None:
    """One step of a class outside ProbeRTT. flight: packets in flight.  delivered: per round trip."""
    pipe, doing = out[one + ESTIMATE] * least, out[one + DOING]
    if doing == CRUISE:
        if lost > TOO_MUCH:
            out[one + LOW] = max(out[one + LOW] * (1.0 - _PER_ROUND * step / least), min(out[one + LOW], delivered))
        if out[one + CLOCK] >= period:
            out[one + CLOCK] = 0.0
            out[one + BEFORE] = out[one + BEST]
            out[one + BEST] = 0.0
            out[one + LOW] = out[one + HIGH]
            out[one + DOING] = REFILL
    elif doing == REFILL:
        if out[one + CLOCK] >= least:
            out[one + DOING] = UP
    elif doing == UP:
        # No further than where probing ends: steps would carry it beyond.
        if flight >= USED_UP * out[one + HIGH] and out[one + HIGH] < 1.25 * pipe:
            grown = out[one + HIGH] + step / least * 2.0 ** min(out[one + CLOCK] / least, 60.0)
            out[one + HIGH] = min(grown, 1.25 * pipe)
        if lost > TOO_MUCH or flight > FULL * pipe:
            if lost > TOO_MUCH:
                out[one + HIGH] *= KEPT
            out[one + ESTIMATE] = max(out[one + BEST], out[one + BEFORE])
            out[one + HIGH] = max(out[one + HIGH], out[one + ESTIMATE] * least)
            out[one + LOW] = out[one + HIGH]
            out[one + DOING] = DOWN
    elif flight <= min(pipe, HEADROOM * out[one + HIGH]) or out[one + CLOCK] > LONGEST_DOWN * least:
        out[one + DOING] = CRUISE


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    probing = bbr_path.probe(past, params, seen, out, own)
    least, step = out[block + LEAST], past[history.STEP]
    for k in range(CLASSES):
        one = block + BLOCK + PER_CLASS * k
        delivered = seen[at + DELIVERED + k]
        if probing >= 0.0:
            out[one + BEST] = max(out[one + BEST], delivered)
            out[one + CLOCK] += step
            _act(
                out,
                one,
                least,
                min(PERIOD * least, 2.0 + params[own + AHEAD + k]),
                out[one + SENT] - seen[at + SENT_THEN + k],
                seen[at + LOST],
                delivered * seen[at + TRIP],
                step,
            )
        out[one + SENDING] = _sending(out, params, own, k)


@dataclass(frozen=True)
class BbrV2(bbr_path.BbrFlows):
    """Version 2; the fields are those of ``BbrFlows``."""

    interval: float = 5.0

    law: ClassVar[Law] = Law(
        (
            *bbr_path.COMMON,
            *(
                f"{name}_{k}"
                for k in range(CLASSES)
                for name in ("clock", "doing", "estimate", "best", "before", "high", "low", "sent", "sending")
            ),
        ),
        SENT_THEN + CLASSES,
        _rate,
        _look,
        _slope,
        _project,
    )
    # A shallow buffer fills within a few hundredths of a round trip.
    steps: ClassVar[float] = 200.0
    estimates_at: ClassVar[int] = ESTIMATE
    departures: ClassVar[str] = (
        "switches instead of sigmoids; periods evenly apart in at most six classes instead of "
        "at random; windows of at least 4 packets; starts at an even share; marks have no effect"
    )

    def ahead(self, path: Path) -> tuple[float, ...]:
        return turns.evenly(path)

    def period(self, base: float) -> float:
        return min(PERIOD * base, 3.0)

    def start(self, path: Path) -> tuple[float, ...]:
        share = path.capacity / path.flows
        # Start-up leaves the upper bound where losses stopped it: far up in buffers of more than four pipes.
        high = 1.25 * share * path.base * (1.0 + 0.5 * max(0.0, min(bbr_path.ratio(path), 1e3) - 4.0))
        classes = [
            (ahead * min(PERIOD * path.base, 2.0 + ahead), CRUISE, share, 0.0, share, high, high, 0.0, share)
            for ahead in self.ahead(path)
        ]
        return path.base, 0.0, 0.0, path.base, *(x for one in classes for x in one)

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        """The published equilibrium, and what the bound on what is in flight makes of it."""
        flows, buffer = path.flows, bbr_path.ratio(path)
        drained = (flows - 1.0) / (4.0 * flows + 1.0)
        cruising = HEADROOM * 1.25 * 5.0 * flows / (4.0 * flows + 1.0) - 1.0
        bounds = (
            "Buffers that hold it and are no deeper than about five bandwidth-delay products: beyond, start-up "
            "leaves no upper bound on what is in flight."
        )
        return (
            self.estimate(path),
            self.queue(
                path,
                "bbr_queue",
                "Queue, each flow holding one bandwidth-delay product of its own",
                "q = C d (N - 1) / (4 N + 1)",
                drained,
                bounds,
                valid=drained <= buffer <= 5.0,
            ),
            self.queue(
                path,
                "bbr_queue_cruising",
                "Queue, each flow cruising at 0.85 of what its last probing held",
                "q = C d (0.85 x 5/4 x 5 N / (4 N + 1) - 1)",
                cruising,
                bounds,
                valid=cruising <= buffer <= 5.0,
            ),
            *self.probing(path),
        )
