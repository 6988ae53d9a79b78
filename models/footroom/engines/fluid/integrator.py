"""Fixed-step integrator for delay-differential equations, compiled, batched over independent lanes.

Classical fourth-order Runge-Kutta with the method of steps: delayed values come from stored rows (``history``),
cubic Hermite or linear as the model chooses. After each step the state is projected onto its legal range and the
slope is computed *again* before it is stored; otherwise the cubic would bring back the undershoot just removed.
Source of the scheme: Bellen & Zennaro, Numerical Methods for Delay Differential Equations (2003), ch. 6.

Order: four for smooth equations with the step no longer than the shortest delay; two for kinks, one for jumps
(events are not located; averages do not need them).

A periodic solution whose window ends anywhere in a cycle has averages that depend on the window's length. Where a batch
asks for it, statistics therefore cover whole cycles of signal 0: from its first to its last rise through the middle of
its range (or fall, if those span more). A rise counts after the signal was below a band of a tenth of the range.

A steady solution stays steady, as the models depend on time through state and history only. Where a batch asks for it,
a lane whose remembered components all change by less than ``AT_REST`` for longer than the longest delay is not computed
further: only the sums go on, evenly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from footroom.base import deadline
from footroom.base.compile_cache import entry
from footroom.base.errors import NotConverged
from footroom.engines.fluid import history
from footroom.engines.fluid.batch import Batch, Outcome, check
from footroom.engines.fluid.lanes import (
    GREATEST,
    HALTED,
    HEADER,
    LEAST,
    MEAN,
    PLACES,
    REST_DELAYS,
    REST_SHARE,
    integrate_lanes,
)
from footroom.engines.fluid.model import Model

_kernel = entry(integrate_lanes)


_MESSAGES = {
    history.TOO_NEW: "the step is longer than the shortest delay; choose a shorter step",
    history.TOO_OLD: "a delay exceeded the announced longest delay",
    history.NOT_FINITE: "the state left the finite numbers",
    history.NO_DELAY: "an implicit round-trip time was not found",
    HALTED: "somebody wanted it to end",
}


def workers() -> int:
    """Threads used for a batch: the processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


#: Of a lane and its greatest signal 0: whether the lanes behind it need not be integrated.
Enough = Callable[[int, float], bool]


def integrate(model: Model, batch: Batch, *, threads: int | None = None, enough: Enough | None = None) -> Outcome:
    """Integrate the lanes of ``batch``. Lanes never influence one another, so any split gives the same bits.

    enough: where it holds for a lane, the lanes behind it are left out as far as they are not yet begun, and their
    numbers are not to be used.
    Raises InvalidInput for inconsistent shapes, NotConverged if a lane broke off (the message names the lane and why),
    TimeLimit or Cancelled where ``footroom.base.deadline`` ends it.
    """
    count = check(batch)
    size = batch.initial.shape[1]
    # Rings as long as the longest delay, or the whole run if that is shorter; short ones stay in the cache.
    rows = np.minimum(batch.longest_delay / batch.step, batch.steps).astype(np.int64) + 4
    lengths = 1 << np.maximum(2, np.ceil(np.log2(rows)).astype(np.int64))
    shapes = np.array(
        [
            [size, batch.remembered, batch.delays, batch.signals, batch.remembered_signals, length - 1]
            for length in lengths
        ],
        np.int64,
    )
    stride = np.maximum(1, -(-batch.steps // max(1, batch.points)))
    whole = np.full(count, int(batch.whole_cycles))
    patience = np.ceil(np.maximum(REST_SHARE * batch.steps, REST_DELAYS * batch.longest_delay / batch.step))
    counts = np.ascontiguousarray(
        np.stack([batch.steps, batch.warmup, stride, whole, patience * batch.rests], axis=1), np.int64
    )
    longest = int(np.max(batch.steps - batch.warmup))
    stats = np.zeros((count, batch.signals, 3))
    histogram = np.zeros((count, batch.bins + 2))
    opened, closed = np.zeros((count, size)), np.zeros((count, size))
    trace = np.zeros((count, batch.points + 1 if batch.points else 0, batch.signals))
    status, peak, measured = np.zeros(count), np.zeros(count), np.zeros((count, 2), np.int64)
    clock, params = np.ascontiguousarray(batch.step, float), np.ascontiguousarray(batch.params, float)
    initial, levels = np.ascontiguousarray(batch.initial, float), np.ascontiguousarray(batch.levels, float)
    addresses = model.addresses
    row = 2 * batch.remembered + batch.remembered_signals

    # Threads take one lane after the other: some end early, and none waits for a thread with more of the long ones.
    queue, ends = iter(range(count)), [count]

    def part() -> None:
        lanes = np.zeros(1, np.int64)
        scratch = np.zeros((14, max(size, batch.delays, batch.signals) + 8))
        past = np.zeros(HEADER + int(lengths.max()) * row)
        course = np.zeros(longest + 1)
        places = np.zeros((min(longest, 2 * PLACES) + 1, size + batch.signals))
        for lane in queue:
            if lane > min(ends):
                break
            lanes[0] = lane
            _kernel(
                lanes,
                addresses,
                params,
                initial,
                clock,
                counts,
                shapes[lane],
                levels,
                scratch,
                past,
                course,
                places,
                stats,
                histogram,
                opened,
                closed,
                trace,
                status,
                measured,
                peak,
                halt,
            )
            if enough is not None and status[lane] == 0.0 and enough(lane, float(peak[lane])):
                ends.append(lane)

    halt = deadline.flag()
    pool_size = min(count, threads or workers())
    if pool_size == 1:
        part()
    else:
        with ThreadPoolExecutor(pool_size) as pool:
            for one in [pool.submit(part) for _ in range(pool_size)]:
                one.result()
    deadline.check()
    for lane in np.flatnonzero(status[: min(ends) + 1]):
        raise NotConverged(f"fluid model {model.name}, lane {lane}: {_MESSAGES[status[lane]]}")
    return Outcome(
        stats[:, :, MEAN],
        stats[:, :, LEAST],
        stats[:, :, GREATEST],
        histogram,
        levels,
        opened,
        closed,
        measured[:, 0] * batch.step,
        measured[:, 1],
        trace,
        stride * batch.step,
        batch.steps // stride + 1,
        peak,
    )
