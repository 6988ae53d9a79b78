"""The promise of shared headroom, attacked: Hypothesis looks for arrivals that make a switch drop a lossless packet."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, assume, given, settings, target
from tests.lossless.adversary import fabrics

from footroom.base.errors import InvalidInput
from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

#: Notes that say beforehand that headroom may not suffice.
WARNINGS = ("Headroom may not suffice", "The headroom pool")


def attack(raw: dict[str, Any]) -> None:
    """Run it; the more of the insurance is used and the longer ports wait, the closer it is."""
    try:
        plan = build_plan(Scenario.parse(raw))
    except InvalidInput:
        assume(False)
        raise
    assume(not any(note.startswith(WARNINGS) for note in plan.notes))
    found = simulate(plan)  # which also counts every packet and every byte of memory
    used = [one["most"] / one["reserved"] for one in found.headroom or () if one["reserved"]]
    target(max(used, default=0.0), label="insurance in use")
    target(float(found.metrics["pause_frames"]), label="pause frames")
    assert found.metrics["lossless_drops"] == 0


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(fabrics())
def test_no_arrivals_make_shared_headroom_drop(raw: dict[str, Any]) -> None:
    attack(raw)


def test_the_search_finds_a_drop_where_the_insurance_is_too_small() -> None:
    """The same search breaks a promise that is not kept: a third of the insurance, and no allowance for frames."""
    worst = 0.0

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(fabrics())
    def search(raw: dict[str, Any]) -> None:
        nonlocal worst
        mtu = raw["run"]["mtu"]
        raw["switch"]["headroom"] |= {"size": 2 * mtu, "allowance": 0}
        try:
            plan = build_plan(Scenario.parse(raw))
        except InvalidInput:
            assume(False)
            raise
        worst = max(worst, simulate(plan).metrics["lossless_drops"])

    search()
    assert worst > 0
