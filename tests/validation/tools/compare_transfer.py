"""Compare the completion times of one more transfer that theory and fluid give with those of probes in packets.

``python -m tests.validation.tools.compare_transfer [newreno | cubic] [--keep file]``. Takes about fifteen minutes of
one processor, a third of that for CUBIC. The file keeps what packets gave, so that another run takes seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import footroom as fr

#: Bottleneck [bit/s], round trip [s], flows, duration [s].
PATHS = {"newreno": [*((1e8, 0.04, flows, 300.0) for flows in (1, 2, 5, 20, 100)),
                     *((1e9, 0.02, flows, 30.0) for flows in (10, 50, 200))],
         "cubic": [*((1e8, 0.04, flows, 300.0) for flows in (5, 20, 100)),
                   *((4e8, 0.015, flows, 75.0) for flows in (8, 40))]}
#: Buffer in bandwidth-delay products.
BUFFERS = {"newreno": (0.05, 0.2, 0.5, 1.0, 2.0), "cubic": (0.2, 1.0, 2.0)}
#: Transfer [B] and replicas: about 370 probes, from which the 99th percentile has an interval.
TRANSFERS = {1e4: 1, 1e6: 17}
METRICS = ("transfer_p50", "transfer_p99")
SPREAD = 0.2


def scenario(control: str, rate: float, trip: float, flows: int, duration: float, products: float, transfer: float,
             ) -> dict[str, Any]:
    """Long flows that recover as Linux does, and probes that take a hundredth of the link."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10.0 * rate, "rtt": trip, "rtt_spread": SPREAD},
        "switch": {"buffer": max(products * rate * trip / 8.0, 4500.0)},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": "1 s", "congestion": {"kind": control}}],
        "run": {"duration": duration, "warmup": duration / 5.0, "mtu": 1500, "transfer": transfer, "probe_share": 0.01}}


def main() -> None:
    """One line a case, then how many agree within 1.5x where the engine calls itself valid."""
    write = sys.stdout.write
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("control", nargs="?", default="newreno", choices=sorted(PATHS))
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    control, kept = chosen.control, chosen.keep
    known: dict[str, dict[str, float]] = json.loads(kept.read_text()) if kept and kept.exists() else {}
    within: dict[str, int] = {}
    inside: dict[str, int] = {}
    for transfer, replicas in TRANSFERS.items():
        for path in PATHS[control]:
            for products in BUFFERS[control]:
                asked = scenario(control, *path, products, transfer)
                key = json.dumps([control, *path, products, transfer])
                if key not in known:
                    known[key] = fr.run(asked, engine="packet", replicas=replicas).metrics
                    if kept:
                        kept.write_text(json.dumps(known))
                packets = known[key]
                line = f"{transfer / 1e3:5.0f} kB {path[0] / 1e6:5.0f} Mb/s {path[2]:4d} flows {products:5.2f} BDP:"
                for metric in METRICS:
                    line += f" {metric[-3:]} {1e3 * packets[metric]:7.1f} ms" if metric in packets else ""
                for engine in ("theory", "fluid"):
                    found = fr.run(asked, engine=engine)
                    for metric in METRICS:
                        if metric not in found.metrics or metric not in packets:
                            continue
                        ratio, out = found.metrics[metric] / packets[metric], metric in found.outside
                        line += f"  {engine} x{ratio:5.2f}{' (outside)' if out else ''}"
                        key = f"{engine} {metric}, {transfer / 1e3:.0f} kB"
                        inside[key] = inside.get(key, 0) + (not out)
                        within[key] = within.get(key, 0) + (not out and 1 / 1.5 < ratio < 1.5)
                write(line + "\n")
                sys.stdout.flush()
    for key, count in inside.items():
        write(f"{key}: {within[key]} of {count} inside within 1.5x\n")


if __name__ == "__main__":
    main()
