"""Compare Poisson arrivals as fluid with packets: a table of docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_arrivals [case ...]``. 5 % of the load are transfers of 30 kB as
packets in both. Three seeds each, one line for each case: the mean of both engines. Takes about a minute.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from tests.validation.tools.compare_hybrid import write

import footroom as fr
from footroom.scenario import Scenario

_SHAPED = {"rate_limit": "40 Mb/s", "burst": 32}
#: Bottleneck [bit/s], round trip [s], buffer [B], load of the fluid, bytes of a transfer, duration [s],
#: and what differs.
CASES: dict[str, tuple[float, float, float, float, float, float, dict[str, Any]]] = {
    "shaped 0.75": (1e9, 0.02, 300e3, 0.75, 1e6, 20.0, {"host": _SHAPED}),
    "shaped 0.88": (1e9, 0.02, 300e3, 0.88, 1e6, 20.0, {"host": _SHAPED}),
    "shaped 0.88, deep": (1e9, 0.02, 3e6, 0.88, 1e6, 20.0, {"host": _SHAPED}),
    "shaped 0.6": (1e9, 0.02, 300e3, 0.6, 1e6, 20.0, {"host": _SHAPED}),
    "shaped, 10 Gb/s": (1e10, 0.03, 3e6, 0.88, 5e6, 8.0, {"host": _SHAPED, "access": 1e9, "pairs": 2500}),
    "30 kB": (1e9, 0.01, 100e3, 0.5, 30e3, 10.0, {}),
    "100 kB": (1e9, 0.01, 200e3, 0.75, 100e3, 10.0, {}),
    "1 MB": (1e9, 0.02, 500e3, 0.75, 1e6, 20.0, {}),
    "1 MB, CUBIC": (1e9, 0.02, 500e3, 0.75, 1e6, 20.0, {"control": "cubic"}),
}
SEEDS = 3


def scenario(name: str, fluid: bool, seed: int) -> Scenario:
    """One case, its large transfers as fluid or as packets."""
    rate, trip, buffer, load, size, duration, other = CASES[name]
    control = {"congestion": {"kind": other.get("control", "newreno")}}
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": rate,
                "access": other.get("access", 10.0 * rate),
                "rtt": trip,
                "rtt_spread": 0.1,
                **({"pairs": other["pairs"]} if "pairs" in other else {}),
            },
            "switch": {"buffer": buffer},
            "traffic": [
                {
                    "kind": "poisson",
                    "load": load,
                    "sizes": size,
                    "host": other.get("host", {}),
                    "as": "fluid" if fluid else "packets",
                    **control,
                },
                {"kind": "poisson", "load": 0.05, "sizes": 30e3, **control},
            ],
            "run": {"duration": duration, "warmup": duration / 5.0, "mtu": 1500, "seed": seed},
        }
    )


def main() -> None:
    """Print one line per case."""
    write("case               utilisation   points  drop rate  ratio  queue/buffer  p99/buffer")
    for name in sys.argv[1:] or CASES:
        found: dict[str, list[dict[str, float]]] = {"packet": [], "hybrid": []}
        for seed in range(1, SEEDS + 1):
            for engine, results in found.items():
                results.append(fr.run(scenario(name, engine == "hybrid", seed), engine=engine).metrics)
        mean = {
            engine: {key: float(np.mean([one[key] for one in results])) for key in results[0]}
            for engine, results in found.items()
        }
        packets, mixed, buffer = mean["packet"], mean["hybrid"], CASES[name][2]
        ratio = mixed["drop_rate"] / packets["drop_rate"] if packets["drop_rate"] else float("nan")
        points = 100.0 * (mixed["utilisation"] - packets["utilisation"])
        queue, largest = ((mixed[each] - packets[each]) / buffer for each in ("queue_mean", "queue_p99"))
        write(
            f"{name:18s} {packets['utilisation']:10.3f} {points:+9.2f}  {packets['drop_rate']:9.2e}  {ratio:5.2f}"
            f"  {queue:+12.3f}  {largest:+10.3f}"
        )


if __name__ == "__main__":
    main()
