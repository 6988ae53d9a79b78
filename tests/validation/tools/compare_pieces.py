"""Print the table of docs/traffic.md: what each piece of the host profiles does, two seeds each.

``python -m tests.validation.tools.compare_pieces``. Takes about half a minute once the engine is compiled.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import footroom as fr

PIECES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "`linux`": {"profile": "linux"},
    "`linux`, no probes": {"profile": "linux", "tail_loss_probe": False},
    "`linux`, no set-up packets": {"profile": "linux", "setup": "none"},
    "`linux`, no quick acknowledgements": {"profile": "linux", "quick_acks": 0, "receive_buffer": None},
    "`linux`, no segmentation offload": {"profile": "linux", "burst_limit": 1},
    "`linux`, a timeout takes all for lost": {"profile": "linux", "timeout_losses": "all"},
    "`linux`, recovery sack": {"profile": "linux", "recovery": "sack"},
    "`linux`, `min_rto` 1 s": {"profile": "linux", "min_rto": 1.0},
    "`rfc`": {"profile": "rfc"},
}


def _scenario(rate: str, rtt: str, packets: int, traffic: dict[str, Any], duration: float, warmup: float) -> Any:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "rtt": rtt},
        "switch": {"buffer": f"{packets} packets"},
        "traffic": [traffic],
        "run": {"duration": duration, "warmup": warmup, "mtu": 1500},
    }


SHORT = _scenario(
    "100 Mb/s", "20 ms", 30, {"kind": "poisson", "load": 0.7, "sizes": {"kind": "fixed", "size": "30 kB"}}, 15.0, 1.0
)
SMALL = _scenario("10 Mb/s", "200 ms", 41, {"kind": "long_lived", "flows": 50, "start_jitter": "1 s"}, 60.0, 20.0)
FAN_IN = _scenario(
    "10 Gb/s",
    "80 us",
    128,
    {"kind": "incast", "degree": 24, "size": "64 kB", "period": "1 s", "jitter": "10 us"},
    30.0,
    0.0,
)


def _mean(document: dict[str, Any], host: dict[str, Any], *names: str) -> list[float]:
    found = []
    for seed in (1, 2):
        scenario = document | {
            "traffic": [document["traffic"][0] | {"host": host}],
            "run": document["run"] | {"seed": seed},
        }
        metrics = fr.run(fr.Scenario.parse(scenario), engine="packet").metrics
        found.append([metrics[name] for name in names])
    return [float(value) for value in np.mean(found, axis=0)]


def main() -> None:
    """One row for each piece."""
    for label, host in PIECES.items():
        mean, tail, timers = _mean(SHORT, host, "fct_mean", "fct_p99", "timeouts")
        drops, waits = _mean(SMALL, host, "drop_rate", "timeouts")
        fan, slowest = _mean(FAN_IN, host, "fct_mean", "fct_p99")
        sys.stdout.write(
            f"| {label} | {1e3 * mean:.0f} / {1e3 * tail:.0f} | {timers:.0f} | {100 * drops:.1f} | {waits:.0f} "
            f"| {1e3 * fan:.3g} / {1e3 * slowest:.3g} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
