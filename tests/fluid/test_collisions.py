"""Where bursts of unpaced flows decide: theory and fluid say so, and packets show why."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr

PATH = 1000
#: Packets per second.
RATE = PATH / 0.02


def _path(flows: int, buffer: float, spread: float, cycles: float, **host: Any) -> dict[str, Any]:
    """NewReno flows over 1000 packets of path, 20 ms, buffer in packets; measured for ``cycles`` cycles of a window."""
    cycle = 0.02 * PATH / flows / 2.0
    return {
        "topology": {"kind": "dumbbell", "bottleneck": RATE * 12_000, "access": RATE * 24_000, "rtt": 0.02}
        | {"rtt_spread": spread},
        "switch": {"buffer": buffer * 1500},
        "traffic": [{"kind": "long_lived", "flows": flows, "host": {"profile": "linux"} | host}],
        "run": {"duration": 1.0 + (10.0 + cycles) * cycle, "warmup": 1.0 + 10.0 * cycle, "mtu": 1500},
    }


@pytest.mark.parametrize(("ack_every", "roots"), [(2, 2.5), (1, 3.0)])
@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_long_windows_that_meet_are_marked(engine: str, ack_every: int, roots: float) -> None:
    """Four windows of 250 packets in 79 to 95 packets of buffer, above the limit of short windows, 63."""
    raw = _path(4, roots * PATH**0.5, 0.3, 16.0, ack_every=ack_every)
    packets, found = fr.run(raw).metrics["utilisation"], fr.run(raw, engine=engine)
    assert found.metrics["utilisation"] - packets > 0.05
    assert "meet" in found.outside["utilisation"] or "bursts decide" in found.outside["utilisation"]


@pytest.mark.parametrize(("flows", "ack_every", "roots"), [(4, 2, 3.7), (4, 1, 4.6), (20, 2, 3.1), (20, 1, 3.1)])
def test_above_the_limit_the_fluid_agrees_with_packets(flows: int, ack_every: int, roots: float) -> None:
    raw = _path(flows, roots * PATH**0.5, 0.3, 16.0, ack_every=ack_every)
    found = fr.run(raw, engine="fluid")
    assert "utilisation" not in found.outside
    assert found.metrics["utilisation"] == pytest.approx(fr.run(raw).metrics["utilisation"], abs=0.03)


def test_paced_flows_have_no_such_limit() -> None:
    raw = _path(4, 80.0, 0.3, 1.0, pacing=True)
    assert "utilisation" not in fr.run(raw, engine="fluid").outside


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_equal_round_trips_with_each_packet_acknowledged_are_marked(engine: str) -> None:
    raw = _path(40, 250.0, 0.0, 26.0, ack_every=1)
    found = fr.run(raw, engine=engine)
    assert found.metrics["utilisation"] - fr.run(raw).metrics["utilisation"] > 0.03
    assert "in phase" in found.outside["utilisation"]
    for other in (_path(40, 250.0, 0.02, 1.0, ack_every=1), _path(40, 250.0, 0.0, 1.0), _path(40, 520.0, 0.0, 1.0)):
        assert "utilisation" not in fr.run(other, engine=engine).outside


def test_a_threshold_above_the_buffer_marks_nothing_and_changes_no_limit() -> None:
    raw = _path(60, 70.0, 0.3, 1.0, ack_every=1, ecn=True)
    marked = raw | {"switch": {"buffer": 105_000, "marking": {"kind": "step", "threshold": 200_000}}}
    plain, never = fr.run(raw, engine="fluid"), fr.run(marked, engine="fluid")
    assert set(never.outside) == set(plain.outside)
    assert {"drop_rate", "utilisation"} <= set(never.outside)
