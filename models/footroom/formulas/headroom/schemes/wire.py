"""The classical budget in bytes of the line: what ieee returns and vendor inflates."""

from __future__ import annotations

from footroom.base.quantity import Size, Time, quantity
from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Ledger
from footroom.formulas.headroom.link import CONTROL_FRAME, FRAME_OVERHEAD, QUANTUM, Link
from footroom.formulas.headroom.quanta import CARRIED, response_at
from footroom.formulas.headroom.schemes.parameters import GearboxDelay, PeerResponse

BUDGET = "'Congestion in Storage Networks' (Cisco Press), ch. 7, restated at besthub.dev/fwqtg.net"
_QDT = "IEEE P802.1Qdt: MACsec protects PFC frames too"


class WireBudget(GearboxDelay, PeerResponse):
    """Frames, cable and reaction, each as the standards bound it."""

    max_frame: Size = quantity(
        9216.0,
        "B",
        "Largest frame of any class: one may be leaving just when a pause is to be sent.",
        ge=64,
        le=65536,
        source=BUDGET,
    )
    interface_delay: Time | None = quantity(
        None,
        "s",
        "Delay of MAC and PHY at the end that pauses; by speed when not given.",
        ge=0,
        le=1e-3,
        advanced=True,
        source=BUDGET,
    )
    macsec_overhead: Size = quantity(
        0.0,
        "B",
        "What MACsec adds to a frame: 24 B, or 32 B with an explicit channel identifier.",
        ge=0,
        le=256,
        source="IEEE 802.1AE, tag and check value",
    )
    macsec_delay: Time = quantity(
        0.0, "s", "Delay of encrypting and decrypting in one direction; counted both ways.", ge=0, le=1e-3, source=_QDT
    )

    def add_wire_lines(self, ledger: Ledger, link: Link, reaction: float | None) -> float:
        """Put all lines into ``ledger``; returns the bytes of reaction among them."""
        mtu, rate = written.size(link.mtu), written.rate(link.speed)
        ledger.add(
            "Own frame in progress",
            self.max_frame + FRAME_OVERHEAD,
            f"{written.size(self.max_frame)} + {FRAME_OVERHEAD} B",
            BUDGET,
            "frames",
        )
        ledger.add(
            "PFC frame",
            CONTROL_FRAME + FRAME_OVERHEAD,
            f"{CONTROL_FRAME} B + {FRAME_OVERHEAD} B",
            "IEEE 802.3 Annex 31D",
            "frames",
        )
        ledger.add(
            "Peer's frame in progress", link.mtu + FRAME_OVERHEAD, f"{mtu} + {FRAME_OVERHEAD} B", BUDGET, "frames"
        )
        ledger.add(
            "MACsec of these three frames",
            3 * self.macsec_overhead,
            f"3 × {written.size(self.macsec_overhead)}",
            "IEEE 802.1AE",
            "frames",
        )
        ledger.add(
            "Cable, there and back",
            2 * link.bytes_in(link.delay),
            f"2 × {written.time(link.delay)} × {rate} / 8",
            BUDGET,
            "cable",
        )
        if reaction is not None:
            ledger.add(
                "Reaction, measured",
                reaction,
                f"{written.time(reaction * 8 / link.speed)} × {rate} / 8",
                "measured watermark",
                "reaction",
            )
            return reaction
        before = ledger.exact
        self._add_reaction(ledger, link, rate)
        return ledger.exact - before

    def _add_reaction(self, ledger: Ledger, link: Link, rate: str) -> None:
        limits = response_at(link.speed)
        own = self.interface_delay is None
        interface = limits.interface if self.interface_delay is None else self.interface_delay
        ledger.add(
            "MAC and PHY of this end",
            link.bytes_in(interface),
            f"{written.time(interface)} × {rate} / 8",
            limits.interface_source if own else "given",
            "reaction",
        )
        response = self.response_bytes(limits.quanta)
        ledger.add(
            "Peer's response",
            response,
            f"{written.factor(response / QUANTUM)} quanta × {QUANTUM} B",
            limits.source if self.response_quanta is None else "given",
            "reaction",
        )
        for name, delay, source in (
            ("Gearbox, both ways", self.gearbox_delay, "given"),
            ("MACsec, both ways", self.macsec_delay, _QDT),
        ):
            ledger.add(name, 2 * link.bytes_in(delay), f"2 × {written.time(delay)} × {rate} / 8", source, "reaction")

    def wire_outside(self, link: Link, reaction: float | None) -> str:
        """Why the peer's limit is outside what its sources say; empty where it is not, or where another one counts."""
        slowest, fastest = CARRIED
        known = slowest * (1 - 1e-9) <= link.speed <= fastest * (1 + 1e-9)
        if known or reaction is not None or self.response_quanta is not None:
            return ""
        return (
            f"response limits are known from 1 to 800 Gb/s, and this link has {written.rate(link.speed)}: "
            "give response_quanta if its limit is known"
        )

    def wire_notes(self, link: Link) -> tuple[str, ...]:
        """What the reader must know of the limits at this speed."""
        limits = response_at(link.speed)
        found = []
        if self.interface_delay is None and limits.speed >= 25e9:
            found.append(
                f"MAC and PHY: {link.bytes_in(limits.interface):.0f} B of the line. The standard was not at "
                "hand; 6144, 24576 and 122880 bit times look like limits of the BASE-R FEC sublayer alone, "
                "which a link with RS-FEC or without FEC does not have. interface_delay sets another, 0 s "
                "leaves the line out"
            )
        if self.response_quanta is None and limits.speed > link.speed * (1 + 1e-9):
            found.append(
                f"no response time is defined for {written.rate(link.speed)}; that of "
                f"{written.rate(limits.speed)} is taken"
            )
        if self.response_quanta is None and limits.speed >= 800e9:
            found.append(
                f"at {written.rate(limits.speed)} {written.plain(limits.quanta)} quanta, the time of "
                "400 Gb/s, are what shipped tables rest on; the standard was not at hand"
                + ("; SONiC's plugin has 905, 57920 B less" if limits.speed == 800e9 else "")
            )
        return tuple(found)
