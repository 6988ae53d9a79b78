"""From a congestion control of a scenario to its law in the fluid: the inputs of the builders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footroom.engines.fluid.laws.flows import Flows
from footroom.parts.traffic.host import Host


@dataclass(frozen=True)
class Setting:
    """The path of a law. packet: bytes.  capacity, access: packets/s of the bottleneck and of a sender's link.
    rtt: s, without queueing.  flows: long-lived flows on the link.  marks: the switch marks these flows' packets early
    (it does not drop them).  longest_rtt: s, of any pair of hosts, without queueing.  early: the switch marks or drops
    before the buffer is full.
    """

    packet: float
    capacity: float
    access: float
    rtt: float
    flows: int
    marks: bool
    longest_rtt: float
    early: bool = False


#: ``f(congestion component, host stack, setting)``
Builder = Callable[[Any, Host, Setting], Flows]
