"""What follows from a scenario by arithmetic alone: the read-outs beside its fields."""

from __future__ import annotations

import math

from footroom.parts.traffic import LongLived
from footroom.scenario import Scenario
from footroom_api.resources.estimates.schemas import Derived


def derive(scenario: Scenario) -> Derived:
    """Bandwidth-delay product, drain time and the like; fields without a base RTT are absent."""
    capacity = scenario.topology.slowest_watched()
    mtu = scenario.run.mtu
    buffer = scenario.switch.buffer
    flows = sum(traffic.flows for traffic in scenario.traffic if isinstance(traffic, LongLived))
    rtt: float | None = getattr(scenario.topology, "rtt", None)
    found = Derived(
        buffer=buffer,
        buffer_packets=buffer / mtu,
        capacity=capacity,
        packet_time=8.0 * mtu / capacity,
        drain_time=8.0 * buffer / capacity,
        flows=flows,
        load=math.fsum(float(getattr(traffic, "load", None) or 0.0) for traffic in scenario.traffic),
    )
    if rtt is not None:
        bdp = capacity * rtt / 8.0
        found.rtt, found.bdp, found.bdp_packets, found.buffer_over_bdp = rtt, bdp, bdp / mtu, buffer / bdp
        found.bdp_over_root_flows = bdp / math.sqrt(flows) if flows else None
    return found
