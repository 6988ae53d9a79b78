"""The answer for many buffers, from the fluid that follows every flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from footroom.engines.fluid import small_buffer
from footroom.engines.fluid.batch import Floats
from footroom.engines.fluid.explain import rest_explanations, small_buffer_explanations
from footroom.engines.fluid.inputs import FluidAnswer, FluidInputs, Trajectory
from footroom.engines.fluid.laws import Group, Oscillation, Reno
from footroom.engines.fluid.link import Link, path_of
from footroom.engines.fluid.loss_curves import one_deterministic_loss
from footroom.engines.fluid.markings import DropTail, Red, Step
from footroom.engines.fluid.per_flow import marked_validity, validity
from footroom.engines.fluid.per_flow.burst_losses import fewer_cuts, more_drops
from footroom.engines.fluid.per_flow.run import MOST_ROWS, Course, marks, run
from footroom.engines.fluid.regime import MANY, Regime, regime
from footroom.engines.fluid.system import System
from footroom.result.explanation import Explanation

MODEL = (
    "Every flow has its own window. Packets beyond pipe and buffer are dropped one by one and hit flows at random; a "
    "flow that lost is cut one round trip later, at most once per round trip."
)
MARKED = (
    "Every flow has its own window. Each packet is marked{} with the probability that belongs to the queue it meets, "
    "so flows are hit at random; a flow that was hit is cut one round trip later, at most once per round trip."
)
SHARED = "{} windows stand for {} flows; flows that share a window lose and are cut together."
LEFT_OUT = (
    "Left out: packet bursts, slow start of new flows, retransmissions that are lost again. Packets are one MTU each."
)
LONG_RUN = (
    "Averages are those of a long run ({:.3g} s, {:.0f} cuts). A flow takes {:.3g} s from one cut to the next: a "
    "packet simulation of only {:.3g} s still depends on how the flows started."
)
INCOMPLETE = "Too few cuts were seen within the computing limit: averages may depend on the start."
SHARES = tuple((i + 0.5) / 16.0 for i in range(16))
#: Cycles of a flow after which a packet run no longer depends on its start.
SETTLED = 10.0


def follows(inputs: FluidInputs) -> bool:
    """Whether this model applies: controls with a model of a single flow, under drop-tail, RED or a step."""
    if not all(group.flows.one_flow is not None for group in inputs.groups):
        return False
    return isinstance(inputs.marking, DropTail) or (isinstance(inputs.marking, Red | Step) and not inputs.background)


def evaluate(
    inputs: FluidInputs,
    links: Sequence[Link],
    groups: Sequence[Group],
    *,
    points: int = 0,
    threads: int | None = None,
) -> list[FluidAnswer]:
    """One answer per link."""
    # By contents, so that the order in which a document lists its traffic changes no draw.
    order = sorted(range(len(groups)), key=lambda i: (groups[i].base, repr(groups[i].flows), groups[i].count))
    courses = run(
        links,
        [groups[i] for i in order],
        inputs.marking,
        seed=inputs.seed,
        min_rto=[inputs.groups[i].min_rto for i in order],
        points=points,
        threads=threads,
    )
    courses = [
        replace(course, rates=tuple(course.rates[order.index(i)] for i in range(len(groups)))) for course in courses
    ]
    return [_answer(inputs, link, groups, course) for link, course in zip(links, courses, strict=True)]


def _answer(inputs: FluidInputs, link: Link, groups: Sequence[Group], course: Course) -> FluidAnswer:
    mtu = inputs.mtu
    used = min(1.0, course.served / (course.time * link.capacity))
    counts = np.array([group.count for group in groups])
    rates = np.array(course.rates)
    marked = marks(inputs.marking, link)[0] > 0.0
    lost = course.lost if marked else course.lost * _by_bursts(inputs, course)
    metrics = {
        "utilisation": used,
        "drop_rate": lost / (course.served + lost),
        # A mean of equal values may round past them.
        "queue_mean": min(course.queue, link.buffer) * mtu,
        "queue_max": course.greatest * mtu,
        "queue_p50": course.quantile(0.5) * mtu,
        "queue_p99": course.quantile(0.99) * mtu,
        "throughput": used * inputs.capacity,
        # Equal rates may round past the whole.
        "fairness": min(1.0, float((counts @ rates) ** 2 / (counts.sum() * (counts @ rates**2)))),
    }
    paced = all(group.paced for group in inputs.groups)
    beyond = (
        marked_validity.outside(
            link,
            groups,
            inputs.marking,
            paced,
            course.window,
            metrics,
            course.rows,
            course.quantile(0.99),
            used,
        )
        if marked
        else validity.outside(link, groups, _senders(inputs), course.window, metrics, course.rows, used)
    )
    trace = _even(course.trace) if marked else course.trace
    return FluidAnswer(
        link.buffer * mtu,
        "per_flow",
        metrics,
        tuple(_notes(inputs, link, groups, course)),
        _explanations(inputs, link, groups, course),
        Trajectory(trace[:, 0], trace[:, 1] * mtu, trace[:, 2], trace[:, 3] * mtu) if trace.size else None,
        tuple(course.quantile(share) * mtu for share in SHARES),
        tuple(rate * 8.0 * mtu for rate in course.rates),
        beyond,
        0.0 if marked else course.cuts / course.rows * float(counts.sum()) / (course.time * float(counts @ rates)),
    )


def _senders(inputs: FluidInputs) -> validity.Senders:
    return validity.Senders(
        paced=all(group.paced for group in inputs.groups),
        every=max(group.every for group in inputs.groups),
        height=_height(inputs),
    )


def _height(inputs: FluidInputs) -> float:
    return sum(group.count * group.burst for group in inputs.groups) / inputs.flows


def _by_bursts(inputs: FluidInputs, course: Course) -> float:
    """Factor on the losses of this model, which come one by one, of flows that are acknowledged at once."""
    if course.cuts <= 0.0:
        return 1.0
    every = sum(group.count * group.every for group in inputs.groups) / inputs.flows
    per_cut = course.lost / (course.cuts * inputs.flows / course.rows)
    return more_drops(inputs.flows, per_cut, _height(inputs)) * fewer_cuts(every, course.window)


def _even(trace: Floats) -> Floats:
    """The course at equal distances of time, as the completion time beside marks needs it; flows step as they need."""
    if len(trace) < 2:
        return trace
    time = np.linspace(trace[0, 0], trace[-1, 0], len(trace))
    return np.column_stack([time, *(np.interp(time, trace[:, 0], trace[:, i]) for i in (1, 2, 3))])


def _explanations(
    inputs: FluidInputs,
    link: Link,
    groups: Sequence[Group],
    course: Course,
) -> tuple[Explanation, ...]:
    """The fixed point of flows that never lose packets together, and closed forms of the law."""
    reno = all(isinstance(group.flows, Reno) for group in groups) and isinstance(inputs.marking, DropTail)
    if reno and (judged := _judge(inputs, link, groups)).small:
        return small_buffer_explanations(link, groups, judged, int(link.buffer))
    system = System(link, tuple(groups), inputs.marking, tuple(group.label for group in inputs.groups))
    found = rest_explanations(system, reno, growth=False)
    if len(groups) == 1:
        found += groups[0].flows.closed_forms(system.path(0), Oscillation(course.queue, 0.0, course.greatest, ()))
    return found


def _judge(inputs: FluidInputs, link: Link, groups: Sequence[Group]) -> Regime:
    """The regime at the loss curve's own load; at rho = 1, where the queue is slowest, if other grounds rule it out."""
    shortest = min(group.base for group in groups)
    least = (link.background + sum(group.count / group.base for group in groups)) / link.capacity
    worst = regime(inputs.flows, link.buffer, 1.0, link.capacity, shortest, least)
    if worst.small or inputs.flows < MANY or link.buffer > worst.steadiest or least > 1.0:
        return worst
    places = int(link.buffer)
    point = small_buffer.fixed_point(link, groups, lambda load: one_deterministic_loss(float(load), places))
    return regime(inputs.flows, link.buffer, point.load, link.capacity, shortest, least)


def _notes(inputs: FluidInputs, link: Link, groups: Sequence[Group], course: Course) -> list[str]:
    notes = [MODEL]
    if marks(inputs.marking, link)[0] > 0.0:
        drops = [group.drops for group in groups]
        notes = [MARKED.format(" or, without ECN, dropped" if any(drops) else "")]
    flows = sum(group.count for group in groups)
    if course.rows < flows:
        notes.append(SHARED.format(MOST_ROWS, flows))
    if not course.complete:
        notes.append(INCOMPLETE)
    cycle = max(group.flows.pace(path_of(link, groups, i, inputs.marking)).cycle for i, group in enumerate(groups))
    if inputs.duration < SETTLED * cycle:
        notes.append(LONG_RUN.format(course.time, course.cuts, cycle, inputs.duration))
    notes += dict.fromkeys(f"{group.flows.source}. Holds for {group.flows.holds}." for group in groups)
    return [*notes, LEFT_OUT]
