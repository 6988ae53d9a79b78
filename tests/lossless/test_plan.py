"""What the plan says of lossless classes, held to figures computed by hand from the sources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.lossless.small import star

from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.plan import build_plan
from footroom.engines.plan.lossless import Lossless
from footroom.formulas.headroom.schemes import SCHEMES
from footroom.kernel.tables import NEVER
from footroom.parts.headroom import REGISTRY, Pausing
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named

PAUSING = [kind for kind in REGISTRY if issubclass(kind, Pausing)]


def laid_out(raw: dict[str, Any]) -> Any:
    return build_plan(Scenario.parse(raw), 1, "reference")


def lossless(raw: dict[str, Any]) -> Lossless:
    found = laid_out(raw).lossless
    assert isinstance(found, Lossless)
    return found


def entering(plan: Any) -> np.ndarray:
    """Ports that packets come to the switch by."""
    return np.flatnonzero(plan.port_switch[plan.lossless.opposite] >= 0)


@pytest.mark.parametrize("kind", PAUSING)
def test_the_names_of_schemes_are_those_of_the_calculator(kind: type[Pausing]) -> None:
    accepted = kind.model_json_schema()["properties"]["scheme"]["enum"]
    assert tuple(accepted) == SCHEMES.names


def test_memory_of_static_headroom_adds_up() -> None:
    """η = 2·(100 Gb/s · 1.5 µs / 8 + 1500) + 3840 = 44340 B for 7 classes of 3 ports; the rest is shared."""
    plan = laid_out(star())
    found, ports = plan.lossless, entering(plan)
    assert len(ports) == 3
    assert found.classes.tolist() == [[True] * 7 + [False]]
    assert (found.group_headroom[ports] == [44340] * 7 + [0]).all()
    assert found.group_headroom.sum() == 3 * 7 * 44340
    assert found.pool_lossless[0] == found.pool_lossy[0] == 4_000_000 - 931_140
    assert found.one_pool[0]
    # A host jitters by up to a full packet, so that one may be half of that late.
    # Frames about the pauses of the other six classes may go before that of one.
    assert (found.group_limit[ports, :7] == 44340 + 1500 + 7 * 84 + 750).all()
    assert (found.group_alpha[ports] == [0.0625] * 7 + [0.0]).all()
    assert (found.pause_response[ports] == 307_200).all()  # 3840 B at 12.5 B/ns
    assert (found.pause_time[ports] == 65535 * 5_120).all()  # quanta of 512 bit times of 10 ps
    assert (found.headroom_pool == NEVER).all()


def test_memory_of_dynamic_headroom_adds_up() -> None:
    """One η for each port; with private memory of 3 KiB as in the paper's evaluation (Shan et al., ICDCS 2023, §V)."""
    plan = laid_out(star(headroom={"kind": "dynamic_shared", "reserved": "3 KiB"}))
    found, ports = plan.lossless, entering(plan)
    assert (found.insurance[ports] == 44340).all()
    assert found.insurance.sum() == 3 * 44340
    assert not found.group_headroom.any()
    assert found.pool_lossless[0] == 4_000_000 - 3 * 44340 - 3 * 7 * 3072


def test_the_published_share_of_headroom() -> None:
    """32 ports of 100 Gb/s, 2 µs, 7 lossless classes: 12.73 MB of 16 MiB, and 3.36 MB shared (14.27 MB with DSH)."""
    paper = star(32, buffer="16 MiB", headroom={"kind": "static_independent", "reserved": "3 KiB"})
    paper["topology"]["rtt"] = "8 us"
    found = lossless(paper)
    assert found.group_headroom.sum() == 32 * 7 * 56_840
    assert found.pool_lossless[0] == pytest.approx(3.36e6, rel=0.002)
    paper["switch"]["headroom"]["kind"] = "dynamic_shared"
    assert lossless(paper).pool_lossless[0] == pytest.approx(14.27e6, rel=0.002)


@pytest.mark.parametrize(("scheme", "quanta"), [("sih", 60), ("dsh", 60), ("ieee", 394), ("sonic", 394)])
def test_the_neighbour_responds_as_the_scheme_allows(scheme: str, quanta: int) -> None:
    """60 quanta are the 3840 B of the formula; 394 is the limit of IEEE 802.3 for 100 Gb/s."""
    plan = laid_out(star(buffer="16 MB", headroom={"kind": "static_independent", "scheme": scheme}))
    assert (plan.lossless.pause_response[entering(plan)] == quanta * 5_120).all()


