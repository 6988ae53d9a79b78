"""What follows from a scenario by arithmetic alone: the read-outs beside its fields."""

from __future__ import annotations

import math

from footroom.parts.traffic import LongLived
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import queue_share
from footroom.studies.document import Derived


def derive(scenario: Scenario) -> Derived:
    """Bandwidth-delay product, drain time and the like; what needs a base round-trip time is null without one."""
    capacity = scenario.topology.slowest_watched()
    mtu = scenario.run.mtu
    buffer = scenario.switch.buffer
    flows = sum(traffic.flows for traffic in scenario.traffic if isinstance(traffic, LongLived))
    rtt: float | None = getattr(scenario.topology, "rtt", None)
    bdp = None if rtt is None else capacity * rtt / 8.0
    return {
        "buffer": buffer,
        "buffer_packets": buffer / mtu,
        "queue_buffer": queue_share(scenario),
        "capacity": capacity,
        "packet_time": 8.0 * mtu / capacity,
        "drain_time": 8.0 * buffer / capacity,
        "rtt": rtt,
        "bdp": bdp,
        "bdp_packets": None if bdp is None else bdp / mtu,
        "buffer_over_bdp": None if bdp is None else buffer / bdp,
        "flows": flows,
        "bdp_over_root_flows": bdp / math.sqrt(flows) if bdp is not None and flows else None,
        "load": math.fsum(float(getattr(traffic, "load", None) or 0.0) for traffic in scenario.traffic),
    }
