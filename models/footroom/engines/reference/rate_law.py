"""What a congestion control of RDMA hosts is to the plain engine."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.engines.reference.packet import Packet


@dataclass(frozen=True)
class Line:
    """The path of a flow. rate: of its host's link [bit/s].  base_rtt: longest round trip in the network without
    queueing [ps].  packet: bytes of a full one on the link.  switches: on its path.
    """

    rate: float
    base_rtt: int
    packet: int
    switches: int


class RateLaw:
    """One flow's rate [bit/s], and what moves it. Times in ps.

    due: when ``on_timer`` is to be called, None for never.  window: the next segment waits while as many segments, or a
    fraction fewer, are outstanding.
    """

    def __init__(self, line: Line) -> None:
        self.line = line
        self.rate = line.rate
        self.window = math.inf
        self.due: int | None = None

    def on_resume(self) -> None:
        """Another flow goes on over the same connection; its segments are counted from 0."""

    def on_ack(self, packet: Packet, acked: int, una: int, nxt: int, now: int) -> None:
        """An acknowledgement arrived, perhaps a negative one. acked: segments it covers that none before it did.
        una, nxt: what they are after it.
        """

    def on_gap(self, packet: Packet, now: int) -> None:
        """A receiver reported a gap, and recovery begins. ``on_ack`` of the same acknowledgement follows."""

    def on_expiry(self, now: int) -> None:
        """The retransmission timer expired."""

    def on_notice(self, now: int) -> None:
        """A congestion notification arrived."""

    def on_timer(self, now: int) -> None:
        """The time ``due`` has come."""

    def on_sent(self, bytes_: int, now: int) -> None:
        """A packet was sent that takes so many bytes of the link."""
