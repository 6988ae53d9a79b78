"""BBR before a queue that marks: its packets carry no ECT, so they are dropped where others are marked."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.lockout import bbr_beyond

#: 100 Mb/s and 50 ms [B].
PRODUCT = 625e3


def _asked(flows: int, marking: dict[str, Any], buffer: float, **host: Any) -> dict[str, Any]:
    entry = {"kind": "long_lived", "flows": flows, "start_jitter": 0.5, "congestion": {"kind": "bbr"}, "host": host}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 1e8, "access": 1e8, "rtt": 0.05, "rtt_spread": 0.05},
        "switch": {"buffer": buffer * PRODUCT, "marking": marking},
        "traffic": [entry],
        "run": {"duration": 14.0, "warmup": 4.0, "mtu": 1500},
    }


STEP = {"kind": "step", "threshold": 0.2 * PRODUCT}
RED = {"kind": "red", "kmin": 0.1 * PRODUCT, "kmax": 0.3 * PRODUCT, "pmax": 0.1}


@pytest.mark.parametrize("marking", [STEP, RED])
def test_marks_drop_packets_of_bbr(marking: dict[str, Any]) -> None:
    """24 flows in 1.5 products: both drop a fifth from a queue near the threshold, where a full buffer drops 0.7 %."""
    asked = _asked(24, marking, 1.5, ecn=True)
    found, packets = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
    assert not {"utilisation", "drop_rate"} & set(found.outside)
    assert packets.metrics["drop_rate"] > 0.15
    assert found.metrics["drop_rate"] == pytest.approx(packets.metrics["drop_rate"], rel=0.2)
    assert found.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.05)
    assert found.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)


def test_ecn_of_the_host_changes_nothing_for_bbr() -> None:
    found = [fr.run(_asked(24, STEP, 1.5, ecn=ecn), engine="fluid").metrics for ecn in (True, False)]
    assert found[0] == found[1]


def test_few_flows_are_marked_under_marks_as_without() -> None:
    """Ten flows drop 0.61 to 0.7 times what the fluid says, with marks or without."""
    for marking in (STEP, RED, {"kind": "none"}):
        found = fr.run(_asked(10, marking, 0.25, ecn=True), engine="fluid")
        assert "which of them measured the link first" in found.outside["drop_rate"]
    packets = fr.run(_asked(10, RED, 0.25, ecn=True), engine="packet").metrics["drop_rate"]
    assert packets < 0.8 * fr.run(_asked(10, RED, 0.25, ecn=True), engine="fluid").metrics["drop_rate"]


@pytest.mark.parametrize(
    ("marking", "buffer", "marked"),
    [
        ({"kind": "red", "kmin": 0.3 * PRODUCT, "kmax": 3.0 * PRODUCT, "pmax": 0.2}, 4.0, {"drop_rate", "queue_mean"}),
        ({"kind": "red", "kmin": 3.0 * PRODUCT, "kmax": 4.0 * PRODUCT, "pmax": 0.2}, 6.0, {"queue_mean"}),
        ({"kind": "step", "threshold": 3.0 * PRODUCT}, 0.5, set()),
    ],
)
def test_what_counts_is_the_queue_from_which_packets_are_dropped(
    marking: dict[str, Any], buffer: float, marked: set[str]
) -> None:
    scenario = Scenario.parse(_asked(24, marking, buffer, ecn=True))
    found = bbr_beyond(bottleneck_of(scenario, "fluid"))
    assert {"drop_rate", "queue_mean"} & set(found) == marked
