"""Drawing the flows of a scenario: when each starts, how much it carries, between which hosts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.errors import InvalidInput
from footroom.plan.plan import SECOND
from footroom.rng import stream
from footroom.scenario import Scenario
from footroom.topology import Network
from footroom.traffic import AnyTraffic, LongLived, Poisson

Ints = npt.NDArray[np.int64]

#: Size of a flow with unlimited data.
Endless = -1

#: More flows than this in one run are refused: a bound on memory, not on physics.
MOST_FLOWS = 2_000_000


@dataclass(frozen=True)
class Flows:
    """Parallel arrays, one entry per flow.

    start [ps], NEVER for one that follows another.  size [B] or Endless.  stack: index of its traffic entry.
    following: the flow that starts when this one ends, -1 for none.  gap [ps]: from that end to its start.
    lead [ps]: connection set-up between start and first data.  window: segments it starts with, 0 for slow start.
    """

    start: Ints
    size: Ints
    stack: Ints
    source: Ints
    destination: Ints
    following: Ints
    gap: Ints
    lead: Ints
    window: npt.NDArray[np.float64]


def draw_flows(scenario: Scenario, seed: int, network: Network) -> Flows:
    """All flows of all traffic entries, entry by entry; every entry has random streams of its own."""
    starts, sizes, stacks, ends, windows = [], [], [], [], []
    for i, traffic in enumerate(scenario.traffic):
        rng = stream(seed, "traffic", i)
        if isinstance(traffic, LongLived):
            start = traffic.start + traffic.start_jitter * rng.random(traffic.flows)
            size = np.full(traffic.flows, Endless, dtype=np.int64)
            most = traffic.window or 0.0
            windows.append(most * stream(seed, "windows", i).uniform(0.5, 1.0, traffic.flows))
        else:
            start, size = _poisson(traffic, i, scenario, network, rng)
            windows.append(np.zeros(len(start)))
        starts.append(np.rint(start * SECOND).astype(np.int64))
        sizes.append(size)
        stacks.append(np.full(len(start), i, dtype=np.int64))
        ends += _place(traffic, i, len(start), network, stream(seed, "places", i))
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    count = len(pairs)
    none = np.zeros(count, np.int64)
    return Flows(np.concatenate(starts), np.concatenate(sizes), np.concatenate(stacks), pairs[:, 0], pairs[:, 1],
                 following=none - 1, gap=none, lead=none, window=np.concatenate(windows))


def _poisson(
    traffic: Poisson, i: int, scenario: Scenario, network: Network, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], Ints]:
    capacity = network.load_capacity
    if traffic.destinations is not None:
        capacity = sum(
            cable.rate
            for cable in network.cables
            for end in (cable.a, cable.b)
            if network.names[end] in traffic.destinations
        )
    per_second = traffic.load * capacity / 8.0 / traffic.sizes.mean()
    expected = per_second * (scenario.run.duration - traffic.start)
    if expected > MOST_FLOWS:
        raise InvalidInput.at(
            f"traffic.{i}.load",
            traffic.load,
            f"would start about {expected:.3g} flows; at most {MOST_FLOWS} "
            "are run: shorten run.duration or use larger flows",
        )
    count = int(expected + 6.0 * np.sqrt(expected) + 10.0)
    start = traffic.start + np.cumsum(rng.exponential(1.0 / per_second, count))
    start = start[start < scenario.run.duration]
    return start, traffic.sizes.draw(len(start), rng)


def _place(
    traffic: AnyTraffic, i: int, count: int, network: Network, rng: np.random.Generator
) -> list[tuple[int, int]]:
    if traffic.sources is None and traffic.destinations is None:
        lasting = network.place_lasting if isinstance(traffic, LongLived) else None
        return (lasting or network.place)(count, rng)
    hosts = [n for n in range(len(network.names)) if n not in network.switches]
    known = {network.names[n]: n for n in hosts}

    def nodes(names: tuple[str, ...] | None, field: str) -> list[int]:
        if names is None:
            return hosts
        for name in names:
            if name not in known:
                shown = ", ".join(list(known)[:6]) + (", …" if len(known) > 6 else "")
                raise InvalidInput.at(f"traffic.{i}.{field}", name, f"no such host; hosts are {shown}")
        return [known[name] for name in names]

    sources, destinations = nodes(traffic.sources, "sources"), nodes(traffic.destinations, "destinations")
    pairs = []
    for k in range(count):
        a = sources[k % len(sources)] if isinstance(traffic, LongLived) else sources[int(rng.integers(len(sources)))]
        others = destinations if a not in destinations else [b for b in destinations if b != a]
        if not others:
            raise InvalidInput.at(
                f"traffic.{i}.destinations",
                list(traffic.destinations or ()),
                f"leaves {network.names[a]} nobody to send to; a flow needs two different hosts",
            )
        pairs.append((a, others[int(rng.integers(len(others)))]))
    return pairs
