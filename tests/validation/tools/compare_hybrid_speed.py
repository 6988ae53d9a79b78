"""Processor time of packets alone and of fluid beside packets on long, fast links: the table of docs/hybrid.md.

``python -m tests.validation.tools.compare_hybrid_speed [case ...]``. Both engines are compiled before
anything is timed. "At most" is how many times faster a run would be whose fluid took no time: that of packets alone
without the long flows. Takes about two minutes and 4 GB of memory.
"""

from __future__ import annotations

import sys
import time

from tests.validation.tools.compare_hybrid import write

import footroom as fr
from footroom.scenario import Scenario

TRIP = 0.02
#: Bottleneck [bit/s], long flows, buffer in bandwidth-delay products, duration [s], size of transfers [B], their load,
#: spread of round trips.
Case = tuple[float, int, float, float, float, float, float]
CASES: dict[str, Case] = {
    "1 Gb/s": (1e9, 50, 0.25, 20.0, 3e4, 0.05, 0.0),
    "10 Gb/s": (1e10, 200, 0.25, 20.0, 3e4, 0.05, 0.0),
    "10 Gb/s, 1 MB": (1e10, 200, 0.25, 20.0, 1e6, 0.05, 0.0),
    "40 Gb/s, 1 MB": (4e10, 400, 0.25, 6.0, 1e6, 0.05, 0.0),
    "40 Gb/s, spread": (4e10, 400, 0.25, 6.0, 1e6, 0.05, 0.2),
    "100 Gb/s, 500": (1e11, 500, 0.25, 4.0, 1e6, 0.05, 0.0),
    "100 Gb/s, 2000": (1e11, 2000, 0.1, 4.0, 1e6, 0.05, 0.0),
    "100 Gb/s, 10 MB": (1e11, 500, 0.25, 4.0, 1e7, 0.01, 0.0),
}


def scenario(case: Case, fluid: bool, *, alone: bool = False) -> Scenario:
    """One case, its long flows as fluid or as packets. alone: without them."""
    rate, flows, size, duration, transfer, load, spread = case
    long = {
        "kind": "long_lived",
        "flows": flows,
        "start_jitter": min(1.0, duration / 10.0),
        "as": "fluid" if fluid else "packets",
    }
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": rate,
                "access": 10.0 * rate,
                "rtt": TRIP,
                "rtt_spread": spread,
            },
            "switch": {"buffer": size * rate * TRIP / 8.0},
            "traffic": [*([] if alone else [long]), {"kind": "poisson", "load": load, "sizes": transfer}],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500},
        }
    )


def main() -> None:
    """Print one line per case."""
    for engine, fluid in (("packet", False), ("hybrid", True)):
        fr.run(scenario((1e9, 50, 0.25, 1.0, 3e4, 0.05, 0.0), fluid), engine=engine)
    write("case               packet, s  hybrid, s  times faster  at most  points  drops  queue/buffer  outside")
    for name in sys.argv[1:] or CASES:
        case, found, spent = CASES[name], [], []
        for engine, fluid in (("packet", False), ("hybrid", True)):
            began = time.process_time()
            found.append(fr.run(scenario(case, fluid), engine=engine))
            spent.append(time.process_time() - began)
        began = time.process_time()
        fr.run(scenario(case, False, alone=True), engine="packet")
        most = spent[0] / (time.process_time() - began)
        packets, mixed = (result.metrics for result in found)
        points = 100.0 * (mixed["utilisation"] - packets["utilisation"])
        queue = (mixed["queue_mean"] - packets["queue_mean"]) / (case[2] * case[0] * TRIP / 8.0)
        outside = {"utilisation", "drop_rate", "queue_mean"} & set(found[1].outside)
        write(
            f"{name:18s} {spent[0]:9.2f}  {spent[1]:9.3f}  {spent[0] / spent[1]:12.1f}  {most:7.1f}  {points:+6.2f}"
            f"  {mixed['drop_rate'] / packets['drop_rate']:5.2f}  {queue:+12.3f}  {', '.join(sorted(outside)) or '-'}"
        )


if __name__ == "__main__":
    main()
