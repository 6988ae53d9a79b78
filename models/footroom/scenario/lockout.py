"""Where no model here describes long flows at a full buffer, and where a run is too short to compare with one."""

from __future__ import annotations

import math

from footroom.base.written import count
from footroom.parts.congestion import Bbr, Cubic, Dctcp, NewReno
from footroom.parts.marking import NoMarking, Red, Step
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.document import Scenario

#: Senders' links below so many times the bottleneck's rate, and paths of fewer packets than this, or than so many for
#: each flow.
SLOW_ACCESS, SHORT_PATH, SHORT_PER_FLOW = 1.5, 80.0, 10.0
#: Packets per acknowledgement of paced flows from which models lose too much, below so many packets of buffer per flow.
SELDOM, SELDOM_BUFFER = 3, 2.0
#: Round trips [s] beyond which BBR's ProbeRTT, which lasts a round trip, takes more of a link than its models say.
LONGEST_BBR = 0.2
#: Packets of path per BBR flow, and of buffer, below which its least window of four packets and its bursts decide.
LEAST_BBR = 16.0
#: Packets that a BBR flow keeps beyond what its models say, for rounding and bursts; and of path per flow, below which
#: they lengthen a standing queue by more than a fifth.
SPARE_BBR, ROOMY_BBR = 8.0, 40.0
#: BBR flows from which on drops depend less on which of them measured the link first.
MANY_BBR = 16
#: Packets of path per BBR flow up to which the fluid's drop rates are within 1.4 times those of packets, in shallow
#: buffers: read from 24 flows of 17 to 120 packets, 40 ms, compared with 60 and 120 flows, and 20 and 100 ms.
LARGE_BBR = 25.0
#: Products of buffer in which models of BBR begin to lose too little, and how far beyond the standing queue that ends.
FULL_BBR, BEYOND_BBR = 0.7, 1.4
#: Cycles of a flow's window, from loss to loss, that a run should measure.
FEWEST_CYCLES = 3.0

_QUEUE = ("drop_rate", "queue_mean", "queue_p50", "queue_p99")


def locked_out(seen: Bottleneck) -> str:
    """Why losses and queue of long flows do not hold where their links are hardly faster; empty elsewhere.

    Packets of a window then arrive as fast as they leave. One flow that has filled the buffer keeps it full without a
    loss, while others find no place and wait for their timeouts: the lock-out of Floyd and Jacobson, "On Traffic Phase
    Effects in Packet-Switched Gateways" (1992). Measured with 4 to 10 NewReno flows and paths of 8 to 170 packets. 20
    flows over 110 packets and 2.6 products of buffer dropped 1.3 to 1.9 times what the fluid says, with links twice as
    fast 1.04 times; over 220 packets 1.4 times.
    """
    path = seen.capacity * seen.propagation / 8.0 / seen.mtu
    unpaced = any(not entry.host.pacing and not isinstance(entry.congestion, Bbr) for entry in seen.long_lived)
    if (
        seen.flows < 2
        or not unpaced
        or path >= max(SHORT_PATH, SHORT_PER_FLOW * seen.flows)
        or seen.access >= SLOW_ACCESS * seen.capacity
        or not isinstance(seen.switch.marking, NoMarking)
    ):
        return ""
    return (
        f"Senders' links are {seen.access / seen.capacity:.2g} times as fast as the bottleneck and the path holds "
        f"{count(path)} packets: one flow can keep the buffer full without a loss while others wait for timeouts. Drop "
        "rates in the packet simulation were a hundredth of this to 1.9 times this; use it instead."
    )


def seldom_acknowledged(seen: Bottleneck) -> str:
    """Why drops of paced NewReno flows do not hold where few acknowledgements come; empty elsewhere.

    Measured with 40 and 100 flows, every third and fourth packet acknowledged, 9 to 30 packets of path per flow, equal
    round trips and such spread by up to 50 %. Every second packet acknowledged: theory 1.2 to 1.54 times.
    """
    every = [
        entry.host.ack_every for entry in seen.long_lived if entry.host.pacing and isinstance(entry.congestion, NewReno)
    ]
    unmarked = isinstance(seen.switch.marking, NoMarking)
    if not unmarked or not every or max(every) < SELDOM or seen.buffer / seen.mtu >= SELDOM_BUFFER * seen.flows:
        return ""
    return (
        f"One acknowledgement comes for {max(every)} packets (host.ack_every), and {seen.flows} paced flows share a "
        f"buffer of {count(seen.buffer / seen.mtu)}: this drop rate was 1.1 to 2.1 times that of the packet "
        "simulation."
    )


