"""One more transfer among long flows: by hand on an idle path, an even share in the long run, and beside packets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.formulas.transfer.among import Course, Place, Sender, Values, completion_times
from footroom.formulas.transfer.growth import Additive
from footroom.scenario import Scenario

SENDER = Sender(
    segments=7,
    initial_window=10.0,
    max_window=1e9,
    growth=Additive(),
    min_rto=0.2,
    probe_margin=None,
    ack_delay=0.04,
    burst=0.9,
)
#: 1000 packets of path, none of them used.
IDLE = Course(0.01, np.full(100, -1000.0))
PLACE = Place(capacity=1e5, buffer=1e6, rtt=0.01, flows=10.0, cuts=0.0, drops=0.0)


def times(sender: Sender, course: Course = IDLE, place: Place = PLACE) -> Values:
    found: Values = completion_times([course], [place], sender, 1).times[0]
    return found


def scenario(flows: int = 20, products: float = 0.5, **run: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e8, "access": 1e9, "rtt": 0.04, "rtt_spread": 0.2},
        "switch": {"buffer": products * 5e5},
        "traffic": [{"kind": "long_lived", "flows": flows}],
        "run": {"duration": "40 s", "warmup": "10 s", **run},
    }


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (7, 0.01 + 6e-5),  # one window of seven packets
        (30, 0.02 + 19e-5),  # 10 and 20
        (1270, 0.07 + 639e-5),  # 10, 20 ... 640, the last of which fills the link for 639 packets more
    ],
)
def test_on_an_idle_path_every_window_takes_a_round_trip_and_the_last_its_transmission(
    segments: float, expected: float
) -> None:
    assert times(replace(SENDER, segments=segments)) == pytest.approx(np.full(1000, expected))


def test_a_standing_queue_delays_every_window() -> None:
    # 500 packets wait, so a round trip takes 5 ms more; the transfer's own seven packets come on top.
    found = times(SENDER, Course(0.01, np.full(100, 500.0)))
    assert found == pytest.approx(np.full(1000, 0.015 + 7e-5))


def test_a_tail_that_does_not_fit_waits_for_the_timeout() -> None:
    # Three packets fit. The overload is so great that a full buffer never has room.
    full = replace(PLACE, buffer=500.0, cuts=1e-3, drops=1e3)
    found = times(replace(SENDER, burst=1.0), Course(0.01, np.full(100, 500.0)), full)
    assert found.min() > 2 * 0.015 + 0.2
    # A probe of the lost tail spares the timeout.
    probing = times(replace(SENDER, burst=1.0, probe_margin=0.002), Course(0.01, np.full(100, 500.0)), full)
    assert np.median(probing) < np.median(found) - 0.1


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize("flows", [5, 20])
def test_a_long_transfer_gets_an_even_share(engine: str, flows: int) -> None:
    found = fr.run(scenario(flows, transfer="100 MB"), engine=engine)
    packets = 1e8 / 1448
    even = packets / (1e8 / 8 / 1500 * found.metrics["utilisation"] / (flows + 1))
    assert found.metrics["transfer_p50"] == pytest.approx(even, rel=0.15)
    assert "transfer_p99" not in found.metrics
    assert any("transfer_p99 is not computed" in note for note in found.notes)


def test_a_paced_window_is_spread_over_half_a_round_trip() -> None:
    # The first window of 10 is a burst, the 20 of the second leave over half a round trip.
    found = times(replace(SENDER, segments=30, paced=True))
    assert found == pytest.approx(np.full(1000, 0.02 + 19 / 20 * 0.005))


@pytest.mark.parametrize("pacing", [False, True])
def test_both_percentiles_are_those_of_packets(pacing: bool) -> None:
    asked = scenario(transfer="10 kB", probe_share=0.02)
    asked["traffic"][0]["host"] = {"pacing": pacing}
    packets = fr.run(asked, engine="packet")
    for engine in ("theory", "fluid"):
        found = fr.run(asked, engine=engine)
        for name in ("transfer_p50", "transfer_p99"):
            assert name not in found.outside
            assert 1 / 1.5 < found.metrics[name] / packets.metrics[name] < 1.5, (engine, name)


def test_where_it_was_found_not_to_hold_is_marked() -> None:
    few = fr.run(scenario(2), engine="fluid")
    assert "transfer_p50" not in few.outside
    assert "fewer than 20 flows" in few.outside["transfer_p99"]
    small = fr.run(scenario(100, 0.2), engine="fluid")
    assert "timeouts" in small.outside["transfer_p50"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {
                "traffic": [
                    {"kind": "long_lived", "flows": 5, "host": {"pacing": True}},
                    {"kind": "long_lived", "flows": 5},
                ]
            },
            "all pace, or none",
        ),
        (
            {
                "traffic": [
                    {"kind": "long_lived", "flows": 5},
                    {"kind": "poisson", "load": 0.1, "sizes": "10 kB", "host": {"pacing": True}},
                ][::-1]
            },
            "all pace, or none",
        ),
    ],
)
def test_what_the_model_does_not_know_has_no_number_and_a_reason(change: dict[str, Any], reason: str) -> None:
    for engine in ("theory", "fluid"):
        found = fr.run({**scenario(), **change}, engine=engine)
        assert "transfer_p50" not in found.metrics
        assert any(reason in note for note in found.notes)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_beside_arriving_flows_a_short_transfer_takes_what_it_takes_in_packets(engine: str) -> None:
    """Probes gave 75.5 ms (compare_transfer beside)."""
    arriving = {"kind": "poisson", "load": 0.4, "sizes": "20 kB"}
    load = [{"kind": "long_lived", "flows": 30, "start_jitter": "1 s"}, arriving]
    asked = {**scenario(30, transfer="10 kB"), "traffic": load, "switch": {"buffer": "500 kB"}}
    found = fr.run(asked, engine=engine)
    assert "transfer_p50" not in found.outside
    assert found.metrics["transfer_p50"] == pytest.approx(0.0755, rel=0.1)
    long = fr.run({**asked, "run": {**asked["run"], "transfer": "1 MB"}}, engine=engine)
    assert "Beside arriving flows" in long.outside["transfer_p50"]
    # A flow of what 0.6 of the link leaves to 31.
    even = 1e6 / 1448 / (1e8 / 8 / 1500 * (1 - 0.4 * 1500 / 1448) / 31)
    assert long.metrics["transfer_p50"] == pytest.approx(even, rel=0.4)


def test_flows_of_two_controls_delay_a_transfer_as_they_do_in_packets() -> None:
    """Probes gave 74.9 and 2290 ms (compare_transfer mixed)."""
    load = [
        {"kind": "long_lived", "flows": 30, "start_jitter": "1 s"},
        {"kind": "long_lived", "flows": 10, "start_jitter": "1 s", "congestion": {"kind": "cubic"}},
    ]
    for size, probes in (("10 kB", 0.0749), ("1 MB", 2.29)):
        asked = {**scenario(40, transfer=size), "traffic": load, "switch": {"buffer": "500 kB"}}
        for engine in ("theory", "fluid"):
            found = fr.run(asked, engine=engine)
            assert "transfer_p50" not in found.outside
            assert 1 / 1.3 < found.metrics["transfer_p50"] / probes < 1.3
    few = {**asked, "traffic": [{**entry, "flows": 5} for entry in load]}
    assert "several controls" in fr.run(few, engine="fluid").outside["transfer_p50"]


def test_a_sweep_gives_what_single_points_give() -> None:
    asked = Scenario.parse(scenario(transfer="10 kB")).to_dict()
    for engine in ("theory", "fluid"):
        swept = fr.sweep(asked, over={"switch.buffer": [1e5, 5e5]}, engines=[engine])
        alone = fr.run({**asked, "switch": {**asked["switch"], "buffer": 1e5}}, engine=engine)
        assert swept.points[0].result.metrics["transfer_p50"] == pytest.approx(alone.metrics["transfer_p50"], rel=1e-9)
