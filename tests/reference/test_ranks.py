"""Simultaneous alarms of the plain engine ring by kind, then by number, as the compiled engine's components do."""

from __future__ import annotations

from tests.lossless.small import star

from footroom.engines.packet.components import lay_out
from footroom.engines.plan import build_plan
from footroom.engines.reference.ranks import Kind
from footroom.kernel.tables import PAUSES
from footroom.scenario import Scenario


def test_alarms_rank_as_components_are_numbered() -> None:
    plan = build_plan(Scenario.parse(star()))
    ranges = lay_out(plan, law_timers=True)
    components = [
        *(Kind.TRANSMITTER.of(q) for q in range(plan.ports)),
        *(Kind.WIRE.of(q) for q in range(plan.ports)),
        *(Kind.FLOW.of(i) for i in range(plan.flows)),
        Kind.START.of(0),
        *(kind.of_pause(q, k) for kind in (Kind.PAUSE, Kind.REPETITION) for q in range(plan.ports) for k in _pauses()),
        *(Kind.LAW.of(i) for i in range(plan.flows)),
    ]
    assert len(components) == ranges.components
    assert components == sorted(set(components))


def _pauses() -> list[int | None]:
    return [*range(PAUSES - 1), None]
