"""From scenarios to the closed forms."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.base.errors import Unsupported
from footroom.engines.theory.adapter import estimate, estimate_many
from footroom.scenario import Scenario


def dumbbell(**changes: Any) -> Scenario:
    raw: dict[str, Any] = {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
        "switch": {"buffer": "250 kB"},
        "traffic": [{"kind": "long_lived", "flows": 50}],
        "run": {},
    }
    return Scenario.parse({**raw, **changes})


def test_one_scenario_comes_with_its_derivations_and_a_sweep_with_the_same_numbers() -> None:
    scenarios = [dumbbell(switch={"buffer": size}) for size in (1e5, 2.5e5, 1e6)]
    alone = [estimate_many([scenario])[0] for scenario in scenarios]
    names = {explanation.name for explanation in alone[0].explanations}
    assert {"bdp", "bdp_over_root_n", "utilisation", "drop_rate"} <= names
    assert [r.metrics for r in estimate_many(scenarios)] == [r.metrics for r in alone]


def test_the_bandwidth_delay_product_counts_the_transmission_of_packet_and_acknowledgement() -> None:
    bdp = next(e for e in estimate(dumbbell()).explanations if e.name == "bdp")
    per_bit = 1 / 1e9 + 2 / 1e10
    assert bdp.value == pytest.approx(1e9 / 8 * (0.020 + (1500 + 64) * 8 * per_bit), rel=1e-12)


def test_static_partitioning_gives_the_port_its_part() -> None:
    shared = dumbbell(switch={"buffer": "510 kB", "sharing": {"kind": "static"}})
    alone = dumbbell(switch={"buffer": "10 kB"})
    assert estimate(shared).metrics == estimate(alone).metrics  # 51 ports


def test_marking_is_refused_rather_than_ignored() -> None:
    red = {"buffer": "250 kB", "marking": {"kind": "red", "kmin": "10 kB", "kmax": "100 kB"}}
    with pytest.raises(Unsupported, match=r"marking\.kind.*fluid"):
        estimate(dumbbell(switch=red))


@pytest.mark.parametrize(
    "topology",
    [
        {
            "kind": "graph",
            "hosts": ["a", "b"],
            "switches": ["s"],
            "links": [{"ends": ["a", "s"], "rate": "1G"}, {"ends": ["s", "b"], "rate": "1G"}],
        },
        {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "100 Mb/s", "rtt": "1 ms"},
    ],
)
def test_what_is_no_single_bottleneck_is_refused_naming_who_can(topology: dict[str, Any]) -> None:
    with pytest.raises(Unsupported) as refusal:
        estimate(dumbbell(topology=topology))
    assert "packet" in refusal.value.engines
