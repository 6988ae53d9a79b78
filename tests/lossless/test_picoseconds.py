"""One pause followed packet by packet on the two ports of a link, every time worked out by hand, in both engines.

a sends to b through s: 1500 B take 1.2 µs of a's link (10 Gb/s, 5 µs) and 3.75 µs of b's (3.2 Gb/s). Packet k of a
arrives at 5 + 1.2 k µs; packet 1 passes, and waiting packets leave the memory at 6.2 + 3.75 m µs. Shared memory is
30 kB and α = 1, so the group pauses at 10 packets: 15 have arrived and 4 have left at 23.0 µs. From packet 16 on all is
headroom. c sends to a: its packets leave s towards a at 6.19 + 1.2 j µs, so that the pause frame waits for the one that
began at 22.99 µs until 24.19 µs, takes 67.2 ns, and is with a at 29.2572 µs.

With a response of 2 µs a stops at 31.2572 µs. Packet 27 began at 31.2 µs and is finished; it arrives at 37.4 µs, where
26 have waited and 8 have left: 18 packets, of which 8 are headroom, 12 kB. They are gone at 66.2 µs. With xon_offset
12 kB the group resumes at 6 packets, at 81.2 µs; c sends no more by then. The frame is with a at 86.2672 µs, and packet
28 arrives 6.2 µs later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.reference.agreement import compiled

from footroom.engines.packet import simulate
from footroom.engines.plan import Plan, build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.metrics import metrics_of
from footroom.kernel.tables import NEVER
from footroom.scenario import Scenario

ENGINES = ["packet", "reference"]
PAUSES: list[dict[str, Any]] = [{"pause": "on_off"}, {"pause": "timed"}, {"pause": "timed", "quanta": 400}]


def plan_of(**headroom: Any) -> Plan:
    host = {"jitter": 0, "ack_every": 64, "ack_delay": 1}
    headroom = {
        "kind": "static_independent",
        "alpha": 1,
        "allowance": 0,
        "size": 20_000,
        "xon_offset": 12_000,
        **headroom,
    }
    return build_plan(
        Scenario.parse(
            {
                "topology": {
                    "kind": "graph",
                    "hosts": ["a", "b", "c"],
                    "switches": ["s"],
                    "links": [
                        {"ends": ["a", "s"], "rate": "10 Gb/s", "delay": "5 us"},
                        {"ends": ["c", "s"], "rate": "10 Gb/s", "delay": "4.99 us"},
                        {"ends": ["s", "b"], "rate": "3.2 Gb/s", "delay": "100 us"},
                    ],
                },
                "switch": {"buffer": 30_000 + 3 * headroom["size"], "headroom": headroom},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 1,
                        "start_jitter": 0,
                        "sources": [source],
                        "destinations": [target],
                        "host": {**host, "initial_window": window},
                    }
                    for source, target, window in (("a", "b", 1000), ("c", "a", 40))
                ],
                "run": {"duration": "98 us", "warmup": 0, "mtu": "1500 B"},
            }
        )
    )


def run(engine: str, plan: Plan) -> tuple[list[int], dict[str, float]]:
    """When a's packets arrive at the switch [ps], and the metrics."""
    trace: list[tuple[int, str, int, int, int, int]] = []
    if engine == "packet":
        trace, metrics = compiled(plan), dict(simulate(plan).metrics)
    else:
        network = Network(plan, trace)
        network.run(plan.duration)
        metrics = metrics_of(network)
    names = [(plan.names[plan.port_from[p]], plan.names[plan.port_to[p]]) for p in range(plan.ports)]
    port = names.index(("s", "b"))
    return [time for time, what, where, *_ in trace if (what, where) == ("arrival", port)], metrics


def spaced(first: int, count: int) -> list[int]:
    """So many packets of 1.2 µs back to back, the first at ``first`` [ps]."""
    return [first + 1_200_000 * i for i in range(count)]


@pytest.mark.parametrize("pause", PAUSES, ids=str)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_frame_that_waits_and_the_response(engine: str, pause: dict[str, Any]) -> None:
    """400 quanta of 51.2 ns are 20.48 µs, repeated every 10.24 µs from 23.0 µs on: at 33.24, 43.48 ... 74.2 µs."""
    arrivals, metrics = run(engine, plan_of(response="2 us", **pause))
    assert arrivals == [*spaced(6_200_000, 27), *spaced(92_467_200, 5)]
    assert metrics["headroom_max"] == 12_000
    assert metrics["lossless_drops"] == 0
    assert metrics["xoff_time"] == pytest.approx(81.2e-6 - 23.0e-6, abs=1e-15)
    assert metrics["pause_time"] == pytest.approx(86.2672e-6 - 31.2572e-6, abs=1e-15)
    assert metrics["pause_frames"] == (6 if "quanta" in pause else 1)


@pytest.mark.parametrize(
    ("response", "quanta", "last", "resumed"), [(None, 60, 27, 86_267_200), ("3.4304 us", 67, 28, 90_017_200)]
)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_response_decides_which_packet_is_the_last(
    engine: str, response: str | None, quanta: int, last: int, resumed: int
) -> None:
    """60 quanta are 3.072 µs at 10 Gb/s, what sih allows; in 67, which SONiC allows, packet 28 begins, at 32.4 µs.

    One packet more delays the end of the pause by the 3.75 µs that it takes to leave.
    """
    arrivals, metrics = run(engine, plan_of(response=response))
    assert arrivals[: last + 1] == [*spaced(6_200_000, last), resumed + 6_200_000]
    held = 29_257_200 + quanta * 51_200
    assert metrics["pause_time"] == pytest.approx((resumed - held) * 1e-12, abs=1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pause_that_is_not_repeated_runs_out(engine: str) -> None:
    """400 quanta from the frame's arrival on: a sends again at 29.2572 + 20.48 µs, whatever the switch says."""
    plan = plan_of(response="2 us", quanta=400, size=90_000)
    assert plan.lossless is not None
    never = replace(plan.lossless, pause_refresh=plan.lossless.pause_refresh * 0 + NEVER)
    arrivals, metrics = run(engine, replace(plan, lossless=never))
    assert arrivals[:30] == [*spaced(6_200_000, 27), *spaced(49_737_200 + 6_200_000, 3)]
    assert metrics["pause_time"] == pytest.approx(49.7372e-6 - 31.2572e-6, abs=1e-15)
    assert metrics["pause_frames"] == 1
