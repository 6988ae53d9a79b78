"""The fixed points behind a fluid answer, as formulas with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from footroom.base.errors import FootroomError
from footroom.engines.fluid import small_buffer
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.loss_curves import one_deterministic_loss
from footroom.engines.fluid.markings import Red
from footroom.engines.fluid.regime import WELL_WITHIN, Regime
from footroom.engines.fluid.roots import rightmost
from footroom.engines.fluid.sawtooth import sawtooth_utilisation
from footroom.engines.fluid.system import FixedPoint, System
from footroom.result.explanation import Explanation, Term

_RAINA = "Raina, Towsley, Wischik, Buffer sizing part II, CCR 35(3), 2005"
_HOLDS = "Windows of about 4 packets or more and a loss of at most about 5 %."


def rest_explanations(system: System, tail_of_reno: bool, *, growth: bool) -> tuple[Explanation, ...]:
    """The fixed point and, where asked for, its stability. Empty where there is no fixed point.

    tail_of_reno: Reno flows that lose at a full buffer; a single one is also shown as the event sawtooth.
    """
    link, groups = system.link, system.groups
    found: list[Explanation] = []
    with suppress(FootroomError):
        point = system.fixed_point()
        for i, group in enumerate(groups):
            found += _group_at_rest(system, i, group, point)
        ramp = isinstance(system.marking, Red)
        found.append(
            Explanation(
                "fluid_loss",
                "Probability of a mark or drop at equilibrium",
                "p with (1-p) (sum N W(p)/(T + B/C) + background) = C, buffer full"
                if tail_of_reno
                else "p at which the flows fill the link"
                if point.values["load"] >= 1.0
                else "none: the link is not full",
                point.probability,
                "1",
                groups[0].flows.source,
                groups[0].flows.holds,
                tuple(Term(f"N_{i}", f"flows of group {i}", g.count, "1") for i, g in enumerate(groups))
                + tuple(
                    Term(f"T_{i}", f"round trip of group {i} without queueing", g.base, "s")
                    for i, g in enumerate(groups)
                ),
                point.probability <= 0.05,
            )
        )
        if not tail_of_reno:
            found.append(
                Explanation(
                    "fluid_queue",
                    "Equilibrium queue",
                    "q = Kmin + p (Kmax - Kmin) / Pmax" if ramp else "q at which the flows fill the link",
                    point.values["queue"],
                    "B",
                    groups[0].flows.source,
                    "The queue stays there only if the fixed point is stable.",
                    (Term("p", "probability at equilibrium", point.probability, "1"), *_ramp_terms(system)),
                )
            )
        if growth and not point.full:
            root = rightmost(system.linearise(point))
            found.append(
                Explanation(
                    "fluid_growth",
                    "Growth rate of a small disturbance",
                    "max Re s of det(s I - A0 - A1 exp(-s R)) = 0",
                    root.real,
                    "1/s",
                    "Exact Jacobian of the equations; Chebyshev collocation",
                    "Negative: the queue converges; positive: it oscillates.",
                    (Term("R", "round trip with the queue", point.values["round_trip"], "s"),),
                )
            )
    if tail_of_reno and len(groups) == 1 and groups[0].count == 1 and link.background == 0.0:
        pipe = link.capacity * groups[0].base
        found.append(
            Explanation(
                "sawtooth_utilisation",
                "Utilisation of one flow that cuts once per overflow",
                "w = (1 + B/BDP)/2; 1 if w >= 1, else [(1-w^2)/2 + ((1+B/BDP)^2-1)/2] / [(1-w) + ((1+B/BDP)^2-1)/2]",
                sawtooth_utilisation(link.buffer / pipe),
                "1",
                "Time average of the deterministic Reno sawtooth (Appenzeller et al., SIGCOMM 2004, section 2)",
                "One flow, no slow start or timeouts. The fluid cuts little by little, not once: hence the difference.",
                (
                    Term("B", "buffer", link.buffer * link.packet, "B"),
                    Term("BDP", "capacity times round trip", pipe * link.packet, "B"),
                ),
            )
        )
    return tuple(found)


def _ramp_terms(system: System) -> tuple[Term, ...]:
    marking, packet = system.marking, system.link.packet
    if not isinstance(marking, Red):
        return ()
    return (
        Term("Kmin", "lower threshold", marking.minimum * packet, "B"),
        Term("Kmax", "upper threshold", marking.maximum * packet, "B"),
        Term("Pmax", "probability at the upper threshold", marking.top, "1"),
    )


_UNITS = {"window": "B", "rate": "bit/s", "rate_target": "bit/s", "window_packets": "packet"}


def _group_at_rest(system: System, number: int, group: Group, point: FixedPoint) -> list[Explanation]:
    """One flow of a group in equilibrium: every component of its law's state."""
    flows, path = group.flows, system.path(number)
    at = system.where.states[number]
    states = point.states[at : at + len(flows.law.states)]
    terms = (
        Term("p", "probability of a mark or drop at equilibrium", point.probability, "1"),
        Term("T", "round trip without queueing", group.base, "s"),
    )
    if isinstance(flows, Reno):
        return [
            Explanation(
                f"fluid_window_{number}",
                f"Window at the fixed point, group {number}",
                "W = sqrt(2 (1-p) / (b p)), at least 1" if flows.refined else "W = sqrt(2 / (b p)), at least 1",
                states[0],
                "packet",
                flows.source,
                flows.holds,
                (*terms, Term("b", "packets per acknowledgement", flows.ack_every, "1")),
                states[0] >= 4.0,
            )
        ]
    return [
        Explanation(
            f"fluid_{name}_{number}",
            f"{name.replace('_', ' ').capitalize()} at equilibrium, group {number}",
            flows.rest_formula,
            value,
            _UNITS.get(name, "1"),
            flows.source,
            flows.holds,
            terms,
        )
        for name, value in flows.describe(path, states).items()
    ]


