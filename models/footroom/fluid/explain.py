"""The fixed points behind a fluid answer, as formulas with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from footroom.errors import FootroomError
from footroom.fluid import small_buffer
from footroom.fluid.equilibrium import FixedPoint, fixed_point, linearise
from footroom.fluid.link import DropTail, Group, Link, Red
from footroom.fluid.loss_curves import one_deterministic_loss
from footroom.fluid.regime import WELL_WITHIN, Regime
from footroom.fluid.sawtooth import sawtooth_utilisation
from footroom.result.explanation import Explanation, Term

_MISRA = "Misra, Gong, Towsley, SIGCOMM 2000; Hollot et al., INFOCOM 2001, fixed point (large-p form)"
_RAINA = "Raina, Towsley, Wischik, Buffer sizing part II, CCR 35(3), 2005"
_HOLDS = "Windows of about 4 packets or more and a loss of at most about 5 %."


def _window_and_loss(
    groups: Sequence[Group], windows: Sequence[float], probability: float, where: str,
) -> list[Explanation]:
    valid = min(windows) >= 4.0 and probability <= 0.05
    found = []
    for i, (group, window) in enumerate(zip(groups, windows, strict=True)):
        found.append(Explanation(
            f"fluid_window_{i}", f"Window at the fixed point, group {i}", "W = sqrt(2 (1-p) / (b p)), at least 1",
            window, "packet", _MISRA, _HOLDS,
            (Term("p", "loss or marking probability at the fixed point", probability, "1"),
             Term("b", "packets per acknowledgement", group.ack_every, "1")), valid))
    found.append(Explanation(
        "fluid_loss", "Loss probability at the fixed point", where, probability, "1", _MISRA, _HOLDS,
        tuple(Term(f"N_{i}", f"flows of group {i}", group.count, "1") for i, group in enumerate(groups))
        + tuple(Term(f"T_{i}", f"round trip of group {i} without queueing", group.base, "s")
                for i, group in enumerate(groups)), valid))
    return found


def drop_tail_explanations(link: Link, groups: Sequence[Group], mtu: float) -> tuple[Explanation, ...]:
    """Fixed point with a full buffer; for a single flow also the event sawtooth. Empty if there is no fixed point."""
    found: list[Explanation] = []
    try:
        point: FixedPoint = fixed_point(link, groups, DropTail(), refined=True)
    except FootroomError:
        point = FixedPoint(0.0, 0.0, ())
    if point.windows:
        found += _window_and_loss(groups, point.windows, point.probability,
                                  "p with (1-p) (sum N W(p)/(T + B/C) + background) = C, buffer full")
    if len(groups) == 1 and groups[0].count == 1 and link.background == 0.0 and groups[0].ack_every == 1.0:
        pipe = link.capacity * groups[0].base
        found.append(Explanation(
            "sawtooth_utilisation", "Utilisation of one flow that cuts once per overflow",
            "w = (1 + B/BDP)/2; 1 if w >= 1, else [(1-w^2)/2 + ((1+B/BDP)^2-1)/2] / [(1-w) + ((1+B/BDP)^2-1)/2]",
            sawtooth_utilisation(link.buffer / pipe), "1",
            "Time average of the deterministic Reno sawtooth (Appenzeller et al., SIGCOMM 2004, section 2)",
            "One flow, no slow start or timeouts. The fluid cuts little by little, not once: hence the difference.",
            (Term("B", "buffer", link.buffer * mtu, "B"), Term("BDP", "capacity times round trip", pipe * mtu, "B"))))
    return tuple(found)


def red_explanations(link: Link, groups: Sequence[Group], law: Red, mtu: float) -> tuple[Explanation, ...]:
    """Fixed point on the ramp and, for one group and an unaveraged queue, its stability. Empty beyond the ramp."""
    try:
        point = fixed_point(link, groups, law, refined=True)
    except FootroomError:
        return ()
    ramp = (Term("Kmin", "lower threshold", law.minimum * mtu, "B"),
            Term("Kmax", "upper threshold", law.maximum * mtu, "B"),
            Term("Pmax", "probability at the upper threshold", law.top, "1"),
            Term("p", "probability at the fixed point", point.probability, "1"))
    found = _window_and_loss(
        groups, point.windows, point.probability, "p on the ramp at which the windows fill the link")
    found.append(Explanation(
        "fluid_queue", "Queue at the fixed point", "q = Kmin + p (Kmax - Kmin) / Pmax", point.queue * mtu, "B",
        _MISRA, "Below Kmax; the queue stays there only if the fixed point is stable.", ramp))
    if len(groups) == 1 and law.weight == 1.0 and not law.drops:
        plain = fixed_point(link, groups, law)
        root = linearise(link, groups[0], law, plain).rightmost()
        found.append(Explanation(
            "fluid_growth", "Growth rate of a small disturbance", "max Re s of det(s I - A0 - A1 exp(-s R)) = 0",
            root.real, "1/s", "Exact Jacobian of the equations of Misra, Gong, Towsley; Chebyshev collocation",
            "Negative: the queue settles; positive: it cycles. Queue not averaged, one group, marks.",
            (*ramp, Term("R", "round trip with the queue", groups[0].base + plain.queue / link.capacity, "s"))))
    return tuple(found)


def small_buffer_explanations(
    link: Link, groups: Sequence[Group], judged: Regime, places: int,
) -> tuple[Explanation, ...]:
    """Load, loss and windows at the fixed point, its delay margin (one group) and the time scale behind the choice."""
    def curve(load: float) -> float:
        return one_deterministic_loss(float(load), places)
    point = small_buffer.fixed_point(link, groups, curve)
    found = _window_and_loss(groups, point.windows, point.probability, "p = loss of an M/D/1/B queue at its own load")
    found.append(Explanation(
        "fluid_load", "Load at the fixed point", "rho = (sum N W/T + background) / C", point.load, "1", _RAINA, _HOLDS,
        (Term("B", "places in the system", float(places), "packet"), Term("C", "capacity", link.capacity, "packet/s"),
         Term("p", "loss probability", point.probability, "1"))))
    found.append(Explanation(
        "relaxation_time", "Time in which the queue forgets its state",
        "t = 1 / (C (1 + rho - 2 sqrt(rho) cos(pi/(B+1))))", judged.relaxation, "s",
        "Slowest mode of the M/M/1/B queue (Takacs, Introduction to the theory of queues, 1962)",
        f"The loss curve stands for the queue when this is at most 1/{WELL_WITHIN:g} of the round trip.",
        (Term("rho", "load", point.load, "1"), Term("B", "places in the system", float(places), "packet"),
         Term("C", "capacity", link.capacity, "packet/s")), judged.small))
    if len(groups) == 1:
        ratio = small_buffer.critical_delay_ratio(link, groups[0], curve, point)
        if ratio < float("inf"):
            found.append(Explanation(
                "critical_delay", "Round trip beyond which the flows fall into step",
                "T arccos(-a/b) / sqrt(b^2 - a^2), a = w p, b = w p'(w) (1/(b_ack w) + w/2)", ratio * groups[0].base,
                "s", _RAINA,
                "Small disturbances of the loss-curve fluid; stable when the round trip is shorter.",
                (Term("w", "window at the fixed point", point.windows[0], "packet"),
                 Term("p", "loss probability", point.probability, "1"),
                 Term("T", "round trip", groups[0].base, "s")), ratio > 1.0))
    return tuple(found)
