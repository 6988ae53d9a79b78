"""One more transfer beside the flows that the fluid follows one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.engines.fluid.inputs import Floats, FluidAnswer, Trajectory
from footroom.formulas.transfer.among import Course, Place
from footroom.formulas.transfer.marked import Load
from footroom.parts.congestion import Bbr
from footroom.parts.marking import NoMarking
from footroom.scenario import Scenario, one_more, one_more_bbr
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of
from footroom.scenario.one_more import OneMore

#: Rows of the course that the fluid records, and samples that are made of them.
ROWS = 4000
#: Part of the course that still depends on how flows started.
SETTLING = 0.2
LOSES = "The load loses packets beside its marks, which the completion time of one more transfer leaves out."


def rows(scenario: Scenario) -> int:
    """Rows of the course that the fluid has to record; 0 where no completion time is computed."""
    return 0 if one_more.left_out() or one_more.unanswered(scenario, bottleneck_of(scenario, "fluid")) else ROWS


def of(scenarios: Sequence[Scenario], found: Sequence[FluidAnswer]) -> list[OneMore]:
    """Completion times of one more transfer at every answer."""
    if one_more.left_out():
        return [OneMore() for _ in scenarios]
    seen = [bottleneck_of(scenario, "fluid") for scenario in scenarios]
    known = [i for i, answer in enumerate(found) if answer.trajectory is not None and answer.cuts > 0.0]
    computed = one_more.answers(
        [scenarios[i] for i in known],
        [seen[i] for i in known],
        [_course(seen[i], found[i]) for i in known],
        [_place(seen[i], found[i]) for i in known],
        [found[i].outside.get("drop_rate", "") for i in known],
    )
    answered = dict(zip(known, computed, strict=True))
    for i, (scenario, one) in enumerate(zip(scenarios, seen, strict=True)):
        if _bbr(one) and not one_more_bbr.unanswered(scenario, one):
            answered[i] = one_more_bbr.of(
                scenario, one, found[i].levels, found[i].metrics["drop_rate"], next(iter(found[i].outside.values()), "")
            )
    for i, (scenario, one) in enumerate(zip(scenarios, seen, strict=True)):
        unmarked = isinstance(one.switch.marking, NoMarking)
        if i in answered or unmarked or found[i].trajectory is None or one_more.unanswered(scenario, one):
            continue
        answered[i] = one_more.under_marks(scenario, one, _load(one, found[i]), _beyond(found[i]))
    return [
        answered[i] if i in answered else OneMore(notes=_notes(scenario, one))
        for i, (scenario, one) in enumerate(zip(scenarios, seen, strict=True))
    ]


def _bbr(seen: Bottleneck) -> bool:
    return any(isinstance(entry.congestion, Bbr) for entry in seen.long_lived)


def _notes(scenario: Scenario, seen: Bottleneck) -> tuple[str, ...]:
    reason = (one_more_bbr if _bbr(seen) else one_more).unanswered(scenario, seen)
    return (reason,) if reason else ()


def _course(seen: Bottleneck, answer: FluidAnswer) -> Course:
    """Where the queue is empty, windows say how many packets the path lacks."""
    course = answer.trajectory
    assert course is not None  # only those that have one are asked
    excess = _excess(seen, course)
    # Rows come when the fluid makes a step, so they are read off at equal distances.
    time = np.linspace(SETTLING * course.time[-1], course.time[-1], ROWS)
    return Course(float(time[1] - time[0]), np.interp(time, course.time, excess))


def _excess(seen: Bottleneck, course: Trajectory) -> Floats:
    """Packets in the network less those that fill the empty path."""
    assert course.queue is not None  # which it has wherever a completion time is computed
    path = seen.capacity * seen.propagation / 8.0
    lacking = np.minimum(seen.flows * course.window - path * seen.left, 0.0)
    return np.asarray(np.where(course.queue > 0.0, course.queue, lacking) / seen.mtu)


def _load(seen: Bottleneck, answer: FluidAnswer) -> Load:
    """The course of a load whose packets are marked."""
    course = answer.trajectory
    assert course is not None  # only those that have one are asked
    after = slice(int(SETTLING * course.time.size), None)
    marked = Course(float(course.time[1] - course.time[0]), _excess(seen, course)[after])
    return Load(
        marked.step,
        marked.excess,
        course.loss[after],
        capacity=seen.capacity / 8.0 / seen.mtu,
        buffer=seen.buffer / seen.mtu,
        rtt=seen.rtt,
        flows=float(seen.flows),
    )


def _beyond(answer: FluidAnswer) -> str:
    """Why the queue, the windows or the losses of a marked load do not hold; empty where they do."""
    reasons = (answer.outside.get(name, "") for name in ("queue_mean", "utilisation", "drop_rate"))
    lost = answer.metrics["drop_rate"] > 0.0
    return next(filter(None, reasons), LOSES if lost else "")


def _place(seen: Bottleneck, answer: FluidAnswer) -> Place:
    return Place(
        capacity=seen.capacity / 8.0 / seen.mtu,
        buffer=seen.buffer / seen.mtu,
        rtt=seen.rtt,
        flows=float(seen.flows),
        cuts=answer.cuts,
        drops=answer.metrics["drop_rate"],
        share=seen.left,
    )
