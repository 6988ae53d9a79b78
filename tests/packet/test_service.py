"""Schedulers and line cards do what their definitions say, in both packet engines."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.packet.replay import FULL, SLOT, LinesOf, Passage, both, found_by, passages, waiting_at
from tests.reference.agreement import compiled

from footroom.base.component import About
from footroom.engines.plan import Plan, build_plan
from footroom.kernel.hooks import Hook, row, scheduler_hook
from footroom.parts.scheduling import Scheduler
from footroom.scenario import Scenario

#: One entry of traffic.
Entry = dict[str, Any]


def sender(host: int, segments: int, priority: int = 0, **more: Any) -> Entry:
    """Host ``host`` sends h0 ``segments`` segments at once and nothing more until acknowledgements come."""
    return {
        "kind": "long_lived",
        "flows": 1,
        "start_jitter": 0,
        "priority": priority,
        "sources": [f"h{host}"],
        "destinations": ["h0"],
        **more,
        "host": {
            "initial_window": segments,
            "receive_window": segments * 1448,
            "ack_every": 1,
            "jitter": 0,
            "small_queue": None,
        },
    }


def star(traffic: list[Entry], seconds: float, hosts: int = 5, **switch: Any) -> Plan:
    """Hosts around one switch, 20 Mb/s each, propagation of 100 us there and back."""
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "star", "hosts": hosts, "rate": "20 Mb/s", "rtt": "100 us"},
                "traffic": traffic,
                "switch": {"buffer": "1 MB", **switch},
                "run": {"duration": seconds, "warmup": 0, "seed": 1},
            }
        )
    )


def at_h0(plan: Plan, lines: list[tuple[int, str, int, int, int, int]]) -> list[Passage]:
    """Data packets at the port that leads to h0."""
    return passages(plan, lines, int(plan.watched[0]))


def priority_of(plan: Plan, packet: Passage) -> int:
    return int(plan.flow_priority[packet.flow])


def starts(those: list[Passage]) -> list[tuple[int, Passage]]:
    return sorted(((p.began, p) for p in those if p.began is not None), key=lambda each: each[0])


@both
def test_strict_priority_never_sends_while_a_higher_class_waits(lines_of: LinesOf) -> None:
    plan = star(
        [sender(1, 40, 0), sender(2, 30, 1), sender(3, 2, 2)], 0.3, queues=3, scheduling={"kind": "strict_priority"}
    )
    found = at_h0(plan, lines_of(plan))
    order = starts(found)
    assert len(order) > 400
    overtaken = 0
    for began, packet in order:
        higher = [p for p in found if priority_of(plan, p) > priority_of(plan, packet)]
        assert not waiting_at(higher, began)
        overtaken += any(p.came < packet.came for p in waiting_at(found, began) if p is not packet)
    assert overtaken > 50
    # The lowest class starves while the two above it fill the link.
    assert {priority_of(plan, p) for began, p in order if began > 0.2e12} == {1, 2}


@scheduler_hook
def _choose_lowest(port: Any, own: Any, params: Any) -> int:
    klass = 0
    while (row(port).eligible >> klass) & 1 == 0:  # type: ignore[no-untyped-call]
        klass += 1
    return klass


class LowestFirst(Scheduler):
    """Strict priority upside down."""

    about = About(title="Lowest first", summary="The non-empty queue of the lowest number sends next.")
    kind: str = "lowest_first"

    def choose(self) -> Hook | None:
        return _choose_lowest


def test_a_scheduler_is_one_class_with_its_hook() -> None:
    """With the classes of all flows turned round as well, packets leave as under strict priority."""
    senders = [(1, 40, 0), (2, 30, 1), (3, 2, 2)]
    plan = star([sender(*each) for each in senders], 0.1, queues=3, scheduling={"kind": "strict_priority"})
    turned = star(
        [sender(host, count, 2 - klass) for host, count, klass in senders],
        0.1,
        queues=3,
        scheduling={"kind": "strict_priority"},
    )
    upside_down = replace(
        turned, settings=[setting.model_copy(update={"scheduling": LowestFirst()}) for setting in turned.settings]
    )
    expected, found, unlike = (compiled(each) for each in (plan, upside_down, turned))
    assert found == expected
    assert unlike != expected


@both
def test_a_high_class_waits_for_no_more_than_the_packet_under_way(lines_of: LinesOf) -> None:
    plan = star(
        [sender(1, 60, 0), sender(2, 60, 0), sender(3, 1, 1)], 0.3, queues=2, scheduling={"kind": "strict_priority"}
    )
    found = at_h0(plan, lines_of(plan))
    waits = {k: [p.began - p.came for p in found if p.began is not None and priority_of(plan, p) == k] for k in (0, 1)}
    assert len(waits[1]) > 100
    assert max(waits[1]) <= SLOT
    assert np.mean(waits[0]) > 50 * SLOT


@both
def test_a_link_does_not_idle_while_anything_waits(lines_of: LinesOf) -> None:
    plan = star(
        [sender(i, 20, i % 3) for i in range(1, 5)],
        0.2,
        queues=3,
        scheduling={"kind": "drr"},
        architecture={"kind": "voq", "cards": 3},
    )
    found = at_h0(plan, lines_of(plan))
    order = starts(found)
    for (began, packet), (then, _) in pairwise(order):
        end = began + (SLOT if packet.ack == 0 else SLOT * 64 // FULL)
        assert then >= end
        if then > end:
            assert not waiting_at(found, end)


@both
@pytest.mark.parametrize("weights", [[1, 2, 3], [1, 1, 1], [3, 1, 0.5]])
def test_drr_shares_by_weight_to_within_a_quantum(lines_of: LinesOf, weights: list[float]) -> None:
    plan = star(
        [sender(1 + k, 30, k) for k in range(3)],
        0.4,
        queues=3,
        scheduling={"kind": "drr", "quantum": FULL, "weights": weights},
    )
    found = at_h0(plan, lines_of(plan))
    busy = [began for began, _ in starts(found) if began > 0.06e12]
    # From then on every class waits for more at every start of a transmission.
    for began in busy[::7]:
        assert {priority_of(plan, p) for p in waiting_at(found, began)} == {0, 1, 2}
    sent = np.zeros(3)
    worst = 0.0
    for _, packet in [each for each in starts(found) if each[0] >= busy[0]]:
        sent[priority_of(plan, packet)] += FULL
        turns = sent / (FULL * np.array(weights))
        worst = max(worst, turns.max() - turns.min())
    # Shreedhar and Varghese, lemma 2: in m turns a queue sends m quanta to within a packet.
    assert worst <= 1.0 + max(FULL / (FULL * w) for w in weights) * 2
    assert sent / sent.sum() == pytest.approx(np.array(weights) / sum(weights), abs=0.02)


@both
def test_a_strict_class_above_the_turns_waits_for_the_packet_under_way_only(lines_of: LinesOf) -> None:
    plan = star(
        [sender(1, 30, 0), sender(2, 30, 1), sender(3, 30, 2)],
        0.3,
        queues=3,
        scheduling={"kind": "drr", "quantum": FULL, "weights": [1, 3], "strict_from": 2},
    )
    found = at_h0(plan, lines_of(plan))
    order = [packet for began, packet in starts(found) if began > 0.06e12]
    sent = [sum(priority_of(plan, packet) == klass for packet in order) for klass in range(3)]
    waited = [p.began - p.came for p in found if p.began is not None and priority_of(plan, p) == 2]
    # The flow of class 2 alone could fill the link; the others have what it leaves, one to three.
    ahead = [
        [priority_of(plan, p) for p in waiting_at(found, began)]
        for began, packet in starts(found)
        if priority_of(plan, packet) < 2
    ]
    assert len(waited) > 50
    assert all(2 not in classes for classes in ahead)
    assert sent[0] == 0 or sent[1] / sent[0] == pytest.approx(3.0, rel=0.2)


@both
def test_what_a_class_kept_is_lost_although_a_strict_class_is_served_next(lines_of: LinesOf) -> None:
    """A quantum of 2900 B leaves 1400 B of a turn with one packet: with those the next turn would have two packets.

    Packets of 0.6 ms, there 0.625 ms after their start: one of class 1 finds the port idle, one of class 0 waits and
    empties its queue, one of class 2 goes next, and while it is sent two of class 0 and two of class 1 come.
    """
    times = {0: [(2, 0.3), (1, 1.4), (2, 1.4)], 1: [(3, 0.0), (3, 1.4), (4, 1.4)], 2: [(5, 0.65)]}
    plan = star(
        [
            {
                "kind": "arrivals",
                "priority": klass,
                "host": {"jitter": 0},
                "flows": [
                    {"time": begin * 1e-3, "size": 1448, "source": f"h{host}", "destination": "h0"}
                    for host, begin in starts_of
                ],
            }
            for klass, starts_of in times.items()
        ],
        0.02,
        hosts=6,
        queues=3,
        scheduling={"kind": "drr", "quantum": 2900, "strict_from": 2},
    )
    found = at_h0(plan, lines_of(plan))
    assert [priority_of(plan, packet) for _, packet in starts(found)] == [1, 0, 2, 1, 0, 1, 0]


@both
def test_a_full_virtual_output_queue_waits_as_long_as_all_cards_need(lines_of: LinesOf) -> None:
    # Three cards receive at the rate of the output each, so that each drains at a third and fills.
    room, cards = 12, 3
    plan = star(
        [sender(1 + i, 40) for i in range(cards)],
        0.06,
        hosts=6,
        architecture={"kind": "voq", "cards": 6, "limit_packets": room},
    )
    found = at_h0(plan, lines_of(plan))
    longest = {}
    for flow in range(cards):
        own = [p for p in found if p.flow == flow]
        assert any(p.dropped for p in own)
        depths = [len(found_by(own, p)) for p in own if p.waited]
        assert max(depths) == room - 1  # and itself
        assert all(len(found_by(own, p)) == room for p in own if p.dropped)
        turns = [began for began, _ in starts(own)]
        assert {b - a for a, b in pairwise(turns[2:12])} == {cards * SLOT}
        longest[flow] = max(p.began - p.came for p in own if p.began is not None)
    for wait in longest.values():
        assert (room - 1) * cards * SLOT <= wait <= room * cards * SLOT


@both
def test_a_virtual_output_queue_is_limited_in_bytes_too(lines_of: LinesOf) -> None:
    plan = star([sender(1, 40), sender(2, 40)], 0.024, architecture={"kind": "voq", "cards": 5, "limit_bytes": 7499})
    found = at_h0(plan, lines_of(plan))
    for flow in (0, 1):
        own = [p for p in found if p.flow == flow]
        assert any(p.dropped for p in own)
        assert max(len(found_by(own, p)) for p in own if p.waited) + 1 == 4


@both
def test_cards_take_turns_within_a_class_whatever_other_classes_do(lines_of: LinesOf) -> None:
    # Card of h3 has the other class for itself; those of h1 and h2 share theirs alike.
    plan = star(
        [sender(1, 40), sender(2, 40), sender(3, 40, 1)],
        0.04,
        hosts=4,
        queues=2,
        scheduling={"kind": "drr"},
        architecture={"kind": "voq", "cards": 4},
    )
    order = [p.flow for began, p in starts(at_h0(plan, lines_of(plan))) if began > 0.004e12]
    lower = [flow for flow in order if plan.flow_priority[flow] == 0]
    assert len(lower) > 20
    assert all(a != b for a, b in pairwise(lower))
    assert abs(order.count(2) - len(lower)) <= 2


@both
def test_each_class_has_its_own_alpha(lines_of: LinesOf) -> None:
    # One burst a class at the same time into 60 kB: alpha of 1 and of 1/4 beside it.
    plan = star(
        [sender(1, 60, 0), sender(2, 60, 0), sender(3, 60, 1), sender(4, 60, 1)],
        0.03,
        queues=2,
        buffer=60_000,
        scheduling={"kind": "drr"},
        sharing={"kind": "dynamic_threshold", "alphas": [1.0, 0.25]},
    )
    found = at_h0(plan, lines_of(plan))
    most = []
    for klass in (0, 1):
        own = [p for p in found if priority_of(plan, p) == klass]
        assert any(p.dropped for p in own)
        most.append(max(len(found_by(own, p)) + 1 for p in own if p.waited))
    # Choudhury and Hahne: both at their thresholds alpha (B - q0 - q1) hold B a_i / (1 + a_0 + a_1) = 26.7 and 6.7 kB.
    free = 60_000 / (1 + 1.25)
    assert most[0] * FULL >= free - FULL
    assert most[1] * FULL <= 0.25 * 60_000
