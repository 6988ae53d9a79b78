"""Synthetic arrivals: an incast, once or repeated, among congested and loaded ports."""

from __future__ import annotations

import math

import numpy as np

from footroom.base.errors import InvalidInput, Problem
from footroom.base.framing import LEAST_FRAME
from footroom.base.rng import stream
from footroom.calculators.emulator.arrivals import MOST, Arrivals, Ints, merged, places
from footroom.calculators.emulator.question import Question

SECOND = 1e12
#: Longest emulation, so that times fit their integers [s].
_LONGEST = 1e6


def on_link(question: Question, sizes: Ints) -> Ints:
    """Byte times on the link of packets of ``sizes`` [B]."""
    return in_frames(question, sizes) + question.frames.gap


def in_frames(question: Question, sizes: Ints) -> Ints:
    """Bytes of the frames that carry packets of ``sizes``."""
    overhead = question.frames.overhead
    return np.maximum(LEAST_FRAME, sizes + overhead) if overhead else sizes


def lines(question: Question) -> int:
    """Number of input ports that carry an incast: one per sender as long as there are other ports."""
    assert question.degree is not None
    return min(question.degree, question.ports - 1)


def arrival_rate(question: Question) -> float:
    """Rate at which an incast arrives at its output port [bit/s]."""
    return lines(question) * (question.ingress_rate or question.rate)


def incast_packets(question: Question) -> int:
    """Packets of one incast."""
    assert question.degree is not None
    return question.degree * math.ceil(question.size / question.packet)


def settling(question: Question) -> float:
    """Time that congested queues take to reach their limit [s]."""
    if question.congested == 0:
        return 0.0
    rise = (question.overload - 1.0) * question.rate / 8.0 * question.in_memory / question.on_link
    return 1.1 * question.buffer / question.congested / rise


def interval(question: Question, packets: int) -> float:
    """Time between the beginnings of two bursts of so many packets [s]."""
    if question.interval is not None:
        return question.interval
    time = packets * question.on_link * 8.0 / min(question.rate, arrival_rate(question))
    return 1.25 * time + 100.0 * question.on_link * 8.0 / question.rate


