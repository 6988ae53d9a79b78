"""Rules of thumb beside the buffers that controls need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from footroom.base.errors import Infeasible
from footroom.engines.theory import rules
from footroom.result import Explanation
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import congested_queue, idle_round_trip
from footroom.studies.controls.answer import Rule
from footroom.studies.requirements import Requirement


def rules_of_thumb(scenario: Scenario, flows: Sequence[int | None], require: Sequence[Requirement]) -> tuple[Rule, ...]:
    """The bandwidth-delay product at every number of flows, and the rules that depend on these and on the targets."""
    seen = congested_queue(scenario)
    if seen is None:
        return ()
    capacity, rtt, packet = seen.capacity, idle_round_trip(seen, scenario.run.mtu), scenario.run.mtu
    return tuple(Rule(count, rule) for count in flows for rule in _rules(capacity, rtt, packet, count, require))


def _rules(
    capacity: float, rtt: float, packet: float, flows: int | None, require: Sequence[Requirement]
) -> Iterator[Explanation]:
    yield rules.bdp(capacity, rtt, 1.0 if flows is None else flows, packet)
    if flows is None:
        return
    yield rules.bdp_over_root_n(capacity, rtt, flows, packet)
    for one in require:
        if one.metric == "utilisation" and 0.0 < one.limit < 1.0:
            with suppress(Infeasible):  # the bound cannot promise that much for so few flows
                yield rules.root_n_for_utilisation(capacity, rtt, flows, one.limit, packet)
        elif one.metric == "drop_rate" and 0.0 < one.limit < 1.0:
            yield rules.bscl(capacity, rtt, flows, one.limit, packet)
