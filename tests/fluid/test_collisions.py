"""Where bursts of unpaced flows decide: theory and fluid say so, and packets show why."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr

PATH = 1000


def _path(flows: int, roots: float, spread: float, cycles: float, rtt: float = 0.02, **host: Any) -> dict[str, Any]:
    """NewReno flows over 1000 packets of path; the buffer in square roots of these, measured for ``cycles`` cycles of a
    window.
    """
    cycle, rate = rtt * PATH / flows / 2.0, PATH / rtt * 12_000
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 2 * rate, "rtt": rtt, "rtt_spread": spread},
        "switch": {"buffer": roots * PATH**0.5 * 1500},
        "traffic": [{"kind": "long_lived", "flows": flows, "host": {"profile": "linux"} | host}],
        "run": {"duration": 1.0 + (10.0 + cycles) * cycle, "warmup": 1.0 + 10.0 * cycle, "mtu": 1500},
    }


@pytest.mark.parametrize("ack_every", [1, 2])
@pytest.mark.parametrize(("rtt", "roots", "points"), [(0.02, 2.5, 0.05), (0.004, 6.0, 0.15)])
@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_bursts_that_meet_are_marked(engine: str, rtt: float, roots: float, points: float, ack_every: int) -> None:
    """Four and eight windows, of which segmentation offload sends 14 and 36 packets at once."""
    raw = _path(4 if rtt == 0.02 else 8, roots, 0.2, 16.0, rtt, ack_every=ack_every)
    packets, found = fr.run(raw).metrics["utilisation"], fr.run(raw, engine=engine)
    assert found.metrics["utilisation"] - packets > points
    assert "meet" in found.outside["utilisation"] or "bursts decide" in found.outside["utilisation"]


@pytest.mark.parametrize(
    ("flows", "rtt", "roots", "host"),
    [
        (8, 0.004, 10.2, {}),
        (8, 0.004, 2.2, {"autosize": False}),
        (8, 0.004, 4.1, {"burst_limit": 7}),
        (4, 0.02, 6.7, {}),
        (4, 0.02, 6.7, {"ack_every": 1}),
        (20, 0.02, 2.7, {}),
        (8, 0.004, 2.2, {"pacing": True}),
    ],
)
def test_above_the_limit_the_fluid_agrees_with_packets(
    flows: int, rtt: float, roots: float, host: dict[str, Any]
) -> None:
    """The limit goes with the burst: without segmentation offload it is that of two packets for an acknowledgement."""
    raw = _path(flows, roots, 0.2, 16.0, rtt, **host)
    found = fr.run(raw, engine="fluid")
    assert "utilisation" not in found.outside
    assert found.metrics["utilisation"] == pytest.approx(fr.run(raw).metrics["utilisation"], abs=0.035)


def test_offloaded_bursts_meet_with_equal_round_trips_too() -> None:
    """Where receivers acknowledge the end of each burst, bursts of packets keep their distances in this case."""
    raw = _path(3, 2.5, 0.0, 16.0, 0.001, push_acks=False)
    found = fr.run(raw, engine="fluid")
    assert found.metrics["utilisation"] - fr.run(raw).metrics["utilisation"] > 0.1
    assert "meet" in found.outside["utilisation"]
    assert "meet" not in str(fr.run(_path(3, 2.5, 0.0, 1.0, 0.001, autosize=False), engine="fluid").outside)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_equal_round_trips_with_each_packet_acknowledged_are_marked(engine: str) -> None:
    raw = _path(40, 7.9, 0.0, 26.0, ack_every=1)
    found = fr.run(raw, engine=engine)
    assert found.metrics["utilisation"] - fr.run(raw).metrics["utilisation"] > 0.03
    assert "in phase" in found.outside["utilisation"]
    for other in (_path(40, 7.9, 0.02, 1.0, ack_every=1), _path(40, 7.9, 0.0, 1.0), _path(40, 16.5, 0.0, 1.0)):
        assert "utilisation" not in fr.run(other, engine=engine).outside


def test_a_threshold_above_the_buffer_marks_nothing_and_changes_no_limit() -> None:
    raw = _path(60, 2.2, 0.3, 1.0, ack_every=1, ecn=True)
    marking = {"kind": "step", "threshold": 200_000}
    marked = raw | {"switch": raw["switch"] | {"marking": marking}}
    plain, never = fr.run(raw, engine="fluid"), fr.run(marked, engine="fluid")
    assert set(never.outside) == set(plain.outside)
    assert {"drop_rate", "utilisation"} <= set(never.outside)


@pytest.mark.parametrize(("control", "engine"), [("newreno", "fluid"), ("dctcp", "fluid"), ("dctcp", "theory")])
def test_offloaded_bursts_are_marked_by_a_threshold_too(control: str, engine: str) -> None:
    """Bursts of 45 packets over a threshold of 75: marks come while the queue is empty on average."""
    for offload in (True, False):
        raw = _path(12, 50.0, 0.2, 16.0, 0.001, ecn=True, autosize=offload)
        raw["traffic"][0]["congestion"] = {"kind": control}
        raw["switch"]["marking"] = {"kind": "step", "threshold": 75 * 1500}
        found = fr.run(raw, engine=engine)
        gap = found.metrics["utilisation"] - fr.run(raw).metrics["utilisation"]
        assert ("bursts of 45" in found.outside.get("utilisation", "")) == offload
        assert (gap > 0.3) == offload


def _marked(control: str, flows: int, first: float, **marking: Any) -> dict[str, Any]:
    """No segmentation offload; marks begin at ``first`` packets and cut at once."""
    raw = _path(flows, 50.0, 0.2, 16.0, 0.003, ecn=True, autosize=False, mark_cut="at_once")
    raw["traffic"][0]["congestion"] = {"kind": control}
    step = {"kind": "step", "threshold": first * 1500}
    red = {"kind": "red", "kmin": first * 1500, "kmax": 3 * first * 1500} | marking
    raw["switch"]["marking"] = red if marking else step
    return raw


@pytest.mark.parametrize(
    ("control", "flows", "first", "marking"),
    [("newreno", 12, 75, {}), ("newreno", 8, 80, {}), ("cubic", 40, 69, {})],
)
def test_windows_that_marks_cut_meet_above_the_limit_of_two_packets(
    control: str, flows: int, first: float, marking: dict[str, Any]
) -> None:
    raw = _marked(control, flows, first, **marking)
    found = fr.run(raw, engine="fluid")
    assert found.metrics["utilisation"] - fr.run(raw).metrics["utilisation"] > 0.03
    assert "cuts a window at once" in found.outside["utilisation"]


def test_hosts_that_cut_over_a_round_trip_are_not_said_to_cut_at_once() -> None:
    raw = _marked("newreno", 12, 75)
    raw["traffic"][0]["host"]["mark_cut"] = "round_trip"
    why = fr.run(raw, engine="fluid").outside["utilisation"]
    assert "over a round trip" in why
    assert "at once" not in why


@pytest.mark.parametrize(
    ("control", "flows", "first", "marking"),
    [("newreno", 12, 105, {}), ("newreno", 3, 75, {}), ("cubic", 12, 78, {}), ("newreno", 12, 75, {"pmax": 0.1})],
)
def test_above_the_limit_of_such_windows_the_fluid_agrees_with_packets(
    control: str, flows: int, first: float, marking: dict[str, Any]
) -> None:
    raw = _marked(control, flows, first, **marking)
    found = fr.run(raw, engine="fluid")
    assert "utilisation" not in found.outside
    assert found.metrics["utilisation"] == pytest.approx(fr.run(raw).metrics["utilisation"], abs=0.035)


def test_windows_with_gaps_are_marked_apart_from_one_another_under_steep_marks() -> None:
    """RED from 120 to 360 packets, up to 1: packets use more of the link, but not with equal round trips."""
    for spread, differs in ((0.2, True), (0.0, False)):
        raw = _marked("newreno", 16, 120, pmax=1.0)
        raw["topology"]["rtt_spread"] = spread
        found = fr.run(raw, engine="fluid")
        assert (fr.run(raw).metrics["utilisation"] - found.metrics["utilisation"] > 0.03) == differs
        assert ("keep the gaps" in found.outside.get("utilisation", "")) == differs
