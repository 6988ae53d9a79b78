"""Where bursts of long flows that do not pace decide, which closed forms and fluids leave out."""

from __future__ import annotations

import math

from footroom.base.written import count
from footroom.parts.congestion import Cubic, Dctcp, NewReno
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck

#: Buffer [packets] over the square root of the path's packets below which bursts of short windows meet.
ROOTS = 2.0
#: Window [packets] that adds one more such root, and what few flows reach at most, times 1 + sqrt(flows): where an
#: acknowledgement covers two packets or more, and where it covers one.
WINDOW, FEW = (100.0, 50.0), (1.2, 1.5)
#: Share of the bandwidth-delay product below which flows of equal round trips lose in phase if each packet is
#: acknowledged.
PHASED = 0.5

_PHASES = (
    "Every packet is acknowledged (host.ack_every 1), so packets of unpaced flows arrive in step with the link and "
    "some flows lose again and again: drop rates in the packet simulation were 0.6 to 4 times this."
)


def differ(seen: Bottleneck) -> bool:
    """Whether the round trips of long flows differ."""
    return seen.spread > 0.0 or len({entry.rtt for entry in seen.long_lived}) > 1


def every_packet(seen: Bottleneck) -> bool:
    """Whether some flow that does not pace has each packet acknowledged."""
    return any(entry.host.ack_every == 1 and not entry.host.pacing for entry in seen.long_lived)


def phases(seen: Bottleneck) -> str:
    """Why losses and queue of long flows do not hold where every packet is acknowledged; empty elsewhere.

    Such flows send one packet for every one that leaves the queue, so who loses is decided by their phases, not at
    random (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992).
    """
    unmarked = isinstance(seen.switch.marking, NoMarking)
    return _PHASES if every_packet(seen) and seen.flows > 1 and unmarked else ""


def collision_limit(path: float, flows: float, alone: bool) -> float:
    """Buffer [packets] below which bursts of unpaced flows with different round trips meet.

    Acknowledgements keep a window together, so the longer it is the longer the burst. Two and more flows meet at times,
    lose many packets each, wait for timeouts and start slowly, in bursts again. Measured with NewReno and CUBIC, 2 to
    120 flows, paths of 500 to 6000 packets, windows of 33 to 300 (docs/fluid.md).

    path: packets that it holds when empty.  alone: whether an acknowledgement covers one packet.
    """
    roots = min(ROOTS + path / flows / WINDOW[alone], FEW[alone] * (1.0 + math.sqrt(flows)))
    return math.sqrt(path) * max(ROOTS, roots)


def limit_of(seen: Bottleneck) -> float:
    """``collision_limit`` of a scenario's long flows [packets]."""
    return collision_limit(seen.capacity * seen.propagation / 8.0 / seen.mtu, seen.flows, every_packet(seen))


def bursts_meet(seen: Bottleneck) -> str:
    """Why nothing about long flows holds in a buffer below that limit; empty where it does."""
    unpaced = any(
        isinstance(entry.congestion, NewReno | Cubic | Dctcp) and not entry.host.pacing for entry in seen.long_lived
    )
    if seen.flows < 2 or not differ(seen) or not unpaced or not isinstance(seen.switch.marking, NoMarking):
        return ""
    packets, limit = seen.buffer / seen.mtu, limit_of(seen)
    if packets >= limit:
        return ""
    window = seen.capacity * seen.propagation / 8.0 / seen.mtu / seen.flows
    return (
        f"Round trips differ and senders do not pace: bursts of windows of some {window:.0f} packets meet in a buffer "
        f"of {count(packets)}. Below {limit:.0f} packets utilisation was up to 50 points above that of the packet "
        "simulation; use the latter."
    )


def lose_in_phase(seen: Bottleneck) -> str:
    """Why utilisation does not hold where flows of equal round trips have each packet acknowledged; empty elsewhere.

    Measured with 8 to 100 NewReno flows, windows of 15 to 38 packets. A spread of 2 % ends it.
    """
    path = seen.capacity * seen.propagation / 8.0
    if (
        seen.flows < 2
        or differ(seen)
        or not every_packet(seen)
        or not isinstance(seen.switch.marking, NoMarking)
        or seen.buffer >= PHASED * path
    ):
        return ""
    return (
        "Round trips are equal and every packet is acknowledged (host.ack_every 1), so flows lose in phase: "
        f"utilisation was up to 8 points above that of the packet simulation below {PHASED:g} bandwidth-delay products "
        "of buffer."
    )
