"""Probe transfers: single transfers of a stated size beside the load, few enough not to disturb it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from footroom.base.errors import Unsupported
from footroom.base.rng import stream
from footroom.parts.sizes import Fixed
from footroom.parts.topology import Network
from footroom.parts.topology.network import Cable
from footroom.parts.traffic import Poisson
from footroom.parts.traffic.ground import Drawn
from footroom.result.transfer import named
from footroom.scenario import HEADER, Scenario, is_open_loop, lasting_flows

#: Probes begin in this share of the measured time, from the warm-up on. One that has not ended when the run does took
#: at least the rest of it, and counts as longer than all others.
BEGIN_WITHIN = 0.8
#: No more than so many: the 99th percentile needs 368 (``footroom.result.transfer``).
MOST = 2000


@dataclass(frozen=True)
class Probes:
    """entry: congestion control, host and priority of the scenario's first entry.  network: with the probes' own two
    hosts, joined last, so that ports and hosts of the load keep their numbers.  drawn: the transfers.
    """

    entry: Poisson
    network: Network
    drawn: Drawn


def probes_of(scenario: Scenario, seed: int, network: Network) -> Probes | None:
    """The probes that ``run.probe_share`` asks for, or None.

    One start is drawn in each of as many equal parts of the time as there are transfers, so that starts are neither in
    step with the load nor bunched. Raises Unsupported where no single bottleneck gives the round trip a meaning.
    """
    share = scenario.run.probe_share
    if share is None:
        return None
    seen = scenario.topology.single_bottleneck(lasting_flows(scenario), is_open_loop(scenario))
    if seen is None:
        raise Unsupported(
            "probe transfers need one bottleneck that all flows share; this network has none",
            path="run.probe_share",
            given=share,
        )
    first, run = scenario.traffic[0], scenario.run
    payload = first.host.mss if first.host.mss is not None else run.mtu - HEADER
    bits = 8.0 * run.transfer * (payload + HEADER) / payload
    span = BEGIN_WITHIN * (run.duration - run.warmup)
    fitting = share * seen.capacity * span / bits
    count = int(min(MOST, fitting))
    too_few = (
        f"run.probe_share: {share:.3g} of the link for {span:.3g} s is less than a transfer of {named(run.transfer)}, "
        f"so none was started. A run {1.0 / fitting:.1f} times as long has room for one."
    )
    start = run.warmup + span * (np.arange(count) + stream(seed, "probes").random(count)) / max(count, 1)
    joined, pair = _joined(network, seen.access, seen.rtt)
    entry = Poisson(
        load=share,
        sizes=Fixed(size=run.transfer),
        congestion=first.congestion,
        host=first.host,
        priority=first.priority,
        name="probes",
    )
    sizes = np.full(count, round(run.transfer), dtype=np.int64)
    return Probes(entry, joined, Drawn(start, sizes, [pair] * count, notes=() if count else (too_few,)))


def _joined(network: Network, access: float, rtt: float) -> tuple[Network, tuple[int, int]]:
    """``network`` with a sender of its own on each side of the bottleneck, and this pair; its round trip is ``rtt``."""
    near, far = network.watched[0]
    between = next(c.delay for c in network.cables if {c.a, c.b} == {near, far})
    names, cables = [*network.names, "probe sender"], list(network.cables)
    sender, receiver = len(network.names), far
    rest = rtt / 2.0 - between
    if far in network.switches:
        receiver, rest = sender + 1, rest / 2.0
        names.append("probe receiver")
        cables.append(Cable(far, receiver, access, rest))
    cables.append(Cable(sender, near, access, rest))
    return replace(network, names=names, cables=cables), (sender, receiver)
