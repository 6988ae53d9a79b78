"""Small plans whose times can be worked out by hand.

One pair of hosts, 8 Mb/s between two switches and 80 Mb/s elsewhere, no jitter. In milliseconds: a full packet takes
1.5 on the bottleneck and 0.15 elsewhere, an acknowledgement 0.064 and 0.0064; cables are 3, 2 and 3 long. Ports: 0
left to right switch (watched), 1 back, 2 sender to left, 3 back, 4 right to receiver, 5 back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from footroom.engines.plan import Plan, build_plan
from footroom.engines.reference import Network
from footroom.engines.reference.packet import Packet
from footroom.scenario import Scenario

MS = 10**9
#: From the end of a packet's transmission on the idle bottleneck to the arrival of its acknowledgement [ps].
RETURN = int(13.2268 * MS)
#: From sending one full packet over an idle path to the arrival of its acknowledgement [ps].
ROUND_TRIP = int(17.8768 * MS)


def plan_of(
    segments: int | None = None,
    *,
    buffer: str = "1 MB",
    seconds: float = 1.0,
    warmup: float = 0.0,
    flows: int = 1,
    seed: int = 1,
    sharing: dict[str, Any] | None = None,
    **host: Any,
) -> Plan:
    """``flows`` flows that start at 0, each of ``segments`` full segments or endless; the timeout as in RFC 6298."""
    stack = {"ack_every": 1, "jitter": 0, "rto_floor": "total", **host}
    plan = build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "8 Mb/s", "access": "80 Mb/s", "rtt": "16 ms"},
                "switch": {"buffer": buffer, "sharing": sharing or {"kind": "complete"}},
                "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0, "host": stack}],
                "run": {"duration": seconds, "warmup": warmup, "seed": seed},
            }
        )
    )
    if segments is None:
        return plan
    return replace(plan, flow_segments=np.full(flows, segments), flow_bytes=np.full(flows, segments * 1448))


def lose(network: Network, segments: Collection[int], times: int = 1) -> None:
    """Let the first ``times`` transmissions of each of ``segments`` vanish in front of the bottleneck."""
    port = network.ports[0]
    offer = port.offer
    left = dict.fromkeys(segments, times)

    def offer_or_lose(packet: Packet, card: int = 0) -> None:
        if left.get(packet.seq, 0) > 0:
            left[packet.seq] -= 1
        else:
            offer(packet, card)

    port.offer = offer_or_lose  # type: ignore[method-assign]


def sends(trace: list[tuple[int, str, int, int, int, int]], seq: int) -> list[int]:
    """When the sender put segment ``seq`` on its port [ps]."""
    return [time for time, what, port, _, _, s in trace if (what, port, s) == ("arrival", 2, seq)]
