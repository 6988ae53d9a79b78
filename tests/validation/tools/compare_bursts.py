"""Compare the fluid with packets where bursts of long flows meet: docs/fluid.md.

``python -m tests.validation.tools.compare_bursts [--control newreno] [--ack-every 2] [--spread 0.2] [--pacing]``. One
line for each round trip, path and number of flows, a column for each buffer, in square roots of the path's packets:
points of utilisation by which the fluid is above packets, with a star where it does not call that outside its
validity. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

from tests.validation.tools.compare_hybrid import write

import footroom as fr
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.collisions import burst_of

TRIPS = (0.001, 0.004, 0.01)
#: Packets of path, flows.
PATHS = ((400, 3), (400, 12), (1000, 8), (1000, 30), (2500, 25), (2500, 80))
ROOTS = (2.0, 3.0, 4.0, 5.5, 7.0, 9.0)
#: Cycles of a window before the measurement and in all, and time for the start [s].
SETTLING, CYCLES, START = 10.0, 26.0, 1.0


def scenario(trip: float, path: int, flows: int, roots: float, chosen: argparse.Namespace) -> dict[str, Any]:
    """Long flows of Linux hosts; the buffer in square roots of the path's packets."""
    rate = path * 12_000 / trip
    cycle = trip * path / flows * (1.0 + roots / math.sqrt(path)) / 2.0
    host = {"profile": "linux", "ack_every": chosen.ack_every, "pacing": chosen.pacing}
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": 3 * rate,
            "rtt": trip,
            "rtt_spread": chosen.spread,
        },
        "switch": {"buffer": roots * math.sqrt(path) * 1500},
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": chosen.control}, "host": host}],
        "run": {"duration": START + 0.5 + 60 * trip + CYCLES * cycle, "warmup": START + 40 * trip + SETTLING * cycle},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--control", default="newreno")
    parser.add_argument("--ack-every", type=int, default=2)
    parser.add_argument("--spread", type=float, default=0.2)
    parser.add_argument("--pacing", action="store_true")
    chosen = parser.parse_args()
    write("| round trip | path, flows | b | " + " | ".join(f"{roots:g}" for roots in ROOTS) + " |")
    write("|---|---|" + "--:|" * (1 + len(ROOTS)))
    for trip in TRIPS:
        for path, flows in PATHS:
            cells, burst = [], 0.0
            for roots in ROOTS:
                raw = scenario(trip, path, flows, roots, chosen)
                burst = burst_of(bottleneck_of(Scenario.parse(raw), "fluid"))
                fluid, packets = fr.run(raw, engine="fluid"), fr.run(raw).metrics["utilisation"]
                valid = "" if "utilisation" in fluid.outside else "*"
                cells.append(f"{100.0 * (fluid.metrics['utilisation'] - packets):.1f}{valid}")
            write(f"| {1e3 * trip:g} ms | {path}, {flows} | {burst:g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
