"""Lossless fabrics against the simulator of HPCC, as recorded in data/ns3-lossless.json; docs/validation.md says why
they differ."""

from __future__ import annotations

import pytest
from tests.validation.fabrics import Fabric, fabrics

import footroom as fr

PURE = [pytest.param(case, id=case.label) for case in fabrics("none")]
#: Where memory is so short that pauses bound the queue. DCQCN differs, see docs/validation.md.
MARKED = [
    pytest.param(case, id=case.label)
    for case in fabrics("paper", "vendor")
    if case.completion is not None and case.buffer <= 2 * 2**20
]
#: Whole runs take seconds in plain SimPy.
SMALL = [pytest.param(case, id=case.label) for case in fabrics("none") if case.senders <= 4]


def check_pure_pfc(case: Fabric, engine: str) -> None:
    """Pauses alone: what the same rules give, but for when a paused group is looked at again."""
    done = fr.run(case.scenario(1.02 * case.last), engine=engine).metrics
    assert done["fct_count"] == case.senders
    # At 1 us the receiver's link never idles; at 4 us it does, a little more where groups resume later.
    assert done["qct_mean"] == pytest.approx(case.last, rel=1e-4 if case.link_delay < 2e-6 else 5e-3)
    assert case.completion is not None
    assert done["fct_mean"] == pytest.approx(sum(case.completion) / case.senders, rel=0.03)
    assert done["lossless_drops"] == case.drops == 0
    assert done["pause_frames"] == pytest.approx(case.pause_frames, rel=0.25)
    assert done["pause_time"] == pytest.approx(case.pause_time, rel=0.08)
    until = fr.run(case.scenario(case.last), engine=engine).metrics
    assert until["queue_mean"] == pytest.approx(case.queue_mean, rel=0.08)
    assert until["queue_p99"] == pytest.approx(case.queue_p99, rel=0.03)
    assert until["queue_max"] == pytest.approx(case.queue_max, rel=0.01)


@pytest.mark.parametrize("case", PURE)
def test_pauses_alone(case: Fabric) -> None:
    check_pure_pfc(case, "packet")


@pytest.mark.parametrize("case", SMALL)
def test_pauses_of_the_plain_engine(case: Fabric) -> None:
    check_pure_pfc(case, "reference")


@pytest.mark.parametrize("senders", [2, 4])
def test_few_senders_pause_as_often(senders: int) -> None:
    """Few groups drain in step, so that it does not matter which of them is looked at again: every pause is there."""
    case = next(case for case in fabrics("none") if case.senders == senders)
    found = fr.run(case.scenario(1.02 * case.last), engine="packet")
    assert found.metrics["pause_frames"] == case.pause_frames
    assert found.metrics["pause_time"] == pytest.approx(case.pause_time, rel=0.01)
    assert found.priority_groups is not None
    first = min(group["first_pause"] for group in found.priority_groups if group["first_pause"] is not None)
    assert case.first_pause is not None
    # Theirs is when the frame arrives, a microsecond later; theirs holds one packet more, the one that never waits.
    assert first + 1e-6 == pytest.approx(case.first_pause, abs=2.5e-7)


@pytest.mark.parametrize("case", MARKED)
def test_dcqcn_and_pauses_together(case: Fabric) -> None:
    """Ours cuts when a notification comes, theirs when a timer finds one: close, but other flows finish first."""
    found = fr.run(case.scenario(1.5 * case.last), engine="packet").metrics
    assert found["fct_count"] == case.senders
    assert case.completion is not None
    assert found["fct_mean"] == pytest.approx(sum(case.completion) / case.senders, rel=0.1)
    assert found["lossless_drops"] == case.drops == 0
    assert found["queue_mean"] * 1.5 * case.last == pytest.approx(case.queue_mean * case.last, rel=0.2)
    assert found["queue_max"] == pytest.approx(case.queue_max, rel=0.01)
    assert case.pause_frames / 2 < found["pause_frames"] < 2 * case.pause_frames


def test_half_a_headroom_would_have_lost() -> None:
    """The comparison can fail: with half of the headroom it used the same run loses packets."""
    case = fabrics("none")[2]
    scenario = case.scenario(1.02 * case.last).to_dict()
    most = fr.run(scenario, engine="packet").metrics["headroom_max"]
    scenario["switch"]["headroom"]["size"] = int(most / 2)
    assert fr.run(scenario, engine="packet").metrics["lossless_drops"] > 0
