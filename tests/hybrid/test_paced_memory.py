"""Memory that fluid of paced flows is laid out in."""

from __future__ import annotations

import tracemalloc

from tests.hybrid.test_paced import scenario

from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.paced import Paced


def test_memory_is_kept_for_queues_that_fluid_may_wait_in() -> None:
    """Switches around parallel planes have memory without end, in which nothing waits; it was laid out for once."""
    planes = {"kind": "parallel_planes", "planes": 3, "bottleneck": "30 Gb/s", "rtt": "50 us"}
    tracemalloc.start()
    environment, background = coupled(scenario(flows=120, topology=planes))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(background, Paced)
    assert most < 200e6
    environment.close()
