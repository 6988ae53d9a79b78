"""From a scenario to a result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from footroom.base.errors import Cancelled, InvalidInput, Unsupported
from footroom.engines.hybrid.answer import complete
from footroom.engines.hybrid.averaged import Averaged
from footroom.engines.hybrid.background import Background
from footroom.engines.hybrid.check import averaged, check, fluid_entries, paced
from footroom.engines.hybrid.paced import Paced
from footroom.engines.hybrid.split import split
from footroom.engines.packet import simulate as simulate_packets
from footroom.engines.packet.environment import Environment
from footroom.engines.plan import SECOND, build_plan
from footroom.result import Result
from footroom.scenario import Scenario

#: Checks of ``stop`` in a run.
LOOKS = 200


class Flag(Protocol):
    """A stop flag, such as threading.Event."""

    def is_set(self) -> bool: ...


class CoupledEnvironment(Environment):
    """A SimPy environment whose packets share their ports with ``background``, and whose result says so."""

    background: Background | Averaged | Paced

    def result(self) -> Result:
        """As ``footroom.run`` answers with the engine ``hybrid``: of fluid and packets, with what does not hold."""
        return complete(self, super().result(), self.background)


def coupled(
    scenario: Scenario, seed: int | None = None, *, by_hand: Sequence[int] = ()
) -> tuple[CoupledEnvironment, Background | Averaged | Paced]:
    """A SimPy environment with the scenario's packets and its fluid beside them.

    by_hand: numbers of traffic entries, of packets, whose flows wait until ``start`` is called.
    Raises Unsupported where there is nothing to couple, or what this engine cannot do; InvalidInput where an entry of
    ``by_hand`` is fluid.
    """
    check(scenario)
    entries = fluid_entries(scenario)
    if not entries or len(entries) == len(scenario.traffic):
        given = "packets" if not entries else "fluid"
        raise Unsupported(
            f"all traffic is {given}: mark the entries that are background, and only those, as fluid",
            path="traffic.as",
            given=given,
            engines=("packet",) if not entries else ("fluid",),
        )
    if wrong := sorted(entries & set(by_hand)):
        raise InvalidInput.at("by_hand", wrong[0], "this entry is fluid; a process starts flows of packets only")
    whole = build_plan(scenario, seed)
    plan, which = split(whole, entries)
    environment = CoupledEnvironment(scenario, seed, plan=plan, by_hand=by_hand)
    kind = Paced if paced(scenario) else Averaged if averaged(scenario) else Background
    environment.background = kind(environment, whole, which)
    environment.simulation.fluid_step = environment.background.step * SECOND
    return environment, environment.background


def simulate(
    scenario: Scenario,
    seed: int | None = None,
    *,
    stop: Flag | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Run ``scenario`` with its fluid entries as fluid and the others as packets.

    All packets: what the packet engine answers.  All fluid: what the fluid engine answers.  progress is told the
    fraction of simulated time done.  Raises Cancelled soon after ``stop`` is set, Unsupported for what this engine
    cannot do, RuntimeError if packets or bytes went missing (a bug, checked after every run).
    """
    began = time.perf_counter()
    check(scenario)
    entries = fluid_entries(scenario)
    if not entries:
        return replace(simulate_packets(build_plan(scenario, seed), stop=stop, progress=progress), engine="hybrid")
    if len(entries) == len(scenario.traffic):
        from footroom.engines.fluid.adapter import estimate

        return replace(estimate(scenario), engine="hybrid")
    environment, _ = coupled(scenario, seed)
    duration = environment.plan.duration / SECOND
    for k in range(LOOKS):
        if stop is not None and stop.is_set():
            raise Cancelled("stopped")
        environment.run(until=duration * (k + 1) / LOOKS)
        if progress is not None:
            progress((k + 1) / LOOKS)
    answer = replace(environment.result(), wall_s=time.perf_counter() - began)
    environment.close()
    return answer