def test_given_bytes_and_times_are_taken_as_they_are() -> None:
    plan = laid_out(
        star(
            headroom={
                "kind": "static_independent",
                "size": "20 kB",
                "lossless": [3, 4],
                "reserved": 1000,
                "alpha": 0.5,
                "xon": 100,
                "xon_offset": 200,
                "response": "1 us",
                "allowance": 0,
                "pause": "on_off",
            },
            reserved=500,
        )
    )
    found, ports = plan.lossless, entering(plan)
    lossy = [0, 1, 2, 5, 6, 7]
    assert (found.group_limit[ports][:, [3, 4]] == 20_000).all()
    assert not found.group_limit[:, lossy].any()
    assert (found.xon[ports][:, [3, 4]] == 100).all()
    assert (found.xon_offset[ports][:, [3, 4]] == 200).all()
    assert (found.group_alpha[ports][:, [3, 4]] == 0.5).all()
    assert (found.pause_response[ports] == 1_000_000).all()
    assert (found.pause_time == NEVER).all()
    # Six lossy queues of three ports keep 500 B each, two groups of three ports 1000 B and 20 kB.
    assert found.pool_lossless[0] == 4_000_000 - 3 * (6 * 500 + 2 * 1000 + 2 * 20_000)


def test_a_pool_of_headroom_frees_what_is_oversubscribed() -> None:
    own = lossless(star(headroom={"kind": "static_independent", "size": "20 kB"}))
    half = lossless(star(headroom={"kind": "static_independent", "size": "20 kB", "oversubscription": 2}))
    assert half.headroom_pool[0] == 3 * 7 * 20_000 // 2
    assert half.pool_lossless[0] - own.pool_lossless[0] == 210_000
    assert lossless(star(headroom={"kind": "static_independent", "pool": "300 kB"})).headroom_pool[0] == 300_000


def test_a_share_divides_the_shared_memory_into_two_pools() -> None:
    found = lossless(star(headroom={"kind": "static_independent", "size": "20 kB", "lossless_share": 0.25}))
    assert (found.pool_lossless[0], found.pool_lossy[0]) == (895_000, 2_685_000)
    assert not found.one_pool[0]


def test_one_queue_is_lossless_and_carries_its_acknowledgements() -> None:
    raw = star(queues=1, scheduling={"kind": "fifo"})
    raw["traffic"][0]["priority"] = 0
    plan = laid_out(raw)
    assert plan.lossless.classes.tolist() == [[True]]
    assert not plan.flow_ack_priority.any()


def test_control_packets_travel_in_the_highest_class_of_lossless_networks() -> None:
    raw = star()
    assert set(laid_out(raw).flow_ack_priority.tolist()) == {7}
    raw["traffic"][0]["host"] = {"ack_priority": 5}
    assert set(laid_out(raw).flow_ack_priority.tolist()) == {5}
    raw["switch"]["headroom"] = {"kind": "none"}
    del raw["traffic"][0]["host"]
    assert set(laid_out(raw).flow_ack_priority.tolist()) == {3}


def test_any_lossless_draws_every_class_for_whole_connections() -> None:
    raw = star(9, headroom={"kind": "static_independent", "lossless": [2, 4, 5]})
    raw["traffic"] = [
        {
            "kind": "incast",
            "degree": 8,
            "size": "1 kB",
            "period": "10 us",
            "connections": "persistent",
            "priority": "any_lossless",
        },
        {"kind": "incast", "degree": 4, "size": "1 kB"},
    ]
    plan = laid_out(raw)
    drawn = plan.flow_priority[plan.flow_stack == 0]
    assert set(drawn.tolist()) == {2, 4, 5}
    later = np.flatnonzero(plan.flow_continues >= 0)
    assert len(later) == 8 * 99
    assert (plan.flow_priority[later] == plan.flow_priority[plan.flow_continues[later]]).all()
    assert (laid_out(raw).flow_priority == plan.flow_priority).all()
    assert not plan.flow_priority[plan.flow_stack == 1].any()


