"""Expected against actual computing time of random scenarios: ``python -m tests.validation.tools.cost_estimates``.

Scenarios of three topologies, with TCP and RDMA, lossy and lossless, of lasting flows, arrivals, incasts and queries.
Each is run once for a moment, so that its laws are compiled, and once in full; told is the processor time of that run,
which other programs do not change much. The exit status is 1 where fewer than nine in ten estimates are
within a factor of three.
"""

from __future__ import annotations

import argparse
import copy
import random
import statistics
import sys
import time
from typing import Any

from tests.validation.tools.dask_efficiency import tell

from footroom.base.errors import FootroomError
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario
from footroom.studies.cost import cell_seconds, shape_of, work_of
from footroom.studies.engines import engine_named

TCP = ("newreno", "cubic", "dctcp", "bbr")
RDMA = ("dcqcn", "hpcc", "powertcp", "timely", "swift")
#: A ratio within this factor is near.
NEAR = 3.0


def scenario_of(seed: int) -> dict[str, Any]:
    """A scenario that is drawn from everything a user would combine."""
    draw = random.Random(f"cost {seed}")
    rate = draw.choice((1e9, 10e9, 25e9, 100e9))
    mtu = draw.choice((1000, 1500, 1500, 4200, 9000))
    packets = draw.choice((1e5, 5e5, 2e6))
    duration = packets * 8 * mtu / rate
    kind = draw.choice(("dumbbell", "star", "leaf_spine"))
    hosts = draw.choice((4, 16, 40))
    if kind == "dumbbell":
        rtt = draw.choice((20e-6, 1e-3, 20e-3))
        topology: dict[str, Any] = {"kind": kind, "bottleneck": rate, "access": rate, "rtt": rtt}
        duration = max(duration, 3 * rtt)
    elif kind == "star":
        topology = {"kind": kind, "hosts": hosts, "rate": rate, "rtt": draw.choice((8e-6, 50e-6))}
    else:
        leaves, each = draw.choice(((2, 8), (4, 16), (16, 16), (12, 24)))
        hosts = leaves * each
        topology = {"kind": kind, "leaves": leaves, "spines": draw.choice((2, 4, 8)), "hosts_per_leaf": each}
        topology |= {
            "host_rate": rate,
            "fabric_rate": draw.choice((rate, 4 * rate)),
            "link_delay": draw.choice((1e-6, 1e-5)),
        }
        duration /= draw.choice((1, 4, 10))
    law = draw.choice(TCP + RDMA)
    congestion: dict[str, Any] = {"kind": law}
    carried: dict[str, Any] = {"congestion": congestion, "priority": 0}
    pattern = draw.choice(("long_lived", "long_lived", "poisson", "incast", "query"))
    if kind == "dumbbell" and pattern in ("poisson", "query"):
        pattern = "long_lived"
    if pattern == "long_lived":
        carried |= {"flows": draw.choice((2, 8, 20, 100)), "start_jitter": draw.choice((0, duration / 10))}
    elif pattern == "poisson":
        carried |= {
            "load": draw.choice((0.2, 0.5, 0.8)),
            "sizes": draw.choice(("websearch_dctcp", "datamining_vl2", "20 kB")),
        }
    elif pattern == "incast":
        period = duration / draw.choice((1, 3, 10))
        carried |= {
            "degree": draw.choice((3, 12)),
            "size": draw.choice((20e3, 200e3, 2e6)),
            "period": period,
            "start": 0,
        }
        carried |= {"degree": min(carried["degree"], hosts - 1)} if kind != "dumbbell" else {}
    else:
        carried |= {"workers": min(hosts - 1, 12), "total": draw.choice((50e3, 1e6)), "pause": 1e-4, "start": 0}
    switch: dict[str, Any] = {
        "buffer": draw.choice((2e5, 2e6, 16e6)),
        "sharing": {"kind": "dynamic_threshold", "alpha": 1},
    }
    if law in ("dctcp", "dcqcn"):
        low = draw.choice((20, 100)) * mtu
        switch["marking"] = {"kind": "red", "kmin": low, "kmax": 4 * low, "pmax": 0.2}
    if law in RDMA and draw.random() < 0.5:
        switch |= {"queues": 4, "buffer": 4e6 + 60e3 * mtu / 1000 * (hosts + 8), "scheduling": {"kind": "drr"}}
        switch["headroom"] = {"kind": "static_independent", "lossless": [3], "scheme": "sih", "alpha": 0.125}
        carried["priority"] = 3
    return {
        "topology": topology,
        "switch": switch,
        "traffic": [{"kind": pattern, **carried}],
        "run": {"duration": duration, "warmup": 0, "seed": seed, "mtu": mtu},
    }


def actual(engine: str, document: dict[str, Any]) -> float:
    """Processor time of one run [s], without compiling."""
    brief = copy.deepcopy(document)
    brief["run"]["duration"] = document["run"]["duration"] / 200
    named = engine_named(engine)
    named.evaluate(Scenario.parse(brief), 1)
    began = time.process_time()
    named.evaluate(Scenario.parse(document), 1)
    return time.process_time() - began


def _details(scenario: Scenario) -> str:
    """What the time goes into, for those who look for the reason of a ratio."""
    began = time.process_time()
    plan = build_plan(scenario, 1)
    planned = time.process_time() - began
    simulation = Simulation(plan)
    laid = time.process_time() - began - planned
    simulation.run_until(plan.duration)
    ran = time.process_time() - began - planned - laid
    work, events = work_of(scenario), simulation.events
    return (
        f"plan {planned:.3f} tables {laid:.3f} run {ran:.3f} s, {events} events ({1e9 * ran / max(1, events):.0f} ns), "
        f"expected {work.served:.3g} served, {work.flows:.0f} of {len(plan.flow_start)} flows, "
        f"{shape_of(scenario).ports} ports"
    )


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--scenarios", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="packet")
    parser.add_argument("--details", action="store_true")
    chosen = parser.parse_args()
    ratios: list[float] = []
    number = chosen.seed * 1000
    while len(ratios) < chosen.scenarios:
        number += 1
        document = scenario_of(number)
        try:
            took = actual(chosen.engine, document)
        except FootroomError as error:
            tell(f"{number}: {str(error)[:150]}")
            continue
        scenario = Scenario.parse(document)
        expected = cell_seconds(chosen.engine, scenario)
        ratios.append(expected / took)
        entry = document["traffic"][0]
        tell(
            f"{number}: {document['topology']['kind']:10} {entry['kind']:10} {entry['congestion']['kind']:8} "
            f"{'lossless' if entry['priority'] else 'lossy':8} expected {expected:7.3f} s, took {took:7.3f} s, "
            f"ratio {ratios[-1]:6.2f}{'' if 1 / NEAR <= ratios[-1] <= NEAR else ' *'}"
        )
        if chosen.details:
            tell(f"      {_details(scenario)}")
    near = sum(1 / NEAR <= ratio <= NEAR for ratio in ratios)
    tenths = statistics.quantiles(ratios, n=10)
    tell(
        f"{near} of {len(ratios)} within a factor of {NEAR:g}; ratios from {min(ratios):.2f} to {max(ratios):.2f}, "
        f"a tenth below {tenths[0]:.2f}, median {statistics.median(ratios):.2f}, a tenth above {tenths[-1]:.2f}"
    )
    sys.exit(near < 0.9 * len(ratios))


if __name__ == "__main__":
    main()
