"""Many buffers at once: inputs and results of the compiled course."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from footroom.base.errors import NotConverged
from footroom.engines.fluid.batch import Floats
from footroom.engines.fluid.integrator import workers
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW, Group
from footroom.engines.fluid.link import Link, path_of
from footroom.engines.fluid.markings import DropTail, Marking, Red, Step
from footroom.engines.fluid.per_flow import kernel

#: Most windows that are followed; more flows share them, and flows that share a window lose and are cut together.
MOST_ROWS = 256
#: Cuts that the averages cover, and those before: a mean over n cuts of independent flows is good to about 1/sqrt(n).
CUTS, CUTS_PER_FLOW, WARM_CYCLES = 2000, 150, 10
#: Cuts of each flow at least where packets are marked: all flows may then oscillate together, slower than one is cut.
MARKED_CUTS = 40
#: Cycles of a single flow, which repeats itself: more are not needed.
ONE_FLOW_CYCLES = 40
#: Steps that resolve the growth between two cuts, where nothing else happens.
STEPS_PER_CYCLE = 400.0
#: Rows times steps that one buffer may cost, about a second.
MOST_WORK = 1.5e8
BINS = 512
#: Products of path and last mark above which no queue under marks is resolved.
BEYOND = 2.0
UNMARKED = DropTail()
#: Slope of a step; 0 at the threshold itself, which an infinite one would not be.
_AT_ONCE = 1e300


@dataclass(frozen=True)
class Course:
    """One lane's averages from a cut to a later cut. time: s measured.  served, lost: packets.
    queue, greatest: packets.  window: packets, mean over flows.  cuts, timeouts: of the rows followed.
    histogram: (bins + 1,) s spent by queue over [0, highest], the last one beyond.  rates: packets/s of one flow, by
    group.  complete: whether all cuts asked for were seen.  trace: (rows, 4) of time, mean window, share lost, queue.
    rows: windows followed.  highest: queue (packets) that the histogram reaches to.
    """

    time: float
    served: float
    lost: float
    queue: float
    greatest: float
    window: float
    cuts: float
    timeouts: float
    histogram: Floats
    rates: tuple[float, ...]
    complete: bool
    trace: Floats
    rows: int
    highest: float

    def quantile(self, share: float) -> float:
        """Time-weighted quantile of the queue (packets), linear inside a bin."""
        cumulated = np.cumsum(self.histogram) / self.histogram.sum()
        bins = self.histogram.size - 1
        index = int(np.searchsorted(cumulated, share * (1.0 - 1e-12)))
        before = float(cumulated[index - 1]) if index else 0.0
        inside = (share - before) / max(float(cumulated[index]) - before, 1e-300)
        return self.greatest if index == bins else min(self.highest * (index + min(1.0, inside)) / bins, self.greatest)


def _rows(groups: Sequence[Group]) -> list[int]:
    """Windows followed per group: every flow's own, or as many as are affordable."""
    flows = sum(group.count for group in groups)
    if flows <= MOST_ROWS:
        return [int(group.count) for group in groups]
    return [max(1, round(MOST_ROWS * group.count / flows)) for group in groups]


def _started(link: Link, level: float, groups: Sequence[Group], rows: Sequence[int], random: Any) -> Floats:
    """Windows spread between a half and all of an even share of pipe and queue: one cut apart, like a sawtooth.

    level: queue (packets) at which flows are cut.
    """
    flows = np.zeros((sum(rows), kernel.ROW))
    total = sum(group.count for group in groups)
    at = 0
    for number, (group, count) in enumerate(zip(groups, rows, strict=True)):
        peak = max(2.0, (link.capacity * group.base + level) / total)
        own = flows[at : at + count]
        own[:, WINDOW] = np.maximum(1.0, peak * (0.5 + 0.5 * random.random(count)))
        own[:, THRESHOLD] = 2.0
        own[:, NET] = own[:, WINDOW]
        own[:, kernel.AGAIN] = np.inf
        own[:, kernel.GROUP] = number
        at += count
    return flows


def marks(marking: Marking, link: Link) -> tuple[float, float, float, float, float]:
    """MARKS to POLE of the lane's row: none where the buffer is full before anything is marked."""
    if isinstance(marking, Red) and marking.minimum < link.buffer:
        pole = -link.capacity * math.log1p(-marking.weight) if marking.weight < 1.0 else 0.0
        return 1.0, marking.minimum, marking.top / (marking.maximum - marking.minimum), marking.top, pole
    if isinstance(marking, Step) and marking.threshold < link.buffer:
        return 1.0, marking.threshold, _AT_ONCE, 1.0, 0.0
    return 0.0, 0.0, 0.0, 0.0, 0.0


