"""What a flow costs in memory, and that the benchmark measures its own process."""

from __future__ import annotations

import numpy as np

from footroom.bench.measure import memory_of_flows
from footroom.bench.scenarios import many_flows
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan

#: Most bytes of tables that one more flow may take: sixteen lines of the processor's cache.
MOST = 1024


def bytes_of(flows: int) -> tuple[int, int]:
    """Bytes of all tables after a run of about so many short flows, and how many there were."""
    plan = build_plan(many_flows(flows))
    simulation = Simulation(plan)
    simulation.run_until(plan.duration)
    return sum(table.nbytes for table in simulation.tables), plan.flows


def test_a_flow_takes_little_memory() -> None:
    (few, first), (many, second) = bytes_of(5_000), bytes_of(15_000)
    assert second > first + 9_000
    assert (many - few) / (second - first) < MOST


def test_the_benchmark_measures_the_process_it_starts() -> None:
    """Not that which starts it, which here has half a gigabyte more."""
    bytes_of(100)  # compiled by now, or the compiler's memory would count
    ballast = np.ones(2**26)
    measured = memory_of_flows(100)["memory_bytes"]
    assert ballast.sum() == 2**26
    assert 50e6 < measured < 0.9 * ballast.nbytes
