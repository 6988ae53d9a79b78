"""One more BBR transfer among BBR flows: by hand where nothing is lost, and beside probes in packets."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.formulas.transfer.among import Sender
from footroom.formulas.transfer.growth import Additive
from footroom.formulas.transfer.startup import GAIN, Load, completion_times

SENDER = Sender(
    segments=7,
    initial_window=10.0,
    max_window=1e9,
    growth=Additive(),
    min_rto=0.2,
    probe_margin=None,
    ack_delay=0.0,
    burst=0.9,
)
#: 1000 packets of path behind a standing queue of 500.
STANDING = Load(capacity=1e5, buffer=1e6, rtt=0.01, queues=np.array([500.0]), loss=0.0)


def scenario(flows: int, products: float, **run: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e8, "access": 1e9, "rtt": 0.04, "rtt_spread": 0.2},
        "switch": {"buffer": products * 5e5},
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": "bbr"}, "start_jitter": "1 s"}],
        "run": {"duration": "60 s", "warmup": "12 s", **run},
    }


def test_the_first_window_is_paced_at_the_gain_of_start_up() -> None:
    found = completion_times(STANDING, SENDER, 1)
    handshake = 0.01 + 500 / 1e5
    pace = GAIN * 10.0 / handshake
    # Seven packets beside all the others' add their share of the link's time.
    own = pace * handshake / (pace * handshake + 1e5 * handshake) * 7
    assert found == pytest.approx(np.full(1000, handshake + 6.0 / pace), rel=own / 1e5 / handshake + 1e-3)


def test_windows_double_until_the_share_of_the_link_stops_growing() -> None:
    times = [float(completion_times(STANDING, replace(SENDER, segments=size), 1)[0]) for size in (10, 30, 70, 150)]
    # One round trip more for each doubling; before the first, the window is paced at the rate of the handshake, and the
    # last packets of the second round leave later.
    assert np.diff(times)[1:] == pytest.approx(np.full(2, 0.015), rel=0.15)
    pace = GAIN * 10.0 / 0.015
    assert np.diff(times)[0] == pytest.approx(0.015 + 19.0 / pace - 9.0 / pace, rel=0.05)


def test_what_is_lost_all_the_time_takes_timeouts() -> None:
    lossy = replace(STANDING, buffer=500.0, loss=0.15)
    found = completion_times(lossy, SENDER, 1)
    assert np.isfinite(found).all()
    # No timeout where none of the last three is lost, nor any of the first four twice.
    assert float((found < 0.1).mean()) == pytest.approx(0.85**3 * (1.0 - 0.15**2) ** 4, abs=0.05)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_the_median_is_that_of_packets_where_the_load_loses_nothing(engine: str) -> None:
    asked = scenario(5, 4.0, transfer="10 kB", probe_share=0.01)
    packets, found = fr.run(asked, engine="packet"), fr.run(asked, engine=engine)
    assert "transfer_p50" not in found.outside
    # The queue of theory is a tenth shorter.
    assert found.metrics["transfer_p50"] == pytest.approx(packets.metrics["transfer_p50"], rel=0.15)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_where_it_was_found_not_to_hold_is_marked(engine: str) -> None:
    lossy = fr.run(scenario(20, 0.3, transfer="10 kB"), engine=engine)
    assert "timeout" in lossy.outside["transfer_p50"]
    alone = fr.run(scenario(1, 2.0, transfer="1 MB"), engine=engine)
    assert "single flow" in alone.outside["transfer_p50"]
    assert math.isfinite(alone.metrics["transfer_p50"])


def test_other_versions_have_no_number() -> None:
    asked = scenario(5, 2.0)
    asked["traffic"][0]["congestion"] = {"kind": "bbr", "version": 2}
    found = fr.run(asked, engine="fluid")
    assert "transfer_p50" not in found.metrics
    assert any("version 1" in note for note in found.notes)
