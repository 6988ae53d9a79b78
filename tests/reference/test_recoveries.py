"""Recoveries in random small networks that drop much, against bounds that neither packet engine was written from.

All is read from the trace: what the sender's first link was given, what was
dropped, what was delivered to either end.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import pytest
from tests.reference.agreement import Line, compiled, plain

from footroom.engines.plan import SECOND, Plan, build_plan
from footroom.scenario import Scenario

ENGINES: dict[str, Callable[[Plan], list[Line]]] = {"packet": compiled, "reference": lambda plan: plain(plan)[0]}
#: Most that a receiver takes beyond what was acknowledged [B].
WINDOWS = (None, 15_000, 60_000)


def plan_of(number: int, **host: Any) -> tuple[Plan, int]:
    """A random fan-in of finite flows into a buffer of a few packets; also the receiver's window in segments."""
    draw = random.Random(number)
    window = draw.choice(WINDOWS)
    rate = draw.choice((5e6, 20e6, 50e6))
    trip = draw.uniform(0.002, 0.06)
    # Without the host's own queue limit everything leaves on an acknowledgement or a timer.
    own: dict[str, Any] = {
        "small_queue": None,
        "min_rto": draw.choice((0.01, 0.2)),
        "initial_window": draw.choice((2, 10, 30)),
    } | host
    if window is not None:
        own["receive_window"] = window
    scenario = {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": draw.choice((2.0, 20.0)) * rate,
            "rtt": trip,
            "rtt_spread": draw.choice((0.0, 0.4)),
        },
        "switch": {"buffer": f"{draw.randint(2, 15)} packets"},
        "traffic": [
            {
                "kind": "incast",
                "degree": draw.randint(1, 8),
                "size": draw.choice((3e4, 1e5, 3e5)),
                "jitter": draw.choice((0.0, 0.01)),
                "period": 1000.0,
                "repeat": 1,
                "congestion": {"kind": draw.choice(("newreno", "cubic"))},
                "host": own,
            }
        ],
        "run": {"duration": 600.0, "warmup": 0.0, "mtu": 1500, "seed": number},
    }
    plan = build_plan(Scenario.parse(scenario))
    return plan, 10**9 if window is None else window // plan.stacks[0].payload


class Follower:
    """Follows all flows of a trace and checks every bound on the way.

    una, top: the next segment that the sender hears is expected, and the one after the highest sent.  prefix: segments
    in order at the receiver.  timers: how often a timer sent.
    """

    def __init__(self, plan: Plan, window: int) -> None:
        self.first = {flow: int(plan.routes[start]) for flow, start in enumerate(plan.flow_forward.tolist())}
        self.window = window
        self.sent: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.lost: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.there: defaultdict[int, set[int]] = defaultdict(set)
        self.una: Counter[int] = Counter()
        self.top: Counter[int] = Counter()
        self.prefix: Counter[int] = Counter()
        self.timers: Counter[int] = Counter()
        self.since: dict[int, tuple[int, int]] = {}  # after a timer: top at that time, acknowledgements since

    def instant(self, lines: Iterable[Line]) -> None:
        """All that happens at one time."""
        acknowledged, count = Counter[int](), Counter[int]()
        again: set[int] = set()
        for _, what, port, flow, ack, seq in lines:
            if what == "delivery" and ack:
                assert seq <= self.prefix[flow], "an acknowledgement of what has not arrived"
                acknowledged[flow] += 1
                self.una[flow] = max(self.una[flow], seq)
            elif what == "delivery":
                self._arrived(flow, seq)
            elif what == "drop" and not ack:
                self.lost[flow][seq] += 1
            elif what == "arrival" and not ack and port == self.first[flow]:
                if seq < self.top[flow]:
                    again.add(flow)
                count[flow] += 1
                self._left(flow, seq)
        for flow, segments in count.items():
            self._judge(flow, segments, acknowledged[flow], flow in again)
        for flow, number in acknowledged.items():
            if flow in self.since:
                bound, before = self.since[flow]
                self.since[flow] = bound, before + number
                if self.una[flow] > bound:
                    del self.since[flow]

    def _arrived(self, flow: int, seq: int) -> None:
        self.there[flow].add(seq)
        while self.prefix[flow] in self.there[flow]:
            self.prefix[flow] += 1

    def _left(self, flow: int, seq: int) -> None:
        assert self.una[flow] <= seq < self.una[flow] + self.window, "outside the receiver's window"
        assert seq <= self.top[flow], "a segment was left out"
        self.sent[flow][seq] += 1
        self.top[flow] = max(self.top[flow], seq + 1)

    def _judge(self, flow: int, segments: int, acknowledged: int, again: bool) -> None:
        """Flow ``flow`` has sent so many segments at one time."""
        if again and not acknowledged:
            self.timers[flow] += 1
            self.since[flow] = self.top[flow], 0
            assert segments == 1, "a timer sends one segment"
        elif flow in self.since:
            # Slow start from one segment: one more per acknowledgement, whatever that covers (RFC 5681, 3465).
            assert segments <= 3 + self.since[flow][1] + acknowledged, "a burst after a timeout"

    def end(self, sizes: list[int]) -> None:
        """The network is empty: every flow has all of its ``sizes`` segments there, once and in order."""
        for flow, segments in enumerate(sizes):
            found = {self.una[flow], self.prefix[flow], len(self.there[flow]), self.top[flow]}
            assert found == {segments}, "the transfer did not complete"
            for seq, times in self.sent[flow].items():
                # Each time it was lost, once by each timer, and once on false evidence.
                assert times <= 2 + self.lost[flow][seq] + self.timers[flow]


def follow(plan: Plan, lines: list[Line], window: int) -> tuple[int, int]:
    """Check all bounds of all flows. Returns the drops of data, and how often a timer sent."""
    follower = Follower(plan, window)
    for _, those in groupby((line for line in lines if line[1] != "departure"), key=lambda line: line[0]):
        follower.instant(those)
    follower.end(plan.flow_segments.tolist())
    data = Counter(line[1] for line in lines if not line[4])
    assert sum(sum(each.values()) for each in follower.sent.values()) == data["delivery"] + data["drop"]
    return data["drop"], sum(follower.timers.values())


def _ends_in_time(plan: Plan, lines: list[Line], drops: int, timers: int) -> None:
    """A round trip for each repair and for each doubling, timers that double up to 120 s, and the time of the link."""
    packets = sum(line[1] == "departure" for line in lines)
    trip = (int(plan.flow_rtt.max()) + 15 * 1500 * int(plan.picoseconds_per_byte.max() >> 16)) / SECOND
    wire = 1500 * (int(plan.picoseconds_per_byte.max()) >> 16) / SECOND
    assert lines[-1][0] / SECOND < 1.0 + (drops + 60) * (trip + 0.3) + packets * wire + 3.0 * timers


STYLES: dict[str, dict[str, Any]] = {
    "newreno": {"recovery": "newreno"},
    "newreno-each": {"recovery": "newreno", "partial_timer": "each"},
    "newreno-linux": {"recovery": "newreno", "partial_timer": "each", "recovery_end": "ssthresh", "send_buffer": 2},
    "sack": {"recovery": "sack"},
    "prr": {"recovery": "prr"},
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("style", STYLES)
def test_recoveries_keep_the_bounds(engine: str, style: str) -> None:
    drops = timers = 0
    for number in range(16):
        plan, window = plan_of(number, **STYLES[style])
        lines = ENGINES[engine](plan)
        found = follow(plan, lines, window)
        _ends_in_time(plan, lines, *found)
        drops, timers = drops + found[0], timers + found[1]
    assert drops > 400
    assert timers > 10
