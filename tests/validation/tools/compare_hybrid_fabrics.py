"""Compare fluid and packets with packets alone in networks of several hops: the tables of docs/hybrid-agreement.md.

``python -m tests.validation.tools.compare_hybrid_fabrics [--marked] [--tiny] [--bbr] [--bbr-unseen] [--seeds N]
[--why] [case ...]``: the cases named, those under marks, those under tiny thresholds, those of BBR, or all; means over
N seeds. Long flows are fluid, transfers are packets. A ``!`` stands behind what the engine calls outside its validity;
``--why`` gives the reasons. Takes about two minutes without BBR.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Container
from typing import Any

from tests.validation.tools.compare_hybrid import QUANTILES, write
from tests.validation.tools.fabric_cases import ALL, BBR, BBR_UNSEEN, MARKED, TINY

import footroom as fr
from footroom.scenario import Scenario


def scenario(name: str, fluid: bool, seed: int = 1) -> Scenario:
    """One case, its long flows as fluid or as packets."""
    topology, switch, flows, load, duration, other = ALL[name]
    control: dict[str, Any] = {"kind": other.get("control", "newreno")}
    if name in BBR or name in BBR_UNSEEN:
        control = {"kind": "bbr", "version": other.get("version", 1)}
    packets = {"kind": other["packets"]} if "packets" in other else control
    kind = "fluid" if fluid else "packets"
    start = {"kind": "long_lived", "start_jitter": duration / 50.0}
    beside = [{**start, "flows": other["beside"], "congestion": packets}] if "beside" in other else []
    return Scenario.parse(
        {
            "topology": topology,
            "switch": switch,
            "switches": other.get("switches", {}),
            "traffic": [
                {**start, "flows": flows, "congestion": control, "as": kind},
                *beside,
                {"kind": "poisson", "load": load, "sizes": other.get("size", 30e3), "congestion": packets},
            ],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": 1500, "seed": seed},
        }
    )


def _room(name: str) -> float:
    """Bytes that one queue may hold at most."""
    topology, switch = ALL[name][:2]
    shared = topology["hosts"] if switch.get("sharing", {}).get("kind") == "static" else 1.0
    return float(switch["buffer"]) / shared


def _means(name: str, engine: str, seeds: int) -> tuple[dict[str, float], dict[str, list[str]], float]:
    """Metrics of one case, means over ``seeds``, what is outside in any of them, and processor time [s]."""
    found: list[dict[str, float]] = []
    outside: dict[str, list[str]] = {}
    began = time.process_time()
    for seed in range(1, seeds + 1):
        result = fr.run(scenario(name, engine == "hybrid", seed), engine=engine)
        found.append(result.metrics)
        for metric, why in result.outside.items():
            outside.setdefault(metric, []).append(why)
    return {key: sum(each[key] for each in found) / seeds for key in found[0]}, outside, time.process_time() - began


def main() -> None:
    """Print one line per case."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("case", nargs="*")
    groups = {"marked": MARKED, "tiny": TINY, "bbr": BBR, "bbr-unseen": BBR_UNSEEN}
    for group in groups:
        asked.add_argument(f"--{group}", action="store_true")
    asked.add_argument("--seeds", type=int, default=1)
    asked.add_argument("--why", action="store_true")
    given = asked.parse_args()
    names = [
        *given.case,
        *(name for group, cases in groups.items() if getattr(given, group.replace("-", "_")) for name in cases),
    ]
    write("case                          points  drops  queue, ratio  queue/buffer     p50    p95    p99  times faster")
    for name in names or ALL:
        packets, _, long = _means(name, "packet", given.seeds)
        mixed, outside, short = _means(name, "hybrid", given.seeds)

        def flag(metric: str, found: Container[str] = outside) -> str:
            return "!" if metric in found else " "

        points = 100.0 * (mixed["utilisation"] - packets["utilisation"])
        drops = mixed["drop_rate"] / packets["drop_rate"] if packets["drop_rate"] else float("nan")
        queue = mixed["queue_mean"] / packets["queue_mean"]
        share = (mixed["queue_mean"] - packets["queue_mean"]) / _room(name)
        times = "".join(f"{mixed[each] / packets[each]:6.2f}{flag(each)}" for each in QUANTILES)
        write(
            f"{name:28s} {points:+6.2f}{flag('utilisation')} {drops:5.2f}{flag('drop_rate')}"
            f" ({packets['drop_rate']:.1e})  {queue:5.2f}{flag('queue_mean')}"
            f"  {share:+6.3f}       {times} {long / short:6.1f}"
        )
        if given.why:
            for why in sorted({f"{metric}: {each}" for metric, all_of in outside.items() for each in all_of}):
                write(f"    {why}")


if __name__ == "__main__":
    main()
