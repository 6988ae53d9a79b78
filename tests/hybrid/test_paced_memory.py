"""Memory that fluid of paced flows is laid out in."""

from __future__ import annotations

import tracemalloc

from tests.hybrid.test_paced import scenario

from footroom.engines.hybrid import coupled
from footroom.engines.hybrid.paced import Paced


def test_memory_is_kept_for_waits_within_the_run() -> None:
    """Switches around parallel planes have 1 TB of memory, which no run fills; it was laid out for once."""
    planes = {"kind": "parallel_planes", "planes": 3, "bottleneck": "30 Gb/s", "rtt": "50 us"}
    tracemalloc.start()
    environment, background = coupled(scenario(flows=120, topology=planes))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(background, Paced)
    assert most < 200e6
    environment.close()
