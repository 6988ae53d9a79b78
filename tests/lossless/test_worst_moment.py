"""Headroom at the worst moment: a sender at line rate, and a pause frame behind the longest frame that just began.

What can arrive is summed up here by hand: W = (L + 84 B)/C + 2·D + response, in which floor(W / w) + 1 packets of
w = L/C begin, and one more has crossed the threshold.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.test_need import crossing

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.result import Result
from footroom.scenario import Scenario

RESPONSE = 2e-6
#: Headroom of every group, a pool of headroom that only one group draws from, and the insurance of a port.
SCHEMES: dict[str, dict[str, Any]] = {
    "own": {"kind": "static_independent"},
    "pool": {"kind": "static_independent"},
    "insurance": {"kind": "dynamic_shared", "pauses": "ports"},
}


def what_can_arrive(rate: float, delay: float, mtu: int) -> int:
    """In bytes."""
    window = (mtu + 84) * 8 / rate + 2 * delay + RESPONSE
    return (int(window // (mtu * 8 / rate)) + 2) * mtu


def run(scheme: str, size: int, rate: float, delay: float, mtu: int) -> Result:
    """Packets towards the sender begin a hundredth of a packet before those of the sender arrive."""
    raw, packet = crossing(size), mtu * 8 / rate
    for link, lasts in zip(raw["topology"]["links"][:2], (delay, delay - packet / 100), strict=True):
        link |= {"rate": rate, "delay": lasts}
    kept = {"own": 3, "pool": 1, "insurance": 3}[scheme]
    raw["switch"]["buffer"] = 20 * mtu + kept * size + (10**6 if scheme == "insurance" else 0)
    raw["switch"]["headroom"] |= (
        SCHEMES[scheme]
        | ({"pool": size} if scheme == "pool" else {})
        | ({"alpha": 20 * mtu / (10**6 + 20 * mtu)} if scheme == "insurance" else {})
    )
    raw["run"] |= {"mtu": mtu, "duration": 140 * packet + 8 * delay + 4 * RESPONSE}
    return simulate(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("mtu", [1500, 9000])
@pytest.mark.parametrize("delay", [1.5e-7, 1.5e-6, 5e-6])  # 30 m, 300 m, 1 km
@pytest.mark.parametrize("rate", [10e9, 25e9, 100e9, 400e9])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_but_a_frame_is_used_and_less_loses(scheme: str, rate: float, delay: float, mtu: int) -> None:
    size = what_can_arrive(rate, delay, mtu)
    found = run(scheme, size, rate, delay, mtu)
    assert found.metrics["lossless_drops"] == 0
    assert size - mtu <= found.metrics["headroom_max"] <= size
    used = int(found.metrics["headroom_max"])
    assert run(scheme, used - 1, rate, delay, mtu).metrics["lossless_drops"] > 0