def test_other_lossless_draws_the_classes_that_no_entry_names() -> None:
    raw = star(9, headroom={"kind": "static_independent", "lossless": [2, 4, 5]})
    raw["traffic"] = [
        {"kind": "incast", "degree": 8, "size": "1 kB", "period": "10 us", "priority": "other_lossless"},
        {"kind": "incast", "degree": 4, "size": "1 kB", "priority": 4},
        {"kind": "incast", "degree": 8, "size": "1 kB", "period": "10 us", "priority": "any_lossless"},
    ]
    plan = laid_out(raw)
    assert [set(plan.flow_priority[plan.flow_stack == i].tolist()) for i in range(3)] == [{2, 5}, {4}, {2, 4, 5}]


def test_switches_may_differ() -> None:
    raw = star()
    raw["topology"] = {
        "kind": "leaf_spine",
        "leaves": 2,
        "spines": 1,
        "hosts_per_leaf": 2,
        "host_rate": "100G",
        "fabric_rate": "100G",
        "link_delay": "1.5 us",
    }
    raw["switches"] = {"spine": {"headroom": {"size": "50 kB"}}, "leaf1": {"headroom": {"kind": "none"}}}
    plan = laid_out(raw)
    assert plan.lossless.classes.any(axis=1).tolist() == [True, False, True]
    for q in range(plan.ports):
        switch = plan.port_switch[plan.lossless.opposite[q]]
        assert plan.lossless.group_headroom[q, 0] == {-1: 0, 0: 44340, 1: 0, 2: 50_000}[int(switch)]


@pytest.mark.parametrize(
    ("headroom", "path", "words"),
    [
        ({"size": "200 kB"}, "switch.headroom", "201500 B are missing"),
        ({"pool": "44 kB"}, "switch.headroom.pool", "less than the 44340 B of one priority group"),
        ({"pool": "1 MB"}, "switch.headroom.pool", "more than the headroom of all priority groups"),
        ({"oversubscription": 100}, "switch.headroom.oversubscription", "of one priority group"),
        ({"lossless_share": 0.0001}, "switch.headroom.lossless_share", "must hold a full packet"),
        ({"quanta": 20}, "switch.headroom.quanta", "too short"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_is_missing(headroom: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as refused:
        laid_out(star(headroom={"kind": "static_independent", **headroom}))
    assert refused.value.problems[0].path == path


def test_a_scheme_refuses_speeds_it_does_not_know() -> None:
    raw = star(headroom={"kind": "static_independent", "scheme": "ieee"})
    raw["topology"]["rate"] = "3.2 Tb/s"
    with pytest.raises(InvalidInput, match=r"switch.headroom.scheme: given 'ieee'; covers speeds up to 1.6 Tb/s"):
        laid_out(raw)


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_engines_of_one_bottleneck_refuse_headroom(kind: str, engine: str) -> None:
    raw = star(headroom={"kind": kind})
    raw["topology"] = {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "40 Gb/s", "rtt": "10 us"}
    raw["traffic"] = [{"kind": "long_lived", "flows": 2, "start_jitter": 0}]
    with pytest.raises(Unsupported, match="pauses") as refused:
        engine_named(engine).evaluate(Scenario.parse(raw), 1)
    assert refused.value.path == "switch.headroom.kind"


def test_virtual_output_queues_have_no_priority_groups() -> None:
    with pytest.raises(Unsupported, match="shared_memory") as refused:
        engine_named("reference").check(Scenario.parse(star(architecture={"kind": "voq"})))
    assert refused.value.path == "switch.headroom.kind"


def test_a_threshold_below_the_insurance_is_said() -> None:
    """alpha 1/16 of 0.5 MB less 3 η is 23 kB, and η is 44 kB: T − η is never above 0."""
    (note,) = (
        note
        for note in laid_out(star(buffer="500 kB", headroom={"kind": "dynamic_shared"})).notes
        if "paused as soon as" in note
    )
    assert f"at most {(500_000 - 3 * 44_340) // 16} B, not above the headroom of 44340 B" in note
    assert "switch switch the" in note
    assert not any("paused as soon as" in note for note in laid_out(star(headroom={"kind": "dynamic_shared"})).notes)
