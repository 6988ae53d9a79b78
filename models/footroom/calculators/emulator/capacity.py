"""What loses nothing: the smallest alpha, and the burst that each policy absorbs, by emulation."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.arrivals import MOST, Arrivals
from footroom.calculators.emulator.pattern import arrival_rate, lines, synthetic, too_much
from footroom.calculators.emulator.question import Question
from footroom.calculators.emulator.replay import run
from footroom.parts.sharing import DynamicThreshold, Policy

#: Alphas tried: the octaves that models accept, two alphas an octave.
_LOWEST, _OCTAVES, _STEPS = -12, 24, 2
_ALPHA_DIGITS = 1e-6


@dataclass(frozen=True)
class Alpha:
    """emulated: the smallest alpha that loses nothing, None if none does.  best: the one that loses least, dropped
    [B].
    """

    emulated: float | None
    best: float
    dropped: int


def _lost(alpha: float, question: Question, arrivals: Arrivals) -> int:
    """Bytes lost of bursts, of everything where there are none."""
    outcome = run(DynamicThreshold(alpha=alpha), question, arrivals)
    lost = outcome.bursts[:, at.BURST_DROPPED_BYTES] if len(arrivals.starts) else outcome.counts[:, at.DROPPED_BYTES]
    return int(lost.sum())


def _loses(alpha: float, question: Question, arrivals: Arrivals) -> bool:
    return run(DynamicThreshold(alpha=alpha), question, arrivals, stop=True).first >= 0


def smallest_alpha(question: Question, arrivals: Arrivals) -> Alpha:
    """The first alpha, from below, at which dynamic threshold loses nothing, to six digits.

    Searched on a grid of two alphas an octave and then narrowed down: where other queues use the same alpha, a larger
    one may lose again, so the search does not start from above.
    """
    grid = [2.0 ** (_LOWEST + i / _STEPS) for i in range(_OCTAVES * _STEPS + 1)]
    first = next((i for i, alpha in enumerate(grid) if not _loses(alpha, question, arrivals)), None)
    if first is None:
        losses = [_lost(alpha, question, arrivals) for alpha in grid]
        best = min(range(len(grid)), key=losses.__getitem__)
        return Alpha(None, grid[best], losses[best])
    high = grid[first]
    if first > 0:
        low = grid[first - 1]
        while high / low > 1.0 + _ALPHA_DIGITS:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if _loses(middle, question, arrivals) else (low, middle)
    return Alpha(high, high, 0)


@dataclass(frozen=True)
class Absorbed:
    """bytes of one burst that had arrived when the next was dropped, the queue then [B], and how long it took [s]."""

    bytes: int
    queue: int
    time: float


def most_packets(question: Question) -> int | None:
    """Packets of a burst that no policy absorbs; None when the queue never grows or they are too many to emulate."""
    arrival, drain = arrival_rate(question), question.rate
    if arrival <= drain:
        return None
    packets = 1.01 * question.buffer * arrival / (arrival - drain) / question.in_memory + 2 * lines(question) + 10
    return math.ceil(packets) if too_much(question, math.ceil(packets), 1) is None else None


def absorbed(policy: Policy, question: Question, endless: Arrivals) -> Absorbed | None:
    """What ``policy`` takes of a burst that does not end before it drops; ``endless`` has one such burst.

    As all senders send at the same rate to the end, every shorter burst begins like this one, so no search is needed.
    """
    outcome = run(policy, question, endless, stop=True)
    if outcome.first < 0:
        return None
    before = endless.burst[: outcome.first] >= 0
    time = int(endless.time[outcome.first] - endless.starts[0])
    return Absorbed(int(endless.size[: outcome.first][before].sum()), int(outcome.counts[0, at.PEAK]), time * 1e-12)


def absorbed_when_repeated(policy: Policy, question: Question, most: int) -> int | None:
    """Bytes of each of ``question.bursts`` bursts so that the last one loses nothing, by bisection; None if too many.

    Policies that learn may take more of a burst they have seen before.
    """
    if most * question.bursts > MOST // 2 or too_much(question, most, question.bursts) is not None:
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        outcome = run(policy, question, synthetic(question, middle))
        lost = int(outcome.bursts[-1, at.BURST_DROPPED])
        low, high = (low, middle) if lost else (middle, high)
    return low * int(question.packet)
