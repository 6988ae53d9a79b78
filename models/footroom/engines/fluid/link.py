"""A bottleneck in the model's own units (packets, packets per second, seconds), and many of them as one batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footroom.base.errors import InvalidInput
from footroom.engines.fluid import layout
from footroom.engines.fluid.batch import Batch, Floats, Outcome, checked_step, whole_steps
from footroom.engines.fluid.bottleneck import BOTTLENECK
from footroom.engines.fluid.integrator import Enough, integrate
from footroom.engines.fluid.laws.flows import Group, Path
from footroom.engines.fluid.markings import Marking


@dataclass(frozen=True)
class Link:
    """A bottleneck. capacity: packets/s.  buffer: packets, may be infinite.  packet: bytes.
    background: unresponsive packets/s; background_drops: the marking drops them instead of marking.
    """

    capacity: float
    buffer: float = math.inf
    background: float = 0.0
    background_drops: bool = False
    packet: float = 1500.0


def path_of(link: Link, groups: Sequence[Group], number: int, marking: Marking) -> Path:
    """The path of group ``number``."""
    group = groups[number]
    flows = sum(g.count for g in groups)
    alike, before = _place(groups, number) if group.flows.takes_turns else (0.0, 0.0)
    return Path(link.capacity, group.base, link.packet, group.count, flows, link.buffer, marking, alike, before)


def _place(groups: Sequence[Group], number: int) -> tuple[float, float]:
    """Flows under the law of group ``number``, and those in groups that come before it by their own contents."""
    same = [i for i, group in enumerate(groups) if type(group.flows) is type(groups[number].flows)]
    same.sort(key=lambda i: (groups[i].base, repr(groups[i].flows)))
    counts = [groups[i].count for i in same]
    return sum(counts), sum(counts[: same.index(number)])


@dataclass(frozen=True)
class Layout:
    """Where the groups' blocks lie. states, seen: first component of each group's block.  balance: first of the
    balances.  size: state components.  looked_up: values looked up.  signals: values observed.
    """

    states: tuple[int, ...]
    seen: tuple[int, ...]
    balance: int
    size: int
    looked_up: int
    signals: int

    @classmethod
    def of(cls, groups: Sequence[Group]) -> Layout:
        """Blocks one after the other, in the order of the groups."""
        states, seen, at, looked = [], [], layout.BLOCKS, 0
        for group in groups:
            states.append(at)
            seen.append(looked)
            at += len(group.flows.law.states)
            looked += group.flows.law.seen
        signals = layout.RATES + len(groups) + at - layout.BLOCKS
        return cls(tuple(states), tuple(seen), at, at + layout.BALANCES, looked, signals)


def jumps(groups: Sequence[Group], marking: Marking) -> bool:
    """Whether anything that flows look at jumps, so that the past must be read as straight lines: a cubic would
    overshoot.
    """
    return any(group.flows.jumps or (marking.jumps and group.flows.notices) for group in groups)


def parameters(link: Link, groups: Sequence[Group], marking: Marking, where: Layout) -> list[float]:
    """One lane's parameters, laid out as ``layout`` says."""
    own = marking.parameters(link.capacity, link.buffer)
    assert len(own) <= layout.MOST_MARKING
    row = [
        link.capacity,
        1.0 / link.capacity,
        link.buffer,
        len(groups),
        link.background,
        float(link.background_drops),
        where.balance,
        float(not jumps(groups, marking)),
        *marking.addresses(),
        *own,
    ]
    row += [0.0] * (layout.GROUPS - len(row))
    for number, group in enumerate(groups):
        law = group.flows.parameters(path_of(link, groups, number, marking))
        assert len(law) <= layout.MOST_OWN
        line = [
            group.count,
            group.base,
            where.states[number],
            where.seen[number],
            *group.flows.law.addresses,
            float(group.drops),
            *law,
        ]
        row += line + [0.0] * (layout.PER_GROUP - len(line))
    return row


def initial(link: Link, groups: Sequence[Group], marking: Marking, queue: float) -> list[float]:
    """State at t = 0."""
    blocks = [group.flows.start(path_of(link, groups, number, marking)) for number, group in enumerate(groups)]
    return [queue, marking.start(), *(x for block in blocks for x in block), *([0.0] * layout.BALANCES)]


def arrange(
    links: Sequence[Link],
    groups: Sequence[Group],
    marking: Marking | Sequence[Marking],
    *,
    step: float | Floats,
    duration: float | Floats,
    warmup: float | Floats = 0.0,
    queue: float = 0.0,
    start: Floats | None = None,
    ceiling: float | None = None,
    points: int = 0,
) -> Batch:
    """One lane per link, all with the same flows.

    marking: one for all links, or one per link, all of one class.
    step, duration, warmup: seconds, each one for all or one per link, rounded to whole steps.
    queue: packets at t = 0.  start: a whole state instead, for every lane.
    ceiling: largest queue expected (packets), needed where a buffer is infinite.
    points: rows to record.  Raises InvalidInput for a step longer than the shortest round trip.
    """
    step = checked_step(step, len(links), min(group.base for group in groups))
    tops = [min(link.buffer, ceiling if ceiling is not None else math.inf) for link in links]
    if not all(math.isfinite(top) and top > 0.0 for top in tops):
        given = [link.buffer for link in links]
        raise InvalidInput.at("buffer", given, "positive, and finite unless a ceiling is given")
    where = Layout.of(groups)
    markings = [marking] * len(links) if isinstance(marking, Marking) else list(marking)
    longest = [
        max(group.flows.longest_delay(path_of(link, groups, number, own), top) for number, group in enumerate(groups))
        for link, top, own in zip(links, tops, markings, strict=True)
    ]
    return Batch(
        params=np.array(
            [
                parameters(link, groups, own.followed(link.capacity, float(h)), where)
                for link, own, h in zip(links, markings, step, strict=True)
            ]
        ),
        initial=np.array(
            [
                initial(link, groups, own, queue) if start is None else start
                for link, own in zip(links, markings, strict=True)
            ]
        ),
        remembered=where.balance,
        delays=max(1, where.looked_up),
        signals=where.signals,
        remembered_signals=layout.REMEMBERED_SIGNALS,
        step=step,
        steps=whole_steps(duration, step),
        warmup=whole_steps(warmup, step),
        longest_delay=np.array(longest) + step,
        levels=np.array([[0.0, top] for top in tops]),
        points=points,
        whole_cycles=True,
        rests=True,
    )


@dataclass(frozen=True)
class Flow:
    """Time averages of one lane over its measured window: utilisation (1), loss (share of offered packets), and the
    same window's totals in packets.
    """

    utilisation: float
    loss: float
    offered: float
    carried: float
    lost: float


def flow(outcome: Outcome, lane: int, capacity: float) -> Flow:
    """Balances of one lane; offered - carried - lost equals the growth of the queue."""
    change = (outcome.closed[lane] - outcome.opened[lane])[-layout.BALANCES :]
    offered, carried, lost = (float(x) for x in change)
    share = carried / (capacity * float(outcome.window[lane]))
    # A sum of many full steps may round past 1; anything more would be a bug, which must show.
    return Flow(1.0 if 1.0 < share < 1.0 + 1e-9 else share, lost / offered, offered, carried, lost)


def simulate(batch: Batch, *, threads: int | None = None, enough: Enough | None = None) -> Outcome:
    """Integrate lanes made by ``arrange``; ``enough`` as for ``integrate``, of a lane's greatest queue (packets)."""
    return integrate(BOTTLENECK, batch, threads=threads, enough=enough)
