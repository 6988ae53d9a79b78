"""HPCC against the simulator of its authors, as recorded in data/ns3-hpcc.json; docs/validation.md says more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.validation.cases import DATA

import footroom as fr

CASES: list[dict[str, Any]] = json.loads((DATA / "ns3-hpcc.json").read_text())["cases"]
#: Bytes of a packet, and bits per second of these in 87 ns.
PACKET = 1090
RATE = PACKET * 8 / 87e-9
PAYLOAD = PACKET - 52 - 42


def scenario(case: dict[str, Any], duration: float) -> dict[str, Any]:
    """The same for Footroom."""
    base_rtt = 4.16e-6
    law = {
        "kind": "hpcc",
        "base_rtt": base_rtt,
        "additive_increase": 40e6 * base_rtt / 8,
        "max_stage": case["max_stage"],
        "minimum_rate": 1e9,
    }
    return {
        "topology": {"kind": "star", "hosts": case["senders"] + 1, "rate": RATE, "rtt": 4e-6},
        "switch": {
            "buffer": case["buffer"],
            "queues": 2,
            "scheduling": {"kind": "strict_priority"},
            "headroom": {
                "kind": "static_independent",
                "lossless": [0],
                "reserved": 4096,
                "alpha": 1 / 8,
                "size": 37_500,
                "xon": 0,
                "xon_offset": 3072,
                "pause": "on_off",
                "response": 0,
                "allowance": 0,
            },
        },
        "traffic": [
            {
                "kind": "incast",
                "degree": case["senders"],
                "size": case["size"] // 1000 * PAYLOAD,
                "congestion": law,
                "host": {"jitter": 0, "ack_priority": 1},
            }
        ],
        "run": {"duration": duration, "warmup": 0.0, "mtu": PACKET, "slowdown": False},
    }


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['senders']}:1, {case['buffer'] >> 20} MiB, stages {case['max_stage']}"
)
def test_incasts(case: dict[str, Any]) -> None:
    """Their windows hold 52 packets at the start, ours 48: they count bytes of data, we bytes on the link."""
    last = max(case["completion"])
    done = fr.run(scenario(case, 1.5 * last), engine="packet").metrics
    assert done["fct_count"] == case["senders"]
    assert done["lossless_drops"] == 0
    assert done["fct_mean"] == pytest.approx(sum(case["completion"]) / case["senders"], rel=0.05)
    assert done["qct_mean"] == pytest.approx(last, rel=0.05)
    found = fr.run(scenario(case, last), engine="packet").metrics
    assert done["pause_frames"] == case["pause_frames"]
    if case["pause_frames"]:  # the switch's memory, not the windows, sets the queue
        assert done["pause_time"] == pytest.approx(case["pause_time"], rel=0.02)
        assert found["queue_max"] == pytest.approx(case["queue_max"], rel=0.01)
        assert found["queue_p99"] == pytest.approx(case["queue_p99"], rel=0.01)
        assert found["queue_mean"] == pytest.approx(case["queue_mean"], rel=0.02)
    else:
        assert found["queue_max"] == pytest.approx(48 / 52 * case["queue_max"], rel=0.02)
        assert found["queue_p99"] == pytest.approx(48 / 52 * case["queue_p99"], rel=0.05)
