"""How long-lived flows share a link over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError, Rates
from footroom.papers.measures.flows import Floats, Ints


def _rates(answer: Answer) -> Rates:
    if answer.rates is None:
        raise NotMeasurableError("the goodput of single flows was not recorded")
    return answer.rates


def _steps(answer: Answer) -> Iterator[Floats]:
    """Goodput [bit/s] of the active flows, windows by flows, in the last two thirds of every step.

    A step lasts from one flow's start or stop to the next.
    """
    rates = _rates(answer)
    begin, end = _times(answer, rates)
    opened = float(answer.scenario["run"]["warmup"])
    changes = np.unique(np.concatenate([begin, end]))
    for before, after in pairwise(changes):
        active = (begin <= before) & (end >= after)
        first = int(np.ceil((before + (after - before) / 3.0 - opened) / rates.width))
        last = int(np.floor((after - opened) / rates.width))
        if active.any() and last > first:
            yield rates.goodput[active, first:last].T


def _times(answer: Answer, rates: Rates) -> tuple[Floats, Floats]:
    """When every flow joins and when it leaves [s]."""
    begin, end = np.zeros(len(rates.entry)), np.zeros(len(rates.entry))
    joined: dict[int, int] = {}
    for flow, number in enumerate(rates.entry.tolist()):
        entry = answer.scenario["traffic"][number]
        if entry.get("kind") == "staircase":
            place = joined.get(number, 0)
            joined[number] = place + 1
            begin[flow] = entry["start"] + place * entry["interval"]
            end[flow] = begin[flow] + (entry["length"] or entry["flows"] * entry["interval"])
        else:
            begin[flow], end[flow] = entry["start"], entry["stop"] or answer.scenario["run"]["duration"]
    return begin, end


def _jain(step: Floats) -> Floats:
    """Jain's index of every window."""
    squares = len(step[0]) * np.square(step).sum(axis=1)
    index: Floats = np.divide(np.square(step.sum(axis=1)), squares, out=np.ones(len(step)), where=squares > 0)
    return index


def jain_mean(answers: Sequence[Answer], least: int, most: int = 1000) -> float:
    """Jain's index of the flows' goodput per window, mean over the steps in which ``least`` to ``most`` are active."""
    found = [_jain(step).mean() for answer in answers for step in _steps(answer) if least <= len(step[0]) <= most]
    return float(np.mean(found))


def jain_worst_step(answers: Sequence[Answer], least: int = 2) -> float:
    """The smallest of the steps' mean indices; of several runs, each step's mean over them."""
    found = [[_jain(step).mean() for step in _steps(answer) if len(step[0]) >= least] for answer in answers]
    return float(np.mean(found, axis=0).min())


def starved_share(answers: Sequence[Answer], below: float, least: int) -> float:
    """Share of the windows of single flows with less than ``below`` [bit/s], while ``least`` or more are active."""
    return float(
        np.mean(
            np.concatenate(
                [(step < below).ravel() for answer in answers for step in _steps(answer) if len(step[0]) >= least]
            )
        )
    )


def truncated_throughput(answers: Sequence[Answer], span: float, step: float) -> float:
    """Throughput [bit/s] as reported by a program that reads for ``span`` [s] and ends with its last receiver.

    A receiver that has read for that long returns when its next data comes, or at once where none will come. Bytes are
    divided by the time at which the last receiver returns, and each flow's rate is cut down to a multiple of ``step``.
    """
    found = []
    for answer in answers:
        rates = _rates(answer)
        returns = _returns(rates, span)
        last = float(returns.max()) * rates.width
        bits = np.array([flow[:end].sum() for flow, end in zip(rates.goodput, returns, strict=True)]) * rates.width
        found.append((np.floor(bits / last / step) * step).sum())
    return float(np.mean(found))


def truncated_reach(answers: Sequence[Answer], span: float, step: float, rate: float) -> float:
    """Share of the runs whose ``truncated_throughput`` reaches ``rate`` [bit/s]."""
    return float(np.mean([truncated_throughput([answer], span, step) >= rate for answer in answers]))


def starvation_stretch(answers: Sequence[Answer], span: float) -> float:
    """By how much the last receiver makes such a program's run longer, as a factor."""
    rates = [_rates(answer) for answer in answers]
    return float(np.mean([float(_returns(one, span).max()) * one.width / span for one in rates]))


def _returns(rates: Rates, span: float) -> Ints:
    """Number of the window at whose end each receiver returns."""
    windows, recorded = round(span / rates.width), rates.goodput.shape[1]
    if recorded <= windows:
        raise NotMeasurableError(
            f"goodput was recorded for {recorded * rates.width:g} s; to see when the receivers of "
            f"a program return that reads for {span:g} s, the run must be longer"
        )
    later = rates.goodput[:, windows:] > 0.0
    return np.where(later.any(axis=1), windows + 1 + later.argmax(axis=1), windows)
