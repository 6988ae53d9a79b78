"""Where long flows that do not pace, over a queue that marks nothing, behave otherwise than flows sent evenly would.

Closed forms and the fluid spread a window evenly over its round trip. Flows that send when acknowledgements come keep
the distances of their packets. Three consequences are judged here, each beside the packet engine (docs/fluid.md):

* **Windows fill about half of a round trip.** Slow start leaves a gap, and acknowledgements keep it: 20 flows of 100
  packets sent in 0.4 to 0.5 of theirs after eight round trips as after 150. So the queue varies within a round trip.
* **Senders' links as fast as the bottleneck.** A window then arrives as fast as it leaves, so a flow that has filled
  the buffer keeps it full while others lose (lock-out: Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched
  Gateways", 1992). Processing times of hosts that vary by a packet's transmission or half of it end that.
* **A delay of acknowledgements shorter than a transmission.** Each packet is acknowledged by itself, whatever the
  number of packets per acknowledgement, and who loses is decided by phases (the same paper).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.parts.congestion import Cubic, Dctcp, NewReno
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck

#: Square roots of the path that a buffer must hold where bursts of two packets meet (``scenario.collisions``). Windows
#: of up to 34 packets vary by less, and drop rates are within 1.4 times those of packets beyond it.
PAIRS = 1.5 * math.sqrt(2.0)
#: Share of a round trip that an unpaced window fills.
FILLED = 0.5
#: Share of the path from which few flows no longer meet, and CUBIC's, which stay near the full buffer: 10 to 40 flows
#: over 1000 to 8000 packets, 40 ms ± 20 %.
OF_PATH = 0.06
#: Spread of the round trips above which windows drift faster, and what the limit grows by (``scenario.collisions``).
WIDE, BY_WIDTH = 0.25, math.sqrt(2.0)
#: Senders' rates over the bottleneck's at which flows lock others out, whatever the path: found at 0.5 to 1, not up to
#: 0.35 nor from 1.05 on.
SLOWEST, AS_FAST = 0.4, 1.05
#: s that hosts' processing varies by unless they say otherwise.
USUAL_JITTER = 1e-6
#: Share of the link from which utilisation cannot be more than three points too low.
NEARLY_ALL = 0.97
#: Share of the path's packets below which flows of equal round trips lose in phase.
IN_PHASE = 0.5

#: Jitter of hosts, in transmissions of a packet, from which no flow locks others out: at 0.5, 1 and 2 none did, at 0
#: and 0.08 most (four flows over 170 packets at 1 Gb/s; the preset of a top-of-rack port, at 0.83, against 0).
MIXED = 0.5

_USED = ("utilisation", "throughput")
_QUEUE = ("queue_mean", "queue_p50")


def range_of_queue(path: float, flows: int) -> float:
    """Packets between the least and the greatest queue of a round trip, on average, where windows fill a share of it.

    The packets of a window W that have come by a time, less an even flow of them, are a triangular wave from peak to
    peak (1 - f) W high, with a standard deviation of (1 - f) W/(2 sqrt 3). n of them with random phases are nearly a
    sine whose amplitude is Rayleigh distributed; its mean is sqrt(pi)/2 sqrt(2) standard deviations. Derived, for f of
    ``FILLED``: 0.36 path/sqrt(n). Nine in ten are below ``nine_in_ten`` times that.

    path: packets that it holds when empty.
    """
    deviation = (1.0 - FILLED) / (2.0 * math.sqrt(3.0)) * path / math.sqrt(flows)
    return 2.0 * math.sqrt(0.5 * math.pi) * deviation


def nine_in_ten() -> float:
    """The ninth decile of a Rayleigh distribution over its mean, 1.71."""
    return math.sqrt(2.0 * math.log(10.0)) / math.sqrt(0.5 * math.pi)


@dataclass(frozen=True)
class Unpaced:
    """Long flows that do not pace. flows: all.  path, buffer: packets.  width: half the range of round trips over their
    middle.  access: senders' rate over the bottleneck's.  cubic: whether some are CUBIC's.  delay: s, the shortest
    delay of acknowledgements that cover several packets, infinite where none does.  transmission: s.  jitter: s, the
    shortest.
    """

    flows: int
    path: float
    buffer: float
    width: float
    access: float
    cubic: bool
    delay: float
    transmission: float
    jitter: float

    @property
    def limit(self) -> float:
        """Packets of buffer below which unpaced windows of different round trips meet; 0 where these are equal."""
        if self.width == 0.0:
            return 0.0
        room = OF_PATH * self.path
        if not self.cubic:
            room = min(room, range_of_queue(self.path, self.flows))
        return room * (BY_WIDTH if self.width > WIDE else 1.0)


def unpaced(seen: Bottleneck) -> Unpaced | None:
    """Some bottleneck's long flows; None where fewer than two share it, all pace, or a queue marks."""
    clocked = [
        entry
        for entry in seen.long_lived
        if isinstance(entry.congestion, NewReno | Cubic | Dctcp) and not entry.host.pacing
    ]
    if seen.flows < 2 or not clocked or not isinstance(seen.switch.marking, NoMarking):
        return None
    trips = [entry.rtt or seen.propagation for entry in seen.long_lived]
    longest, shortest = max(trips) * (1.0 + seen.spread), min(trips) * (1.0 - seen.spread)
    mean = sum(entry.flows * trip for entry, trip in zip(seen.long_lived, trips, strict=True)) / seen.flows
    return Unpaced(
        flows=seen.flows,
        path=seen.capacity * mean / 8.0 / seen.mtu,
        buffer=seen.buffer / seen.mtu,
        width=(longest - shortest) / (longest + shortest),
        access=seen.access / seen.capacity,
        cubic=any(isinstance(entry.congestion, Cubic) for entry in clocked),
        delay=min((entry.host.ack_delay for entry in clocked if entry.host.ack_every > 1), default=math.inf),
        transmission=(transmission := 8.0 * seen.mtu / seen.capacity),
        # Where none is given the packet engine has a microsecond, or a transmission where that is shorter.
        jitter=min(
            min(USUAL_JITTER, transmission) if entry.host.jitter is None else entry.host.jitter for entry in clocked
        ),
    )


