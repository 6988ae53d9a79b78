"""The overflow-episode model against a packet-level drop-tail dumbbell in a page.

Ideal selective acknowledgements: a sender learns of each loss one round trip after it, halves once per window of data,
and sends whenever its outstanding packets are below its window.  Two packets per ACK, one packet of growth per round
trip.  It shares no code with the closed forms, but their view of loss recovery, and the tolerances were set after
seeing it: a guard against regressions. What Linux does is in tests/validation.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

import pytest

from footroom.engines.theory.engine import LongLived, TheoryInputs, evaluate

ARRIVAL, ACKNOWLEDGED, LOST = 0, 1, 2


@dataclass(frozen=True)
class Seen:
    """utilisation [1], drop_rate [1], queue_mean [packets] as seen by arrivals."""

    utilisation: float
    drop_rate: float
    queue_mean: float


def simulate(rate: float, rtt: float, flows: int, buffer: float, duration: float, warmup: float, seed: int) -> Seen:
    """rate [packet/s], rtt [s] (spread ±10 % over flows), buffer [packets], times [s]."""
    draw = random.Random(seed)
    delay = [rtt * draw.uniform(0.9, 1.1) for _ in range(flows)]
    window = [max(2.0, (rate * rtt + buffer) / flows * draw.uniform(0.5, 1.0)) for _ in range(flows)]
    outstanding, following, recover, pending = ([0] * flows for _ in range(4))
    last = [0.0] * flows
    events: list[tuple[float, int, int, int]] = [(draw.random() * rtt, LOST, flow, -1) for flow in range(flows)]
    outstanding = [1] * flows  # released by the starting event
    heapq.heapify(events)
    free, offered, dropped, served, queued = 0.0, 0, 0, 0, 0.0
    while events:
        now, kind, flow, number = heapq.heappop(events)
        if now > duration:
            break
        if kind == ARRIVAL:
            queue = max(0.0, free - now) * rate
            counted = now > warmup
            offered += counted
            queued += queue * counted
            if queue > buffer - 1.0 + 1e-9:
                dropped += counted
                heapq.heappush(events, (now + queue / rate + delay[flow], LOST, flow, number))
            else:
                free = max(free, now) + 1.0 / rate
                served += counted
                heapq.heappush(events, (free + delay[flow], ACKNOWLEDGED, flow, number))
            continue
        outstanding[flow] -= 1
        if kind == LOST:
            if number >= recover[flow]:
                window[flow] = max(2.0, window[flow] / 2.0)
                recover[flow] = following[flow]
        else:
            if number >= recover[flow]:
                window[flow] += 1.0 / window[flow]
            pending[flow] += 1
            if pending[flow] % 2 and outstanding[flow] > 2:
                continue
        at = max(now, last[flow])
        while outstanding[flow] < int(window[flow]):
            at += 0.1 / rate
            heapq.heappush(events, (at + draw.random() * 0.08 / rate, ARRIVAL, flow, following[flow]))
            following[flow] += 1
            outstanding[flow] += 1
        last[flow] = at
    return Seen(served / rate / (duration - warmup), dropped / offered, queued / offered)


@pytest.mark.parametrize(("flows", "ratio"), [(8, 0.3), (20, 0.15), (20, 0.5), (20, 1.0)])
def test_many_flows_against_packets(flows: int, ratio: float) -> None:
    """Loss within 25 %, queue within a third, utilisation within 0.02 of a packet-level sketch, nothing fitted."""
    rate, rtt, bdp = 5000.0, 0.08, 400.0
    seen = simulate(rate, rtt, flows, ratio * bdp, duration=50.0, warmup=10.0, seed=1)
    said = evaluate(
        TheoryInputs(rate * 12_000, ratio * bdp * 1500, 1500, 1448, rtt, (LongLived(flows, 0.5, 1, 2),))
    ).metrics
    assert said["drop_rate"] == pytest.approx(seen.drop_rate, rel=0.25)
    assert said["queue_mean"] / 1500 == pytest.approx(seen.queue_mean, rel=0.33)
    assert said["utilisation"] == pytest.approx(seen.utilisation, abs=0.02)
