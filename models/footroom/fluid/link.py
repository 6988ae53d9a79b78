"""What the Reno fluid runs over, in the model's own units (packets, packets per second, seconds)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footroom.errors import InvalidInput
from footroom.fluid import reno
from footroom.fluid.batch import Batch, Floats, Outcome, checked_step, whole_steps
from footroom.fluid.integrator import integrate
from footroom.fluid.model import Model


@dataclass(frozen=True)
class Group:
    """Identical long-lived flows: ``count`` of them, ``base`` round trip without queueing (s), ``window`` at t = 0
    (packets), one acknowledgement per ``ack_every`` packets.
    """

    count: float
    base: float
    window: float = 1.0
    ack_every: float = 1.0


@dataclass(frozen=True)
class Link:
    """A bottleneck. capacity: packets/s.  buffer: packets, may be infinite.  background: unresponsive packets/s."""

    capacity: float
    buffer: float = math.inf
    background: float = 0.0


@dataclass(frozen=True)
class DropTail:
    """Loss only when the buffer is full."""

    model = reno.DROP_TAIL

    def parameters(self, link: Link) -> tuple[float, ...]:
        """No parameters."""
        return ()

    def start(self) -> float:
        """No state."""
        return 0.0


@dataclass(frozen=True)
class Red:
    """Random early detection: probability 0 at ``minimum`` rising to ``top`` at ``maximum`` (packets), 1 above.

    weight: of one sample in the exponential average, one sample per packet time (pole -C ln(1-weight)); 1 means that
    the queue itself counts.  drops: early notices are drops; otherwise they are marks and the packet is queued.
    """

    minimum: float
    maximum: float
    top: float
    weight: float = 1.0
    drops: bool = False

    model = reno.RED

    def parameters(self, link: Link) -> tuple[float, ...]:
        """In the order of ``reno.RED_*``."""
        if not self.maximum > self.minimum >= 0.0:
            raise InvalidInput.at("maximum", self.maximum, "above the minimum, both at least 0")
        pole = -link.capacity * math.log1p(-self.weight) if self.weight < 1.0 else 0.0
        return self.minimum, self.top / (self.maximum - self.minimum), self.top, pole, float(self.drops)

    def start(self) -> float:
        """The average begins at an empty queue."""
        return 0.0


@dataclass(frozen=True)
class Pi:
    """Proportional-integral marking: ``gain`` K (1/(packet s)), ``zero`` z (rad/s), ``target`` queue (packets)."""

    gain: float
    zero: float
    target: float
    probability: float = 0.0

    model = reno.PI

    def parameters(self, link: Link) -> tuple[float, ...]:
        """In the order of ``reno.PI_*``."""
        return self.gain, self.zero, self.target

    def start(self) -> float:
        """Marking probability at t = 0."""
        return self.probability


Law = DropTail | Red | Pi


def arrange(
    links: Sequence[Link], groups: Sequence[Group], law: Law, *, step: float | Floats, duration: float | Floats,
    warmup: float | Floats = 0.0, refined: bool = False, queue: float = 0.0, ceiling: float | None = None,
    points: int = 0,
) -> Batch:
    """One lane per link, all with the same flows.

    step, duration, warmup: seconds, each one for all or one per link, rounded to whole steps.
    refined: use the large-p refinement.
    queue: packets at t = 0.  ceiling: largest queue expected (packets), needed where a buffer is infinite.
    points: rows to record.  Raises InvalidInput for a step longer than the shortest round trip.
    """
    step = checked_step(step, len(links), min(group.base for group in groups))
    tops = [min(link.buffer, ceiling if ceiling is not None else math.inf) for link in links]
    if not all(math.isfinite(top) and top > 0.0 for top in tops):
        given = [link.buffer for link in links]
        raise InvalidInput.at("buffer", given, "positive, and finite unless a ceiling is given")
    params, initial = [], []
    for link in links:
        head = [link.capacity, 1.0 / link.capacity, link.buffer, len(groups), float(refined), link.background]
        head += law.parameters(link)
        head += [0.0] * (reno.GROUPS - len(head))
        params.append(head + [x for group in groups for x in (group.count, group.base, group.ack_every)])
        initial.append([queue, law.start(), *(group.window for group in groups), *([0.0] * reno.BALANCES)])
    longest = max(group.base for group in groups)
    return Batch(
        params=np.array(params), initial=np.array(initial), remembered=reno.WINDOWS + len(groups),
        delays=reno.PER_GROUP * len(groups), signals=reno.SIGNALS, remembered_signals=reno.REMEMBERED_SIGNALS,
        step=step, steps=whole_steps(duration, step), warmup=whole_steps(warmup, step),
        longest_delay=np.array([longest + top / link.capacity for link, top in zip(links, tops, strict=True)]) + step,
        levels=np.array([[0.0, top] for top in tops]), points=points)


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
    change = (outcome.closed[lane] - outcome.opened[lane])[-reno.BALANCES:]
    offered, carried, lost = (float(x) for x in change)
    share = carried / (capacity * float(outcome.window[lane]))
    # A sum of many full steps may round past the whole; anything more would be an error worth seeing.
    return Flow(1.0 if 1.0 < share < 1.0 + 1e-9 else share, lost / offered, offered, carried, lost)


def simulate(batch: Batch, law: Law, *, threads: int | None = None) -> Outcome:
    """Integrate lanes made by ``arrange`` with the same law."""
    model: Model = law.model
    return integrate(model, batch, threads=threads)