def windows_meet(seen: Bottleneck) -> str:
    """Why nothing that a model says of unpaced flows holds in so small a buffer; empty where it does."""
    flows = unpaced(seen)
    if flows is None or flows.buffer >= flows.limit:
        return ""
    return (
        f"Senders do not pace, and their windows fill about half of a round trip. Those of {flows.flows} flows over "
        f"different round trips meet in a buffer of {flows.buffer:.3g} packets. Below {flows.limit:.3g} packets "
        "utilisation was up to 22 points above that of the packet simulation; use the latter, or pace (host.pacing)."
    )


def beyond(seen: Bottleneck, used: float) -> dict[str, str]:
    """Metric to reason, where packets of unpaced flows lose otherwise than a model says. used: utilisation found."""
    flows = unpaced(seen)
    if flows is None:
        return {}
    found: dict[str, str] = {}
    longer = flows.limit > PAIRS * math.sqrt(flows.path)
    if longer and flows.buffer < nine_in_ten() * flows.limit:
        found["drop_rate"] = (
            "Senders do not pace, and their windows fill about half of a round trip, so a buffer of "
            f"{flows.buffer:.3g} packets overflows at the peaks of a queue that varies within it. Below "
            f"{nine_in_ten() * flows.limit:.3g} packets the packet simulation lost up to 2.2 times this."
        )
    return found | _in_phase(flows) | _locked_out(flows, used)


def _in_phase(flows: Unpaced) -> dict[str, str]:
    if flows.delay >= flows.transmission:
        return {}
    why = (
        f"The delay of acknowledgements (host.ack_delay, {flows.delay:.3g} s) is shorter than the transmission of a "
        f"packet ({flows.transmission:.3g} s), so each packet is acknowledged by itself, and phases decide which flows "
        "lose: drop rates in the packet simulation were 0.6 to 4 times this."
    )
    found = dict.fromkeys(("drop_rate", *_QUEUE), why)
    if flows.width == 0.0 and flows.buffer < IN_PHASE * flows.path:
        found |= dict.fromkeys(_USED, why.rpartition(":")[0] + ": utilisation was up to 8 points lower there.")
    return found


def _locked_out(flows: Unpaced, used: float) -> dict[str, str]:
    if not SLOWEST <= flows.access < AS_FAST or flows.width == 0.0 or flows.jitter >= MIXED * flows.transmission:
        return {}
    why = (
        f"Senders' links are {flows.access:.3g} times as fast as the bottleneck, so a window arrives no faster than it "
        "leaves, and flows that have filled the buffer keep it full while others lose. Drop rates in the packet "
        "simulation were a twentieth of this to 6 times this, its queue was longer by up to half of the buffer, and "
        "its utilisation up to 8 points higher."
    )
    return dict.fromkeys(("drop_rate", *_QUEUE, *(_USED if used < NEARLY_ALL else ())), why)
