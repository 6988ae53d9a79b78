"""Print the tables of docs/validation.md on packets that set up connections, and what jitter does to their loss.

``python -m tests.validation.tools.compare_setups``. Takes about a minute. Every run of Linux that noted when its
transfers began, beside the engine with and without set-up packets, and with ``host.jitter`` of a packet's time.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from tests.validation.transfers import Load, loads

import footroom as fr

_FRAME_BITS = 1514 * 8
_NAMES = ("fct_p50", "fct_p99", "drop_rate")


def _found(load: Load, seeds: range, **host: Any) -> list[dict[str, float]]:
    return [fr.run(load.scenario(seed, **host), engine="packet").metrics for seed in seeds]


def _line(label: str, values: list[float], repeated: str) -> str:
    median, tail, drops = values
    return f"    {label:8} p50 {median:.3g} s, p99 {tail:.3g} s, drops {1e3 * drops:.3g} per thousand{repeated}\n"


def main() -> None:
    """Four lines for each run of Linux."""
    for load in loads():
        row = load.row
        if "begins" not in row:
            continue
        sys.stdout.write(f"{load.name}, {len(row['begins'])} transfers\n")
        sys.stdout.write(_line("Linux", [*load.completion, row["drop_rate"]], f", {row['setup_repeats']} repeated"))
        jitter = _FRAME_BITS / row["rate"]
        kinds: dict[str, tuple[range, dict[str, Any]]] = {
            "packets": (load.seeds, {}),
            "none": (load.seeds, {"setup": "none"}),
            "jitter": (range(1, 2), {"jitter": jitter}),
        }
        for label, (seeds, host) in kinds.items():
            runs = _found(load, seeds, **host)
            again = ", ".join(f"{each['setup_retries']:.0f}" for each in runs if "setup_retries" in each)
            means = [float(np.mean([each[name] for each in runs])) for name in _NAMES]
            sys.stdout.write(_line(label, means, f", {again} repeated" if again else ""))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
