"""Pause frames never pile up: one that still waits to be sent carries what is new about its pause."""

from __future__ import annotations

from typing import Any

from tests.reference.agreement import agree
from tests.reference.test_agreement_fabric import both, same

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.engines.reference import Network
from footroom.scenario import Scenario

#: Sends packets of the given payload, at the rate of its link until it is paused.
EAGER = {"initial_window": 1000, "jitter": 0}


def short_packets(duration: str, **run: Any) -> dict[str, Any]:
    """Packets of 64 B, each of which may begin and end a pause; a frame about one takes 84 B of the link."""
    senders, receivers = ["a0", "a1", "a2"], ["b0", "b1"]
    return {
        "topology": {
            "kind": "graph",
            "hosts": [*senders, *receivers],
            "switches": ["s"],
            "links": [{"ends": [host, "s"], "rate": "100 Gb/s", "delay": "5 ns"} for host in (*senders, *receivers)],
        },
        "switch": {"buffer": 150_000, "headroom": {"kind": "dynamic_shared", "alpha": 0.5}},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 12,
                "start_jitter": 0,
                "sources": senders,
                "destinations": receivers,
                "host": EAGER | {"mss": 12, "ack_every": 64},
            }
        ],
        "run": {"duration": duration, "warmup": 0, "mtu": "1500 B", "slowdown": False, **run},
    }


def test_one_frame_waits_for_each_pause_at_most() -> None:
    plan = build_plan(Scenario.parse(short_packets("30 us")))
    network, most = Network(plan), 0
    while network.step(plan.duration):
        for port in network.ports:
            about = [frame.klass for frame in port.frames]
            assert len(set(about)) == len(about)
            most = max(most, len(about))
    assert most > 0  # 18 if all were kept


def test_both_engines_say_the_same_of_such_pauses() -> None:
    agree(build_plan(Scenario.parse(short_packets("15 us"))))
    found = both(short_packets("15 us", fabric="1 us"))
    assert found is not None
    same(*found)


def test_a_pause_of_the_port_is_not_late_behind_many_of_a_class() -> None:
    """Short packets of a host pause and resume its class; with all these frames ahead of the port's, 200 were lost."""
    near, far, at = "5 ns", "20 us", "100 Gb/s"
    links = [("h0", "s0", "40 Gb/s", "25 ns"), ("h1", "s1", at, "25 ns"), ("h2", "s2", "40 Gb/s", "0 s")]
    links += [("h3", "s0", at, near), ("h4", "s1", at, near), ("h5", "s2", "40 Gb/s", "5 us")]
    links += [("h6", "s0", "40 Gb/s", "0 s"), ("h7", "s1", at, far), ("h8", "s2", at, far)]
    links += [("s0", "s1", at, far), ("s1", "s2", at, near)]
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {
                    "kind": "graph",
                    "hosts": [f"h{i}" for i in range(9)],
                    "switches": ["s0", "s1", "s2"],
                    "links": [{"ends": [a, b], "rate": rate, "delay": delay} for a, b, rate, delay in links],
                },
                "switch": {
                    "buffer": 2_847_060,
                    "queues": 3,
                    "headroom": {"kind": "dynamic_shared", "lossless": [0], "alpha": 0.0625, "pause": "on_off"},
                    "release": "end",
                    "scheduling": {"kind": "drr", "strict_from": 2},
                },
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": 16,
                        "size": 300_000,
                        "start": 0,
                        "period": 0.0003558825,
                        "jitter": 0,
                        "congestion": {"kind": "cubic"},
                        "priority": 0,
                        "host": {**EAGER, "initial_window": 200, "ack_priority": 0, "min_rto": "1 ms", "mss": 31}
                        | {"burst": 1, "ack_every": 1},
                    }
                ],
                "run": {"duration": 0.00142353, "warmup": 0, "mtu": 4096, "seed": 10066, "slowdown": False},
            }
        )
    )
    assert not any("may not suffice" in note for note in plan.notes)
    assert simulate(plan).metrics["lossless_drops"] == 0
