"""Runs that end before flows with tiny windows have lived through a few timeouts."""

from __future__ import annotations

from footroom.base.errors import Unsupported
from footroom.parts.congestion import RDMA, Bbr
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of
from footroom.scenario.document import Scenario

#: Packets of window below which a loss often leaves too few acknowledgements for a repair, so that the flow waits for
#: its timeout, and least timeouts that a run should measure.
TINY_WINDOW, FEWEST_TIMEOUTS = 8.0, 5.0

#: What timeouts decide.
DECIDED = ("utilisation", "throughput", "drop_rate", "queue_mean", "queue_p50", "queue_p99", "fairness")


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
        f"The run is too short for timeouts: path and buffer hold {window:.2g} packets per flow, so many losses end in "
        f"a timeout of at least {timeout:.3g} s, and packets are measured for {measured:.3g} s. Their utilisation may "
        f"be tens of points below that of a long run. Measure for {FEWEST_TIMEOUTS * timeout:.3g} s or more."
    )


def too_short_for_timeouts(scenario: Scenario) -> tuple[str, ...]:
    """The same as a note for engines that simulate packets, of whatever network."""
    try:
        note = ends_before_timeouts(scenario, bottleneck_of(scenario, "fluid"))
    except Unsupported:
        return ()
    return (note,) if note else ()
