"""The averaged equations of the fluid engine beside packets: one state for all flows of a group.

The equations are those of ``footroom.engines.fluid.bottleneck`` with its laws and markings. Here the queue is not one
of their states: at every step it is what fluid and packets hold at the port, and what the port lost since is the loss
they see. Packets count as load that does not react, averaged over a round trip. States move by the two-step formula of
Adams and Bashforth, since the queue within a step is not known before the packets are simulated.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from footroom.base.compile_cache import entry, helper
from footroom.engines.fluid import history, layout
from footroom.engines.fluid.calls import call_equations
from footroom.engines.hybrid.between import bring_packets
from footroom.engines.packet.backlog import bring_up
from footroom.engines.packet.tables import DONE

# The clock. STEP: s.  DUE: ps at which the next step is.  COUNT: steps up to now.  PACKET: bytes.  SMOOTHED: s over
# which the packets' load is a mean.  OFFERED, LOST, PASSED: bytes that the port had counted at the last step, PASSED of
# packets.  GIVEN: bytes that flows have sent, whole run.  EARLY, MARKING: packets/s of them that the marking drops and
# marks now.  MARKED: packets marked and not yet counted.  DROPPED: bytes that the marking has dropped, whole run.
STEP, DUE, COUNT, PACKET, SMOOTHED, OFFERED, LOST, PASSED, GIVEN, EARLY, MARKING, MARKED, DROPPED = range(13)
CLOCK_ROW = 13
PICO = 1e12
#: Returned when the equations cannot go on; ``past[history.STATUS]`` says why.
BROKEN = 101


@helper
def _count(t: Any, x: Any, clock: Any, params: Any) -> float:
    """Update the port's counters. Returns the share lost over the last step; packets' load goes to ``params``."""
    p = t.ports[x.port]
    bring_up(t, p, x, t.state[0].now)
    step, packet = clock[STEP], clock[PACKET]
    if clock[COUNT] > 0.0:
        early = clock[EARLY] * step * packet
        x.offered += early
        x.lost += early
        clock[DROPPED] += early
        clock[MARKED] += clock[MARKING] * step
        whole = int(clock[MARKED])
        p.marked += whole
        clock[MARKED] -= whole
        passed = float(p.sent_bytes - x.counted_bytes)
        weight = min(1.0, step / clock[SMOOTHED])
        load = (passed - clock[PASSED]) / (packet * step)
        params[layout.BACKGROUND] += weight * (load - params[layout.BACKGROUND])
        clock[PASSED] = passed
    offered, lost = x.offered - clock[OFFERED], x.lost - clock[LOST]
    clock[OFFERED], clock[LOST] = x.offered, x.lost
    came = offered - clock[EARLY] * step * packet
    return max(0.0, lost - clock[EARLY] * step * packet) / came if came > 1.0 else 0.0


@helper
def _send(x: Any, clock: Any, params: Any, observed: Any, probability: float) -> None:
    """Set what the flows send over the next step."""
    rate, early, marking = 0.0, 0.0, 0.0
    for g in range(int(params[layout.GROUPS_NUMBER])):
        own = layout.GROUPS + layout.PER_GROUP * g
        sent = params[own + layout.COUNT] * observed[layout.RATES + g]
        rate += sent
        if params[own + layout.DROPS] > 0.0:
            early += sent * probability
        else:
            marking += sent * probability
    clock[EARLY], clock[MARKING] = early, marking
    x.rate = (rate - early) * clock[PACKET] / PICO
    clock[GIVEN] += rate * clock[STEP] * clock[PACKET]


@helper
def _begin(calls: Any, params: Any, rows: Any, past: Any) -> None:
    """Fill the past: the state before the start is that of the start, with no slope."""
    balance, width = int(params[layout.BALANCE]), int(past[history.WIDTH])
    call_equations(calls[3], 0.0, rows[0], rows[1], past, params, rows[4])
    for first in (history.HEADER, history.HEADER + int(past[history.MASK]) * width):
        for i in range(balance):
            past[first + i] = rows[0][i]
            past[first + balance + i] = 0.0
        for i in range(layout.REMEMBERED_SIGNALS):
            past[first + 2 * balance + i] = rows[4][i]


@helper
def _step(t: Any, clock: Any, calls: Any, params: Any, rows: Any, past: Any) -> bool:
    """Advance the equations to now. Returns whether all is finite and no lookup of the past failed."""
    state, seen, slope, before, observed = rows[0], rows[1], rows[2], rows[3], rows[4]
    x, h, n = t.fluids[0], clock[STEP], int(clock[COUNT])
    time = n * h
    overflow = _count(t, x, clock, params)
    balance = int(params[layout.BALANCE])
    if n > 0:
        for i in range(layout.MARKING_STATE, balance):
            state[i] += h * (1.5 * slope[i] - 0.5 * before[i])
    queue = min(params[layout.BUFFER], max(0.0, x.inside + x.waiting) / clock[PACKET])
    state[layout.QUEUE] = queue
    if n == 0:
        _begin(calls, params, rows, past)
    call_equations(calls[0], time, state, seen, past, params, seen)
    if n > 0:
        call_equations(calls[2], time, state, seen, past, params, state)
    for i in range(balance):
        before[i] = slope[i]
    call_equations(calls[1], time, state, seen, past, params, slope)
    if n == 0:
        for i in range(balance):
            before[i] = slope[i]
    call_equations(calls[3], time, state, seen, past, params, observed)
    probability = observed[layout.PROBABILITY]
    if observed[layout.OVERFLOW] < 1.0:
        probability = (probability - observed[layout.OVERFLOW]) / (1.0 - observed[layout.OVERFLOW])
    observed[layout.OVERFLOW] = overflow
    width, mask = int(past[history.WIDTH]), int(past[history.MASK])
    row = history.HEADER + (n & mask) * width
    for i in range(balance):
        past[row + i] = state[i]
        past[row + balance + i] = slope[i]
        if not math.isfinite(state[i]):
            past[history.STATUS] = history.NOT_FINITE
    for i in range(layout.REMEMBERED_SIGNALS):
        past[row + 2 * balance + i] = observed[i]
    past[history.NEWEST] = n
    _send(x, clock, params, observed, max(0.0, probability))
    clock[COUNT] += 1.0
    return bool(past[history.STATUS] == history.FINE)


@entry
def run_averaged(t: Any, until: int, loop: int, clock: Any, calls: Any, params: Any, rows: Any, past: Any) -> int:
    """As ``packet.loop.run``, with the steps of the averaged equations in between.

    loop: address of that, ``packet.loop_address``.  clock: (CLOCK_ROW,).  calls: entry points of delayed, slope,
    project and observe.  params: of link, marking and groups (``fluid.layout``).  rows: state, looked-up values, slope
    now and at the last step, signals.  past: as ``fluid.history`` says.
    """
    while True:
        due = np.int64(clock[DUE])
        status = bring_packets(t, min(until, due), loop)
        if status != DONE:
            return status
        if due > until:
            return DONE
        if not _step(t, clock, calls, params, rows, past):
            return BROKEN
        clock[DUE] = math.floor(clock[COUNT] * clock[STEP] * PICO + 0.5)
