"""One packet on its way, and the record of what happened to packets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Lines (time [ps], what, port, flow, sort of packet, segment or next segment expected); see ``simulate``.
Trace = list[tuple[int, str, int, int, int, int]]


@dataclass(frozen=True, slots=True)
class PauseFrame:
    """A frame that stops the node at the other end of a link, or lets it go on.

    port: of that node, towards the sender of the frame.  klass: the class it is about, None for all of ``classes``.
    pause: the pause it belongs to, where the spread of pauses is recorded.
    """

    port: int
    klass: int | None
    classes: tuple[int, ...]
    stop: bool
    pause: Any = None


@dataclass(frozen=True, slots=True)
class Hop:
    """What a switch wrote into a packet that left it. time: when [ps].  sent: bytes its port had sent before.  waiting:
    bytes that stayed behind.  byte_time: of the port [ps/B].
    """

    time: int
    sent: int
    waiting: int
    byte_time: float


@dataclass(slots=True)
class Packet:
    """A data segment, an acknowledgement, or a congestion notification.

    seq: the segment, or for an acknowledgement the next segment expected.  size: bytes of its frame, or of the IP
    packet where frames are not modelled.  hop: position in the plan's route table.  stamp: when the data was sent [ps],
    echoed by its acknowledgement.  left, right: block of segments received beyond a gap, right excluded; empty when
    equal.  klass: the class of traffic it waits in.  ingress: the port whose wire it last came by.  came: when it was
    offered to the port that it is at [ps].

    In the words of RFC 3168, ect: its sender understands marks.  marked: a switch has set CE.  echo: an acknowledgement
    reports a mark (ECE).  cwr: the sender has answered one.  push: the last of several segments that left together.

    Of RDMA hosts, notice: it is a congestion notification.  negative: the acknowledgement reports a gap.
    telemetry: what the switches it left wrote into it, or into the data it acknowledges; None where nobody asks.
    Where receivers allot windows, edge: the segment after those that an acknowledgement offers to take.  at: when it
    was sent; of data, when the newest acknowledgement was sent that its sender had heard, 0 for none.
    probe: it does nothing but bring telemetry back, over TCP; with ``ack``, it is on its way back.
    setup: it sets up a connection; with ``ack``, it is the answer.
    """

    flow: int
    ack: bool
    seq: int
    size: int
    hop: int
    stamp: int
    left: int = 0
    right: int = 0
    klass: int = 0
    ingress: int = -1
    came: int = 0
    ect: bool = False
    marked: bool = False
    echo: bool = False
    cwr: bool = False
    push: bool = False
    notice: bool = False
    negative: bool = False
    telemetry: tuple[Hop, ...] | None = None
    probe: bool = False
    setup: bool = False
    edge: int = 0
    at: int = 0

    @property
    def sort(self) -> int:
        """0 for data, 1 for an acknowledgement, 2 for a congestion notification, 4 for a probe, 5 for its reply, 6 for
        what sets up a connection, 7 for the answer to it.
        """
        if self.setup:
            return 6 + int(self.ack)
        if self.probe:
            return 4 + int(self.ack)
        return 2 if self.notice else int(self.ack)
