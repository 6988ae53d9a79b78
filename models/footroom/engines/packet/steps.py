"""The shares of flows that join and leave one after the other, step by step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND
from footroom.kernel.tables import NEVER
from footroom.result.steps import StepDocument, steps_of

Floats = npt.NDArray[np.float64]


def payload_received(simulation: Simulation) -> Floats:
    """Payload bytes every receiver has in order so far, 0 for probes."""
    plan, flows = simulation.plan, simulation.tables.flows
    payload, query, size = (
        np.array([getattr(stack, name) for stack in plan.stacks])[plan.flow_stack]
        for name in ("payload", "query", "query_bytes")
    )
    whole = flows["rcv"] // np.maximum(query, 1) * (query > 0)
    received = whole * size + (flows["rcv"] - whole * query) * payload
    complete = (flows["rcv"] == flows["segments"]) & (plan.flow_bytes >= 0)
    return np.where(complete, plan.flow_bytes, received).astype(np.float64) * ~plan.probing


class Steps:
    """Looks at what long-lived flows have received whenever one of a staircase joins or leaves in the window."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        plan = simulation.plan
        self._waits = [at for at in plan.steps if plan.warmup < at < plan.duration]
        self._flows = np.flatnonzero((plan.flow_bytes < 0) & ~plan.probing)
        self._times: list[int] = []
        self._received: list[Floats] = []
        self.due: int = plan.warmup if plan.steps else int(NEVER)

    def look(self) -> None:
        """Record what has been received by now."""
        self._times.append(self._simulation.now)
        self._received.append(payload_received(self._simulation)[self._flows])
        self.due = self._waits.pop(0) if self._waits else int(NEVER)

    def rows(self) -> list[StepDocument] | None:
        """The steps up to now, see ``steps_of``; None where no flows join and leave one after the other."""
        plan = self._simulation.plan
        if not plan.steps:
            return None
        times, received = list(self._times), list(self._received)
        if times[-1] < self._simulation.now:
            times.append(self._simulation.now)
            received.append(payload_received(self._simulation)[self._flows])
        stop = plan.flow_stop[self._flows]
        return steps_of(
            [at / SECOND for at in times],
            received,
            plan.flow_start[self._flows] / SECOND,
            np.where(stop < NEVER, stop / SECOND, np.inf),
            plan.flow_stack[self._flows].tolist(),
        )
