"""The most that one flow may send, against arithmetic and between the simulators."""

from __future__ import annotations

from typing import Any

import pytest
from tests.traffic.drawing import document

import footroom as fr
from footroom.base.errors import Unsupported

LONG = {"kind": "long_lived", "flows": 3, "start_jitter": "5 ms"}


def limited(traffic: dict[str, Any], **host: Any) -> dict[str, Any]:
    return {**traffic, "host": {"rate_limit": "40 Mb/s", **host}}


@pytest.mark.parametrize("burst", [1, 4])
@pytest.mark.parametrize("pacing", [False, True])
def test_long_flows_send_at_their_limit(burst: int, pacing: bool) -> None:
    raw = document([limited(LONG, burst=burst, pacing=pacing)], duration="2 s", warmup="500 ms")
    metrics = fr.run(raw).metrics
    assert metrics["throughput"] == pytest.approx(3 * 40e6, rel=2e-3)
    assert metrics["drop_rate"] == 0.0
    assert metrics["queue_max"] <= 3 * burst * 1500


def test_a_limit_above_what_the_network_gives_changes_nothing() -> None:
    raw = document([LONG], duration="1 s", warmup="200 ms")
    free = fr.run(raw).metrics
    raw["traffic"] = [{**LONG, "host": {"rate_limit": "1 Tb/s"}}]
    above = fr.run(raw).metrics
    assert above["utilisation"] == pytest.approx(free["utilisation"], rel=1e-3)


@pytest.mark.parametrize(("packets", "burst"), [(1, 1), (8, 1), (8, 4)])
def test_a_short_flow_is_spaced_from_its_first_packet(packets: int, burst: int) -> None:
    star = {"kind": "star", "hosts": 3, "rate": "10 Gb/s", "rtt": "80 us"}
    host = {"rate_limit": "120 Mb/s", "burst": burst, "jitter": 0, "ack_every": 1, "small_queue": None}
    raw = document([{"kind": "incast", "degree": 1, "size": 1448 * packets, "host": host}], star, duration="20 ms")
    spacing, full = burst * 1500 * 8.0 / 120e6, 1500 * 8.0 / 10e9
    last_burst = -(-packets // burst) - 1
    within = packets - last_burst * burst  # back to back on the host's own link
    expected = last_burst * spacing + (within + 1) * full + 80e-6 + 2 * 64 * 8.0 / 10e9
    assert fr.run(raw).metrics["fct_mean"] == pytest.approx(expected, abs=2e-9)


def test_both_simulators_agree_on_it() -> None:
    raw = document(
        [limited(LONG, pacing=True, burst=2), {"kind": "long_lived", "flows": 2, "start_jitter": "5 ms"}],
        {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "5 ms"},
    )
    raw["switch"]["buffer"] = "30 packets"
    packet, reference = fr.run(raw).metrics, fr.run(raw, engine="reference").metrics
    assert packet["drop_rate"] > 0.0
    for name in ("drop_rate", "timeouts", "retransmissions", "queue_max"):
        assert packet[name] == reference[name]
    assert packet["utilisation"] == pytest.approx(reference["utilisation"], rel=1e-12)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_engines_without_packets_refuse_it(engine: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(document([limited(LONG)]), engine=engine)
    assert refusal.value.path == "traffic.0.host.rate_limit"
    assert refusal.value.engines == ("packet", "reference")
