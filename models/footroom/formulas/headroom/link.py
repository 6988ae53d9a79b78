"""The link whose far end has to be stopped: the input of every scheme."""

from __future__ import annotations

from dataclasses import dataclass

#: Delay of one metre of cable or fibre [s/m]: two thirds of the speed of light, as headroom budgets assume.
SECONDS_PER_METRE = 5e-9
#: Preamble, start delimiter and the smallest gap between frames [B]; they are sent, but not stored.
FRAME_OVERHEAD = 20
#: A MAC control frame, PAUSE or PFC, without preamble and gap [B]. IEEE 802.3 Annex 31D.
CONTROL_FRAME = 64
#: One pause quantum, 512 bit times [B]. IEEE 802.3 Annex 31B.
QUANTUM = 64
#: Cell of the chips most used in published examples (Trident2, Tomahawk), where no chip is named [B].
USUAL_CELL = 208


@dataclass(frozen=True)
class Link:
    """One link and the port that pauses it.

    speed [bit/s].  delay: one way, propagation only [s].  cable [m]; where a delay was given, the length with that
    delay at 5 ns/m.  mtu: largest packet of the lossless class [B].  cell: unit in which the memory is given out [B].
    timed: the delay was given, not the cable.
    """

    speed: float
    delay: float
    cable: float
    mtu: float
    cell: float
    timed: bool = False

    @classmethod
    def of_cable(cls, speed: float, cable: float, mtu: float = 1500.0, cell: float = USUAL_CELL) -> Link:
        """A link of ``cable`` metres at 5 ns/m."""
        return cls(speed, cable * SECONDS_PER_METRE, cable, mtu, cell)

    @classmethod
    def of_delay(cls, speed: float, delay: float, mtu: float = 1500.0, cell: float = USUAL_CELL) -> Link:
        """A link with that one-way delay [s]."""
        return cls(speed, delay, delay / SECONDS_PER_METRE, mtu, cell, timed=True)

    def bytes_in(self, seconds: float) -> float:
        """What arrives at full rate in that time [B]."""
        return seconds * self.speed / 8.0

    def delay_at(self, metres_per_second: float) -> float:
        """One-way delay at another speed of propagation [s]; a delay that was given stays what it is."""
        return self.delay if self.timed else self.cable / metres_per_second
