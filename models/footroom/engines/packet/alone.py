"""Completion time of a flow alone on an idle network: the reference of slowdown.

The engine itself runs one flow at a time through the same path with a buffer that never fills, for a few sizes spread
geometrically over those of the scenario and for its shortest and longest round trip; between these the time is
interpolated (linear in size between neighbouring sizes, linear in the round trip). Beyond the size where the flow
keeps its slowest link busy, each further byte takes that link's time, so large flows are extrapolated exactly.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND, Plan
from footroom.kernel.tables import NEVER
from footroom.scenario.switch import Switch

Floats = npt.NDArray[np.float64]

#: A switch that never drops.
_Endless = Switch(buffer=1e12)
#: Sizes per octave, and the segments beyond which time is extrapolated at the rate of the slowest link.
_PER_OCTAVE = 4
_MOST_SEGMENTS = 20_000


def ideal_times(plan: Plan, flows: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> Floats:
    """Completion time [s] alone, of ``sizes`` [B] over the path and stack of ``flows``; parallel arrays."""
    times = np.zeros(len(flows))
    for stack in np.unique(plan.flow_stack[flows]):
        indices = np.flatnonzero(plan.flow_stack[flows] == stack)
        rtt = plan.flow_rtt[flows[indices]]
        ends = [int(flows[indices[np.argmin(rtt)]]), int(flows[indices[np.argmax(rtt)]])]
        size = sizes[indices].astype(np.float64)
        curves = [_curve(plan, flow, size) for flow in dict.fromkeys(ends)]
        low = np.interp(size, *curves[0])
        if len(curves) == 1 or rtt.max() == rtt.min():
            times[indices] = low
        else:
            high = np.interp(size, *curves[1])
            times[indices] = low + (high - low) * (rtt - rtt.min()) / (rtt.max() - rtt.min())
    return times


def _curve(plan: Plan, flow: int, sizes: Floats) -> tuple[Floats, Floats]:
    """Sizes [B] and completion times [s] of the path and stack of ``flow``."""
    payload = plan.stacks[int(plan.flow_stack[flow])].payload
    least, most = sizes.min(), sizes.max()
    count = max(2, int(np.ceil(np.log2(most / least) * _PER_OCTAVE)) + 1)
    # A completion time steps with the number of segments, so both ends of every small number matter.
    small = np.concatenate([[k * payload, k * payload + 1] for k in range(int(least // payload), 40)] or [[least]])
    grid = np.unique(np.rint(np.concatenate([np.geomspace(least, most, count), small.clip(least, most)])))
    within = grid[grid <= _MOST_SEGMENTS * payload]
    if len(within) < len(grid):
        within = np.append(within, [float(_MOST_SEGMENTS * payload), 1.25 * _MOST_SEGMENTS * payload])
    times = np.array([_alone(plan, flow, int(size)) for size in within])
    if within[-1] < most:
        slope = (times[-1] - times[-2]) / (within[-1] - within[-2])
        within, times = np.append(within, most), np.append(times, times[-1] + slope * (most - within[-1]))
    return within, times


def _alone(plan: Plan, flow: int, size: int) -> float:
    """Completion time [s] of ``size`` bytes on the path of ``flow``, nothing else running, no drops, no jitter."""
    stack = plan.stacks[int(plan.flow_stack[flow])]
    payload, overhead = stack.payload, stack.overhead
    segments = -(-size // payload)
    one = slice(flow, flow + 1)
    none = np.zeros(0, np.int64)
    solo = replace(
        plan,
        stacks=[replace(stack, query=0) for stack in plan.stacks],
        settings=[_Endless] * plan.switches,
        lossless=None,
        duration=2**61,
        warmup=0,
        port_card=np.zeros_like(plan.port_card),
        port_jitter=np.zeros_like(plan.port_jitter),
        port_delay=plan.port_delay + plan.port_jitter // 2,
        flow_stack=plan.flow_stack[one],
        flow_start=np.zeros(1, np.int64),
        flow_segments=np.array([segments]),
        flow_last_size=np.array([plan.sized(size - (segments - 1) * payload + overhead)]),
        flow_bytes=np.array([size]),
        flow_source=plan.flow_source[one],
        flow_destination=plan.flow_destination[one],
        flow_forward=plan.flow_forward[one],
        flow_reverse=plan.flow_reverse[one],
        flow_rtt=plan.flow_rtt[one],
        flow_rto=plan.flow_rto[one],
        flow_handshake=plan.flow_handshake[one],
        flow_clock=plan.flow_clock[one],
        flow_priority=np.zeros(1, np.int64),
        flow_ack_priority=np.zeros(1, np.int64),
        flow_next=np.array([-1]),
        flow_gap=np.zeros(1, np.int64),
        flow_lead=plan.flow_lead[one],
        flow_window=np.zeros(1),
        flow_setup=np.zeros(1, np.int64),
        flow_continues=np.array([-1]),
        flow_stop=np.array([NEVER]),
        flow_event=np.array([-1]),
        event_start=none,
        event_after=none,
        event_pause=none,
        steps=(),
    )
    simulation = Simulation(solo)
    step = SECOND
    while simulation.tables.flows["end"][0] < 0:
        simulation.run_until(simulation.now + step)
        step *= 2
    return float(simulation.tables.flows["end"][0]) / SECOND
