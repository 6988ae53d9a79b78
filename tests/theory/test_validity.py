"""Where closed forms are marked as outside their validity, and that packets agree with the bounds."""

from __future__ import annotations

import math
from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import Infeasible
from footroom.result import Result


def _marked(result: Result) -> dict[str, str]:
    """What lies outside, without the completion time of one more transfer, which has bounds of its own."""
    return {name: why for name, why in result.outside.items() if not name.startswith("transfer_")}


def _long(flows: int, window: int, buffer: float, spread: float = 0.2, **host: Any) -> dict[str, Any]:
    """``flows`` NewReno flows over a path of ``window`` packets each, 20 ms; buffer in packets."""
    rate = flows * window * 12_000 / 0.02
    path = {"kind": "dumbbell", "bottleneck": rate, "access": 10 * rate, "rtt": 0.02, "rtt_spread": spread}
    return {
        "topology": path,
        "switch": {"buffer": buffer * 1500},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0.1, "host": host}],
        "run": {"duration": 10.0, "warmup": 3.0, "mtu": 1500},
    }


def _short(size: float, load: float, buffer: float, rtt: float = 1e-4, flows: int = 600) -> dict[str, Any]:
    span = flows * size * 8.0 / (load * 1e9)
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e9, "access": 1e10, "rtt": rtt},
        "switch": {"buffer": buffer * 1500},
        "traffic": [{"kind": "poisson", "load": load, "sizes": size}],
        "run": {"duration": 1.1 * span, "warmup": 0.1 * span, "mtu": 1500},
    }


@pytest.mark.parametrize(
    ("spread", "host", "bound"),
    [
        (0.2, {}, 1.5 * math.sqrt(2 * 16 * 14)),
        (0.0, {}, 16.0),
        (0.2, {"pacing": True}, 8.0),
        (0.0, {"pacing": True}, 8.0),
    ],
)
def test_numbers_below_the_bound_are_marked(spread: float, host: dict[str, Any], bound: float) -> None:
    inside = fr.run(_long(16, 14, bound + 0.01, spread, **host), engine="theory")
    # With equal round trips flows may stay in step, whatever the bound.
    assert set(_marked(inside)) == (set() if spread > 0.0 or host else {"utilisation", "throughput"})
    below = fr.run(_long(16, 14, bound - 0.01, spread, **host), engine="theory")
    assert set(below.outside) == set(below.metrics)
    assert "bursts" in below.outside["utilisation"]


@pytest.mark.parametrize(("flows", "buffer", "marked"), [(2, 9.0, True), (2, 60.0, False), (5, 12.0, False)])
def test_two_paced_flows_lose_more_in_small_buffers(flows: int, buffer: float, marked: bool) -> None:
    asked = _long(flows, 30, buffer, 0.0, pacing=True)
    found = fr.run(asked, engine="theory")
    assert (found.metrics["utilisation"] - fr.run(asked).metrics["utilisation"] > 0.04) == marked
    assert ("in a second cut" in found.outside.get("utilisation", "")) == marked


@pytest.mark.parametrize(("load", "windows", "meet"), [(0.4, 1.7, False), (0.4, 0.9, True), (0.75, 1.7, True)])
def test_bursts_of_receive_windows_need_less_room_at_less_load(load: float, windows: float, meet: bool) -> None:
    """50 flows: 1.6 windows at a load of 0.4, 3.2 at 0.75."""
    asked = _long(50, 25, windows * 25, 0.1, receive_window=25 * 1460)
    asked["topology"]["bottleneck"] /= load
    asked["topology"]["access"] /= load
    found, packets = fr.run(asked, engine="theory"), fr.run(asked)
    assert ("send a receive window as one burst" in found.outside.get("utilisation", "")) == meet
    assert (found.metrics["utilisation"] - packets.metrics["utilisation"] > 0.015) == meet
    assert (packets.metrics["drop_rate"] > 1e-3) == meet


def test_receive_windows_and_paced_controls_have_no_such_bound() -> None:
    assert _marked(fr.run(_long(16, 14, 20.0, 0.02, receive_window=10 * 1500), engine="theory")) == {}
    bbr = _long(16, 20, 16.0)
    bbr["traffic"][0]["congestion"] = {"kind": "bbr"}
    assert _marked(fr.run(bbr, engine="theory")) == {}


@pytest.mark.parametrize(
    ("flows", "window", "share", "host", "points"),
    [
        # From the bound on theory is within 10 points of packets.
        (16, 14, 1.05, {}, 10.0),
        (64, 14, 1.05, {}, 10.0),
        (16, 40, 1.05, {}, 10.0),
        (16, 14, 0.3, {"pacing": True}, 5.0),
    ],
)
def test_packets_agree_from_the_bound_on(
    flows: int,
    window: int,
    share: float,
    host: dict[str, Any],
    points: float,
) -> None:
    raw = _long(flows, window, math.ceil(share * 1.5 * math.sqrt(2 * flows * window)), **host)
    packets = fr.run(raw).metrics["utilisation"]
    found = fr.run(raw, engine="theory")
    assert _marked(found) == {}
    assert 100.0 * found.metrics["utilisation"] == pytest.approx(100.0 * packets, abs=points)


