"""Compare the completion times of one more transfer that theory and fluid give with those of probes in packets.

``python -m tests.validation.tools.compare_transfer [newreno | cubic | paced | marked | arriving | mixed]
[--keep file]``. Takes about fifteen minutes of one processor for NewReno, five for CUBIC, one to three for the others.
The file keeps what packets gave, so that another run takes seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.validation.transfer_cases import FAMILIES

import footroom as fr

METRICS = ("transfer_p50", "transfer_p99")
#: What counts as agreement, as a ratio.
NEAR = 1.5


def main() -> None:
    """One line a case, then how many agree where the engine calls itself valid, and the range of their ratios."""
    write = sys.stdout.write
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="?", default="newreno", choices=sorted(FAMILIES))
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    kept = chosen.keep
    known: dict[str, dict[str, float]] = json.loads(kept.read_text()) if kept and kept.exists() else {}
    ratios: dict[str, list[float]] = {}
    outside: dict[str, int] = {}
    for case in FAMILIES[chosen.family]():
        key = json.dumps([case.scenario, case.replicas])
        if key not in known:
            known[key] = fr.run(case.scenario, engine="packet", replicas=case.replicas).metrics
            if kept:
                kept.write_text(json.dumps(known))
        packets, size = known[key], case.scenario["run"]["transfer"]
        line = f"{size / 1e3:5.0f} kB {case.label}:"
        for metric in METRICS:
            line += f" {metric[-3:]} {1e3 * packets[metric]:8.2f} ms" if metric in packets else ""
        for engine in ("theory", "fluid"):
            try:
                found = fr.run(case.scenario, engine=engine)
            except fr.Unsupported:
                continue
            for metric in METRICS:
                if metric not in found.metrics or metric not in packets:
                    continue
                ratio, out = found.metrics[metric] / packets[metric], metric in found.outside
                line += f"  {engine} {metric[-3:]} x{ratio:5.2f}{' (outside)' if out else ''}"
                group = f"{engine} {metric}, {size / 1e3:.0f} kB"
                ratios.setdefault(group, []).extend([] if out else [ratio])
                outside[group] = outside.get(group, 0) + out
        write(line + "\n")
        sys.stdout.flush()
    for group, inside in ratios.items():
        near = sum(1.0 / NEAR < ratio < NEAR for ratio in inside)
        span = f", {min(inside):.2f} to {max(inside):.2f}" if inside else ""
        write(f"{group}: {near} of {len(inside)} inside within {NEAR}x{span}; {outside[group]} outside\n")


if __name__ == "__main__":
    main()
