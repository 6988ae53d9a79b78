"""Transfers beside long flows: theory and fluid mark what their bursts lose as outside validity."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr


def mixture(congestion: str = "newreno", marking: str = "none", load: float = 0.1, **host: Any) -> dict[str, Any]:
    own = {"kind": congestion}
    transfers = {"kind": "poisson", "load": load, "sizes": {"kind": "fixed", "size": "30 kB"}, "congestion": own}
    marks = {"kind": "step", "threshold": "100 kB"} if marking == "step" else {"kind": marking}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "500 Mb/s", "access": "5 Gb/s", "rtt": "12 ms"},
        "switch": {"buffer": "750 kB", "marking": marks},
        "traffic": [{"kind": "long_lived", "flows": 12, "congestion": own}, transfers | {"host": host}],
    }


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize("congestion", ["newreno", "cubic"])
def test_losses_and_queue_beside_bursts_are_marked(engine: str, congestion: str) -> None:
    found = fr.run(mixture(congestion), engine=engine)
    for name in ("drop_rate", "queue_mean"):
        assert "without bursts" in found.outside[name]
    assert "utilisation" not in found.outside
    assert any("hybrid" in found.outside[name] for name in found.outside)


def test_packets_lose_several_times_what_fluid_and_theory_say() -> None:
    """What the mark is for: were it no longer true, the mark would have to go."""
    raw = mixture(load=0.3) | {"run": {"duration": "20 s", "warmup": "4 s"}}
    drops = {engine: fr.run(raw, engine=engine).metrics["drop_rate"] for engine in ("theory", "fluid", "packet")}
    assert drops["packet"] > 2.0 * max(drops["theory"], drops["fluid"])


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize("access", ["5 Gb/s", "500 Mb/s"])
def test_few_or_smooth_transfers_are_not_marked(engine: str, access: str) -> None:
    raw = mixture(load=0.005 if access == "5 Gb/s" else 0.1)
    raw["topology"]["access"] = access
    found = fr.run(raw, engine=engine)
    assert not any("without bursts" in reason for reason in found.outside.values())


@pytest.mark.parametrize(
    ("congestion", "marking", "names"),
    [
        ("bbr", "none", {"fct_mean", "fct_p50", "fct_p95", "fct_p99", "slowdown_p50", "slowdown_p99"}),
        ("dctcp", "step", {"fct_p99", "slowdown_p99"}),
    ],
)
def test_completion_times_of_the_fluid_beside_bbr_and_under_marks_are_marked(
    congestion: str, marking: str, names: set[str]
) -> None:
    found = fr.run(mixture(congestion, marking, 0.05), engine="fluid")
    marked = {name for name, reason in found.outside.items() if "long flows" in reason}
    assert {name for name in marked if name.startswith(("fct", "slowdown"))} == names
