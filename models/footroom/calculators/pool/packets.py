"""A packet scenario in which marking and pauses of a pool's configuration can be watched."""

from __future__ import annotations

import math
from typing import Any

from footroom.calculators.pool.division import Division
from footroom.calculators.pool.question import Marking, Question
from footroom.formulas.headroom.link import SECONDS_PER_METRE

#: Probability of a mark at Kmax, which a pool question does not have; that of HPCC's simulator and of its switches.
_PMAX = 0.2
#: Times that a queue could fill to Kmax within a run; and shortest run [s].
_FILLS, _SHORTEST = 20.0, 500e-6
#: Senders and ports at most: more would take too long for a user who waits.
_MOST_SENDERS, _MOST_PORTS = 64, 256
_STEPS = 1000


def packet_scenario(question: Question, division: Division, asked: Marking) -> tuple[dict[str, Any], list[str]]:
    """A star of the chip's ports on which long RDMA flows fill one egress queue, and what differs from the question.

    The shared memory is what the division leaves, and headroom, reserved bytes and alpha are its own. A queue needs two
    ports that fill it, so one source becomes two.
    """
    first = next(group for group in division.groups if group.lossless)
    full = question.congested_lossy
    notes = [
        "nothing but these flows runs"
        + (f": no lossy queue is full, where the calculation counts {full}" if full else "")
    ]
    ports = max(min(division.ports, _MOST_PORTS), 3)
    senders = max(2, min(asked.sources, ports - 1, _MOST_SENDERS))
    if senders != asked.sources:
        notes.append(f"{senders} ports fill the queue, {asked.sources} were asked for")
    if ports != division.ports:
        notes.append(f"{ports} ports of {division.ports}; the memory of the others is left out")
    if len(division.groups) > 1:
        notes.append(f"all ports are like the first ones, {first.title}")
    if asked.feeds > 1:
        notes.append("each port fills one queue")
    mark = "" if asked.kmin == asked.kmax else f"; the probability of a mark at Kmax is {_PMAX:g}"
    notes.append(f"senders follow DCQCN with the paper's parameters{mark}")
    queues = max(division.classes, 2)
    lossless = min(first.lossless, queues - 1)
    reserved = math.floor(division.reserved_pg + first.reserved)
    headroom = math.ceil(first.insurance or first.headroom)
    kind: dict[str, Any] = {
        "kind": "dynamic_shared" if first.insurance else "static_independent",
        "lossless": list(range(lossless)),
        "size": headroom,
        "reserved": reserved,
        "alpha": question.alpha_lossless,
    }
    kept = ports * (1 if first.insurance else lossless) * headroom
    if division.pooled and not first.insurance and division.headroom_pool < kept:
        kept = max(math.ceil(division.headroom_pool), headroom)
        kind["pool"] = kept
    lossy = math.floor(division.reserved_queue)
    buffer = math.floor(division.footroom) + kept + ports * (lossless * reserved + (queues - lossless) * lossy)
    duration = max(_SHORTEST, _FILLS * asked.kmax * 8.0 / ((senders - 1) * first.speed))
    step = asked.kmin == asked.kmax
    return {
        "name": f"Marking against pauses, {senders} senders at {first.speed / 1e9:g} Gb/s",
        "topology": {"kind": "star", "hosts": ports, "rate": first.speed, "rtt": 4 * first.cable * SECONDS_PER_METRE},
        "switch": {
            "buffer": buffer,
            "reserved": lossy,
            "cell_size": division.memory.cell,
            "queues": queues,
            "sharing": {"kind": "dynamic_threshold", "alpha": question.alpha_lossy},
            "marking": {"kind": "step", "threshold": asked.kmin}
            if step
            else {"kind": "red", "kmin": asked.kmin, "kmax": asked.kmax, "pmax": _PMAX},
            "headroom": kind,
            "scheduling": {"kind": "strict_priority"},
        },
        "traffic": [
            {"kind": "long_lived", "flows": senders, "start_jitter": 0, "priority": 0, "congestion": {"kind": "dcqcn"}}
        ],
        "run": {
            "duration": duration,
            "warmup": 0,
            "mtu": question.mtu,
            "timeline": {"start": 0, "end": duration, "step": duration / _STEPS},
        },
    }, notes