def short_run(scenario: Scenario, seen: Bottleneck) -> tuple[str, ...]:
    """A note where packets are measured for so short a time that they need not show what models say of a long one."""
    path, measured = seen.capacity * seen.propagation / 8.0 / seen.mtu, scenario.run.duration - scenario.run.warmup
    if not seen.long_lived:
        return ()
    started = _from_the_start(scenario, seen, path)
    marking = seen.switch.marking
    if started or not isinstance(marking, NoMarking | Step | Red):
        return started
    # Where windows are cut: at a full buffer, or where marks begin.
    queue = {Step: "threshold", Red: "kmin"}.get(type(marking), "")
    level = min(seen.buffer, getattr(marking, queue) if queue else seen.buffer) / seen.mtu
    window = (path + level) / seen.flows
    trip = seen.propagation * (1.0 + 0.5 * level / path)
    # From a half to a whole window by a packet per round trip. CUBIC: from 0.7 by 9/17 packet, or K where that is
    # sooner (RFC 9438, sections 4.3 and 4.2).
    cycles = {NewReno: 0.5 * window * trip, Cubic: min(0.3 * 17.0 / 9.0 * window * trip, math.cbrt(0.75 * window))}
    if isinstance(marking, NoMarking):
        cycles[Dctcp] = cycles[NewReno]  # which halves its window for a loss as NewReno does
    known = [
        cycles[type(entry.congestion)]
        for entry in seen.long_lived
        if type(entry.congestion) in cycles and (entry.host.receive_window or math.inf) > window * seen.mss
    ]
    if not known or measured >= FEWEST_CYCLES * max(known):
        return ()
    note = (
        f"The run is measured for {measured:.3g} s, and a flow takes about {max(known):.2g} s from one loss to the "
        "next: the packet simulation then depends on how flows start, and its utilisation may differ by tens of "
        f"points. Measure for {FEWEST_CYCLES * max(known):.2g} s or more."
    )
    return (note,)


def _from_the_start(scenario: Scenario, seen: Bottleneck, path: float) -> tuple[str, ...]:
    """The same for controls whose start takes longer than their cycle. path: packets."""
    law, run = seen.long_lived[0].congestion, scenario.run
    deep = seen.buffer / seen.mtu > FULL_BBR * path
    if isinstance(law, Bbr) and deep and run.warmup < law.interval <= run.duration:
        note = (
            f"The packet simulation measures from {run.warmup:.3g} s on. BBR flows that start together take one "
            f"another's queue for the empty path until ProbeRTT, after {law.interval:.3g} s: they may drop far more "
            f"and keep a longer queue until then. Set a warm-up of {1.5 * law.interval:.3g} s or more."
        )
        return (note,)
    if isinstance(law, Bbr) and run.duration < law.interval:
        note = (
            f"The run lasts {run.duration:.3g} s. BBR flows that start together take one another's queue for the "
            f"empty path until ProbeRTT, after {law.interval:.3g} s: the packet simulation may drop far more until "
            f"then. Run for {2.0 * law.interval:.3g} s or more."
        )
        return (note,)
    marking = seen.switch.marking
    if isinstance(law, Dctcp) and isinstance(marking, Step | Red):
        # The first mark halves the window (alpha starts at 1), which grows again by a packet per round trip.
        first = marking.threshold if isinstance(marking, Step) else marking.kmin
        window = (path + first / seen.mtu) / seen.flows
        grows = 0.5 * law.initial_alpha * window * seen.propagation
        if run.warmup < grows:
            note = (
                f"The first mark halves DCTCP's windows, which take {grows:.3g} s to grow again: the packet "
                f"simulation, measured from {run.warmup:.3g} s on, may be tens of points of utilisation below. Set a "
                f"warm-up of {grows:.2g} s or more."
            )
            return (note,)
    return ()


def bbr_beyond(seen: Bottleneck, most: float = LARGE_BBR) -> dict[str, str]:
    """Metric to reason, where models of BBR do not hold, whatever they say there. Compared with packets at 2 Mb/s, 0.1
    to 20 s and 1 to 10 flows, and over random edits of presets up to 2 Gb/s and 250 flows.

    most: packets of path per flow up to which the model's drop rate holds in a shallow buffer; the fluid's by default.
    """
    flows = sum(entry.flows for entry in seen.long_lived if isinstance(entry.congestion, Bbr))
    if flows == 0:
        return {}
    found: dict[str, str] = {}
    path = seen.capacity * seen.propagation / 8.0 / seen.mtu / seen.flows
    if min(path, seen.buffer / seen.mtu) < LEAST_BBR:
        why = (
            f"The path holds {count(path)} packets per flow and the buffer {count(seen.buffer / seen.mtu)}. With "
            f"fewer than {LEAST_BBR:g}, BBR's smallest window of four packets and its bursts decide what is lost: "
            "the packet simulation lost up to 4 times this, or something where this model loses nothing."
        )
        found |= dict.fromkeys(_QUEUE, why)
    if seen.buffer / seen.mtu < LEAST_BBR:
        found |= dict.fromkeys(
            ("utilisation", "throughput"),
            f"A buffer of {count(seen.buffer / seen.mtu)} packets loses the bursts of paced senders: below "
            f"{LEAST_BBR:g} packets the packet simulation used up to 5 points less of the link.",
        )
    if seen.propagation > LONGEST_BBR:
        why = (
            f"The round trip is {seen.propagation:.3g} s. Beyond {LONGEST_BBR:g} s ProbeRTT, which lasts a round "
            "trip, cost 4 to 13 points more utilisation in the packet simulation than in this model."
        )
        found |= dict.fromkeys(("utilisation", "throughput", *_QUEUE), why)
    return _bbr_losses(seen, flows, most) | _bbr_queue(seen, flows) | found


