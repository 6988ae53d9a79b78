"""Running a plan to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from footroom.base.errors import Cancelled
from footroom.engines.plan import SECOND, Plan
from footroom.engines.reference.deadlock import Watch
from footroom.engines.reference.fabric import Frames
from footroom.engines.reference.metrics import completed_of, metrics_of, offered, queues_of, steps_taken, transfers_of
from footroom.engines.reference.network import Network
from footroom.engines.reference.packet import Trace
from footroom.engines.reference.pause_metrics import headroom, refusals, rows
from footroom.result import Result
from footroom.result.fct import set_up_waits

#: Events between two checks of ``stop`` and reports of ``progress``.
_SLICE = 5000


class Stop(Protocol):
    """Anything like a threading.Event."""

    def is_set(self) -> bool:
        """Whether to stop."""


class _Looks(Protocol):
    """Something that looks at the network when it is ``due`` [ps]."""

    due: int

    def look(self) -> None: ...


def _advance(network: Network, looking: Sequence[_Looks]) -> bool:
    """Process a slice of events, and call the recorders that are due; False when the run is over."""
    duration = network.plan.duration
    for _ in range(_SLICE):
        first = min(looking, key=lambda one: one.due)
        if not network.step(min(duration, first.due)):
            if first.due > duration:
                return False
            first.look()
    return True


def simulate(
    plan: Plan, *, stop: Stop | None = None, progress: Callable[[float], None] | None = None, trace: Trace | None = None
) -> Result:
    """Simulate ``plan`` packet by packet; some 15 000 data packets per second.

    stop: checked now and then.  progress: called with the share of the simulated time that has passed.
    trace: a list that receives a line (time [ps], what, port, flow, 1 for an acknowledgement, segment or next segment
    expected) per happening: "arrival", a packet was offered to a port; "departure", its transmission ended (noted
    when it begins); "drop", the port's switch had no room; "delivery", it reached its host over that port.
    Raises Unsupported for components this engine does not know, Cancelled when told to stop.
    """
    began = time.perf_counter()
    network = Network(plan, trace)
    watch, frames = Watch(network), Frames(network)
    running = True
    while running:
        if stop is not None and stop.is_set():
            raise Cancelled("the run was stopped")
        if progress is not None:
            progress(network.clock.time / plan.duration)
        running = _advance(network, (watch, frames))
    if progress is not None:
        progress(1.0)
    completed = completed_of(network)
    found = watch.found
    metrics = metrics_of(network) | ({"deadlock": float(found is not None)} if plan.dependencies else {})
    waits = set_up_waits(metrics.get("setup_retries", 0.0))
    return Result(
        completions=completed.by_entry(plan.entry_names(), (plan.duration - plan.warmup) / SECOND) or None,
        completions_by_size=completed.by_size() or None,
        queue_distribution=queues_of(network),
        engine="reference",
        scenario=plan.scenario.to_dict(),
        seed=plan.seed,
        wall_s=time.perf_counter() - began,
        metrics=metrics,
        notes=(*plan.notes, *waits, *refusals(network), *(() if found is None else (found.reason(),))),
        steps=steps_taken(network),
        priority_groups=rows(network),
        headroom=headroom(network),
        deadlock=None if found is None else found.to_dict(),
        fabric=frames.to_dict(),
        offered=offered(network),
        transfers=transfers_of(network),
    )