@pytest.mark.parametrize(
    ("flows", "window", "share", "spread"),
    [(3, 40, 0.3, 0.2), (4, 25, 1.0, 0.2), (8, 50, 0.3, 0.0), (16, 25, 0.3, 0.2)],
)
def test_few_flows_use_and_lose_what_packets_do(flows: int, window: int, share: float, spread: float) -> None:
    raw = _long(flows, window, math.ceil(share * flows * window), spread)
    raw["run"] = {"duration": 40.0, "warmup": 10.0, "mtu": 1500}
    packets, found = fr.run(raw).metrics, fr.run(raw, engine="theory")
    assert _marked(found) == {}
    assert 100.0 * found.metrics["utilisation"] == pytest.approx(100.0 * packets["utilisation"], abs=5.0)
    assert 1.0 / 1.6 < found.metrics["drop_rate"] / packets["drop_rate"] < 1.6


def test_drops_of_windows_of_a_few_packets_are_marked() -> None:
    found = fr.run(_long(32, 3, 40.0), engine="theory")
    assert "timeouts" in found.outside["drop_rate"]
    assert "utilisation" not in found.outside


def test_a_buffer_smaller_than_what_one_acknowledgement_releases_is_marked() -> None:
    """Four packets at once into 3.5: the window stays so small that the receiver waits for its timer, 40 ms of 1.5."""
    raw = {
        "topology": {"kind": "dumbbell", "bottleneck": "73.6 Mb/s", "access": "7.36 Gb/s", "rtt": "1.45 ms"},
        "switch": {"buffer": 5200},
        "traffic": [{"kind": "long_lived", "flows": 1, "host": {"profile": "linux", "ack_every": 4}}],
        "run": {"duration": "6 s", "warmup": "2 s", "mtu": 1500},
    }
    assert fr.run(raw).metrics["utilisation"] < 0.3
    assert "releases at once" in fr.run(raw, engine="theory").outside["utilisation"]
    spared = raw | {"switch": {"buffer": 10 * 1500}}
    assert "utilisation" not in fr.run(spared, engine="theory").outside


@pytest.mark.parametrize(("flows", "window"), [(16, 14), (16, 40), (64, 14)])
def test_packets_disagree_well_below_it(flows: int, window: int) -> None:
    raw = _long(flows, window, math.floor(0.3 * 2.0 * math.sqrt(flows * window)))
    packets = fr.run(raw).metrics["utilisation"]
    found = fr.run(raw, engine="theory")
    assert "utilisation" in found.outside
    assert found.metrics["utilisation"] > packets + 0.2


@pytest.mark.parametrize(
    ("size", "load", "buffer", "rtt"),
    [(1e4, 0.5, 60, 1e-4), (1e5, 0.2, 600, 1e-4), (1e4, 0.8, 60, 1e-2), (1e5, 0.8, 600, 1e-2)],
)
def test_arriving_flows_inside_the_bounds_complete_as_packets_do(
    size: float,
    load: float,
    buffer: float,
    rtt: float,
) -> None:
    raw = _short(size, load, buffer, rtt)
    found, packets = fr.run(raw, engine="theory"), fr.run(raw).metrics
    assert _marked(found) == {}
    assert 0.67 < found.metrics["fct_mean"] / packets["fct_mean"] < 1.6
    assert found.metrics["drop_rate"] >= packets["drop_rate"] or packets["drop_rate"] < 1e-4


@pytest.mark.parametrize(("size", "load", "buffer"), [(1e6, 0.5, 200), (1e5, 0.2, 60)])
def test_flows_that_overflow_the_buffer_by_themselves_are_outside(size: float, load: float, buffer: float) -> None:
    raw = _short(size, load, buffer)
    found = fr.run(raw, engine="theory")
    assert set(found.outside) == {
        "drop_rate",
        "queue_mean",
        "fct_mean",
        "fct_p50",
        "slowdown_p50",
        "transfer_p50",
        "transfer_p99",
    }
    assert not any(one.valid for one in found.explanations if one.name in ("drop_rate", "fct_mean"))
    assert fr.run(raw).metrics["drop_rate"] > 10.0 * found.metrics["drop_rate"]


def test_long_waits_are_outside() -> None:
    found = fr.run(_short(1e4, 0.8, 600), engine="theory")
    assert set(found.outside) == {"fct_mean", "fct_p50", "slowdown_p50", "transfer_p50", "transfer_p99"}


