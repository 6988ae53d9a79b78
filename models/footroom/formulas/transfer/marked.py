"""Completion times of one more transfer among long flows whose packets are marked: a distribution, round by round.

As ``among``, with marks in the place of losses:

* until its first mark the transfer is in slow start. The packets of a window find what the load has in the network and
  those of the transfer before them: from half of the window on, as an acknowledgement releases two packets, or from
  none in the first window. The first of them that is marked ends slow start;
* from then on it sees the marks that the load sees, and is cut at most once per round trip. The load makes room for
  one flow among n + 1: a control whose window falls as p^-1/k at a share p of marks sees ((n + 1)/n)^k times the
  marks; where the marking is a step, which marks all packets or none, its window grows by n/(n + 1) of its steps.

Windows and round trips are those of Cardwell, Savage and Anderson (INFOCOM 2000); cuts those of RFC 3168 (section
6.1.2) and RFC 8257 (section 3.3). Left out: losses, so ``overflows`` says how many transfers did not fit the buffer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.formulas.transfer.among import LONG, LONG_TRANSFERS, MOST_ROUNDS, TRANSFERS, Sender, Values


@dataclass(frozen=True)
class Answer:
    """How a control reacts to marks. exponent: k, its window at a share p of marks falls as p^(-1/k).

    gain: weight of a window's share of marks in the running share, which scales the cut (RFC 8257); none where a cut is
    the law's own factor whatever the share.  first: the running share at the start.  least: smallest window [packets].
    """

    exponent: float
    gain: float | None = None
    first: float = 1.0
    least: float = 2.0


@dataclass(frozen=True)
class Curve:
    """Probability of a mark against the queue [packets]: 0 up to low, rising to top at high, 1 above."""

    low: float
    high: float
    top: float = 1.0

    @property
    def step(self) -> bool:
        """Whether it jumps from 0 to 1."""
        return self.high <= self.low

    def at(self, queue: Values) -> Values:
        """Share of packets marked among those that find this queue [packets]."""
        if self.step:
            return np.asarray(queue > self.low, dtype=np.float64)
        rising = np.clip((queue - self.low) / (self.high - self.low) * self.top, 0.0, self.top)
        return np.where(queue > self.high, 1.0, rising)


@dataclass(frozen=True)
class Load:
    """What the load does over time, one sample every ``step`` s, repeated for ever; and where.

    excess: its packets in the network less those that fill the empty path.  marks: share of packets marked.
    capacity [packet/s].  buffer [packets].  rtt: without queue [s].  flows: of the load.
    """

    step: float
    excess: Values
    marks: Values
    capacity: float
    buffer: float
    rtt: float
    flows: float


@dataclass(frozen=True)
class Marked:
    """times [s].  whole: whether every window was followed.  overflows: share of the transfers that overflowed."""

    times: Values
    whole: bool
    overflows: float


#: Places of a window at which packets of slow start are sampled.
_PLACES = (np.arange(16) + 0.5) / 16.0


def completion_times(load: Load, curve: Curve, answer: Answer, sender: Sender, seed: int) -> Marked:
    """Completion times of many transfers that begin at moments spread over the load's course."""
    random = np.random.default_rng(seed)
    columns = TRANSFERS if sender.segments < LONG else LONG_TRANSFERS
    path = load.capacity * load.rtt
    marks = _mean_over_a_trip(load)
    if not curve.step:
        marks = np.minimum(1.0, marks * ((load.flows + 1.0) / load.flows) ** answer.exponent)
    slower = load.flows / (load.flows + 1.0) if curve.step else 1.0
    begin = (np.arange(columns) + random.random(columns)) / columns * load.excess.size
    now, left = np.zeros(columns), np.full(columns, float(sender.segments))
    window = np.full(columns, float(min(sender.initial_window, sender.max_window)))
    share = np.full(columns, answer.first)
    aware, overflowed = np.zeros(columns, bool), np.zeros(columns, bool)
    memory = sender.growth.memory(columns)
    live = np.arange(columns)
    half = now, left
    for rounds in range(MOST_ROUNDS):
        if rounds == MOST_ROUNDS // 2:
            half = now.copy(), left.copy()
        w, knows = window[live], aware[live]
        drawn = random.random((2, columns))[:, live]
        at = ((begin[live] + now[live] / load.step) % load.excess.size).astype(np.int64)
        others = load.excess[at]
        # The load has made room by then.
        others = np.where(knows, (others + path) * slower - path, others)
        sent = np.minimum(w, left[live])
        last = sent >= left[live]
        queue = np.clip(others + sent, 0.0, load.buffer)
        overflowed[live] |= ~knows & (others + sent > load.buffer)
        trip = path / load.capacity + np.where(last, np.maximum(queue, sent - 1.0), queue) / load.capacity
        begins = 0.0 if rounds == 0 else 0.5
        finds = others[:, None] + sent[:, None] * (begins + (1.0 - begins) * _PLACES)
        picked = curve.at(finds)
        missed = np.cumprod(1.0 - picked, axis=1) ** (sent[:, None] / _PLACES.size)
        # Packets acknowledged before the first mark: the cumulative chance of none so far meets a random level.
        before = np.where(knows, 0.0, (missed > drawn[0][:, None]).mean(axis=1) * sent)
        # A step marks whole windows, so the share of time with marks is that of windows that are cut.
        often = marks[at] if curve.step else -np.expm1(sent * np.log1p(-np.minimum(marks[at], 1.0 - 1e-12)))
        hit = np.where(knows, drawn[0] < often, missed[:, -1] <= drawn[0])
        seen = np.maximum(np.where(knows, marks[at], picked.mean(axis=1)), hit / np.maximum(sent, 1.0))
        now[live] += trip + np.where((sent < 1.5) & ~last, sender.ack_delay, 0.0)
        left[live] -= sent
        grown = w + sent
        more = sender.growth.grow(memory, live[knows], w[knows], sent[knows], now[live[knows]])
        grown[knows] = w[knows] + slower * (more - w[knows])
        # The load's equations let a window grow in the round trip of its cut as well.
        reached = np.where(knows, grown, w + before)
        kept = sender.growth.factor if answer.gain is None else 1.0 - share[live] / 2.0
        sender.growth.lose(memory, live[hit], reached[hit], np.zeros(int(hit.sum()), bool))
        window[live] = np.minimum(np.where(hit, np.maximum(kept * reached, answer.least), grown), sender.max_window)
        if answer.gain is not None:
            share[live] += answer.gain * (seen - share[live])
        aware[live] |= hit
        live = live[left[live] > 1e-9]
        if not live.size:
            break
    if live.size:
        # Every window sends at least its least size, so the rate is above 0.
        rate = float((half[1] - left)[live].sum() / (now - half[0])[live].sum())
        now[live] += left[live] / rate
    return Marked(now, not live.size, float(overflowed.mean()))


def _mean_over_a_trip(load: Load) -> NDArray[np.float64]:
    """Share of marks over the round trip that begins with each sample."""
    trip = load.rtt + max(0.0, float(load.excess.mean())) / load.capacity
    ahead = min(max(1, round(trip / load.step)), load.marks.size)
    summed = np.concatenate([[0.0], np.cumsum(np.concatenate([load.marks, load.marks[:ahead]]))])
    return np.asarray((summed[ahead : ahead + load.marks.size] - summed[: load.marks.size]) / ahead)
