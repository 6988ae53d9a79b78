"""Runs of packets that end before their flows settle: tiny windows that wait for timeouts, and BBR in deep buffers."""

from __future__ import annotations

import math

from footroom.base.errors import Unsupported
from footroom.parts.congestion import RDMA, Bbr, Hpcc, PowerTcp
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of
from footroom.scenario.document import Scenario

#: Packets of window below which a loss often leaves too few acknowledgements for a repair, so that the flow waits for
#: its timeout, and least timeouts that a run should measure.
TINY_WINDOW, FEWEST_TIMEOUTS = 8.0, 5.0

#: What timeouts decide.
DECIDED = ("utilisation", "throughput", "drop_rate", "queue_mean", "queue_p50", "queue_p99", "fairness")

#: What BBR's start decides.
STARTED = ("drop_rate", "queue_mean", "queue_p50", "queue_p99")
#: ProbeRTTs that a warm-up should span, for paths of fewer packets per BBR flow than the second figure and of at least
#: the third round trip [s], over buffers of more than the fourth in bandwidth-delay products.
PROBES, ROOMY, LONG_TRIP, DEEP = 6.0, 40.0, 0.09, 0.7

#: Round trips that a warm-up should span where flows over RDMA lose packets as they start, and what that decides.
REPEATS, REPEATED = 1000.0, ("drop_rate", "queue_mean", "queue_p50", "queue_p99")
#: Times what path and buffer hold, up to which a start loses too little to be repeated: 1.01 times lost nothing.
HELD = 1.1

#: Relative error of the mean of the round trips drawn, at two standard deviations, above which a note says so.
DRAWN = 0.05


def drawn_round_trips(seen: Bottleneck) -> tuple[str, ...]:
    """A note where so few flows draw their round trips from a range that their mean depends on the seed.

    The mean of n evenly distributed draws within ±s has a standard deviation of s/sqrt(3 n); drops go as the inverse
    square of the round trip. One of six seeds gave 8 flows at 15 ms ± 20 % a mean of 13.3 ms, and packets dropped 1.45
    times what the fluid says for 15 ms, the others 1.16 to 1.27 times.
    """
    off = min(seen.spread, 2.0 * seen.spread / math.sqrt(3.0 * max(1, seen.flows)))
    if not seen.long_lived or off < DRAWN:
        return ()
    note = (
        "The packet simulation draws the round trips of flows by the seed; this model takes the mean of the range. "
        f"The mean of {seen.flows} may be {100.0 * off:.0f} % away, and drop rates {200.0 * off:.0f} %: compare with "
        "several seeds."
    )
    return (note,)


def ends_before_timeouts(scenario: Scenario, seen: Bottleneck) -> str:
    """A sentence where packets are measured for less than five of the longest least timeouts (``host.min_rto``) of
    flows whose even share of path and buffer is below eight packets; empty elsewhere.

    Found with 40 paced flows, 741 Mb/s, 0.8 ms and 10 packets of buffer: 70 % of the link in a run of 0.2 s, none of
    whose timeouts expired, and 98.9 % in one of 2 s.
    """
    lossy = [
        entry
        for entry in seen.long_lived
        if entry.congestion.recoveries != RDMA and not isinstance(entry.congestion, Bbr)
    ]
    if not lossy or not isinstance(seen.switch.marking, NoMarking):
        return ""
    room = (seen.capacity * seen.left * seen.propagation / 8.0 + seen.buffer) / seen.mtu
    window = room / seen.flows
    windows = [entry.host.receive_window for entry in seen.long_lived]
    fits = (
        sum(entry.flows * (size or float("inf")) for entry, size in zip(seen.long_lived, windows, strict=True))
        <= room * seen.mss
    )
    measured, timeout = scenario.run.duration - scenario.run.warmup, max(entry.host.min_rto for entry in lossy)
    if fits or window >= TINY_WINDOW or measured >= FEWEST_TIMEOUTS * timeout:
        return ""
    return (
        f"The run is too short for timeouts: path and buffer hold {window:.2g} packets per flow, so many losses end "
        f"in a timeout of at least {timeout:.3g} s, and the packet simulation is measured for {measured:.3g} s. Its "
        f"utilisation may be tens of points below that of a long run. Measure for {FEWEST_TIMEOUTS * timeout:.3g} s "
        "or more."
    )


