"""Fluid of paced flows that waits in switches that mark nothing, before a port that marks."""

from __future__ import annotations

import pytest
from tests.hybrid.test_paced import scenario

from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.paced import Paced

_PLANES = {"kind": "parallel_planes", "planes": 2, "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "50 us"}
_LINK = {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "10 Gb/s", "rtt": "50 us"}


@pytest.mark.parametrize(("topology", "flows", "told"), [(_PLANES, 60, True), (_PLANES, 1, False), (_LINK, 60, False)])
def test_long_waits_before_marks_are_told(topology: dict[str, object], flows: int, told: bool) -> None:
    """Before two planes many flows wait unmarked; one flow does not, and before one bottleneck nothing waits."""
    environment, background = coupled(scenario(flows=flows, topology=topology))
    assert isinstance(background, Paced)
    environment.run(until=0.01)
    metrics = {"utilisation": 0.9, "drop_rate": 0.01, "queue_mean": 1e5, "fct_p99": 1e-3, "fct_count": 10.0}
    found = {name for name, why in background.outside(metrics).items() if "switches that mark nothing" in why}
    assert found == ({"utilisation", "drop_rate", "queue_mean", "fct_p99"} if told else set())
    environment.close()