def _bbr_standing(seen: Bottleneck, flows: int) -> float:
    """Queue that flows of BBR version 1 keep where nothing is lost [bandwidth-delay products]."""
    return 1.0 + SPARE_BBR * flows * seen.mtu * 8.0 / (seen.capacity * seen.propagation)


def _where_bbr_loses(seen: Bottleneck, flows: int) -> tuple[float, float]:
    """Queues [bandwidth-delay products] at which packets of version 1, alone, begin to be dropped and all are.

    Under marks as well: its packets carry no ECT, so what a queue would mark it drops, and BBR reacts to neither drops
    nor marks. 0 and 0 where another control or version shares the queue, which was not compared; compared with packets
    at 40 to 300 Mb/s, 10 to 150 ms, 2 to 80 flows and buffers of 0.1 to 8 products, under marks at 100 and 250 Mb/s.
    """
    first = all(isinstance(entry.congestion, Bbr) and entry.congestion.version == 1 for entry in seen.long_lived)
    if not first or flows != seen.flows or seen.poisson:
        return 0.0, 0.0
    marking = seen.switch.marking
    if isinstance(marking, Red):
        begins, all_lost = marking.kmin, marking.kmax
    elif isinstance(marking, Step):
        begins = all_lost = marking.threshold
    else:
        begins = all_lost = seen.buffer
    scale = 8.0 / (seen.capacity * seen.propagation)
    return min(begins, seen.buffer) * scale, min(all_lost, seen.buffer) * scale


def _bbr_losses(seen: Bottleneck, flows: int, most: float) -> dict[str, str]:
    if flows < min(MANY_BBR, seen.flows):
        why = (
            f"{flows} of {seen.flows} flows are BBR's, whose share of a common queue depends on which of them measured "
            "the link first, and drops go with that share: the packet simulation lost 0.6 to 1.9 times this, and "
            "one seed up to 1.7 times as much as another."
        )
        return {"drop_rate": why}
    begins, room = _where_bbr_loses(seen, flows)
    standing = _bbr_standing(seen, flows)
    if flows < 2 or room <= 0.0 or begins >= BEYOND_BBR * standing:
        return {}
    if room >= FULL_BBR:
        why = (
            f"Packets are dropped from a queue of {begins:.3g} times the bandwidth-delay product on. From "
            f"{FULL_BBR:g} up to about {BEYOND_BBR * standing:.2g} whether BBR flows lose packets depends on a few "
            "packets of each: the packet simulation lost up to 15 % where this model loses none, and down to a "
            "tenth of what it says."
        )
        return {"drop_rate": why}
    if flows < MANY_BBR:
        why = (
            f"With fewer than {MANY_BBR} BBR flows drops depend on which of them measured the link first: the packet "
            "simulation lost 0.4 to 1 times this, and one seed up to twice as much as another."
        )
        return {"drop_rate": why}
    window = seen.capacity * seen.propagation / 8.0 / seen.mtu / seen.flows
    if window > most:
        why = (
            f"The path holds {count(window)} packets per BBR flow. Above {most:g} the packet simulation lost 0.4 to "
            "0.8 times this: the larger their windows, the less of them is lost."
        )
        return {"drop_rate": why}
    return {}


def _bbr_queue(seen: Bottleneck, flows: int) -> dict[str, str]:
    path = seen.capacity * seen.propagation / 8.0 / seen.mtu / flows
    if path >= ROOMY_BBR or _where_bbr_loses(seen, flows)[1] <= 1.0:
        return {}
    why = (
        f"The path holds {count(path)} packets per flow, and each BBR flow keeps about {SPARE_BBR:g} more in flight "
        "than its model says, for bursts and rounding. The standing queue in the packet simulation was about "
        f"{_bbr_standing(seen, flows):.2g} bandwidth-delay products."
    )
    return dict.fromkeys(("queue_mean", "queue_p50", "queue_p99"), why)
