"""Compare fluid and packets in one queue with packets alone: the table of docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid [case ...]``. Long flows are fluid, transfers of 30 kB (or one of the
sizes below) are packets. A ``!`` stands behind what the engine calls outside its validity. Takes about four minutes.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.scenario import Scenario

#: Bottleneck [bit/s], round trip [s], long flows, buffer in bandwidth-delay products, duration [s], and what differs.
CASES: dict[str, tuple[float, float, int, float, float, dict[str, Any]]] = {
    "small windows": (2e9, 0.008, 200, 0.5, 10.0, {}),
    "quarter": (4e8, 0.015, 40, 0.25, 30.0, {}),
    "whole": (4e8, 0.015, 40, 1.0, 30.0, {}),
    "double": (4e8, 0.015, 40, 2.0, 30.0, {}),
    "tenth": (1e9, 0.02, 50, 0.1, 20.0, {}),
    "twentieth": (1e9, 0.02, 50, 0.05, 20.0, {}),
    "few flows": (4e8, 0.015, 8, 0.5, 60.0, {}),
    "spread": (1e9, 0.02, 50, 0.5, 20.0, {"spread": 0.2}),
    "dynamic threshold": (1e9, 0.02, 50, 0.5, 20.0, {"sharing": {"kind": "dynamic_threshold", "alpha": 1.0}}),
    "load 0.2": (1e9, 0.02, 50, 0.5, 20.0, {"load": 0.2}),
    "1 MB": (1e9, 0.02, 50, 0.5, 20.0, {"size": 1e6}),
    "CUBIC": (4e8, 0.015, 40, 0.25, 30.0, {"control": "cubic"}),
    "CUBIC spread": (1e9, 0.02, 20, 0.5, 30.0, {"control": "cubic", "spread": 0.2}),
    "10 Gb/s": (1e10, 0.02, 200, 0.25, 4.0, {}),
}
#: Chosen before any of them was run, and used for no choice.
UNSEEN: dict[str, tuple[float, float, int, float, float, dict[str, Any]]] = {
    "100 Mb/s": (1e8, 0.04, 10, 0.5, 60.0, {}),
    "622 Mb/s, spread": (6.22e8, 0.03, 60, 0.3, 20.0, {"spread": 0.3}),
    "2 Gb/s, deep": (2e9, 0.01, 30, 1.5, 10.0, {}),
    "4 ms": (1e9, 0.004, 12, 0.6, 15.0, {}),
    "100 ms, spread": (2e8, 0.1, 20, 0.2, 60.0, {"spread": 0.1}),
    "100 flows": (1e9, 0.03, 100, 0.15, 15.0, {}),
    "load 0.3": (5e8, 0.02, 25, 0.4, 20.0, {"load": 0.3}),
    "5 kB": (1e9, 0.02, 40, 0.4, 10.0, {"size": 5e3}),
    "300 kB": (8e8, 0.025, 40, 0.7, 20.0, {"size": 3e5}),
    "CUBIC, 60 ms": (3e8, 0.06, 15, 0.5, 40.0, {"control": "cubic", "spread": 0.1}),
    "CUBIC, 80 flows": (1e9, 0.02, 80, 0.25, 15.0, {"control": "cubic"}),
    "threshold 4": (1e9, 0.01, 30, 0.5, 15.0, {"sharing": {"kind": "dynamic_threshold", "alpha": 4.0}}),
}
#: With marks, or under controls of which only the mean of many flows is known. Chosen before any of them was run.
MEANS: dict[str, tuple[float, float, int, float, float, dict[str, Any]]] = {
    "DCTCP, K 65": (1e10, 5e-4, 20, 2.4, 0.5, {"control": "dctcp", "step": 65}),
    "DCTCP, K 150": (1e10, 5e-4, 40, 2.4, 0.5, {"control": "dctcp", "step": 150, "load": 0.2}),
    "DCTCP, 10 ms": (1e9, 0.01, 30, 1.0, 10.0, {"control": "dctcp", "step": 170}),
    "DCTCP, spread": (1e10, 5e-4, 30, 2.4, 0.5, {"control": "dctcp", "step": 100, "spread": 0.2}),
    "DCTCP, short": (1e9, 0.004, 20, 0.6, 5.0, {"control": "dctcp", "step": 100, "load": 0.2, "size": 1e5}),
    "RED, NewReno": (4e8, 0.015, 40, 2.0, 30.0, {"red": (100, 600, 0.1)}),
    "RED, CUBIC": (1e9, 0.02, 50, 1.0, 20.0, {"control": "cubic", "red": (100, 1000, 0.1), "spread": 0.1}),
    "RED, no ECN": (4e8, 0.015, 40, 2.0, 30.0, {"red": (50, 500, 0.05), "host": {"ecn": False}}),
    "BBR, half": (4e8, 0.015, 10, 0.5, 30.0, {"control": "bbr"}),
    "BBR, double": (4e8, 0.015, 10, 2.0, 30.0, {"control": "bbr"}),
    "BBR, 1 Gb/s": (1e9, 0.02, 30, 1.0, 20.0, {"control": "bbr", "spread": 0.1}),
    "DCQCN, 10 Gb/s": (1e10, 5e-5, 8, 16.0, 0.3, {"control": "dcqcn", "red": (50, 250, 0.1)}),
    "DCQCN, 40 Gb/s": (4e10, 5e-5, 20, 8.0, 0.2, {"control": "dcqcn", "red": (100, 600, 0.1), "size": 1e5}),
}
ALL = CASES | UNSEEN | MEANS
QUANTILES = ("fct_p50", "fct_p95", "fct_p99")


def _marking(other: dict[str, Any]) -> dict[str, Any]:
    """The marking of a case, its thresholds in packets of 1500 bytes."""
    if "step" in other:
        return {"kind": "step", "threshold": 1500.0 * other["step"]}
    least, most, top = other["red"]
    return {"kind": "red", "kmin": 1500.0 * least, "kmax": 1500.0 * most, "pmax": top}


def scenario(name: str, fluid: bool) -> Scenario:
    """One case, its long flows as fluid or as packets."""
    rate, trip, flows, size, duration, other = ALL[name]
    control = {"congestion": {"kind": other.get("control", "newreno")}, "host": other.get("host", {})}
    return Scenario.parse(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": rate,
                "access": 10.0 * rate,
                "rtt": trip,
                "rtt_spread": other.get("spread", 0.0),
            },
            "switch": {
                "buffer": size * rate * trip / 8.0,
                **({"sharing": other["sharing"]} if "sharing" in other else {}),
                **({"marking": _marking(other)} if "step" in other or "red" in other else {}),
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": min(1.0, duration / 50.0),
                    **control,
                    "as": "fluid" if fluid else "packets",
                },
                {"kind": "poisson", "load": other.get("load", 0.05), "sizes": other.get("size", 30e3), **control},
            ],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500},
        }
    )


def write(line: str) -> None:
    """One line of the table."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Print one line per case."""
    write("case                points  drops  queue/buffer     p50    p95    p99  times faster")
    for name in sys.argv[1:] or ALL:
        found, spent = [], []
        for engine, fluid in (("packet", False), ("hybrid", True)):
            began = time.process_time()
            try:
                found.append(fr.run(scenario(name, fluid), engine=engine))
            except Unsupported as refused:
                write(f"{name:18s} {engine} refuses it: {refused}")
                break
            spent.append(time.process_time() - began)
        if len(found) < 2:
            continue
        packets, mixed = (result.metrics for result in found)
        rate, trip, _, size, _, _ = ALL[name]

        def flag(metric: str, outside: dict[str, str] = found[1].outside) -> str:
            return "!" if metric in outside else " "

        points = 100.0 * (mixed["utilisation"] - packets["utilisation"])
        drops = mixed["drop_rate"] / packets["drop_rate"] if packets["drop_rate"] else float("nan")
        queue = (mixed["queue_mean"] - packets["queue_mean"]) / (size * rate * trip / 8.0)
        times = "".join(f"{mixed[each] / packets[each]:6.2f}{flag(each)}" for each in QUANTILES)
        write(
            f"{name:18s} {points:+6.2f}{flag('utilisation')} {drops:5.2f}{flag('drop_rate')}"
            f"  {queue:+6.3f}{flag('queue_mean')}       {times} {spent[0] / spent[1]:6.1f}"
        )


if __name__ == "__main__":
    main()
