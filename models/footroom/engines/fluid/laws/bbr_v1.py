"""BBR version 1: paced at its bandwidth estimate, a quarter above in one of eight round trips and below in the next.

x = min(w/R, g x_btl),   w = max(2 x_btl R_min, 4),   g = 5/4, 3/4, 1, 1, 1, 1, 1, 1 for R_min each
x_btl: the most delivered in the last eight R_min;  ProbeRTT: w = 4 for 200 ms after 10 s without a lower R
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.laws import bbr_path, turns
from footroom.engines.fluid.laws.bbr_path import AHEAD, BLOCK, CLASSES, DELIVERED, LEAST, LEAST_WINDOW, LEFT, SHARES
from footroom.engines.fluid.laws.flows import Law, Oscillation, Path
from footroom.engines.fluid.sight import waiting
from footroom.result.explanation import Explanation, Term

STATE, SEEN, BASE, COUNT = layout.STATE, layout.SEEN, layout.BASE, layout.COUNT
# One class: time in its cycle, bandwidth estimate, the most delivered in this cycle, what it sends.
CLOCK, ESTIMATE, BEST, SENDING = range(4)
PER_CLASS = 4
# Behind what is looked up: window and pace of each class since the last event, windows of 0 before the first one.
WINDOWS = bbr_path.SEEN_END
PACES = WINDOWS + CLASSES
#: Round trips of a cycle.
CYCLE = 8.0


@helper
def _overlap(clock: float, step: float, begin: float, end: float) -> float:
    """Seconds of the step that begins at ``clock`` between ``begin`` and ``end``."""
    return max(0.0, min(clock + step, end) - max(clock, begin))


@helper
def _gain(clock: float, least: float, step: float) -> float:
    """Mean gain over the step ahead: what one flow adds to a queue in the first phase it then drains to the packet."""
    if clock >= 2.0 * least and clock + step <= CYCLE * least:
        return 1.0  # which is what the sums below give, in nearly six of eight round trips
    more = _overlap(clock, step, 0.0, least) + _overlap(clock, step, CYCLE * least, (CYCLE + 1.0) * least)
    return 1.0 + 0.25 * (more - _overlap(clock, step, least, 2.0 * least)) / step


@helper
def _limits(state: Any, past: Any, params: Any, own: int, k: int) -> Any:
    """Window (packets) and pace (packets/s) of a class. They change in events only, once per step."""
    block = int(params[own + STATE])
    one = block + BLOCK + PER_CLASS * k
    if state[block + LEFT] > 0.0:
        return LEAST_WINDOW, math.inf
    least, estimate = state[block + LEAST], state[one + ESTIMATE]
    pace = estimate * _gain(state[one + CLOCK], least, past[history.STEP])
    return max(2.0 * estimate * least, LEAST_WINDOW), pace


def _rate(time: float, state: Any, seen: Any, past: Any, params: Any, own: int) -> float:
    at = int(params[own + SEEN])
    trip, total = params[own + BASE] + waiting(state, params), 0.0
    if seen[at + WINDOWS] > 0.0:
        for k in range(CLASSES):
            total += params[own + SHARES + k] * min(seen[at + WINDOWS + k] / trip, seen[at + PACES + k])
    else:  # before the first event
        for k in range(CLASSES):
            window, pace = _limits(state, past, params, own, k)
            total += params[own + SHARES + k] * min(window / trip, pace)
    return total / params[own + COUNT]


def _look(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    bbr_path.look(past, params, out, own, time, int(params[own + STATE]) + BLOCK + SENDING, PER_CLASS)


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block = int(params[own + STATE])
    # All of it moves in events, once per step.
    for i in range(block, block + BLOCK + PER_CLASS * CLASSES):
        out[i] = 0.0


def _project(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    probing = bbr_path.probe(past, params, seen, out, own)
    cycle = CYCLE * out[block + LEAST]
    trip = params[own + BASE] + waiting(out, params)
    for k in range(CLASSES):
        one = block + BLOCK + PER_CLASS * k
        if probing > 0.0:
            out[one + CLOCK] = params[own + AHEAD + k] * cycle
            out[one + BEST] = 0.0
        elif probing == 0.0:
            out[one + BEST] = max(out[one + BEST], seen[at + DELIVERED + k])
            out[one + CLOCK] += past[history.STEP]
            if out[one + CLOCK] >= cycle * (1.0 - 1e-12):
                out[one + CLOCK] -= cycle
                out[one + ESTIMATE] = out[one + BEST]
                out[one + BEST] = 0.0
        window, pace = _limits(out, past, params, own, k)
        # What a flow sends is asked for five times a step, and only the round trip differs.
        seen[at + WINDOWS + k], seen[at + PACES + k] = window, pace
        out[one + SENDING] = min(window / trip, pace)


@dataclass(frozen=True)
class BbrV1(bbr_path.BbrFlows):
    """Version 1; the fields are those of ``BbrFlows``."""

    law: ClassVar[Law] = Law(
        (
            *bbr_path.COMMON,
            *(f"{name}_{k}" for k in range(CLASSES) for name in ("clock", "estimate", "best", "sending")),
        ),
        PACES + CLASSES,
        _rate,
        _look,
        _slope,
        _project,
    )
    # Where one class begins to probe while another still does, as it may.
    steps: ClassVar[float] = 50.0
    estimates_at: ClassVar[int] = ESTIMATE
    departures: ClassVar[str] = (
        "switches instead of sigmoids; clocks as far apart as at random, in at most six "
        "classes, instead of six phases of one clock; windows of at least 4 packets; starts "
        "at an even share"
    )

    def ahead(self, path: Path) -> tuple[float, ...]:
        return turns.at_random(path)

    def period(self, base: float) -> float:
        return CYCLE * base

    def start(self, path: Path) -> tuple[float, ...]:
        share = path.capacity / path.flows
        classes = [(ahead * CYCLE * path.base, share, 0.0, share) for ahead in self.ahead(path)]
        return path.base, 0.0, 0.0, path.base, *(x for one in classes for x in one)

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        """The published equilibria."""
        flows, buffer = path.flows, bbr_path.ratio(path)
        # Windows hold back even a probing flow once 2/R < 5/4; all of them once the sum of windows is in flight.
        shallow, deep = buffer <= 0.6, buffer >= 10.0 * flows / (4.0 * flows + 1.0) - 1.0
        if flows == 1.0:
            return (
                self.estimate(path),
                self.queue(
                    path,
                    "bbr_queue",
                    "Mean queue of one flow",
                    "q = C d / 32: a quarter in one of eight round trips, drained in the next",
                    1.0 / 32.0,
                    "A queue that the start left empty; one left standing stays until ProbeRTT.",
                    valid=buffer >= 0.25,
                ),
                *self.probing(path),
            )
        return (
            self.estimate(path),
            self.queue(
                path,
                "bbr_queue",
                "Queue of a deep buffer",
                "q = C d",
                1.0,
                "Two flows or more in a buffer that holds all windows of 2 x d; estimates above an even share "
                "add up to a fifth.",
                valid=deep,
            ),
            Explanation(
                "bbr_loss",
                "Loss in a shallow buffer",
                "p = (N - 1) / (5 N)",
                (flows - 1.0) / (5.0 * flows),
                "1",
                self.source,
                "Buffers of at most 0.6 bandwidth-delay products, where windows do not bind; up to 1/5 "
                "where flows probe while others drain.",
                (Term("N", "flows", flows, "1"),),
                shallow,
            ),
            *self.probing(path),
        )