def test_a_curve_is_marked_point_by_point() -> None:
    sweep = fr.sweep(_long(16, 14, 100), over={"switch.buffer": [12_000, 150_000]}, engines="theory")
    marked = {(point.at["switch.buffer"], bool(_marked(point.result))) for point in sweep.points}
    assert marked == {(12_000, True), (150_000, False)}


def test_size_takes_no_number_from_outside() -> None:
    with pytest.raises(Infeasible, match="cannot answer drop_rate<=1e-3"):
        fr.size("short-flows", "drop_rate<=1e-3", engine="theory")


def test_paced_flows_fill_the_link_no_better_than_their_overflows_let_them() -> None:
    """Their packets are mixed so evenly that an overflow hits nearly all, whatever their round trips."""
    asked = {
        "topology": {"kind": "dumbbell", "bottleneck": 4e8, "access": 4e9, "rtt": 0.015, "rtt_spread": 0.2},
        "switch": {"buffer": 0.25 * 4e8 * 0.015 / 8},
        "traffic": [{"kind": "long_lived", "flows": 40, "host": {"pacing": True}, "start_jitter": 1.0}],
        "run": {"duration": 30.0, "warmup": 8.0},
    }
    packets, found = fr.run(asked, engine="packet").metrics, fr.run(asked, engine="theory")
    assert "utilisation" not in found.outside
    # As if out of step, the bound of Appenzeller et al. would say 0.999.
    assert packets["utilisation"] < 0.985
    assert found.metrics["utilisation"] == pytest.approx(packets["utilisation"], abs=0.015)
    assert "evenly mixed" in fr.run(asked, engine="fluid").outside["utilisation"]


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_drops_of_flows_in_step_are_marked_below_a_packet_per_flow(engine: str) -> None:
    """100 flows of equal round trips and 11 packets of path each: in 29 packets packets lose 0.018, models more."""
    asked = _long(100, 11, 29.0, 0.0)
    found = fr.run(asked, engine=engine)
    packets = fr.run(asked, engine="packet").metrics["drop_rate"]
    assert "lost together stay in step" in found.outside["drop_rate"]
    assert 1.1 < found.metrics["drop_rate"] / packets < 1.8
    assert "drop_rate" not in fr.run(_long(100, 11, 110.0, 0.0), engine=engine).outside


def test_drops_of_paced_flows_with_few_acknowledgements() -> None:
    """The fluid counts what waits at receivers, theory does not."""
    asked = _long(100, 9, 60.0, 0.2, pacing=True, ack_every=4)
    theory, fluid = (fr.run(asked, engine=engine) for engine in ("theory", "fluid"))
    packets = fr.run(asked, engine="packet").metrics["drop_rate"]
    assert "host.ack_every" in theory.outside["drop_rate"]
    assert theory.metrics["drop_rate"] > 1.2 * packets
    assert "drop_rate" not in fluid.outside
    assert fluid.metrics["drop_rate"] == pytest.approx(packets, rel=0.2)
    inside = fr.run(_long(100, 9, 60.0, 0.2, pacing=True, ack_every=2), engine="theory")
    assert "drop_rate" not in inside.outside


@pytest.mark.parametrize(
    ("asked", "gap"),
    [
        (_long(100, 8, 60.0, 0.05), 0.05),
        (_long(250, 30, 300.0), 0.05),
        (_long(100, 30, 15.0, 0.5, pacing=True), 0.05),
    ],
)
def test_many_flows_lose_at_different_times(asked: dict[str, Any], gap: float) -> None:
    found = fr.run(asked, engine="theory")
    assert "by chance" in found.outside["utilisation"]
    assert fr.run(asked, engine="packet").metrics["utilisation"] > found.metrics["utilisation"] + gap
    asked["switch"]["buffer"] *= 12.0
    assert "utilisation" not in fr.run(asked, engine="theory").outside


def test_unpaced_flows_that_acknowledge_every_packet_stay_in_step() -> None:
    asked = _long(100, 14, 29.0, 0.0, ack_every=1)
    assert "stay in step" in fr.run(asked, engine="theory").outside["utilisation"]
    asked["traffic"][0]["host"]["pacing"] = True
    assert "utilisation" not in fr.run(asked, engine="theory").outside


@pytest.mark.parametrize(("buffer", "marked"), [(3.0, True), (6.0, False)])
def test_receive_windows_that_end_just_below_the_buffer_are_marked(buffer: float, marked: bool) -> None:
    """A paced flow of six packets over a path of two: its queue is longer while no acknowledgement is held back."""
    asked = _long(1, 1, buffer, 0.0, pacing=True, receive_window=10_000)
    asked["topology"] |= {"bottleneck": 25.4e6, "access": 50.8e6, "rtt": 1e-4}
    found = fr.run(asked, engine="theory")
    assert ("hold back" in found.outside.get("drop_rate", "")) == marked
    assert (fr.run(asked, engine="packet").metrics["drop_rate"] > 0.01) == marked
