"""Where bursts of long flows that do not pace decide, which closed forms and fluids leave out."""

from __future__ import annotations

import math

from footroom.base.written import count
from footroom.parts.congestion import Cubic, Dctcp, NewReno
from footroom.parts.marking import NoMarking, Red, Step
from footroom.parts.traffic import Host, LongLived
from footroom.scenario.bottleneck import Bottleneck

#: Standard deviations of the packets that arrive in a round trip, in bursts at random, below which they overflow a
#: buffer: where round trips differ, and where they are equal.
DEVIATIONS, DEVIATIONS_IN_STEP = 1.5, 1.1
#: Where round trips differ by more than this share of their middle, bursts drift faster, and the limit is at least so
#: many square roots of the path.
WIDE, WIDE_ROOTS = 0.25, 3.0
#: Deviations of the packets of a round trip, in bursts of half a window, below which they meet in what is left below
#: the first mark: under a step, and under RED, which seldom marks there. Flows from which on.
HALVED, HALVED_BY_RED, FEWEST_HALVED = 0.5, 0.35, 4
#: Share of the path's packets below which windows of CUBIC meet under a step, up to so many square roots of these.
CUT_BY_STEP, CUT_ROOTS = 0.075, 3.3
#: Greatest window over the mean one of a flow that halves it.
_PEAK = 4.0 / 3.0
#: What autosize lets a host send at once: what 1/1024 s holds at 1.2 windows a round trip. At most so many bytes, and
#: two segments at least.
_PACE, _BURSTS_PER_SECOND, _LONGEST, _FEWEST = 1.2, 1024.0, 65215.0, 2.0
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


def longest_burst(host: Host, window: float, rtt: float, mss: float) -> float:
    """Packets that leave a host back to back: what segmentation offload sends, or what an acknowledgement covers.

    window: packets, on average.  rtt: s.  mss: B. With ``host.autosize`` as in Linux (``tcp_tso_autosize``).
    """
    burst = float(host.burst)
    if host.autosize:
        offloaded = min(_PACE * _PEAK * window / rtt / _BURSTS_PER_SECOND, _LONGEST / mss)
        burst = min(max(math.floor(offloaded), _FEWEST), float(host.burst_limit))
    # Slow start sends two for one acknowledgement.
    return max(burst, min(float(host.ack_every), window), _FEWEST)


def collision_limit(path: float, burst: float) -> float:
    """Buffer [packets] below which bursts of unpaced flows with different round trips meet.

    Bursts of b packets that come at random, N of them in a round trip, vary by b sqrt(N) packets, which is
    sqrt(b BDP). Where they overflow the buffer, each loses many packets of one flow. Measured with NewReno and CUBIC, 2
    to 120 flows, paths of 400 to 6000 packets, bursts of 2 to 44 (docs/fluid.md).

    path: packets that it holds when empty.  burst: packets.
    """
    return DEVIATIONS * math.sqrt(burst * path)


def gap_limit(law: object, marking: object, path: float, flows: int) -> float:
    """First mark [packets] below which windows that marks have cut meet, where round trips differ.

    A mark cuts a window at once: nothing is sent until as many packets have been acknowledged (RFC 3168, section
    6.1.2). Acknowledgements keep that gap. NewReno's windows then are bursts of half a round trip, and n of them vary
    by W/2 sqrt(n) packets, which is sqrt(W/2 BDP) but for a constant. CUBIC's gaps are shorter, and the limit was
    found to be about the same for 16 to 100 flows. Losses leave no gap (PRR, RFC 6937), DCTCP hardly one.
    Read from 1 ms ± 20 % and 3 ms ± 25 %, 400 to 2500 packets and 2 to 100 flows, and compared at 8 ms ± 17 %, 800 to
    4000 packets and 9 to 60 flows, from which ``CUT_ROOTS`` was read too (docs/fluid.md). Hosts that cut over a round
    trip leave no such gap; the limit was read without them, and is wider than they need.

    path: packets that it holds when empty.
    """
    if isinstance(law, NewReno) and flows >= FEWEST_HALVED:
        deviations = HALVED if isinstance(marking, Step) else HALVED_BY_RED
        return deviations * math.sqrt(0.5 * path / flows * path)
    if isinstance(law, Cubic) and isinstance(marking, Step):
        return min(CUT_BY_STEP * path, CUT_ROOTS * math.sqrt(path))
    return 0.0


def _path(seen: Bottleneck) -> float:
    """Packets that the path of the long flows holds when empty, at their mean round trip."""
    trips = sum(entry.flows * (entry.rtt or seen.propagation) for entry in seen.long_lived) / seen.flows
    return seen.capacity * trips / 8.0 / seen.mtu


