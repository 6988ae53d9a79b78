"""Virtual output queues: how long the last packet waits when several line cards hold a queue for one output.

A chassis router keeps, on each ingress line card, one queue per output port. The limit that an operator configures is
that of one queue, but the output serves the queues of all cards in turn, so the wait grows with their number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.base.component import Document
from footroom.base.errors import Infeasible
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.calculators.voq.document import VoqDocument
from footroom.formulas.transfer.checks import positive
from footroom.result.explanation import Explanation, Term
from footroom.result.words import number

_HOLDS = (
    "Every card has packets for the output all the time and the output serves the cards' queues in turn, so each "
    "drains at C/N. Cards with nothing to send shorten the wait; another scheduler shares the output differently."
)
_SOURCE = "Derived: N full queues hold 8·N·V bits, and the output sends C of them per second"


class VoqQuestion(Document):
    """Which limit per queue keeps the wait below a bound, and what wait a given limit allows."""

    rate: Rate = quantity(100e9, "bit/s", "Rate of the output port.", symbol="C", gt=0, le=1e15)
    line_cards: int = quantity(
        4, "1", "Line cards that feed the output, each with its own queue for it.", symbol="N", ge=1, le=100_000
    )
    delay: Time = quantity(0.05, "s", "Longest wait allowed behind full queues.", symbol="D", gt=0, le=1e6)
    packet: Size = quantity(1500.0, "B", "Size of a full packet, for the limit in packets.", symbol="P", gt=0, le=1e6)
    limit: Size | None = quantity(
        None,
        "B",
        "A limit that is already configured, to see what wait it allows.",
        symbol="V",
        gt=0,
        le=1e18,
        source="500 MB and 500 000 packets are the defaults of a 100 Gb/s port of the "
        "Arista 7500R, people.ucsc.edu/~warner/Bufs/arista7500R.html",
    )


@dataclass(frozen=True)
class VoqAnswer:
    """limit: largest queue limit [B].  packets: full packets in it.  memory: what all cards together then hold [B].

    delay: wait that the limit already configured allows [s], None when none was given.
    """

    limit: float
    packets: int
    memory: float
    delay: float | None
    explanations: tuple[Explanation, ...]

    def to_dict(self) -> VoqDocument:
        """Plain data, SI base units."""
        return {
            "limit": self.limit,
            "packets": self.packets,
            "memory": self.memory,
            "delay": self.delay,
            "explanations": [one.to_dict() for one in self.explanations],
        }


def voq_delay(limit: float, line_cards: float, rate: float) -> float:
    """Wait [s] of the last packet of a full queue: 8·N·V/C.  limit: V [B].  line_cards: N.  rate: C [bit/s]."""
    return 8.0 * positive("limit", limit) * positive("line_cards", line_cards) / positive("rate", rate)


def voq_limit(delay: float, line_cards: float, rate: float) -> float:
    """Largest queue limit [B] that keeps the wait at or below ``delay`` [s]: D·C/(8·N)."""
    return positive("delay", delay) * positive("rate", rate) / (8.0 * positive("line_cards", line_cards))


def answer(question: VoqQuestion) -> VoqAnswer:
    """The limit for the wait asked for, and the wait of the limit given.

    Raises Infeasible when one full packet on each card already takes longer than the wait allowed.
    """
    limit = voq_limit(question.delay, question.line_cards, question.rate)
    packets = math.floor(limit / question.packet * (1.0 + 1e-12))
    if packets < 1:
        least = voq_delay(question.packet, question.line_cards, question.rate)
        raise Infeasible(
            f"one packet of {question.packet:g} B on each of {question.line_cards} line cards already "
            f"takes {number(least, 's')} at this rate; allow at least that"
        )
    cards = Term("N", "line cards that feed the output", float(question.line_cards), "1")
    rate = Term("C", "rate of the output", question.rate, "bit/s")
    found = [
        Explanation(
            "voq_limit",
            "Limit of one queue",
            "V = D·C/(8·N)",
            limit,
            "B",
            _SOURCE,
            _HOLDS,
            (Term("D", "longest wait allowed", question.delay, "s"), rate, cards),
        ),
        Explanation(
            "voq_memory",
            "Memory behind one output",
            "M = N·V = D·C/8",
            limit * question.line_cards,
            "B",
            _SOURCE,
            "All cards together; on each card it is shared with the queues of every other output.",
            (cards, Term("V", "limit of one queue", limit, "B")),
        ),
    ]
    delay = None
    if question.limit is not None:
        delay = voq_delay(question.limit, question.line_cards, question.rate)
        found.append(
            Explanation(
                "voq_delay",
                "Wait behind the limit given",
                "D = 8·N·V/C",
                delay,
                "s",
                _SOURCE,
                _HOLDS,
                (cards, Term("V", "limit of one queue", question.limit, "B"), rate),
            )
        )
    return VoqAnswer(limit, packets, limit * question.line_cards, delay, tuple(found))
