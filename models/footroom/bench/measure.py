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

#: What is compared with NewReno, and with how many flows.
_AGAINST, _FLOWS = ("cubic", "bbr", "paced"), (2, 10, 50)


def costs(scenario: Scenario) -> dict[str, float]:
    """Processor time [s] of this thread per data packet delivered, per one sent and per packet that a port sent.

    "sent": those that were dropped too.  "hop": acknowledgements too, and each packet at every port.
    """
    plan = build_plan(scenario)
    simulation = Simulation(plan)
    simulation.run_until(0)
    began = time.thread_time()
    simulation.run_until(plan.duration)
    took = time.thread_time() - began
    tables = simulation.tables
    delivered = float(tables.state["delivered"][0])
    sent, hops = delivered + float(tables.flows["dropped"].sum()), float(tables.ports["sent"].sum())
    return {"delivered": took / delivered, "sent": took / sent, "hop": took / hops}


def packet_rate(scenario: Scenario) -> float:
    """Delivered data packets per second of this thread's processor time."""
    return 1.0 / costs(scenario)["delivered"]


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
    """Processor time per packet under CUBIC, BBR and paced NewReno over that under NewReno, the 100 Gb/s dumbbell.

    BBR drops a fifth there, so that the receiver acknowledges every packet: per data packet delivered, per one sent,
    and per packet that a port sent. "clean": per data packet sent, in a buffer in which BBR loses nothing, by flows.
    """
    asked = {kind: scenarios.dumbbell(0.1, congestion=kind) for kind in ("newreno", "cubic", "bbr")}
    asked["paced"] = scenarios.dumbbell(0.1, pacing=True)
    for flows in _FLOWS:
        for kind in ("newreno", "bbr"):
            asked[f"{kind}{flows}"] = scenarios.dumbbell(0.02, congestion=kind, flows=flows, buffer="10 MB")
    found: dict[str, list[float]] = {}
    for scenario in asked.values():
        costs(scenario)
    for _ in range(repeats):
        cost = {name: costs(scenario) for name, scenario in asked.items()}
        ratios = {f"{name}_vs_newreno": cost[name]["delivered"] / cost["newreno"]["delivered"] for name in _AGAINST}
        for per in ("sent", "hop"):
            ratios[f"bbr_vs_newreno_{per}"] = cost["bbr"][per] / cost["newreno"][per]
        for flows in _FLOWS:
            name = f"bbr_vs_newreno_clean_{flows}_flows"
            ratios[name] = cost[f"bbr{flows}"]["sent"] / cost[f"newreno{flows}"]["sent"]
        for name, ratio in ratios.items():
            found.setdefault(name, []).append(ratio)
    return {name: median(values) for name, values in found.items()}


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