def burst_of(seen: Bottleneck) -> float:
    """The longest burst of the long flows that do not pace [packets], at an even share of the path."""
    window = _path(seen) / seen.flows
    return max(
        (
            longest_burst(entry.host, window, seen.propagation, seen.mss)
            for entry in seen.long_lived
            if isinstance(entry.congestion, NewReno | Cubic | Dctcp) and not entry.host.pacing
        ),
        default=_FEWEST,
    )


def height_of(entry: LongLived, seen: Bottleneck) -> float:
    """Packets by which a burst of this entry's flows raises the queue; 1 where bursts keep their distances.

    While b packets arrive at the rate of the sender's link, the bottleneck sends (b - 1) C/access of them. Bursts of
    flows whose round trips differ come at any time, so one that does not fit overflows by any part of its height.
    """
    if seen.flows < 2 or entry.host.pacing or not differ(seen):
        return 1.0
    burst = longest_burst(entry.host, _path(seen) / seen.flows, seen.propagation, seen.mss)
    return burst - (burst - 1.0) * min(1.0, seen.capacity / seen.access)


def offloads(seen: Bottleneck) -> bool:
    """Whether bursts are longer than what acknowledgements cover."""
    return burst_of(seen) > max(_FEWEST, *(float(entry.host.ack_every) for entry in seen.long_lived))


def _wide(seen: Bottleneck) -> bool:
    trips = [entry.rtt or seen.propagation for entry in seen.long_lived]
    longest, shortest = max(trips) * (1.0 + seen.spread), min(trips) * (1.0 - seen.spread)
    return longest - shortest > WIDE * (longest + shortest)


def limit_of(seen: Bottleneck) -> float:
    """``collision_limit`` of a scenario's long flows [packets].

    With equal round trips bursts keep their distances; only those of segmentation offload, whose lengths vary, meet.
    """
    path, burst = _path(seen), burst_of(seen)
    if differ(seen):
        return max(collision_limit(path, burst), WIDE_ROOTS * math.sqrt(path) if _wide(seen) else 0.0)
    return DEVIATIONS_IN_STEP * math.sqrt(burst * path) if offloads(seen) else 0.0


def _gaps(seen: Bottleneck) -> float:
    """The largest ``gap_limit`` of the long flows [packets]."""
    marking = seen.switch.marking
    if not isinstance(marking, Step | Red) or not differ(seen):
        return 0.0
    marked = [entry.congestion for entry in seen.long_lived if entry.host.ecn and not entry.host.pacing]
    return max((gap_limit(law, marking, _path(seen), seen.flows) for law in marked), default=0.0)


def _spread_cuts(seen: Bottleneck) -> bool:
    """Whether all hosts that heed marks spread a cut over a round trip, as Linux does."""
    marked = [entry for entry in seen.long_lived if entry.host.ecn]
    return all(entry.host.mark_cut == "round_trip" and entry.recovery_of() == "prr" for entry in marked)


def bursts_meet(seen: Bottleneck) -> str:
    """Why nothing about long flows holds in a buffer, or below a first mark, that is below the limit; empty where it
    does.
    """
    unpaced = [entry.congestion for entry in seen.long_lived if not entry.host.pacing]
    marking = seen.switch.marking
    followed = any(isinstance(law, NewReno | Cubic) for law in unpaced) and isinstance(marking, Step | Red)
    unmarked = isinstance(marking, NoMarking) and any(isinstance(law, NewReno | Cubic | Dctcp) for law in unpaced)
    # Bursts of two packets of DCTCP have a limit of their own (``formulas.transfer.dctcp_sawtooth``).
    if seen.flows < 2 or not (followed or unmarked or (unpaced and offloads(seen))):
        return ""
    level = {Step: "threshold", Red: "kmin"}.get(type(marking), "")
    packets, limit = min(seen.buffer, getattr(marking, level) if level else seen.buffer) / seen.mtu, limit_of(seen)
    gaps = _gaps(seen)
    if packets >= max(limit, gaps):
        return ""
    room = f"{count(packets)} packets below the first mark" if level else f"a buffer of {count(packets)}"
    if packets >= limit:
        if _spread_cuts(seen):
            return (
                f"Senders do not pace: windows that marks have cut meet in {room}. Below {gaps:.0f} packets "
                "utilisation was from 5.5 points below to 5 points above that of the packet simulation where hosts cut "
                "over a round trip (host.mark_cut); use the latter, or pace (host.pacing)."
            )
        return (
            "Senders do not pace: a mark cuts a window at once, so nothing is sent for a part of a round trip and the "
            f"rest comes as one burst. Those of {seen.flows} flows over different round trips meet in {room}. Below "
            f"{gaps:.0f} packets utilisation was 4 to 28 points above that of the packet simulation; use the latter, "
            "or pace (host.pacing)."
        )
    return (
        f"Senders do not pace: bursts of {burst_of(seen):.3g} packets from {seen.flows} flows meet in {room}. Below "
        f"{limit:.0f} packets utilisation was up to 60 points above that of the packet simulation; use the latter, or "
        "pace (host.pacing)."
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