def highest(link: Link, groups: Sequence[Group], marking: Marking) -> float:
    """Queue (packets) that is hardly ever passed: the buffer, or far beyond where all packets are marked."""
    if marks(marking, link)[0] == 0.0:
        return link.buffer
    last = marking.maximum if isinstance(marking, Red) else marking.step_at() or 0.0
    return min(link.buffer, BEYOND * (last + link.capacity * max(group.base for group in groups)))


def run(
    links: Sequence[Link],
    groups: Sequence[Group],
    marking: Marking = UNMARKED,
    *,
    seed: int,
    min_rto: Sequence[float],
    points: int = 0,
    threads: int | None = None,
) -> list[Course]:
    """The course of every link under the same flows.

    seed: of the start and of which flow loses; the same for all links.  min_rto: s, by group.  points: rows of the
    recorded course, spread over about all of it, four a round trip at most.  threads: processors, all by default;
    answers do not depend on it.  Raises NotConverged where flows are cut too seldom to be followed.
    """
    rows = _rows(groups)
    count = sum(rows)
    table = np.zeros((len(groups), kernel.GROUP_ROW))
    for line, group, own, floor in zip(table, groups, rows, min_rto, strict=True):
        assert group.flows.one_flow is not None
        grow, cut, climb = group.flows.one_flow.addresses
        parameters = group.flows.one_flow_parameters()
        # The law's parameters come first: its functions get the address of the row.
        line[: len(parameters)] = parameters
        line[kernel.BASE : kernel.BASE + 7] = group.base, group.count / own, grow, cut, floor, float(group.drops), climb

    def one(link: Link) -> Course:
        random = np.random.default_rng(seed)
        marked, top = marks(marking, link), highest(link, groups, marking)
        # Where marks begin, so that a buffer that never fills changes nothing.
        flows = _started(link, marked[1] if marked[0] > 0.0 else link.buffer, groups, rows, random)
        mean = float(flows[:, WINDOW].mean())
        # A flow is cut every W/2 round trips or so: coarser steps resolve longer cycles as well.
        per_trip = min(30.0, max(16.0, 3000.0 / mean))
        cuts = ONE_FLOW_CYCLES if count == 1 else min(CUTS, CUTS_PER_FLOW * count)
        if marked[0] > 0.0 and count > 1:
            cuts = max(cuts, MARKED_CUTS * count)
        alike = sum(group.count for group in groups) / count
        longest = min(group.flows.pace(path_of(link, groups, i, DropTail())).cycle for i, group in enumerate(groups))
        lane = np.array(
            [
                link.capacity,
                link.buffer,
                link.background,
                alike,
                per_trip,
                longest / STEPS_PER_CYCLE,
                WARM_CYCLES * count,
                cuts,
                MOST_WORK / (count + 10),
                *marked,
                top,
            ]
        )
        answer, histogram = np.zeros(kernel.ANSWERS), np.zeros(BINS + 1)
        trace = np.zeros((points, 4))
        step = max(group.base for group in groups) + top / link.capacity
        reached = replace(link, buffer=top)
        span = (WARM_CYCLES + cuts / count) * min(
            group.flows.pace(path_of(reached, groups, i, DropTail())).cycle for i, group in enumerate(groups)
        )
        state = np.array([np.uint64(random.integers(1 << 63))], np.uint64)
        kernel.course(
            lane,
            table,
            flows,
            answer,
            histogram,
            trace,
            max(step / 4.0, span / max(points, 1)),
            np.zeros((3, len(groups))),
            state,
        )
        return _course(answer, flows, histogram, trace, rows, points, top)

    pool = min(len(links), threads or workers())
    if pool <= 1:
        return [one(link) for link in links]
    with ThreadPoolExecutor(pool) as executor:
        return list(executor.map(one, links))


def _course(
    answer: Floats, flows: Floats, histogram: Floats, trace: Floats, rows: Sequence[int], points: int, top: float
) -> Course:
    time = float(answer[kernel.TIME])
    if time <= 0.0:
        raise NotConverged(
            "within the computing limit the flows cut their windows too seldom for the effect of their start to fade"
        )
    if not answer[kernel.SERVED] > 0.0:
        raise NotConverged(
            "the flows lose whole windows at once: path and buffer together hold less than a packet for each of "
            "them, which this model cannot follow; use the packet simulation"
        )
    ends = np.cumsum(rows)
    rates = tuple(float(flows[end - own : end, kernel.SENT].mean()) / time for own, end in zip(rows, ends, strict=True))
    reached = int(np.count_nonzero(trace[:, 1])) if points else 0
    return Course(
        time,
        float(answer[kernel.SERVED]),
        float(answer[kernel.LOST]),
        float(answer[kernel.QUEUE]) / time,
        float(answer[kernel.GREATEST]),
        float(answer[kernel.WINDOWS]) / time / len(flows),
        float(answer[kernel.CUTS_SEEN]),
        float(answer[kernel.TIMEOUTS]),
        histogram,
        rates,
        bool(answer[kernel.ENDED]),
        trace[:reached],
        len(flows),
        top,
    )
