"""Bursts of CUBIC flows at a full buffer: what they move in packets is marked in the models that have no bursts."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr


def _asked(
    flows: int, rate: float, trip: float, products: float, *, spread: float = 0.2, **host: Any
) -> dict[str, Any]:
    """Long CUBIC flows; rate in bit/s, trip in s."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10 * rate, "rtt": trip, "rtt_spread": spread},
        "switch": {"buffer": products * rate * trip / 8},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "congestion": {"kind": "cubic"},
                "start_jitter": 0.5,
                "host": {"ack_every": 2, **host},
            }
        ],
        "run": {"duration": 30.0, "warmup": 4.0, "mtu": 1500},
    }


def test_drops_of_bursts_that_meet() -> None:
    """Packets of unpaced flows lose a quarter more than paced ones, and so does the fluid."""
    asked = _asked(20, 2e8, 0.008, 2.0)
    found, lost = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
    assert found.metrics["drop_rate"] == pytest.approx(lost.metrics["drop_rate"], rel=0.15)
    paced = _asked(20, 2e8, 0.008, 2.0, pacing=True)
    apart, kept = (fr.run(paced, engine=engine) for engine in ("fluid", "packet"))
    assert apart.metrics["drop_rate"] == pytest.approx(kept.metrics["drop_rate"], rel=0.2)
    assert lost.metrics["drop_rate"] > 1.25 * kept.metrics["drop_rate"]
    assert found.metrics["drop_rate"] > 1.15 * apart.metrics["drop_rate"]
    for answer in (found, apart, fr.run(_asked(20, 2e8, 0.008, 2.0, spread=0.0), engine="fluid")):
        assert "drop_rate" not in answer.outside


def test_theory_marks_them_too() -> None:
    """60 flows at 100 Mb/s and 100 ms ± 50 %: paced, packets drop as theory says, unpaced a third more and beyond."""
    asked = _asked(60, 1e8, 0.1, 0.5, spread=0.5)
    found, lost = (fr.run(asked, engine=engine) for engine in ("theory", "packet"))
    assert lost.metrics["drop_rate"] > 1.3 * found.metrics["drop_rate"]
    assert "bursts of different flows meet" in found.outside["drop_rate"]
    paced = _asked(60, 1e8, 0.1, 0.5, spread=0.5, pacing=True)
    same, lost = (fr.run(paced, engine=engine) for engine in ("theory", "packet"))
    assert "drop_rate" not in same.outside
    assert lost.metrics["drop_rate"] == pytest.approx(same.metrics["drop_rate"], rel=0.2)


@pytest.mark.parametrize(
    ("flows", "products", "within"),
    [(4, 0.43, False), (4, 3.0, True), (20, 0.43, True), (1, 0.3, False), (1, 0.9, True)],
)
def test_queues_that_a_few_packets_of_a_burst_shorten_are_marked(flows: int, products: float, within: bool) -> None:
    found = fr.run(_asked(flows, 3e7 * max(1, flows / 4), 0.03 if flows > 1 else 0.05, products), engine="fluid")
    assert ("queue_mean" not in found.outside) == within


def test_packets_keep_a_shorter_queue_where_it_is_marked() -> None:
    asked = _asked(4, 3e7, 0.03, 0.43)
    found, packets = (fr.run(asked, engine=engine).metrics["queue_mean"] for engine in ("fluid", "packet"))
    assert found - packets > 0.1 * asked["switch"]["buffer"]


def test_theory_marks_drops_of_few_cubic_flows() -> None:
    for flows, marked in ((1, True), (3, True), (20, False)):
        outside = fr.run(_asked(flows, 1e8, 0.04, 1.0, pacing=True), engine="theory").outside
        assert ("drop_rate" in outside) == marked