def small_buffer_explanations(
    link: Link,
    groups: Sequence[Group],
    judged: Regime,
    places: int,
) -> tuple[Explanation, ...]:
    """Load, loss and windows at the fixed point, its delay margin (one group) and the time scale behind the choice."""

    def curve(load: float) -> float:
        return one_deterministic_loss(float(load), places)

    point = small_buffer.fixed_point(link, groups, curve)
    found = [
        Explanation(
            f"fluid_window_{i}",
            f"Window at the fixed point, group {i}",
            "W = sqrt(2 (1-p) / (b p)), at least 1",
            window,
            "packet",
            _RAINA,
            _HOLDS,
            (Term("p", "loss probability", point.probability, "1"),),
            window >= 4.0,
        )
        for i, window in enumerate(point.windows)
    ]
    found.append(
        Explanation(
            "fluid_loss",
            "Loss probability at the fixed point",
            "p = loss of an M/D/1/B queue at its own load",
            point.probability,
            "1",
            _RAINA,
            _HOLDS,
            (Term("B", "places in the system", float(places), "packet"),),
            point.probability <= 0.05,
        )
    )
    found.append(
        Explanation(
            "fluid_load",
            "Load at the fixed point",
            "rho = (sum N W/T + background) / C",
            point.load,
            "1",
            _RAINA,
            _HOLDS,
            (
                Term("B", "places in the system", float(places), "packet"),
                Term("C", "capacity", link.capacity, "packet/s"),
                Term("p", "loss probability", point.probability, "1"),
            ),
        )
    )
    found.append(
        Explanation(
            "relaxation_time",
            "Time in which the queue forgets its state",
            "t = 1 / (C (1 + rho - 2 sqrt(rho) cos(pi/(B+1))))",
            judged.relaxation,
            "s",
            "Slowest mode of the M/M/1/B queue (Takacs, Introduction to the theory of queues, 1962)",
            f"The loss curve stands for the queue when this is at most 1/{WELL_WITHIN:g} of the round trip.",
            (
                Term("rho", "load", point.load, "1"),
                Term("B", "places in the system", float(places), "packet"),
                Term("C", "capacity", link.capacity, "packet/s"),
            ),
            judged.small,
        )
    )
    if len(groups) == 1:
        ratio = small_buffer.critical_delay_ratio(link, groups[0], curve, point)
        if ratio < float("inf"):
            found.append(
                Explanation(
                    "critical_delay",
                    "Round trip beyond which the flows synchronise",
                    "T arccos(-a/b) / sqrt(b^2 - a^2), a = w p, b = w p'(w) (1/(b_ack w) + w/2)",
                    ratio * groups[0].base,
                    "s",
                    _RAINA,
                    "Small disturbances of the loss-curve fluid; stable when the round trip is shorter.",
                    (
                        Term("w", "window at the fixed point", point.windows[0], "packet"),
                        Term("p", "loss probability", point.probability, "1"),
                        Term("T", "round trip", groups[0].base, "s"),
                    ),
                    ratio > 1.0,
                )
            )
    return tuple(found)