def incast(question: Question, packets: int | None = None, bursts: int | None = None) -> Arrivals:
    """``bursts`` bursts at port 0 from senders that begin together; ``packets``: of each.

    Every input port sends back to back at its rate, its senders taking turns packet by packet. The inputs are spread
    evenly over one packet's time, or begin at the same instant where ``synchronised``. Messages end with a shorter
    packet where they are no whole number of packets; a burst of a given number of packets is made of full ones.
    """
    assert question.degree is not None
    inputs, full = lines(question), int(question.packet)
    byte = 8.0 / (question.ingress_rate or question.rate) * SECOND
    each = math.ceil(question.size / question.packet)
    senders = (question.degree - np.arange(inputs) + inputs - 1) // inputs  # that share each input
    if packets is None:
        line, turn = _turns(senders * each)
    else:
        line, turn = np.arange(packets) % inputs, np.arange(packets) // inputs
    size = np.full(len(line), full)
    if packets is None:
        size[turn // senders[line] == each - 1] = int(question.size) - (each - 1) * full
    bursts = question.bursts if bursts is None else bursts
    period = interval(question, len(line))
    # A packet arrives with its last byte; the first one of the first input does so when the burst begins.
    first = min(full, int(question.size) if packets is None else full)
    offset = (_so_far(line, on_link(question, size)) - question.frames.wire(first)) * byte
    if not question.synchronised:
        offset += line * (question.on_link * byte / inputs)
    parts = []
    for b in range(bursts):
        time = np.round((settling(question) + b * period) * SECOND + offset).astype(np.int64)
        flow = line + inputs * (turn % senders[line]) + b * question.degree
        parts.append((time, size, flow, np.full(len(line), b)))
    time, size, flow, burst = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    order = np.argsort(time, kind="stable")
    starts = np.round((settling(question) + np.arange(bursts) * period) * SECOND).astype(np.int64)
    return Arrivals(
        time[order], np.zeros(len(time), np.int64), size[order], flow[order], places(flow[order]), burst[order], starts
    )


def _turns(counts: Ints) -> tuple[Ints, Ints]:
    """Input and turn of every packet when input i sends counts[i] of them, turn by turn."""
    line = np.repeat(np.arange(len(counts)), counts)
    turn = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    order = np.lexsort((line, turn))
    return line[order], turn[order]


def _so_far(line: Ints, size: Ints) -> Ints:
    """Bytes that every packet's input has sent with its last byte; packets of an input are in their order."""
    order = np.argsort(line, kind="stable")
    total = np.cumsum(size[order])
    first = np.searchsorted(line[order], line[order])
    found = np.empty(len(line), np.int64)
    found[order] = total - np.where(first > 0, total[first - 1], 0)
    return found


def background(question: Question, until: float) -> list[Arrivals]:
    """Ports that are offered more than they can send, and random packets at all others, up to ``until`` [s]."""
    found = []
    packet = int(question.packet)
    time = question.on_link * 8.0 / question.rate
    if question.congested:
        gap, n = time / question.overload * SECOND, question.congested
        count = int(until * SECOND / gap * n)
        number = np.arange(count)
        when = np.round((number // n + (number % n) / n) * gap).astype(np.int64)
        found.append(_stream(when, 1 + number % n, number % n, packet))
    if question.load > 0.0:
        rest = np.r_[0, np.arange(question.congested + 1, question.ports)]
        rate = question.load / time
        draw = stream(question.seed, "emulator", "background")
        drawn = draw.poisson(until * rate, len(rest))
        when = np.round(np.sort(draw.uniform(0.0, until, int(drawn.sum()))) * SECOND).astype(np.int64)
        port = draw.permutation(np.repeat(rest, drawn))
        found.append(_stream(when, port, np.searchsorted(np.sort(rest), port), packet))
    return found


def synthetic(question: Question, packets: int | None = None, bursts: int | None = None) -> Arrivals:
    """The arrivals of ``question``, or with other bursts. packets: of each burst.  bursts: how many.

    Raises InvalidInput when they are too many.
    """
    problem = too_much(
        question,
        incast_packets(question) if packets is None else packets,
        question.bursts if bursts is None else bursts,
    )
    if problem is not None:
        raise InvalidInput([problem])
    found = incast(question, packets, bursts)
    others = background(question, float(found.time[-1]) / SECOND)
    return merged([found, *others]) if others else found


def too_much(question: Question, packets: int, bursts: int) -> Problem | None:
    """Why ``bursts`` bursts of so many packets each, beside other traffic, cannot be emulated; None if they can."""
    last = packets * question.on_link * 8.0 / arrival_rate(question)
    until = settling(question) + (bursts - 1) * interval(question, packets) + last
    if until > _LONGEST:
        return Problem(
            "rate",
            question.rate,
            f"this would take more than {_LONGEST:g} s; ask for a higher rate, fewer "
            "bursts closer together, or a clearer overload",
        )
    slots = until * question.rate / question.on_link / 8.0
    counts = {
        "size": float(packets) * bursts,
        "congested": question.congested * question.overload * slots,
        "load": question.load * slots * (question.ports - question.congested),
    }
    if sum(counts.values()) <= MOST:
        return None
    field = max(counts, key=lambda name: counts[name])
    return Problem(
        field,
        getattr(question, field),
        f"makes {counts[field]:.3g} of {sum(counts.values()):.3g} packets; "
        f"at most {MOST} are emulated at once: ask for fewer or smaller bursts, closer together, or larger "
        "packets",
    )


def _stream(time: Ints, port: Ints, flow: Ints, packet: int) -> Arrivals:
    flow = flow.astype(np.int64)
    return Arrivals(
        time,
        port.astype(np.int64),
        np.full(len(time), packet),
        flow,
        places(flow),
        np.full(len(time), -1, np.int64),
        np.zeros(0, np.int64),
    )
