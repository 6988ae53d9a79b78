"""What ``host.profile`` sets, what beside it stays, and how it is changed on every surface."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.plan import build_plan
from footroom.parts.traffic import Host
from footroom.parts.traffic.profiles import PROFILES
from footroom.scenario.kinds import set_field
from footroom.studies import Study
from footroom.studies.catalogue import catalog


def scenario(**host: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "rtt": "20 ms"},
        "switch": {"buffer": "30 kB"},
        "traffic": [{"kind": "long_lived", "flows": 2, "host": host}],
        "run": {"duration": 20},
    }


def host_of(document: dict[str, Any]) -> Host:
    return fr.Scenario.parse(document).traffic[0].host


def test_every_profile_can_be_named_and_sets_what_it_says() -> None:
    named = [name for part in get_args(Host.model_fields["profile"].annotation) for name in get_args(part)]
    assert named == list(PROFILES)
    for name, profile in PROFILES.items():
        assert profile.source
        assert profile.id == name
        host = Host.model_validate({"profile": name})
        assert {key: getattr(host, key) for key in profile.values} == profile.values
        assert Host() == Host(profile=None)


def test_linux_is_what_its_sources_say() -> None:
    host = Host.model_validate({"profile": "linux"})
    assert (host.recovery, host.ack_every, host.quick_acks, host.ack_delay) == ("prr", 2, 16, 0.04)
    assert (host.min_rto, host.rto_floor, host.tail_loss_probe, host.pacing) == (0.2, "variance", True, False)
    assert (host.autosize, host.burst_limit, host.timeout_losses) == (True, 65535, "overdue")
    assert (host.mark_cut, Host().mark_cut) == ("round_trip", "at_once")


def test_rfc_is_what_its_sources_say() -> None:
    host = Host.model_validate({"profile": "rfc"})
    assert (host.recovery, host.min_rto, host.rto_floor, host.tail_loss_probe) == ("sack", 1.0, "total", False)
    assert (host.quick_acks, host.small_queue) == (0, None)
    assert host.ack_delay <= 0.5


def test_a_field_beside_the_profile_overrides_it() -> None:
    host = host_of(scenario(profile="linux", min_rto="10 ms", quick_acks=0))
    assert (host.min_rto, host.quick_acks, host.tail_loss_probe) == (0.01, 0, True)
    without = host_of(scenario(profile="linux", recovery="newreno"))
    assert (without.recovery, without.tail_loss_probe) == ("newreno", False)
    with pytest.raises(InvalidInput, match="tail_loss_probe"):
        host_of(scenario(profile="linux", recovery="newreno", tail_loss_probe=True))


def test_a_burst_beside_the_profile_has_that_length() -> None:
    host = host_of(scenario(profile="linux", burst=4))
    assert (host.burst, host.autosize) == (4, False)
    assert host_of(scenario(profile="linux", burst=4, autosize=True)).autosize


@pytest.mark.parametrize(("profile", "given", "on"), [("linux", None, 1.0), (None, None, 0.0), ("linux", False, 0.0)])
def test_the_profile_turns_on_what_its_bbr_does_about_policers(
    profile: str | None, given: bool | None, on: float
) -> None:
    document = scenario(profile=profile)
    document["traffic"][0]["congestion"] = {"kind": "bbr", "policer": given}
    law = build_plan(fr.Scenario.parse(document)).stacks[0].law
    assert law.parameters() == fr.Scenario.parse(document).traffic[0].congestion.on_hosts(profile).parameters()
    assert law.parameters()[4] == on


def test_an_unknown_profile_is_refused_with_its_path() -> None:
    with pytest.raises(InvalidInput) as refusal:
        fr.Scenario.parse(scenario(profile="bsd"))
    assert re.search("traffic.0.host.profile: given 'bsd'.*linux.*rfc", str(refusal.value))


@pytest.mark.parametrize("profile", [None, "linux", "rfc"])
def test_what_is_written_out_reads_back_the_same(profile: str | None) -> None:
    parsed = fr.Scenario.parse(scenario(profile=profile, ack_every=4))
    again = fr.Scenario.parse(parsed.to_dict())
    assert again == parsed
    assert build_plan(again).stacks == build_plan(parsed).stacks


@pytest.mark.parametrize("before", [None, "linux", "rfc"])
@pytest.mark.parametrize("after", [None, "linux", "rfc"])
@pytest.mark.parametrize("written_out", [False, True])
def test_setting_another_profile_changes_all_but_what_was_chosen(
    before: str | None,
    after: str | None,
    written_out: bool,
) -> None:
    document = scenario(profile=before, min_rto="10 ms")
    if written_out:
        document = fr.Scenario.parse(document).to_dict()
    changed = host_of(set_field(document, "traffic.0.host.profile", after))
    assert changed == Host.model_validate({"profile": after, "min_rto": 0.01})


def test_a_sweep_over_profiles_and_its_own_request_ask_the_same() -> None:
    study = Study.of(scenario(), {"traffic.0.host.profile": ["linux", "rfc"]})
    probes = [point.scenario.traffic[0].host.tail_loss_probe for point in study.points]
    assert probes == [True, False]
    again = Study.from_request(study.request)
    assert (again.id, again.points) == (study.id, study.points)


def test_the_catalogue_shows_what_a_profile_sets() -> None:
    shown = {profile["id"]: profile["values"] for profile in catalog()["host"]["profiles"]}
    assert shown == {name: profile.values for name, profile in PROFILES.items()}
