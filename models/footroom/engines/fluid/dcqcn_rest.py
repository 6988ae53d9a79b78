"""DCQCN in equilibrium: the share of marks its flows need, as published, to first order, and with paced notices."""

from __future__ import annotations

from footroom.engines.fluid.dcqcn_paced import Parameters, paced_share
from footroom.engines.fluid.markings.marking import Marking
from footroom.engines.fluid.markings.red import Red
from footroom.result.explanation import Explanation, Term

SOURCE = "Zhu, Ghobadi, Misra, Padhye, ECN or Delay, CoNEXT 2016, section 3"
PACED = "the algorithm of Zhu et al., SIGCOMM 2015, sections 3 and 5, cycle by cycle"


def first_order(law: Parameters, rate: float) -> float:
    """Share of marks in equilibrium to first order in it, as published: [R_AI/(t' R^2) (1/B + 1/(T R))^2]^(1/3).

    rate: of one flow, packets/s. Holds where B p, T R p and t R p are far below 1, which they are not: for the paper's
    parameters at 40 Gb/s and 1 to 12 flows it is 16 to 32 % above the exact root.
    """
    each = 1.0 / law.counter + 1.0 / (law.timer * rate)
    found: float = (law.increase / (law.alpha_timer * rate * rate) * each * each) ** (1.0 / 3.0)
    return found


def explanations(
    law: Parameters,
    rate: float,
    marks: float,
    marking: Marking | None,
    packet: float,
) -> tuple[Explanation, ...]:
    """The equilibrium of flows of ``rate`` (packets/s): ``marks``, the exact share, beside other forms. packet: B."""
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
            "No point of the ramp reaches a share above Pmax: there is no fixed point, and the queue oscillates "
            "around Kmax.",
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
            "B p, T R p and t R p far below 1. The equations converge to the exact share.",
            terms,
            largest < 0.1,
        ),
        *_paced(law, rate, marks, marking, packet, terms),
    )


def _paced(
    law: Parameters,
    rate: float,
    marks: float,
    marking: Marking | None,
    packet: float,
    terms: tuple[Term, ...],
) -> tuple[Explanation, ...]:
    """The share of marks, and the queue where RED marks that share, when receivers pace their notifications."""
    share = paced_share(law, rate, marks)
    if share is None:
        return ()
    top = marking.top if isinstance(marking, Red) else 1.0
    told = [
        Explanation(
            "dcqcn_marks_paced",
            "The same where marks within a CNP interval of a notification lead to no other",
            "p with E[R at the end of a cycle] = R at its begin; cycles last t + Exp(-ln(1-p) R), alpha = 1/(1 + "
            "expiries of t' in a cycle), each expiry of T or B lifts R halfway to R_T, beyond F raised by R_AI",
            share,
            "1",
            PACED,
            "Marks at random and independent. It is what packets do; the queue and the stability of the fluid follow "
            "the published equations.",
            terms,
            share <= top,
        )
    ]
    if isinstance(marking, Red):
        queue = (marking.minimum + share / top * (marking.maximum - marking.minimum)) * packet
        least, most = marking.minimum * packet, marking.maximum * packet
        curve = (
            Term("p", "share of marks with paced notifications", share, "1"),
            Term("Kmin", "queue above which packets are marked", least, "B"),
            Term("Kmax", "queue above which all are", most, "B"),
            Term("Pmax", "share of marks at Kmax", top, "1"),
        )
        told.append(
            Explanation(
                "dcqcn_queue_paced",
                "Queue at which that share is marked",
                "Kmin + (Kmax - Kmin) p / Pmax",
                queue,
                "B",
                PACED,
                "A queue that stays on the ramp of RED: near Kmax it touches it, where all packets are marked.",
                curve,
                share <= top,
            )
        )
    return tuple(told)
