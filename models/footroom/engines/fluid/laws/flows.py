"""What a congestion control is to the fluid: four compiled functions, and what Python must know to use them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from footroom.base.compile_cache import helper
from footroom.base.errors import Infeasible
from footroom.engines.fluid.calls import LAW, LAW_RATE, MANY_FLOWS, ONE_FLOW, address, behind
from footroom.engines.fluid.markings.marking import Marking
from footroom.result.explanation import Explanation

Compiled = Callable[..., Any]


@dataclass(frozen=True)
class Law:
    """The compiled side. ``own`` is where the group's row of parameters begins (``layout``): the law's own follow at
    ``own + OWN``, its state block begins at ``params[own + STATE]``, its looked-up values at ``params[own + SEEN]``.

    states: names of the state components of one flow, in order; windows in packets, rates in packets/s.
    seen: how many values ``look`` writes.
    rate: ``f(time, state, seen, past, params, own)``: packets per second one flow sends now.
    look, slope, project: ``f(time, state, seen, past, params, out, own)``; as the functions of ``Model``, for the own
        block only. ``project`` runs once per step, so events (timers, phases) belong there.
    """

    states: tuple[str, ...]
    seen: int
    rate: Compiled
    look: Compiled
    slope: Compiled
    project: Compiled

    @cached_property
    def addresses(self) -> tuple[float, float, float, float]:
        """Entry points of rate, look, slope and project; compiled on first use."""
        return (
            float(address(self.rate, LAW_RATE)),
            *(float(address(function, LAW)) for function in (self.look, self.slope, self.project)),
        )  # type: ignore[return-value]


#: The row of one flow in ``per_flow``: window and slow-start threshold (packets), then the law's own words.
WINDOW, THRESHOLD, WORDS = 0, 1, 2
MOST_WORDS = 6
#: Behind them in the row, which ``per_flow`` keeps: packets in the network, and what the flow does, ``OPEN`` while
#: nothing is amiss.
NET = WORDS + MOST_WORDS
MODE, OPEN = NET + 1, 0.0
#: Numbers in a row.
ROW = NET + 8


@helper
def climb(rows: Any, count: int, params: Any, now: float, step: float, trip: float, grow: Any) -> float:
    """Move the windows of flows that grow outside slow start, and what they have in the network with them.

    Returns what all ``count`` flows have in the network, infinity where some flow does something else and was left as
    it is.
    """
    inside, all_grow = 0.0, True
    for i in range(count):
        row = behind(rows, i * ROW)
        before = row[WINDOW]
        if row[MODE] == OPEN and before >= row[THRESHOLD]:
            grow(row, params, now, step, trip)
            row[NET] += row[WINDOW] - before
        else:
            all_grow = False
        inside += row[NET]
    return inside if all_grow else math.inf


@dataclass(frozen=True)
class OneFlow:
    """One flow of a law by itself, for the fluid that follows every flow (``per_flow``).

    grow: ``f(row, params, now, step, trip)`` moves the window over ``step`` s outside slow start, never down; trip:
    round trip, s.
    cut: the same arguments; the answer to a loss: sets window and threshold. ``step`` is 0.
    climb: ``f(rows, count, params, now, step, trip)``: ``climb`` of this module with the law's ``grow``, so that flows
    that all grow take one call.
    All find the law's ``one_flow_parameters`` in ``params``.
    """

    grow: Compiled
    cut: Compiled
    climb: Compiled

    @cached_property
    def addresses(self) -> tuple[int, int, int]:
        """Entry points of grow, cut and climb; compiled on first use."""
        return address(self.grow, ONE_FLOW), address(self.cut, ONE_FLOW), address(self.climb, MANY_FLOWS)


@dataclass(frozen=True)
class Path:
    """The path of one group of flows. capacity: packets/s.  base: round trip without queueing, s.
    packet: bytes of a packet.  count: flows of the group.  flows: long-lived flows on the link.
    buffer: packets, may be infinite.  marking: of the link, None without.
    alike, before: for laws that take turns, flows on the link under the same law, and how many of them are counted
    before this group's, in an order that does not depend on how the groups are listed.
    """

    capacity: float
    base: float
    packet: float
    count: float
    flows: float
    buffer: float
    marking: Marking | None = None
    alike: float = 0.0
    before: float = 0.0

    @property
    def threshold(self) -> float | None:
        """Queue (packets) above which every packet is marked, where the marking is a step; None where it is not."""
        return None if self.marking is None else self.marking.step_at()

    def round_trip(self, queue: float) -> float:
        """Round trip (s) with ``queue`` packets ahead."""
        return self.base + queue / self.capacity


@dataclass(frozen=True)
class Pressure:
    """What a flow sees of the link in equilibrium. queue: packets.  notice: probability of a mark or drop.
    load: arrivals over capacity, at most 1.  overflow: of finding the buffer full, in ``notice``.
    """

    queue: float
    notice: float
    load: float = 1.0
    overflow: float = 0.0

    @property
    def early(self) -> float:
        """Probability of the marking alone, among the packets that do not find the buffer full."""
        return 1.0 if self.overflow >= 1.0 else (self.notice - self.overflow) / (1.0 - self.overflow)


@dataclass(frozen=True)
class Rest:
    """One flow in equilibrium: what it sends (packets/s) and its state components."""

    rate: float
    states: tuple[float, ...]


@dataclass(frozen=True)
class Pace:
    """Time scales of a law on a path, s. step: largest step that resolves it.  cycle: its slowest repetition or
    settling time.
    """

    step: float
    cycle: float


@dataclass(frozen=True)
class Oscillation:
    """Statistics of a run over its measured window.

    mean, least, greatest: queue, packets.  states: of one flow, on average.
    """

    mean: float
    least: float
    greatest: float
    states: tuple[float, ...]


class Flows:
    """Base of the laws' Python side: frozen dataclasses whose fields are in packets, packets/s and seconds.

    Subclasses: ``law``; the four methods below that raise; the others where the default is wrong.
    """

    law: ClassVar[Law]
    #: Model of one flow by itself; None for laws that only have the mean of many.
    one_flow: ClassVar[OneFlow | None] = None
    #: Whether the law jumps, so that its past must be read as straight lines.
    jumps: ClassVar[bool] = False
    #: Whether it reacts to marks and losses, rather than to what it measures of the queue.
    notices: ClassVar[bool] = True
    #: Whether flows of this law take turns, so that a flow's place among them matters.
    takes_turns: ClassVar[bool] = False
    #: Whether the control is made for a step of the marking rather than a ramp.
    stepped: ClassVar[bool] = False
    #: Source of the equations; where they hold; where they depart from the source.
    source: ClassVar[str] = ""
    holds: ClassVar[str] = ""
    departures: ClassVar[str] = ""
    #: What holds in equilibrium, as a formula.
    rest_formula: ClassVar[str] = ""

    def parameters(self, path: Path) -> tuple[float, ...]:
        """The law's own parameters, from ``own + OWN`` on."""
        raise NotImplementedError

    def one_flow_parameters(self) -> tuple[float, ...]:
        """The parameters of the functions of ``one_flow``."""
        raise NotImplementedError

    def start(self, path: Path) -> tuple[float, ...]:
        """State at t = 0, also the constant past."""
        raise NotImplementedError

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        """The state in which nothing changes under a steady pressure; its rate falls as the pressure rises.

        A law that no notice slows down without one (rate infinite) answers ``math.inf``. Raises Infeasible where the
        law has no fixed point.
        """
        raise NotImplementedError

    def pace(self, path: Path) -> Pace:
        """Time scales."""
        raise NotImplementedError

    def notice_for(self, path: Path, rate: float, queue: float) -> float | None:
        """The notice at which a flow is in equilibrium at ``rate``, where known without search; only saves time."""
        return None

    def lengthened(self, extra: float) -> Flows:
        """The same law where every round trip without queueing is ``extra`` seconds longer."""
        return self

    def jumps_at(self, path: Path) -> tuple[float, ...]:
        """Queues (packets) at which the rate in equilibrium falls at once, ascending."""
        return ()

    def held(self, path: Path, states: tuple[float, ...]) -> tuple[int, ...]:
        """State components that are held at an end of their range: no small change moves them."""
        return ()

    def delays(self, path: Path, queue: float) -> tuple[float, ...]:
        """Delays (s) with which the law sees the past when the queue stays at ``queue``."""
        return (path.round_trip(queue),)

    def longest_delay(self, path: Path, ceiling: float) -> float:
        """Upper bound of every delay (s) while the queue stays below ``ceiling``."""
        return max(self.delays(path, ceiling))

    def describe(self, path: Path, states: tuple[float, ...]) -> dict[str, float]:
        """A state for people, in SI units (bytes, bit/s, s); shares as they are."""
        return dict(zip(self.law.states, states, strict=True))

    def closed_forms(self, path: Path, oscillation: Oscillation) -> tuple[Explanation, ...]:
        """Closed forms of this law on this path, beside the results of the run."""
        return ()

    def rest_forms(self, path: Path) -> tuple[Explanation, ...]:
        """Those of them that give the fixed point, without any run."""
        return ()

    def without_rest(self, path: Path) -> Infeasible:
        """The error of a law that never converges."""
        return Infeasible(f"{type(self).__name__} has no fixed point")


@dataclass(frozen=True)
class Group:
    """Identical flows: ``count`` of them, round trip ``base`` without queueing (s), their law ``flows``.

    drops: the marking drops their packets instead of marking them (a host that does not understand marks).
    """

    count: float
    base: float
    flows: Flows
    drops: bool = False
