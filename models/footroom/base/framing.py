"""How many bytes of a link and of a chip's memory a packet takes, from its size as an IP packet."""

from __future__ import annotations

from dataclasses import dataclass

#: Shortest Ethernet frame, checksum included [B] (IEEE 802.3 §3.2.7 and §4A.4.2: minFrameSize of 512 bits).
LEAST_FRAME = 64


@dataclass(frozen=True)
class Framing:
    """overhead: bytes of a frame beyond its IP packet.  gap: bytes of the link between two frames."""

    overhead: int
    gap: int

    def frame(self, packet: int) -> int:
        """Bytes of the frame that carries ``packet`` bytes of IP: what switches buffer."""
        return max(LEAST_FRAME, packet + self.overhead) if self.overhead else packet

    def wire(self, packet: int) -> int:
        """Byte times of the link that ``packet`` bytes of IP take."""
        return self.frame(packet) + self.gap


#: ``ip``: frames are not modelled.  ``ethernet``: 14 B of header and 4 B of checksum; 8 B of preamble and start
#: delimiter and 12 B of gap beyond the frame (IEEE 802.3 §3.1.1 and §4A.4.2).
FRAMINGS = {"ip": Framing(0, 0), "ethernet": Framing(18, 20)}


def in_cells(size: int, cell: int) -> int:
    """``size`` bytes rounded up to whole cells of ``cell`` bytes."""
    return -(-size // cell) * cell
