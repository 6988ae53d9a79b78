"""Transfers that completed in the measured window, from the engine's tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND
from footroom.result.completions import Completed, stream_times

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Transfers:
    """Parallel arrays. flow: its number.  size: payload [B].  start, time: its begin and completion time [s]."""

    flow: Ints
    size: Ints
    start: Floats
    time: Floats

    @classmethod
    def of_flows(cls, simulation: Simulation, opened: int) -> Transfers:
        """Flows of the load that ended after ``opened`` [ps]."""
        plan, flows = simulation.plan, simulation.tables.flows
        done = np.flatnonzero((plan.flow_bytes >= 0) & ~plan.probing & (flows["end"] > opened))
        start = flows["start"][done]
        return cls(done, plan.flow_bytes[done], start / SECOND, (flows["end"][done] - start) / SECOND)

    @classmethod
    def of_queries(cls, simulation: Simulation, opened: int) -> Transfers:
        """Queries of connections that carry a stream of them, answered after ``opened`` [ps]."""
        plan, tables = simulation.plan, simulation.tables
        answers = tables.queries[: int(tables.state["queries"][0])]
        order = np.argsort(answers["flow"], kind="stable")
        flow, when = answers["flow"][order], answers["when"][order] / SECOND
        begin, time = np.zeros(len(when)), np.zeros(len(when))
        for mine in np.split(np.arange(len(when)), np.flatnonzero(np.diff(flow)) + 1):
            if len(mine):
                first = int(flow[mine[0]])
                outstanding = plan.stacks[int(plan.flow_stack[first])].outstanding
                begin[mine], time[mine] = stream_times(when[mine], float(plan.flow_start[first]) / SECOND, outstanding)
        counted = answers["when"][order] > opened
        size = np.array([stack.query_bytes for stack in plan.stacks], np.int64)[plan.flow_stack[flow]]
        return cls(flow[counted], size[counted], begin[counted], time[counted])

    def __add__(self, other: Transfers) -> Transfers:
        return Transfers(
            *(np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("flow", "size", "start", "time"))
        )

    def ideal(self, simulation: Simulation) -> Floats:
        """Completion time [s] of each alone on an idle network."""
        from footroom.engines.packet.alone import ideal_times

        return ideal_times(simulation.plan, self.flow, self.size)

    def completed(self, simulation: Simulation, ideal: Floats | None) -> Completed:
        """The transfers in the form of a result."""
        return Completed(simulation.plan.flow_stack[self.flow], self.size, self.time, ideal)
