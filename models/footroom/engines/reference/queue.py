"""Packets that wait for one port in one class, on one line card."""

from __future__ import annotations

from collections import deque

from footroom.engines.reference.marking import Marker, NoMarks
from footroom.engines.reference.packet import Packet


class Queue:
    """First in, first out.

    reserved: bytes of memory that nobody else may take.  klass: class of traffic.  picoseconds_per_byte: of its port,
    with 16 fractional bits.  limit_packets, limit_bytes: most it may hold whatever the sharing policy says, None for no
    such limit.  marker: decides which arriving packets are marked.
    """

    def __init__(
        self,
        reserved: int = 0,
        klass: int = 0,
        picoseconds_per_byte: int = 0,
        *,
        limit_packets: int | None = None,
        limit_bytes: int | None = None,
        marker: Marker | None = None,
    ) -> None:
        self.reserved, self.klass = reserved, klass
        self.picoseconds_per_byte = picoseconds_per_byte
        self.limit_packets, self.limit_bytes = limit_packets, limit_bytes
        self.marker = marker or NoMarks()
        self.waiting: deque[Packet] = deque()
        self.peak = 0  # most bytes since a recorder last looked
        self.packets = self.bytes = 0  # charged: those that wait, and one being sent where its memory is kept

    def put(self, packet: Packet, size: int) -> None:
        """Append ``packet``, which takes ``size`` bytes."""
        self.waiting.append(packet)
        self.packets += 1
        self.bytes += size
        self.peak = max(self.peak, self.bytes)

    def free(self, size: int) -> None:
        """A packet that took ``size`` bytes, and waits no longer, has left."""
        self.packets -= 1
        self.bytes -= size

    def excess(self, more: int = 0) -> int:
        """Bytes beyond the reservation, with ``more`` bytes added: what the queue takes of the shared pool."""
        return max(0, self.bytes + more - self.reserved)

    def has_room(self, size: int) -> bool:
        """Whether its own limits allow ``size`` bytes more."""
        return (self.limit_packets is None or self.packets + 1 <= self.limit_packets) and (
            self.limit_bytes is None or self.bytes + size <= self.limit_bytes
        )
