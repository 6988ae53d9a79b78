"""Buffers of so few packets that bursts, which the closed forms leave out, decide what a link carries."""

from __future__ import annotations

import math

from footroom.base.written import count
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.collisions import limit_of

#: Least buffers [packets] from which the closed forms were found within 10 points of the packet engine: for flows that
#: are paced, and for flows of equal round trips. For others see ``scenario.collisions``.
PACED, IN_STEP = 8.0, 16.0
#: Largest receive windows that meet in a buffer, in square roots of the flows, whatever the load; and the square of
#: that number in the load's own form, ``_meeting``.
WINDOWS, SQUARE_OF_WINDOWS = 0.45, 0.89
#: Controls that send when acknowledgements come, hence in bursts, unless their host paces.
_CLOCKED = ("newreno", "cubic", "dctcp")


def least_buffer(seen: Bottleneck) -> float:
    """Buffer [packets] below which bursts decide; 0 where nothing of the kind was found or looked for.

    Flows that are not paced keep their packets together, so that in a time much shorter than a round trip the packets
    of many flows that are out of step arrive as at random in clumps. Measured with NewReno and no marking, 2 to 256
    flows, 5 to 40 packets of path per flow, links of senders 0.5 to 10 times as fast (docs/theory.md).
    """
    if not isinstance(seen.switch.marking, NoMarking) or seen.flows < 2:
        return 0.0
    least = 0.0
    for entry in seen.long_lived:
        window = entry.host.receive_window
        fits = window is not None and seen.flows * window <= seen.capacity * seen.propagation / 8.0
        if entry.congestion.kind not in _CLOCKED or fits:
            continue
        least = max(least, PACED) if entry.host.pacing else max(least, IN_STEP, limit_of(seen))
    return least


def too_small(seen: Bottleneck) -> str:
    """Why the closed forms do not hold for this buffer; empty where they do."""
    packets, least = seen.buffer / seen.mtu, least_buffer(seen)
    if packets >= least:
        return ""
    return (
        f"a buffer of {count(packets)} packets is below {least:.3g}, where bursts decide, which this model leaves "
        "out: its utilisation was up to 60 points from that of the packet simulation; use the latter"
    )


def _meeting(flows: int, load: float) -> float:
    """Windows that a buffer must hold for bursts of one window from each of ``flows``. load: of the link [1].

    Their queue exceeds x windows with probability exp(-2 x (x + (1 - load) n/load)/n): a Brownian bridge over a round
    trip, less what the link has to spare (Norros et al.). One window more, which is itself sent at once. The
    probability allowed was read from packets, as was ``WINDOWS``, the limit near full load.
    """
    spare = max(0.0, 1.0 - load) * flows / load
    x = math.sqrt(0.25 * spare * spare + SQUARE_OF_WINDOWS * flows) - 0.5 * spare
    return min(WINDOWS * math.sqrt(flows), 1.0 + x)


def windows_meet(seen: Bottleneck, queue: float) -> str:
    """Why flows that receive windows limit lose packets all the same; empty where they do not.

    Slow start leaves a window together as one burst, and acknowledgements keep it so. Bursts of n flows that come at
    even distances each pile up in proportion to sqrt(n) (Norros et al., JSAC 9(3), 1991). Measured with 2 to 250
    NewReno flows, windows of 10 to 125 packets that fill 30 to 93 % of the link, links of senders 1 to 100 times as
    fast (docs/theory.md). queue: what the windows keep standing [B].
    """
    limited = [entry for entry in seen.long_lived if entry.host.receive_window is not None]
    windows = [
        entry.host.receive_window or 0.0
        for entry in limited
        if entry.congestion.kind in _CLOCKED and not entry.host.pacing
    ]
    if seen.flows < 2 or not windows:
        return ""
    load = sum(entry.flows * (entry.host.receive_window or 0.0) for entry in limited) / seen.mss * seen.mtu * 8.0
    if seen.flows > sum(entry.flows for entry in limited):
        load = math.inf  # the others fill the link
    least = _meeting(seen.flows, load / (seen.capacity * seen.propagation)) * max(windows) / seen.mss
    packets = (seen.buffer - queue) / seen.mtu
    if packets >= least:
        return ""
    return (
        f"senders that do not pace send a receive window as one burst, and bursts of {seen.flows} flows meet in a "
        f"buffer with room for {count(packets)} packets: below {least:.3g} packets some are lost, and utilisation was "
        "up to 57 points lower; use the packet simulation"
    )
