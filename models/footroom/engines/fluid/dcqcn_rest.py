"""DCQCN in equilibrium: the share of marks its flows ask for, exactly and to first order, as explanations."""

from __future__ import annotations

from typing import Protocol

from footroom.engines.fluid.markings.marking import Marking
from footroom.engines.fluid.markings.red import Red
from footroom.result.explanation import Explanation, Term

SOURCE = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay, CoNEXT 2016, section 3"


class Parameters(Protocol):
    """Of DCQCN, in packets, packets/s and seconds."""

    @property
    def increase(self) -> float: ...
    @property
    def interval(self) -> float: ...
    @property
    def alpha_timer(self) -> float: ...
    @property
    def timer(self) -> float: ...
    @property
    def counter(self) -> float: ...
    @property
    def recovery(self) -> float: ...


def first_order(law: Parameters, rate: float) -> float:
    """Share of marks in equilibrium to first order in it, as published: [R_AI/(t' R^2) (1/B + 1/(T R))^2]^(1/3).

    rate: of one flow, packets/s. Holds where B p, T R p and t R p are far below 1, which they are not: for the paper's
    parameters at 40 Gb/s and 1 to 12 flows it is 16 to 32 % above the exact root.
    """
    each = 1.0 / law.counter + 1.0 / (law.timer * rate)
    found: float = (law.increase / (law.alpha_timer * rate * rate) * each * each) ** (1.0 / 3.0)
    return found


def explanations(law: Parameters, rate: float, marks: float, marking: Marking | None) -> tuple[Explanation, ...]:
    """Where flows of ``rate`` (packets/s) rest: ``marks``, the exact share, and what the first order makes of it."""
    terms = (
        Term("R", "even share of the link", rate, "packet/s"),
        Term("R_AI", "additive increase", law.increase, "packet/s"),
        Term("t", "CNP interval", law.interval, "s"),
        Term("t'", "alpha timer", law.alpha_timer, "s"),
        Term("T", "rate timer", law.timer, "s"),
        Term("F", "increases of fast recovery", law.recovery, "1"),
        *((Term("B", "byte counter", law.counter, "packet"),) if law.counter < float("inf") else ()),
    )
    top = marking.top if isinstance(marking, Red) else 1.0
    largest = max(law.counter, law.timer * rate, law.interval * rate) * marks
    return (
        Explanation(
            "dcqcn_marks",
            "Share of marks at which the flows fill the link",
            "p with a^2 alpha / ((b + d)(c + e)) = t^2 R_AI R; a = 1 - (1-p)^(t R), alpha = 1 - (1-p)^(t' R), "
            "b = p/((1-p)^-B - 1), c = b (1-p)^(F B), d = p/((1-p)^(-T R) - 1), e = d (1-p)^(F T R)",
            marks,
            "1",
            SOURCE,
            "A share above Pmax is reached nowhere on the ramp: there is no fixed point, and the queue chatters "
            "about Kmax.",
            terms,
            marks <= top,
        ),
        Explanation(
            "dcqcn_marks_first_order",
            "The same to first order, as published",
            "p = [R_AI / (t' R^2) (1/B + 1/(T R))^2]^(1/3)",
            first_order(law, rate),
            "1",
            SOURCE,
            "B p, T R p and t R p far below 1. The exact share is what the equations settle at.",
            terms,
            largest < 0.1,
        ),
    )
