"""From a scenario to the answer about its stability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.calculators.stability.answer import StabilityAnswer
from footroom.calculators.stability.cycle import Outcome, outcome_of
from footroom.calculators.stability.delays import critical_delay, too_large
from footroom.calculators.stability.explain import explanations_of
from footroom.calculators.stability.fairness import fairness_of
from footroom.calculators.stability.fields import Spot, spot_of_system
from footroom.calculators.stability.judgement import Judgement, judge
from footroom.calculators.stability.loop import Loop
from footroom.calculators.stability.nyquist import nyquist
from footroom.calculators.stability.published import Curve, beside
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.system import FixedPoint, Linearised, System
from footroom.result import Explanation
from footroom.scenario import Scenario
from footroom.scenario.source import Source, load

if TYPE_CHECKING:
    from footroom.calculators.stability.document import BesideDocument, Trajectory

#: Rows of a trajectory.
POINTS = 1200


def analyse(scenario: Source, *, trajectory: bool = False, curve: bool = False) -> StabilityAnswer:
    """Whether the flows at the scenario's bottleneck converge, and with how much to spare.

    trajectory: also the queue over time, from a small perturbation of the fixed point, else from the flows' own start.
    curve: also the loop gain over frequency.  Raises InvalidInput, Unsupported when the fluid models do not know the
    scenario, NotConverged when two methods contradict one another.
    """
    seen = load(scenario)
    system = system_of(seen)
    spot = spot_of_system(system)
    if spot.point is None or spot.linear is None:
        answer = _without(system, seen.to_dict(), spot)
    else:
        answer = _about(system, seen, spot.point, spot.linear, curve=curve)
    start = spot.point if spot.linear is not None else None
    return replace(answer, trajectory=course_of(system, start)) if trajectory else answer


def _about(
    system: System, scenario: Scenario, point: FixedPoint, linear: Linearised, *, curve: bool
) -> StabilityAnswer:
    """The linear answer, and the oscillation where it says there is one."""
    found = judge(linear)
    cut = cut_of(linear)
    critical, fairness = critical_delay(system, linear, found), fairness_of(system)
    end = outcome_of(system) if found.stable is False else Outcome(None, None, "")
    notes = [*found.notes, *_validity(system)]
    if point.empty:
        notes.append("The equilibrium queue is empty, so the flows get no feedback; this is the loop around it.")
    if end.rests:
        notes.append(
            "Started as configured, the flows still converge, to another state, or the growth is too slow to see."
        )
    if critical is None:
        notes += _without_critical(linear, found)
    if end.note:
        notes.append(end.note)
    explanations = explanations_of(system, linear, found, critical, fairness, cut)
    notes += [_paced(each) for each in explanations if each.name == "dcqcn_queue_paced" and each.valid]
    return StabilityAnswer(
        scenario.to_dict(),
        found.stable,
        point.values,
        system.loop_delay,
        found,
        linear,
        cut,
        critical,
        fairness,
        end.cycle,
        explanations=explanations,
        notes=tuple(notes),
        published=_published(scenario, linear, found),
        nyquist=nyquist(Loop.of(linear), found) if curve and linear.delayed else None,
    )


def _paced(queue: Explanation) -> str:
    """How the pacing of notifications by DCQCN receivers changes the queue in equilibrium."""
    return (
        "The published equations let every mark act. Where receivers ignore marks for the CNP interval after a "
        f"notification, as packets do, the queue in equilibrium is {queue.value / 1e3:.4g} kB (docs/rdma.md)."
    )


def _without_critical(linear: Linearised, found: Judgement) -> list[str]:
    """What it means that there is no critical delay."""
    if linear.delayed and too_large(linear):
        why = "With so many groups of flows, or rates so much faster than the delays,"
        return [f"{why} the critical delay is not computed: search the critical value of topology.rtt instead."]
    return ["No round trip is short enough to make it stable."] if found.stable is False and linear.delayed else []


def _without(system: System, document: dict[str, Any], spot: Spot) -> StabilityAnswer:
    """The answer where the linear equations give none: the behaviour over time decides."""
    end = outcome_of(system)
    missing = "fixed point" if spot.point is None else "linear answer"
    notes = [f"Without a {missing} there are no margins: the equations were followed over time.", *_validity(system)]
    if end.note:
        notes.append(end.note)
    stable = False if spot.point is None else end.rests
    return StabilityAnswer(
        document,
        stable,
        {} if spot.point is None else spot.point.values,
        system.loop_delay,
        cycle=end.cycle,
        reason=spot.reason,
        notes=tuple(notes),
    )


def _published(scenario: Scenario, linear: Linearised, found: Judgement) -> tuple[BesideDocument, ...]:
    return tuple(_beside(curve, margin, found) for curve, margin in beside(scenario, linear))


def _beside(curve: Curve, margin: float, found: Judgement) -> BesideDocument:
    row: BesideDocument = {"id": curve.id, "published": margin, "source": curve.source, "differs": curve.differs}
    return row if found.margins is None else {**row, "ours": found.margins.phase}


def _validity(system: System) -> list[str]:
    """What each law says of where it holds."""
    labels = system.labels or tuple(str(i) for i in range(len(system.groups)))
    return list(
        dict.fromkeys(
            f"The fluid model of {label} holds for: {group.flows.holds}."
            for label, group in zip(labels, system.groups, strict=True)
            if group.flows.holds
        )
    )


def cut_of(linear: Linearised) -> str:
    """The delayed signal at which the loop is cut: the one that feeds the queue where there are two."""
    loop = Loop.of(linear)
    seen = [i for i in loop.stack.columns if not (i == linear.queue and len(loop.stack.columns) > 1)]
    names = [linear.names[i] for i in seen]
    alone = all(name.startswith("0.") or "." not in name for name in linear.names)
    return ", ".join(name.removeprefix("0.") if alone else name for name in names)


def course_of(system: System, start: FixedPoint | None) -> Trajectory:
    """Course of the queue [B] and of one flow of each group [bit/s] over time [s]."""
    course = system.course(points=POINTS, start=start)
    bits = 8.0 * system.link.packet
    return {
        "time": _plain(course.time),
        "queue": _plain(course.queue * system.link.packet),
        "rates": [_plain(rate * bits) for rate in course.rates],
        "groups": list(system.labels) or [str(i) for i in range(len(system.groups))],
        "start": "disturbed by 1 % of the equilibrium queue" if start is not None else "as the flows start",
    }


def _plain(values: Any) -> list[float]:
    return [float(x) for x in np.asarray(values, float)]
