"""Which segment of a burst is lost where two congestion controls share a small buffer: in the engine, and in Linux.

``python -m tests.validation.tools.loss_positions [--jitter "0.3 ms"]`` runs 7 NewReno and 7 CUBIC flows, 40 Mb/s,
28 ms, 46 packets, with the hosts that were measured, in the plain engine. ``--capture FOLDER`` reads a capture of Linux
instead: ``s0.pcap``, ``home.pcap`` and ``r1.pcap``, written in the namespaces of ``linux_dumbbell --flows 14 --rate
40e6 --rtt 0.028 --buffer 46 --congestion reno,cubic`` by ``tcpdump -i DEVICE -s 96 --time-stamp-precision=nano``: s0
and home at the sender, r1 behind the bottleneck. A burst is what leaves between two acknowledgements of its flow; a
third segment leaves where the window has just grown.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tests.validation.cases import as_measured

import footroom as fr
from footroom.engines.plan import build_plan
from footroom.engines.reference.engine import simulate
from footroom.engines.reference.packet import Trace

#: Time, whether an acknowledgement reached the sender (else a segment left it), flow, whether that segment is lost.
Event = tuple[int, bool, int, bool]
_WARMUP = 8.0
_SINK = 5001


def of_engine(jitter: str | None, seed: int = 3) -> list[Event]:
    """What the plain engine does from ``_WARMUP`` seconds on."""
    host = {"profile": "linux", **as_measured({})} | ({} if jitter is None else {"jitter": jitter})
    flows = [
        {"kind": "long_lived", "flows": 7, "start_jitter": 1.0, "congestion": {"kind": kind}, "host": host}
        for kind in ("newreno", "cubic")
    ]
    scenario = {
        "topology": {"kind": "dumbbell", "bottleneck": 40e6 * 1500 / 1514, "access": "10 Gb/s", "rtt": 0.028},
        "switch": {"buffer": "46 packets"},
        "traffic": flows,
        "run": {"duration": _WARMUP + 12.0, "warmup": _WARMUP, "seed": seed},
    }
    plan = build_plan(fr.Scenario.parse(scenario))
    trace: Trace = []
    simulate(plan, trace=trace)
    (bottleneck,) = plan.watched.tolist()
    first: dict[int, int] = {}
    for _, what, port, flow, sort, _ in trace:
        if what == "arrival" and sort == 0:
            first.setdefault(flow, port)
    dropped = {(flow, seq, time) for time, what, port, flow, _, seq in trace if what == "drop" and port == bottleneck}
    came: dict[int, list[bool]] = {flow: [] for flow in first}
    for time, what, port, flow, sort, seq in trace:
        if what == "arrival" and sort == 0 and port == bottleneck:
            came[flow].append((flow, seq, time) in dropped)
    events: list[Event] = []
    sent: Counter[int] = Counter()
    for time, what, port, flow, sort, _ in trace:
        if what == "delivery" and sort == 1:
            events.append((time, True, flow, False))
        elif what == "arrival" and sort == 0 and port == first[flow]:
            lost = came[flow][sent[flow]] if sent[flow] < len(came[flow]) else False
            sent[flow] += 1
            events.append((time, False, flow, lost))
    return [event for event in events if event[0] > _WARMUP * 1e12]


def packets(capture: Path) -> list[tuple[int, int, int, int, int]]:
    """Time [ns], source port, destination port, sequence number and payload [B] of every packet of a capture."""
    raw, at = capture.read_bytes(), 24
    header = 14 if struct.unpack_from("<I", raw, 20)[0] == 1 else 0  # Ethernet, or none
    found = []
    while at < len(raw):
        seconds, nanoseconds, kept = struct.unpack_from("<III", raw, at)
        ip = at + 16 + header
        tcp = ip + 4 * (raw[ip] & 15)
        source, target, seq = struct.unpack_from(">HHI", raw, tcp)
        size = struct.unpack_from(">H", raw, ip + 2)[0] - (tcp - ip) - 4 * (raw[tcp + 12] >> 4)
        found.append((seconds * 10**9 + nanoseconds, source, target, seq, size))
        at += 16 + kept
    return found


def of_linux(folder: Path) -> list[Event]:
    """What a capture of Linux has. The queue is first in, first out: what is passed over behind it was lost."""
    sent = [each for each in packets(folder / "s0.pcap") if each[2] == _SINK and each[4] > 0]
    left = [(source, seq) for _, source, target, seq, size in packets(folder / "r1.pcap") if target == _SINK and size]
    events: list[Event] = [
        (time, True, target, False) for time, source, target, *_ in packets(folder / "home.pcap") if source == _SINK
    ]
    begin = next(n for n, (_, source, _, seq, _) in enumerate(sent) if (source, seq) == left[0])
    number = 0
    for time, source, _, seq, _ in sent[begin:]:
        if number == len(left):
            break
        passed = (source, seq) == left[number]
        number += passed
        events.append((time, False, source, not passed))
    return sorted(events)


def tell(events: Iterable[Event]) -> None:
    """Print bursts and losses by position."""
    bursts: dict[int, list[bool]] = {}
    sizes: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    for _, acknowledged, flow, gone in sorted(events, key=lambda event: (event[0], not event[1])):
        if not acknowledged:
            bursts.get(flow, []).append(gone)
            continue
        burst = bursts.get(flow, [])
        bursts[flow] = []
        if 0 < len(burst) <= 4:  # longer ones come out of recoveries
            sizes[len(burst)] += 1
            lost.update(np.flatnonzero(burst).tolist())
    total, segments = sum(lost.values()), sum(size * often for size, often in sizes.items())
    sys.stdout.write(
        f"bursts by length: {dict(sorted(sizes.items()))}, of three {sizes[3] / segments:.3f} per segment\n"
    )
    third = sum(often for place, often in lost.items() if place >= 2) / max(total, 1)
    sys.stdout.write(f"losses by place in the burst: {dict(sorted(lost.items()))}; third or later {third:.3f}\n")


def main() -> None:
    """Read the command line, run or read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitter", help="of the engine's hosts, 1 us by default")
    parser.add_argument("--capture", type=Path)
    given = parser.parse_args()
    tell(of_engine(given.jitter) if given.capture is None else of_linux(given.capture))


if __name__ == "__main__":
    main()
