"""The timeout before data has measured a round trip."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.plan import SECOND, build_plan
from footroom.scenario import Scenario


@pytest.mark.parametrize(("host", "seconds"), [
    # One sample of 20 ms: variation 10 ms, four of them 40 ms (RFC 6298 §2.2).
    ({"min_rto": "10 ms", "rto_floor": "total"}, 0.060),
    ({"min_rto": "10 ms"}, 0.060),
    ({"min_rto": "200 ms"}, 0.220),
    ({"min_rto": "200 ms", "rto_floor": "total"}, 0.200),
    ({"min_rto": "200 ms", "initial_rto": "1 s"}, 1.0)])
def test_a_handshake_has_measured_the_idle_path(host: dict[str, Any], seconds: float) -> None:
    plan = build_plan(Scenario.parse({
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
        "switch": {"buffer": "250 kB"}, "traffic": [{"kind": "long_lived", "flows": 2, "host": host}]}))
    assert plan.flow_rto == pytest.approx([seconds * SECOND] * 2, rel=1e-6)
