"""How the closed forms come about."""

from __future__ import annotations

from footroom.calculators.emulator.closed import alpha_in_closed_form, largest_queue, pool
from footroom.calculators.emulator.pattern import arrival_rate
from footroom.calculators.emulator.question import Question
from footroom.result import Explanation, Term

_SOURCE = "Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998, eq. 1; the burst derived"
_HOLDS = (
    "Constant rates, messages in whole packets; exact but for a packet or two: the one being sent occupies no "
    "memory, and a packet is taken whole or not at all."
)


def explanations(question: Question) -> tuple[Explanation, ...]:
    """The smallest alpha in closed form, where there is one."""
    if question.trace is not None or not question.capacity:
        return ()
    alpha = alpha_in_closed_form(question)
    if alpha is None:
        return ()
    assert question.degree is not None
    alone = question.congested == 0
    formula = (
        "α = q/(B − q)"
        if alone
        else (
            "first α at which the queue meets α·free memory only once S has arrived; the congested queues follow their "
            "thresholds or drain at C"
        )
    )
    terms = [
        Term("B", "shared memory", pool(question), "B"),
        Term("C", "rate of the output", question.rate, "bit/s"),
        Term("R", "rate at which the incast arrives", arrival_rate(question), "bit/s"),
        Term("S", "bytes of the incast", question.degree * question.size, "B"),
    ]
    if alone:
        queue = largest_queue(question) - question.reserved
        terms = [
            Term(
                "q", "longest queue, S·(1 − C/R) when all inputs send to the end, beyond what is reserved", queue, "B"
            ),
            *terms,
        ]
    else:
        terms.append(Term("n", "other ports kept congested", float(question.congested), "1"))
    return (
        Explanation(
            "smallest_alpha", "Smallest alpha that loses nothing", formula, alpha, "1", _SOURCE, _HOLDS, tuple(terms)
        ),
    )
