"""The flows of a scenario: when each starts, how much it carries, between which hosts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from footroom.base.rng import stream
from footroom.engines.plan.plan import SECOND
from footroom.kernel.tables import NEVER
from footroom.parts.topology import Network
from footroom.parts.traffic.ground import MOST_FLOWS, Drawn, Ground
from footroom.scenario import Scenario

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Flows:
    """Parallel arrays, one entry per flow.

    start [ps], NEVER for one that follows another.  size [B] or ENDLESS.  stack: index of its traffic entry.
    following: the flow that starts when this one ends, -1 for none.  gap [ps]: from the end that a flow waits for to
    its start.
    handshake: connection set-up between start and first data, in round trips.  window: segments it starts with, 0 for
    slow start.  continues: the earlier flow over whose connection it runs, -1 for a new one.
    stop [ps]: from when on it gets no more data, NEVER for never.
    event: the query a flow belongs to, -1 for none.  events [ps]: when each query begins, NEVER for one that begins
    ``pause`` [ps] after the query ``after`` has ended; -1 for none.
    """

    start: Ints
    size: Ints
    stack: Ints
    source: Ints
    destination: Ints
    following: Ints
    gap: Ints
    handshake: npt.NDArray[np.float64]
    window: npt.NDArray[np.float64]
    continues: Ints
    stop: Ints
    event: Ints
    events: Ints
    after: Ints
    pause: Ints
    notes: tuple[str, ...]


def draw_flows(
    scenario: Scenario, seed: int, network: Network, quickest: Callable[[int, int], float], probes: Drawn | None = None
) -> Flows:
    """All flows of all traffic entries, entry by entry; every entry has random streams of its own.

    quickest: least round trip [s] between two hosts.  probes: flows beside the load, as one entry more.
    """
    drawn: list[Drawn] = []
    lasting = 0
    for i, traffic in enumerate(scenario.traffic):
        drawn.append(traffic.draw(_ground(scenario, i, seed, network, lasting, quickest)))
        lasting += traffic.lasting()
    if probes is not None:
        drawn.append(probes)
    counts = [len(one.start) for one in drawn]
    first = np.cumsum([0, *counts])
    first_event = np.cumsum([0, *(len(one.events) for one in drawn)])
    ends = chain.from_iterable(pair for one in drawn for pair in one.pairs)
    pairs = np.fromiter(ends, dtype=np.int64).reshape(-1, 2)
    return Flows(
        start=np.concatenate([_picoseconds(one.start) for one in drawn]),
        size=np.concatenate([one.size for one in drawn]),
        stack=np.repeat(np.arange(len(drawn)), counts),
        source=pairs[:, 0],
        destination=pairs[:, 1],
        following=_joined([one.following for one in drawn], counts, first),
        gap=np.concatenate(
            [
                _picoseconds(np.full(count, one.gap) if one.delay is None else one.gap + one.delay)
                for one, count in zip(drawn, counts, strict=True)
            ]
        ),
        handshake=np.repeat([one.handshake for one in drawn], counts),
        window=np.concatenate(
            [np.zeros(count) if one.window is None else one.window for one, count in zip(drawn, counts, strict=True)]
        ),
        continues=_joined([one.continues for one in drawn], counts, first),
        stop=np.concatenate(
            [
                np.full(count, NEVER) if one.stop is None else _picoseconds(one.stop)
                for one, count in zip(drawn, counts, strict=True)
            ]
        ),
        event=_joined([one.event for one in drawn], counts, first_event),
        events=np.concatenate([_picoseconds(one.events) for one in drawn]),
        after=_joined([one.after for one in drawn], [len(one.events) for one in drawn], first_event),
        pause=np.concatenate([_picoseconds(np.full(len(one.events), one.gap)) for one in drawn]),
        notes=tuple(note for one in drawn for note in one.notes),
    )


def _picoseconds(seconds: npt.NDArray[np.float64]) -> Ints:
    known = seconds < NEVER / SECOND
    return np.where(known, np.rint(np.where(known, seconds, 0.0) * SECOND).astype(np.int64), NEVER)


def _joined(parts: list[Ints | None], counts: list[int], offsets: Ints) -> Ints:
    """Numbers within each entry as numbers within the whole; -1 stays."""
    return np.concatenate(
        [
            np.full(count, -1, np.int64) if part is None else np.where(part < 0, -1, part + offset)
            for part, count, offset in zip(parts, counts, offsets[:-1], strict=True)
        ]
    )


def _ground(
    scenario: Scenario, entry: int, seed: int, network: Network, lasting: int, quickest: Callable[[int, int], float]
) -> Ground:
    switches = set(network.switches)
    hosts = [node for node in range(len(network.names)) if node not in switches]
    rack: dict[int, int] = {}
    rate = dict.fromkeys(hosts, 0.0)
    for cable in network.cables:
        for host, other in ((cable.a, cable.b), (cable.b, cable.a)):
            if host in rate:
                rack[host] = other
                rate[host] += cable.rate
    senders, receivers = network.sides or (hosts, hosts)
    return Ground(
        entry=entry,
        duration=scenario.run.duration,
        names=network.names,
        hosts=hosts,
        senders=senders,
        receivers=receivers,
        sink=network.sink,
        rack=rack,
        rate=rate,
        capacity=network.load_capacity,
        place=network.place,
        place_lasting=network.place_lasting or network.place,
        lasting=lasting,
        quickest=quickest,
        random=lambda name: stream(seed, name, entry),
    )


__all__ = ["MOST_FLOWS", "Flows", "draw_flows"]
