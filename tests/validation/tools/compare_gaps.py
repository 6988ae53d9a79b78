"""Compare the fluid with packets where marks cut windows at once, and over a round trip: docs/fluid.md.

``python -m tests.validation.tools.compare_gaps``. One line for each number of flows, path and marking: where marks
begin [packets], utilisation of packets in per cent (means of two seeds) that cut at once and that do so over a round
trip as Linux, and of the fluid, with a star where it does not call that outside its validity. The first were used
for the limits, with cuts at once, those at 8 ms only for CUBIC's. Takes eight minutes.
"""

from __future__ import annotations

import math
from typing import Any

from tests.validation.tools.compare_hybrid import write

import footroom as fr

#: Round trip [s] and its spread; flows, control, packets of path, largest probability of RED (0: a step), first marks.
READ, COMPARED = (0.003, 0.25), (0.008, 0.17)
CASES = (
    (READ, 3, "newreno", 1000, 0.0, (76, 110)),
    (READ, 4, "newreno", 1000, 0.0, (76, 110, 150)),
    (READ, 16, "newreno", 1500, 0.0, (75, 105, 150)),
    (READ, 16, "newreno", 2500, 0.0, (125, 175, 250)),
    (READ, 16, "newreno", 2500, 0.3, (125, 160)),
    (READ, 16, "newreno", 2500, 1.0, (125, 150, 180)),
    (READ, 60, "cubic", 1500, 0.0, (85, 105, 125)),
    (READ, 40, "cubic", 2500, 0.0, (110, 150)),
    (READ, 8, "cubic", 2500, 0.0, (110, 150, 200)),
    (COMPARED, 9, "newreno", 1200, 0.0, (100, 142)),
    (COMPARED, 20, "newreno", 800, 0.0, (62, 75)),
    (COMPARED, 60, "newreno", 4000, 0.0, (140, 190, 230)),
    (COMPARED, 20, "cubic", 800, 0.0, (60, 75)),
    (COMPARED, 60, "cubic", 4000, 0.0, (200, 300)),
)
#: Cycles of a window before the measurement and in it, and time for the start [s].
SETTLING, CYCLES, START = 10.0, 14.0, 1.2


def scenario(
    path: tuple[float, float], flows: int, control: str, packets: int, most: float, first: int, seed: int, cut: str
) -> dict[str, Any]:
    """Long flows of Linux hosts without segmentation offload; RED marks all packets above three times its Kmin."""
    (trip, spread), level = path, 1500.0 * first
    rate, cycle = packets * 12_000 / trip, trip * (packets + first) / flows / 2.0
    warmup = START + 40.0 * trip + SETTLING * cycle
    red = {"kind": "red", "kmin": level, "kmax": 3.0 * level, "pmax": most}
    host = {"profile": "linux", "ecn": True, "autosize": False, "mark_cut": cut}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 2 * rate, "rtt": trip, "rtt_spread": spread},
        "switch": {
            "buffer": 50.0 * math.sqrt(packets) * 1500,
            "marking": red if most > 0.0 else {"kind": "step", "threshold": level},
        },
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": control}, "host": host}],
        "run": {"duration": warmup + 30.0 * trip + CYCLES * cycle, "warmup": warmup, "mtu": 1500, "seed": seed},
    }


def main() -> None:
    write("| round trip | flows, path | marks | first mark at: packets cut at once, over a round trip, this engine |")
    write("|---|---|---|---|")
    for path, flows, control, packets, most, firsts in CASES:
        cells = []
        for first in firsts:
            case = path, flows, control, packets, most, first
            fluid = fr.run(scenario(*case, 1, "at_once"), engine="fluid")
            found = [
                sum(100.0 * fr.run(scenario(*case, seed, cut)).metrics["utilisation"] for seed in (1, 2)) / 2.0
                for cut in ("at_once", "round_trip")
            ]
            valid = "" if "utilisation" in fluid.outside else "*"
            here = 100.0 * fluid.metrics["utilisation"]
            cells.append(f"{first}: {found[0]:.1f}, {found[1]:.1f}, {here:.1f}{valid}")
        name = {"newreno": "NewReno", "cubic": "CUBIC"}[control]
        marks = f"RED, {most:g}" if most > 0.0 else "step"
        trips = f"{1e3 * path[0]:g} ms ± {100.0 * path[1]:.0f} %"
        write(f"| {trips} | {flows} {name}, {packets} | {marks} | {'; '.join(cells)} |")


if __name__ == "__main__":
    main()
