"""How long packets of two classes wait for one link, against the formulas of queues with priorities.

One-packet flows arrive as a Poisson process, so each class is M/D/1; waits are in packets' service times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footroom import Scenario, run

HIGH, LOW = 0.3, 0.5
#: What an arriving packet still has to wait for the one under way.
RESIDUAL = (HIGH + LOW) / 2.0
SERVICE = 1500 * 8 / 100e6


def waits(scheduling: dict[str, Any]) -> tuple[float, float]:
    """Mean wait of the high and of the low class."""

    def entry(load: float, priority: int) -> dict[str, Any]:
        return {
            "kind": "poisson",
            "load": load * 1448.0 / 1500.0,
            "sizes": 1448.0,
            "priority": priority,
            "host": {"jitter": 0, "min_rto": "10 s"},
        }

    result = run(
        Scenario.parse(
            {
                "topology": {
                    "kind": "dumbbell",
                    "bottleneck": "100 Mb/s",
                    "access": "100 Gb/s",
                    "rtt": "1 ms",
                    "pairs": 2000,
                },
                "switch": {"buffer": "2000 packets", "queues": 2, "scheduling": scheduling},
                "traffic": [entry(HIGH, 1), entry(LOW, 0)],
                "run": {"duration": "30 s", "warmup": "1 s", "keep_flows": True, "slowdown": False},
            }
        )
    )
    assert result.flows is not None
    times, classes = np.array(result.flows["fct"]), np.array(result.flows["entry"])
    alone = times.min()  # some packet finds the link idle
    high, low = ((times[classes == one].mean() - alone) / SERVICE for one in (0, 1))
    return float(high), float(low)


def test_strict_priority_waits_as_cobham_says() -> None:
    """Cobham 1954: the residual over 1 - ρ_high, and over (1 - ρ_high)(1 - ρ)."""
    high, low = waits({"kind": "strict_priority"})
    assert high == pytest.approx(RESIDUAL / (1.0 - HIGH), rel=0.02)
    assert low == pytest.approx(RESIDUAL / ((1.0 - HIGH) * (1.0 - HIGH - LOW)), rel=0.04)


@pytest.mark.parametrize(
    "scheduling",
    [
        {"kind": "strict_priority"},
        {"kind": "drr"},
        {"kind": "drr", "weights": [4, 1]},
        {"kind": "drr", "weights": [1, 4]},
    ],
)
def test_what_one_class_gains_the_other_loses(scheduling: dict[str, Any]) -> None:
    """Kleinrock's conservation law: Σ ρ·wait is that of one queue, ρ·residual/(1 - ρ), whoever is served first."""
    high, low = waits(scheduling)
    load = HIGH + LOW
    assert HIGH * high + LOW * low == pytest.approx(load * RESIDUAL / (1.0 - load), rel=0.04)
