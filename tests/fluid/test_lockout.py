"""Losses that no model has: where they are marked, and that packets differ there by more than is allowed elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr


def _asked(
    flows: int,
    path: float,
    buffer: float,
    *,
    control: str = "newreno",
    access: float = 10.0,
    rate: float = 1e9,
    **switch: Any,
) -> dict[str, Any]:
    """path, buffer: in packets of 1500 B."""
    trip = path * 12000.0 / rate
    long = max(400.0 * trip, 3.6e7 / rate)
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": access * rate, "rtt": trip, "rtt_spread": 0.05},
        "switch": {"buffer": 1500.0 * buffer, **switch},
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": control}, "start_jitter": long / 20}],
        "run": {"duration": long, "warmup": long / 4, "mtu": 1500},
    }


def test_equal_links_lock_flows_out() -> None:
    equal, faster = _asked(4, 8, 30, access=1.0), _asked(4, 8, 30, access=2.0)
    packets = fr.run(equal, engine="packet").metrics["drop_rate"]
    for engine in ("theory", "fluid"):
        found = fr.run(equal, engine=engine)
        assert "keep the buffer full" in found.outside["drop_rate"]
        assert found.metrics["drop_rate"] > 10.0 * packets
        assert "utilisation" not in found.outside
        assert "drop_rate" not in fr.run(faster, engine=engine).outside


@pytest.mark.parametrize(("access", "marked"), [(1.0, True), (1.1, False), (2.0, False)])
def test_equal_links_lock_flows_out_of_long_paths_too(access: float, marked: bool) -> None:
    """One of four flows has the link for itself, and loses little."""
    asked = _asked(4, 170, 80, access=access)
    packets = fr.run(asked, engine="packet").metrics
    assert (packets["fairness"] < 0.5) == marked
    for engine in ("theory", "fluid"):
        found = fr.run(asked, engine=engine)
        assert ("arrives no faster" in found.outside.get("drop_rate", "")) == marked
        assert (found.metrics["drop_rate"] > 3.0 * packets["drop_rate"]) == marked


@pytest.mark.parametrize(("jitter", "marked"), [("0 us", True), ("12 us", False)])
def test_processing_times_that_vary_by_a_packet_end_that(jitter: str, marked: bool) -> None:
    asked = _asked(4, 170, 80, access=1.0)
    asked["traffic"][0]["host"] = {"jitter": jitter}
    packets = fr.run(asked, engine="packet").metrics
    assert (packets["fairness"] < 0.5) == marked
    for engine in ("theory", "fluid"):
        found = fr.run(asked, engine=engine)
        assert ("arrives no faster" in found.outside.get("drop_rate", "")) == marked
        assert (found.metrics["drop_rate"] == pytest.approx(packets["drop_rate"], rel=0.4)) != marked


@pytest.mark.parametrize(
    ("asked", "metric", "reason"),
    [
        (_asked(20, 8, 60, control="dctcp"), "drop_rate", "mean window"),
        (_asked(3, 80, 10, control="dctcp"), "utilisation", "single bursts"),
        (_asked(10, 20, 40, control="bbr", rate=2e6), "drop_rate", "smallest window of four"),
        (_asked(2, 170, 50, control="bbr", rate=2e6), "utilisation", "ProbeRTT"),
    ],
)
def test_what_was_found_off_in_the_fluid_is_marked(asked: dict[str, Any], metric: str, reason: str) -> None:
    found = fr.run(asked, engine="fluid")
    assert reason in found.outside[metric]


def test_closed_forms_of_bbr_are_marked_where_its_least_windows_decide() -> None:
    marked = fr.run(_asked(4, 60, 200, control="bbr", rate=1e8), engine="theory").outside
    assert "smallest window of four" in marked["drop_rate"]
    inside = fr.run(_asked(20, 400, 100, control="bbr", rate=1e8), engine="theory").outside
    assert set(inside) <= {"transfer_p50", "transfer_p99"}


def _bbr(flows: int, products: float, **run: float) -> dict[str, Any]:
    """100 Mb/s and 40 ms: 333 packets of path."""
    asked = _asked(flows, 1000 / 3, products * 1000 / 3, control="bbr", rate=1e8)
    asked["run"] = {"duration": 26.0, "warmup": 16.0, "mtu": 1500, **run}
    return asked


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_drops_of_bbr_are_marked_where_packets_lose_otherwise(engine: str) -> None:
    """Near one product, and with few flows; packets differ there by more than the factor of 1.6 allowed elsewhere."""
    near = fr.run(_bbr(20, 1.2), engine=engine)
    packets = fr.run(_bbr(20, 1.2), engine="packet").metrics["drop_rate"]
    assert packets > 1.6 * near.metrics["drop_rate"]
    assert "depends on a few packets" in near.outside["drop_rate"]
    few = fr.run(_bbr(3, 0.5), engine=engine)
    assert fr.run(_bbr(3, 0.5), engine="packet").metrics["drop_rate"] < few.metrics["drop_rate"] / 1.4
    assert "measured the link first" in few.outside["drop_rate"]
    for flows, products in ((1, 0.5), (20, 0.25), (20, 3.0)):
        assert "drop_rate" not in fr.run(_bbr(flows, products), engine=engine).outside


@pytest.mark.parametrize(("engine", "window", "times"), [("fluid", 40, 1.4), ("theory", 200, 1.6)])
def test_drops_of_bbr_flows_of_many_packets_are_marked(engine: str, window: float, times: float) -> None:
    for packets, within in ((17, True), (window, False)):
        asked = _asked(24, 24 * packets, 12 * packets, control="bbr", rate=24 * packets * 12000 / 0.04)
        asked["run"] = {"duration": 30.0, "warmup": 15.0, "mtu": 1500}
        found, measured = fr.run(asked, engine=engine), fr.run(asked).metrics["drop_rate"]
        assert (found.metrics["drop_rate"] < times * measured) == within
        assert ("the larger their windows" in found.outside.get("drop_rate", "")) != within


def test_a_warm_up_that_ends_before_dctcp_has_grown_again_under_red_is_noted() -> None:
    """Two flows of 850 packets are halved by their first mark, and grow by a packet per round trip of 2 ms."""
    red = {"kind": "red", "kmin": 170 * 1500, "kmax": 620 * 1500, "pmax": 0.1}
    asked = _asked(2, 1690, 1900, control="dctcp", rate=1e10, marking=red)
    for warmup, noted in ((0.1, True), (1.2, False)):
        asked["run"] = {"duration": warmup + 0.4, "warmup": warmup, "mtu": 1500}
        found = fr.run(asked, engine="fluid")
        assert (found.metrics["utilisation"] - fr.run(asked).metrics["utilisation"] > 0.02) == noted
        assert any("first mark halves" in note for note in found.notes) == noted


def test_standing_queues_of_many_bbr_flows_are_marked() -> None:
    asked = _bbr(20, 3.0)
    found = fr.run(asked, engine="theory")
    measured = fr.run(asked, engine="packet").metrics["queue_mean"]
    assert measured > 1.25 * found.metrics["queue_mean"]
    assert "standing queue" in found.outside["queue_mean"]
    assert "about 1.5 bandwidth-delay products" in found.outside["queue_mean"]
    assert measured == pytest.approx(1.5 * 0.04 * 1e8 / 8, rel=0.1)
    assert "queue_mean" not in fr.run(_bbr(4, 3.0), engine="theory").outside


def test_bbr_that_is_measured_before_its_first_probe_rtt_is_noted() -> None:
    def noted(asked: dict[str, Any]) -> bool:
        return any("until ProbeRTT" in note for note in fr.run(asked, engine="theory").notes)

    assert noted(_bbr(7, 3.0, warmup=9.0))
    assert not noted(_bbr(7, 3.0))
    assert not noted(_bbr(7, 0.5, warmup=9.0))


def test_red_that_marks_less_than_a_packet_of_a_full_buffers_window_leaves_dctcp_to_losses() -> None:
    red = {"kind": "red", "kmin": 0.93 * 125 * 1500, "pmax": 0.1, "kmax": 18 * 125 * 1500}
    asked = _asked(10, 1000, 125, control="dctcp", marking=red)
    found, packets = fr.run(asked, engine="fluid"), fr.run(asked, engine="packet").metrics["utilisation"]
    assert packets > found.metrics["utilisation"] + 0.03
    assert "losses govern DCTCP" in found.outside["utilisation"]
    deep = fr.run(_asked(10, 1000, 3000, control="dctcp", marking=red), engine="fluid")
    assert "utilisation" not in deep.outside


def test_a_run_shorter_than_a_few_cycles_is_noted() -> None:
    asked = _asked(2, 3000, 225)  # a cycle takes 1600 round trips of 36 ms
    for engine in ("theory", "fluid"):
        assert any("from one loss to the next" in note for note in fr.run(asked, engine=engine).notes)
        asked["run"] = {"duration": 1000.0, "warmup": 200.0, "mtu": 1500}
        assert not any("from one loss to the next" in note for note in fr.run(asked, engine=engine).notes)
        asked["run"] = {"duration": 14.4, "warmup": 3.6, "mtu": 1500}


@pytest.mark.parametrize("window", [4000, 9970, 20000])
def test_a_receive_window_holds_whole_segments_two_an_acknowledgement(window: int) -> None:
    asked = _asked(2, 33, 30, rate=1e7)
    asked["traffic"][0]["host"] = {"receive_window": window}
    theory, packets = (fr.run(asked, engine=engine).metrics["utilisation"] for engine in ("theory", "packet"))
    assert theory == pytest.approx(packets, abs=0.03)


def test_a_run_that_ends_before_timeouts_is_said_to_beside_packets_and_models() -> None:
    """40 paced flows with a window of 1.5 packets: packets carry a third less in 0.2 s than in the long run."""

    def asked(duration: float, **more: Any) -> dict[str, Any]:
        found = _asked(40, 49.4, 10, rate=7.41e8)
        found["traffic"][0]["host"] = {"pacing": True, "initial_window": 1, **more}
        found["run"] = {"duration": duration, "warmup": duration / 4, "mtu": 1500}
        return found

    for engine in ("packet", "reference"):
        assert any("too short for timeouts" in note for note in fr.run(asked(0.2), engine=engine).notes)
    long = fr.run(asked(3.0), engine="packet")
    assert not any("too short for timeouts" in note for note in long.notes)
    short = fr.run(asked(0.2), engine="packet")
    assert short.metrics["utilisation"] < long.metrics["utilisation"] - 0.1
    assert "too short for timeouts" in fr.run(asked(0.2), engine="theory").outside["utilisation"]
    assert "utilisation" in fr.run(asked(0.2), engine="fluid").outside
    for held in (asked(3.0), asked(0.2, min_rto=0.01), asked(0.2, receive_window=1460)):
        found = fr.run(held, engine="theory")
        assert "too short for timeouts" not in found.outside.get("utilisation", "")


def test_bbr_that_is_measured_before_its_flows_see_the_path_is_marked() -> None:
    """30 flows of 17 packets each drop while they start, and nothing later; at 40 ms they soon see the path."""

    def asked(warmup: float, trip: float = 0.15) -> dict[str, Any]:
        found = _asked(30, 500, 4000, control="bbr", rate=4e7 * 0.15 / trip)
        found["traffic"][0]["start_jitter"] = 1.0
        found["run"] = {"duration": warmup + 15.0, "warmup": warmup, "mtu": 1500, "seed": 2}
        found["topology"]["rtt_spread"] = 0.2
        return found

    assert fr.run(asked(15.0), engine="packet").metrics["drop_rate"] > 0.05
    settled = fr.run(asked(60.0), engine="packet")
    assert settled.metrics["drop_rate"] == 0.0
    for early, marked in ((asked(15.0), True), (asked(60.0), False), (asked(15.0, 0.04), False)):
        notes = fr.run(
            {**early, "run": {**early["run"], "duration": early["run"]["warmup"] + 1.0}}, engine="packet"
        ).notes
        assert any("Set a warm-up of 60 s" in note for note in notes) == marked
        for engine in ("theory", "fluid"):
            assert ("drop_rate" in fr.run(early, engine=engine).outside) == marked


@pytest.mark.parametrize("control", ["cubic", "dctcp"])
@pytest.mark.parametrize("flows", [4, 16])
def test_dctcp_that_nothing_marks_loses_as_packets_do(flows: int, control: str) -> None:
    """It halves for a loss as NewReno does (RFC 8257, section 3.4), flow by flow: all at once is 5 points too low."""
    asked = _asked(flows, 500, 150, control="dctcp", rate=4e8)
    asked["traffic"].append({**asked["traffic"][0], "flows": 12, "congestion": {"kind": control}})
    found, packets = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
    assert not {"utilisation", "drop_rate"} & set(found.outside)
    assert found.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.03)
    assert 1 / 1.4 < found.metrics["drop_rate"] / packets.metrics["drop_rate"] < 1.4


def test_dctcp_that_loses_before_marks_take_hold_is_marked() -> None:
    """100 flows overflow 100 packets of buffer while they pass a step at 65, and here all are cut at once."""
    asked = _asked(100, 1000, 100, control="dctcp", marking={"kind": "step", "threshold": 65 * 1500})
    found, packets = (fr.run(asked, engine=engine).metrics["utilisation"] for engine in ("fluid", "packet"))
    assert found < packets - 0.05
    assert "cuts all flows at once" in fr.run(asked, engine="fluid").outside["utilisation"]
    few = _asked(10, 1000, 100, control="dctcp", marking={"kind": "step", "threshold": 65 * 1500})
    assert "cuts all flows at once" not in str(fr.run(few, engine="fluid").outside)


def test_round_trips_that_few_flows_draw_are_noted() -> None:
    for flows, spread, noted in ((8, 0.2, True), (8, 0.0, False), (200, 0.2, False)):
        asked = _asked(flows, 500, 300)
        asked["topology"]["rtt_spread"] = spread
        for engine in ("theory", "fluid"):
            notes = fr.run(asked, engine=engine).notes
            assert any("draws the round trips" in note for note in notes) == noted


@pytest.mark.parametrize(("products", "warmup", "marked"), [(2.3, 0.1, True), (2.3, 1.2, False), (9.5, 0.1, False)])
def test_powertcp_that_repeats_what_it_lost_at_the_start_is_marked(
    products: float, warmup: float, marked: bool
) -> None:
    path = 6.6e8 * 1.1e-3 / 8
    asked: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": 6.6e8, "access": 6.6e8, "rtt": 1.1e-3},
        "switch": {"buffer": products * path},
        "traffic": [{"kind": "long_lived", "flows": 10, "congestion": {"kind": "powertcp", "minimum_rate": 5e7}}],
        "run": {"duration": warmup * 1.5, "warmup": warmup, "mtu": 1000},
    }
    asked["traffic"][0]["start_jitter"] = 0.0
    found = fr.run(asked, engine="fluid")
    assert found.metrics["drop_rate"] == 0.0
    assert (fr.run(asked).metrics["drop_rate"] > 0.05) == marked
    assert ("send again all that followed" in found.outside.get("drop_rate", "")) == marked