def before_bbr_settles(scenario: Scenario, seen: Bottleneck) -> str:
    """A sentence where flows of BBR version 1 are measured while they still mistake one another's queue for the path.

    Flows of a few packets each that start together find round trips several times the path's; a ProbeRTT of 0.2 s is
    too short to empty such a queue, and each flow has its own. Their windows, twice what they found, then fill the
    buffer until the ProbeRTTs fall together. Measured with 3 to 60 flows, 10 to 200 Mb/s, 40 to 150 ms, buffers of 2 to
    16 products: 30 flows at 40 Mb/s, 150 ms and 8 products dropped 0 to 38 % from 15 to 30 s, up to 3 % from 30 to
    50 s, and nothing after 60 s, with a queue of 1.4 products. Below 90 ms, or with more than 40 packets of path per
    flow, nothing of that was left after 15 s.
    """
    laws = [entry.congestion for entry in seen.long_lived]
    first = [law for law in laws if isinstance(law, Bbr) and law.version == 1]
    path = seen.capacity * seen.propagation / 8.0
    each = path / seen.mtu / max(1, seen.flows)
    if not first or len(first) < len(laws) or not isinstance(seen.switch.marking, NoMarking) or seen.flows < 2:
        return ""
    needed = PROBES * max(law.interval for law in first)
    if each >= ROOMY or seen.propagation < LONG_TRIP or seen.buffer <= DEEP * path or scenario.run.warmup >= needed:
        return ""
    return (
        f"The packet simulation measures from {scenario.run.warmup:.3g} s on, while BBR flows of {each:.2g} packets "
        "of path may still take one another's queue for the path: until several ProbeRTTs have passed they dropped "
        f"up to 38 % where nothing was dropped later. Set a warm-up of {needed:.3g} s or more."
    )


def repeats_its_start(scenario: Scenario, seen: Bottleneck) -> str:
    """A sentence where flows of HPCC and PowerTCP overflow the buffer as they start, and hosts repeat what followed.

    Each starts with a window of its link's product. Measured with 10 to 30 flows, 0.66 to 2.6 Gb/s, 1.1 and 4.4 ms and
    2.3 to 9.5 products of buffer: where the windows fit, nothing was lost; where not, packets lost 70 % after 100 round
    trips, and 20 % after 400 at 2.6 Gb/s; 30 flows, whose least rates are 4.5 times the link, 60 % for ever. 8 to 60
    flows of HPCC lost up to 90 % for as long.
    """
    started = [entry for entry in seen.long_lived if isinstance(entry.congestion, Hpcc | PowerTcp)]
    flows = sum(entry.flows for entry in started)
    least = sum(entry.flows * getattr(entry.congestion, "minimum_rate", 0.0) for entry in started)
    path = seen.capacity * seen.propagation / 8.0
    if flows * seen.access * seen.propagation / 8.0 <= HELD * (path + seen.buffer):
        return ""
    if scenario.run.warmup >= REPEATS * seen.propagation and least <= seen.capacity:
        return ""
    return (
        f"{flows} flows start with a window of their link's bandwidth-delay product each, which path and buffer do "
        "not hold. RDMA hosts send again all that followed a lost packet, so losses go on: the packet simulation lost "
        "up to 75 % after 200 round trips where this model loses nothing. Set a warm-up of "
        f"{REPEATS * seen.propagation:.2g} s or more, and a least rate (minimum_rate) whose sum the link carries."
    )


def cautions(scenario: Scenario) -> tuple[str, ...]:
    """The same as notes for engines that simulate packets, of whatever network."""
    try:
        seen = bottleneck_of(scenario, "fluid")
    except Unsupported:
        return ()
    return tuple(filter(None, (ends_before_timeouts(scenario, seen), before_bbr_settles(scenario, seen))))


def undecided(scenario: Scenario, seen: Bottleneck) -> dict[str, str]:
    """Metric to reason, for models of the long run beside such a run of packets."""
    found = dict.fromkeys(DECIDED, timeouts) if (timeouts := ends_before_timeouts(scenario, seen)) else {}
    if repeated := repeats_its_start(scenario, seen):
        found |= dict.fromkeys(REPEATED, repeated)
    return found | (dict.fromkeys(STARTED, start) if (start := before_bbr_settles(scenario, seen)) else {})
