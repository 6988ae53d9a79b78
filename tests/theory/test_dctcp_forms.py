"""The sawtooth of DCTCP as an engine: its averages by counting, beside packets, and where it does not hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.theory.adapter import inputs_of
from footroom.formulas.transfer.dctcp_sawtooth import Sawtooth
from footroom.scenario import Scenario


def scenario(flows: int, threshold: float, more: dict[str, Any] | None = None, **run: Any) -> dict[str, Any]:
    """threshold: in bandwidth-delay products of 150 kB."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": 4e9, "access": 4e10, "rtt": 3e-4, "rtt_spread": 0.2},
        "switch": {"buffer": 1.2e6, "marking": {"kind": "step", "threshold": threshold * 1.5e5}},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "congestion": {"kind": "dctcp"},
                "start_jitter": 0.01,
                "host": {"ack_every": 2, "ack_delay": 0.001, "min_rto": 0.01},
                **(more or {}),
            }
        ],
        "run": {"duration": 0.5, "warmup": 0.1, **run},
    }


@pytest.mark.parametrize(("pipe", "threshold", "flows"), [(100.0, 50.0, 8.0), (400.0, 2.0, 1.0), (83.0, 3.0, 12.0)])
def test_averages_are_those_of_the_teeth_counted_out(pipe: float, threshold: float, flows: float) -> None:
    saw = Sawtooth(pipe, threshold, flows, 1e-4)
    total = saw.top - saw.amplitude * (np.arange(100_000) + 0.5) / 100_000
    assert saw.queue_mean == pytest.approx(np.maximum(total, 0.0).mean(), rel=1e-4)
    assert saw.utilisation == pytest.approx(1.0 + np.minimum(total, 0.0).mean() / pipe, rel=1e-4)


@pytest.mark.parametrize(("flows", "threshold"), [(2, 0.5), (8, 0.25), (8, 1.0)])
def test_utilisation_and_queue_are_those_of_packets(flows: int, threshold: float) -> None:
    asked = scenario(flows, threshold)
    packets, found = fr.run(asked, engine="packet").metrics, fr.run(asked, engine="theory")
    assert not {"utilisation", "queue_mean", "drop_rate"} & set(found.outside)
    assert found.metrics["utilisation"] == pytest.approx(packets["utilisation"], abs=0.01)
    assert abs(found.metrics["queue_mean"] - packets["queue_mean"]) < 0.1 * threshold * 1.5e5


def test_a_transfer_beside_the_teeth_takes_what_it_takes_in_packets() -> None:
    asked = scenario(8, 0.5, transfer="10 kB", probe_share=0.01)
    packets, found = fr.run(asked, engine="packet"), fr.run(asked, engine="theory")
    assert "transfer_p50" not in found.outside
    assert found.metrics["transfer_p50"] == pytest.approx(packets.metrics["transfer_p50"], rel=0.15)


def test_where_it_was_found_not_to_hold_is_marked() -> None:
    assert "bursts" in fr.run(scenario(8, 0.05), engine="theory").outside["utilisation"]
    assert "whole packets" in fr.run(scenario(30, 0.5), engine="theory").outside["queue_mean"]
    small = scenario(8, 0.5)
    small["switch"]["buffer"] = 8e4
    assert "before DCTCP's marks" in fr.run(small, engine="theory").outside["drop_rate"]


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"host": {"ecn": False}}, "traffic.0"),
        ({"rtt": 1e-3}, "traffic.0.rtt"),
        ({"host": {"receive_window": 30000}}, "traffic.0"),
    ],
)
def test_other_loads_are_refused_by_path(more: dict[str, Any], path: str) -> None:
    with pytest.raises(Unsupported) as refused:
        inputs_of(Scenario.parse(scenario(8, 0.5, more)))
    assert refused.value.path == path


@pytest.mark.parametrize(("flows", "marked"), [(60, True), (30, False)])
def test_least_windows_may_be_more_than_path_and_buffer_hold(flows: int, marked: bool) -> None:
    """21 packets of path and 70 of buffer; 60 windows of two packets are 120."""
    asked = {
        "topology": {"kind": "dumbbell", "bottleneck": 7.1e7, "access": 1.4e8, "rtt": 0.0036, "rtt_spread": 0.3},
        "switch": {"buffer": 105e3, "marking": {"kind": "step", "threshold": 1900.0}},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "congestion": {"kind": "dctcp"},
                "start_jitter": 0.1,
                "host": {"ecn": True, "pacing": True, "ack_delay": 0.001, "min_rto": 0.01},
            }
        ],
        "run": {"duration": 3.0, "warmup": 1.0, "mtu": 1500},
    }
    found, packets = (fr.run(asked, engine=engine) for engine in ("theory", "packet"))
    assert found.metrics["drop_rate"] == 0.0
    assert ("their least window" in found.outside.get("drop_rate", "")) == marked
    assert (packets.metrics["drop_rate"] > 0.01) == marked
