"""Components are numbered range by range, so that a range more moves numbers and never their order."""

from __future__ import annotations

from tests.lossless.small import star
from tests.packet.scenarios import dumbbell

from footroom.engines.packet.components import lay_out
from footroom.engines.plan import build_plan
from footroom.kernel.tables import PAUSES
from footroom.scenario import Scenario


def test_ranges_follow_one_another() -> None:
    plan = build_plan(Scenario.parse(star()))
    ranges = lay_out(plan, receivers=3, law_timers=True)
    ports, flows = plan.ports, plan.flows
    assert (ranges.wires, ranges.flow_timers, ranges.flow_start) == (ports, 2 * ports, 2 * ports + flows)
    assert ranges.pause_timers == ranges.flow_start + 1
    assert ranges.refresh_timers == ranges.pause_timers + PAUSES * ports
    assert ranges.receiver_slots == ranges.refresh_timers + PAUSES * ports
    assert (ranges.law_timers, ranges.components) == (ranges.receiver_slots + 3, ranges.receiver_slots + 3 + flows)


def test_a_range_nobody_uses_is_empty() -> None:
    plan = build_plan(Scenario.parse(dumbbell()))
    assert lay_out(plan).components == 2 * plan.ports + plan.flows + 1
