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
    equal, faster, longer = _asked(4, 8, 30, access=1.0), _asked(4, 8, 30, access=2.0), _asked(4, 170, 80, access=1.0)
    packets = fr.run(equal, engine="packet").metrics["drop_rate"]
    for engine in ("theory", "fluid"):
        found = fr.run(equal, engine=engine)
        assert "keep the buffer full" in found.outside["drop_rate"]
        assert found.metrics["drop_rate"] > 10.0 * packets
        assert "utilisation" not in found.outside
        assert "drop_rate" not in fr.run(faster, engine=engine).outside
        assert "drop_rate" not in fr.run(longer, engine=engine).outside


@pytest.mark.parametrize(
    ("asked", "metric", "reason"),
    [
        (_asked(20, 8, 60, control="dctcp"), "drop_rate", "mean window"),
        (_asked(3, 80, 10, control="dctcp"), "utilisation", "single bursts"),
        (_asked(4, 400, 80, control="dctcp"), "utilisation", "cut at once"),
        (_asked(10, 20, 40, control="bbr", rate=2e6), "drop_rate", "least window of four"),
        (_asked(2, 170, 50, control="bbr", rate=2e6), "utilisation", "ProbeRTT"),
    ],
)
def test_what_was_found_off_in_the_fluid_is_marked(asked: dict[str, Any], metric: str, reason: str) -> None:
    found = fr.run(asked, engine="fluid")
    assert reason in found.outside[metric]


def test_closed_forms_of_bbr_are_marked_where_its_least_windows_decide() -> None:
    marked = fr.run(_asked(4, 60, 200, control="bbr", rate=1e8), engine="theory").outside
    assert "least window of four" in marked["drop_rate"]
    inside = fr.run(_asked(4, 200, 100, control="bbr", rate=1e8), engine="theory").outside
    assert set(inside) <= {"transfer_p50", "transfer_p99"}


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
