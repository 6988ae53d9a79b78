"""Taking the measurements."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any

from footroom.bench import scenarios
from footroom.bench.answers import answer_times
from footroom.engines.packet import Simulation
from footroom.engines.packet.simulate import simulate
from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario

#: Prints the peak memory of the process, and the number of flows. Linux counts it by address space (VmHWM): the value
#: of getrusage is at least that of the parent process.
_MEMORY = """
from pathlib import Path
from footroom.bench.scenarios import many_flows
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan
plan = build_plan(many_flows({flows}))
Simulation(plan).run_until(plan.duration)
lines = Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), plan.flows)
"""


def packet_rate(scenario: Scenario, lost: bool = False) -> float:
    """Delivered data packets per second of this thread's processor time; ``lost``: those that were dropped too."""
    plan = build_plan(scenario)
    simulation = Simulation(plan)
    simulation.run_until(0)
    began = time.thread_time()
    simulation.run_until(plan.duration)
    took = time.thread_time() - began
    dropped = float(simulation.tables.flows["dropped"].sum()) if lost else 0.0
    return (float(simulation.tables.state["delivered"][0]) + dropped) / took


def hop_rate(scenario: Scenario, hops: int) -> float:
    """Hops of data packets per second of this thread's processor time, where each of them takes ``hops``."""
    return hops * packet_rate(scenario)


def _versus_reference(repeats: int) -> float:
    """How many times faster the compiled engine computes the small dumbbell than the plain SimPy engine."""
    from footroom.engines.reference import simulate as plain

    plan = build_plan(scenarios.small())
    slow, fast = [], []
    for _ in range(repeats):
        slow.append(_processor_time(lambda: plain(plan)))
        fast.append(_processor_time(lambda: _run(plan)))
    return median(slow) / median(fast)


def _smartbuf(repeats: int) -> float:
    """Processor time under Smartbuf over that under the dynamic threshold, the same rack; its hooks cost the rest."""
    plans = [build_plan(scenarios.rack(policy)) for policy in ("smartbuf", "dynamic_threshold")]
    for plan in plans:
        _run(plan)
    times = [[_processor_time(partial(_run, plan)) for plan in plans] for _ in range(repeats)]
    return median(learning / plain for learning, plain in times)


def _telemetry(repeats: int) -> dict[str, float]:
    """Processor time per data packet under HPCC, which reads telemetry, over that under DCTCP; a permutation.

    Every data packet of HPCC is acknowledged. Its cost is compared with DCTCP as it is, one acknowledgement for two
    packets, and with DCTCP whose packets are acknowledged one by one too: the rest is the cost of telemetry.
    """
    asked = [
        scenarios.permutation(congestion=kind, ack_every=every)
        for kind, every in (("hpcc", 1), ("dctcp", 2), ("dctcp", 1))
    ]
    for scenario in asked:
        packet_rate(scenario)
    rates = [[packet_rate(scenario) for scenario in asked] for _ in range(repeats)]
    return {
        "hpcc_vs_dctcp": median(delayed / hpcc for hpcc, delayed, _ in rates),
        "hpcc_vs_dctcp_one_by_one": median(each / hpcc for hpcc, _, each in rates),
    }


def _laws(repeats: int) -> dict[str, float]:
    """Processor time per data packet under CUBIC and BBR over that under NewReno, the 100 Gb/s dumbbell.

    BBR drops a fifth there, so that the receiver acknowledges every packet: per packet delivered, and per packet sent.
    """
    asked = {kind: scenarios.dumbbell(0.1, congestion=kind) for kind in ("newreno", "cubic", "bbr")}
    for scenario in asked.values():
        packet_rate(scenario)
    found: dict[str, list[float]] = {"cubic_vs_newreno": [], "bbr_vs_newreno": [], "bbr_vs_newreno_sent": []}
    for _ in range(repeats):
        delivered = {kind: packet_rate(scenario) for kind, scenario in asked.items()}
        found["cubic_vs_newreno"].append(delivered["newreno"] / delivered["cubic"])
        found["bbr_vs_newreno"].append(delivered["newreno"] / delivered["bbr"])
        sent = [packet_rate(asked[kind], lost=True) for kind in ("newreno", "bbr")]
        found["bbr_vs_newreno_sent"].append(sent[0] / sent[1])
    return {name: median(ratios) for name, ratios in found.items()}


def _run(plan: Plan) -> None:
    Simulation(plan).run_until(plan.duration)


def _processor_time(call: Callable[[], object]) -> float:
    began = time.thread_time()
    call()
    return time.thread_time() - began


def _two_cores(repeats: int) -> float:
    """Wall time of four runs one after the other over that of the same four on two threads."""
    plans = [build_plan(scenarios.dumbbell(0.1), seed) for seed in range(1, 5)]
    ratios = []
    for _ in range(repeats):
        began = time.perf_counter()
        for plan in plans:
            simulate(plan)
        alone = time.perf_counter() - began
        with ThreadPoolExecutor(2) as pool:
            began = time.perf_counter()
            list(pool.map(simulate, plans))
            ratios.append(alone / (time.perf_counter() - began))
    return median(ratios)


def memory_of_flows(flows: int = 100_000) -> dict[str, float]:
    """Peak memory of a process [B] that runs ``flows`` short flows, and how many there were."""
    command = [sys.executable, "-c", _MEMORY.format(flows=flows)]
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    peak, count = output.stdout.split()
    return {"memory_bytes": float(peak), "memory_flows": float(count)}


#: Number of calls of ``say``.
MEASUREMENTS = 11


def measure(repeats: int = 3, say: Callable[[str], object] = str) -> dict[str, Any]:
    """All rates and ratios. ``say`` is told what is being measured, ``MEASUREMENTS`` times in all.

    Returns "rates", "ratios", "times", "memory" and "fluid", each a dictionary of figures: medians over ``repeats``.
    """
    from footroom.engines.fluid import bench as fluid

    simulate(build_plan(scenarios.small(0.05)))  # compiled before anything is timed
    say("packet engine: 100 Gb/s dumbbell")
    rates = {"packet_dumbbell": median(packet_rate(scenarios.dumbbell()) for _ in range(repeats))}
    say("packet engine: leaf-spine")
    rates["packet_leaf_spine"] = median(packet_rate(scenarios.leaf_spine()) for _ in range(repeats))
    say("packet engine: permutation of 128 hosts, lossy and lossless")
    for name, headroom in (("lossy", "none"), ("lossless", "static_independent")):
        rates[f"packet_hops_{name}"] = median(hop_rate(scenarios.permutation(headroom), 4) for _ in range(repeats))
    say("packet engine against plain SimPy")
    ratios = {"packet_vs_reference": _versus_reference(repeats)}
    say("Smartbuf against the dynamic threshold")
    ratios["smartbuf_vs_dynamic_threshold"] = _smartbuf(repeats)
    say("telemetry: HPCC against DCTCP")
    ratios.update(_telemetry(repeats))
    say("CUBIC and BBR against NewReno")
    ratios.update(_laws(repeats))
    say("two cores against one")
    ratios["two_cores"] = _two_cores(repeats)
    say("fluid engine against scipy")
    found = fluid.measure()
    ratios["fluid_vs_solve_ivp"] = found["fluid_vs_solve_ivp"]
    say("answers that keep up with typing")
    times = answer_times(repeats)
    say("memory of 100 000 flows")
    return {"rates": rates, "ratios": ratios, "times": times, "memory": memory_of_flows(), "fluid": found}


__all__ = ["MEASUREMENTS", "measure", "memory_of_flows", "packet_rate"]
