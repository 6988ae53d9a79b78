"""The compiled loop over lanes: every lane is one point of a sweep with its own state, delays and history."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import helper
from footroom.engines.fluid import history
from footroom.engines.fluid.batch import Floats, Integers
from footroom.engines.fluid.calls import call_equations

HEADER, NEWEST, STATUS, NOT_FINITE = history.HEADER, history.NEWEST, history.STATUS, history.NOT_FINITE


STEP, INVERSE_STEP, MASK, WIDTH, REMEMBERED = (
    history.STEP,
    history.INVERSE_STEP,
    history.MASK,
    history.WIDTH,
    history.REMEMBERED,
)


#: Status of a lane that was told to stop.
HALTED = -1.0


# Columns of the running statistics.
MEAN, LEAST, GREATEST = 0, 1, 2


# Places at which a window of whole cycles may begin and end. Cycles too short for them are too many to matter.
PLACES = 4096


# A component that stays this close to a value, relatively and absolutely, is constant to rounding; and the parts of a
# run and of the longest delay for which all components must do so.
AT_REST, NOTHING = 1e-9, 1e-12


REST_SHARE, REST_DELAYS = 1.0 / 32.0, 2.0


@helper
def _crossings(course: Any, last: int, sign: float, low: float, high: float) -> Any:
    """First and last index at which ``sign`` times the signal rises through its middle, and the cycles between.

    No cycles where their lengths differ by more than a quarter: such a signal repeats itself, if at all, more slowly.
    """
    middle = 0.5 * sign * (low + high)
    band = 0.05 * (high - low)
    below = False
    begin, end, rises, shortest, longest = 0, 0, 0, last + 1, 0
    for k in range(last + 1):
        above = sign * course[k] - middle
        if above < -band:
            below = True
        elif above > band and below:
            below = False
            rises += 1
            if rises > 1:
                shortest, longest = min(shortest, k - end), max(longest, k - end)
            end = k
            if rises == 1:
                begin = k
    return begin, end, max(0, rises - 1) if 4 * longest <= 5 * shortest + 8 else 0


@helper
def _whole_cycles(course: Any, last: int, low: float, high: float) -> Any:
    """First and last index of the longest stretch of whole cycles, and how many; the whole window and 0 without one.

    One cycle alone does not show that anything repeats. Cycles that fill less than a third of the window are part of a
    transient: a periodic signal leaves out less than one cycle at either end.
    """
    begin, end, cycles = _crossings(course, last, 1.0, low, high)
    other_begin, other_end, others = _crossings(course, last, -1.0, low, high)
    if other_end - other_begin > end - begin:
        begin, end, cycles = other_begin, other_end, others
    if cycles < 2 or 3 * (end - begin) < last:
        return 0, last, 0
    return begin, end, cycles


def integrate_lanes(
    lanes: Integers,
    addresses: Integers,
    params: Floats,
    initial: Floats,
    clock: Floats,
    counts: Integers,
    shape: Integers,
    levels: Floats,
    scratch: Floats,
    past: Floats,
    course: Floats,
    places: Floats,
    stats: Floats,
    histogram: Floats,
    opened: Floats,
    closed: Floats,
    trace: Floats,
    status: Floats,
    measured: Integers,
    peak: Floats,
    halt: Integers,
) -> None:
    """Integrate the lanes named in ``lanes`` one after the other; see ``integrate`` for the meaning of the rest.

    clock[lane]: step.  counts[lane]: steps, warm-up steps, steps between recorded rows, 1 for whole cycles, steps
    without change after which the lane has converged (0: it never is).
    course: signal 0 at every step of the measured window.  places: state and summed signals at evenly spaced steps.
    measured[lane]: steps that the statistics cover, cycles they span.
    peak[lane]: greatest signal 0 of all steps.  halt: not 0 once the integration should end.
    shape: state components, remembered components, delayed values, signals, remembered signals, ring mask.
    """
    delayed_at, slope_at, project_at, observe_at = addresses[0], addresses[1], addresses[2], addresses[3]
    size, remembered, delays, signals, kept, mask = shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]
    width = 2 * remembered + kept
    bins = histogram.shape[1] - 2
    state, stage, k1, k2, k3, k4 = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    seen, seen_next, observed, before, rest = scratch[6], scratch[7], scratch[8], scratch[9], scratch[10]
    # Statistics of this lane, each in a row of its own, which the loops over the signals take several at a time.
    sums, lows, highs = scratch[11], scratch[12], scratch[13]
    for turn in range(lanes.size):
        lane = lanes[turn]
        own = params[lane]
        h = clock[lane]
        steps, warm, stride = counts[lane, 0], counts[lane, 1], counts[lane, 2]
        low, high = levels[lane, 0], levels[lane, 1]
        per_level = bins / (high - low)

        past[NEWEST] = 0.0
        past[STEP] = h
        past[INVERSE_STEP] = 1.0 / h
        past[MASK] = mask
        past[WIDTH] = width
        past[REMEMBERED] = remembered
        past[STATUS] = 0.0
        for i in range(size):
            state[i] = initial[lane, i]
        for row in (0, mask):
            base = HEADER + row * width
            for i in range(remembered):
                past[base + i] = state[i]
                past[base + remembered + i] = 0.0
        for i in range(delays):
            seen[i] = 0.0
            seen_next[i] = 0.0

        # What was signalled before the start is what is signalled then; models may look for it at once.
        call_equations(observe_at, 0.0, state, seen_next, past, own, observed)
        peak[lane] = observed[0]
        for row in (0, mask):
            for i in range(kept):
                past[HEADER + row * width + 2 * remembered + i] = observed[i]
        call_equations(delayed_at, 0.0, state, seen, past, own, seen_next)
        call_equations(slope_at, 0.0, state, seen_next, past, own, k1)
        for i in range(remembered):
            past[HEADER + remembered + i] = k1[i]
        for i in range(signals):
            sums[i] = 0.0
            lows[i] = np.inf
            highs[i] = -np.inf
            if trace.shape[1] > 0:
                trace[lane, 0, i] = observed[i]
        every = max(1, (steps - warm) // PLACES)
        # Steps until the next of what happens every so many.
        until_place, until_row, until_check = every, stride, counts[lane, 4]
        patience, moved, resting = counts[lane, 4], True, False
        if warm == 0:
            course[0] = observed[0]
            for i in range(size):
                places[0, i] = state[i]
            for i in range(signals):
                places[0, size + i] = 0.0
                before[i] = observed[i]

        for n in range(steps):
            if resting:
                # What is not remembered are sums. They grow by what the projection books, too.
                for i in range(remembered, size):
                    state[i] += stage[i]
            else:
                time = n * h
                half = time + 0.5 * h
                after = (n + 1) * h
                for i in range(delays):
                    seen[i] = seen_next[i]
                call_equations(delayed_at, half, state, seen, past, own, seen)
                # The first component, a queue that every equation waits for, by itself: the others are read several at
                # a time, which has to wait until the slopes, written one by one, have reached the cache.
                stage[0] = state[0] + 0.5 * h * k1[0]
                for i in range(1, size):
                    stage[i] = state[i] + 0.5 * h * k1[i]
                call_equations(slope_at, half, stage, seen, past, own, k2)
                stage[0] = state[0] + 0.5 * h * k2[0]
                for i in range(1, size):
                    stage[i] = state[i] + 0.5 * h * k2[i]
                call_equations(slope_at, half, stage, seen, past, own, k3)
                call_equations(delayed_at, after, state, seen, past, own, seen_next)
                stage[0] = state[0] + h * k3[0]
                for i in range(1, size):
                    stage[i] = state[i] + h * k3[i]
                call_equations(slope_at, after, stage, seen_next, past, own, k4)
                state[0] += h / 6.0 * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0])
                for i in range(1, size):
                    state[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
                call_equations(project_at, after, state, seen_next, past, own, state)
                call_equations(slope_at, after, state, seen_next, past, own, k1)
                call_equations(observe_at, after, state, seen_next, past, own, observed)
                peak[lane] = max(peak[lane], observed[0])

                base = HEADER + ((n + 1) & mask) * width
                values, slopes = past[base : base + remembered], past[base + remembered : base + 2 * remembered]
                for i in range(remembered):
                    values[i] = state[i]
                    slopes[i] = k1[i]
                shown = past[base + 2 * remembered : base + width]
                for i in range(kept):
                    shown[i] = observed[i]
                past[NEWEST] = n + 1
                # Checked every step: a NaN would turn into a wild index below and in the models' tables.
                astray = not math.isfinite(observed[0])
                for i in range(size):
                    astray |= not math.isfinite(state[i])
                if astray:
                    past[STATUS] = NOT_FINITE
                if halt[0] != 0:
                    past[STATUS] = HALTED
                if past[STATUS] != 0.0:
                    break
                if patience > 0:
                    if not moved:
                        for i in range(remembered):
                            if abs(state[i] - rest[i]) > AT_REST * abs(rest[i]) + NOTHING:
                                moved = True
                                break
                    until_check -= 1
                    if until_check == 0:
                        until_check = patience
                        resting, moved = not moved, False
                        for i in range(size):
                            stage[i] = (state[i] - rest[i]) / patience
                            rest[i] = state[i]

            if n >= warm:
                # Trapezoid over the step for the means; the histogram takes the value at the end of the step.
                for i in range(signals):
                    value = observed[i]
                    sums[i] += 0.5 * (before[i] + value)
                    lows[i] = min(lows[i], value)
                    highs[i] = max(highs[i], value)
                    before[i] = value
                k = n - warm + 1
                course[k] = observed[0]
                until_place -= 1
                if until_place == 0:
                    until_place = every
                    for i in range(size):
                        places[k // every, i] = state[i]
                    for i in range(signals):
                        places[k // every, size + i] = sums[i]
            elif n + 1 == warm:
                course[0] = observed[0]
                for i in range(size):
                    places[0, i] = state[i]
                for i in range(signals):
                    places[0, size + i] = 0.0
                    before[i] = observed[i]
            until_row -= 1
            if until_row == 0:
                until_row = stride
                row = (n + 1) // stride
                if row < trace.shape[1]:
                    for i in range(signals):
                        trace[lane, row, i] = observed[i]

        status[lane] = past[STATUS]
        if past[STATUS] != 0.0:
            continue
        for i in range(signals):
            stats[lane, i, MEAN], stats[lane, i, LEAST], stats[lane, i, GREATEST] = sums[i], lows[i], highs[i]
        last = steps - warm
        for i in range(size):
            closed[lane, i] = state[i]
        begin, end, cycles = 0, last, 0
        if counts[lane, 3] == 1:
            begin, end, cycles = _whole_cycles(course, last, stats[lane, 0, LEAST], stats[lane, 0, GREATEST])
        first, final = (begin + every // 2) // every, (end + every // 2) // every
        if cycles == 0 or final > last // every or final <= first:
            # The end of the window need not be one of the places.
            first, begin, end, cycles = 0, 0, last, 0
        else:
            begin, end = first * every, final * every
            for i in range(size):
                closed[lane, i] = places[final, i]
            for i in range(signals):
                stats[lane, i, MEAN] = places[final, size + i] - places[first, size + i]
        for i in range(size):
            opened[lane, i] = places[first, i]
        for k in range(begin + 1, end + 1):
            level = course[k]
            if level <= low:
                histogram[lane, 0] += 1.0
            elif level >= high:
                histogram[lane, bins + 1] += 1.0
            else:
                histogram[lane, 1 + min(bins - 1, int((level - low) * per_level))] += 1.0
        covered = end - begin
        measured[lane, 0], measured[lane, 1] = covered, cycles
        for i in range(signals):
            # The mean of many equal values may round past them.
            mean = stats[lane, i, MEAN] / covered
            stats[lane, i, MEAN] = min(max(mean, stats[lane, i, LEAST]), stats[lane, i, GREATEST])
        for i in range(bins + 2):
            histogram[lane, i] /= covered
