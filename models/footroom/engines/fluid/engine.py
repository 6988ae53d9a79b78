"""Answers for many buffer sizes at once.

Controls with a model of a single flow are followed flow by flow under drop-tail (``per_flow``). All others use the
averaged equations of the bottleneck, one state for all flows of a group; they run as one batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from footroom.engines.fluid import averaged_validity, dcqcn_validity, layout, per_flow, step_validity, timely_validity
from footroom.engines.fluid import link as links_
from footroom.engines.fluid.batch import Outcome
from footroom.engines.fluid.explain import rest_explanations
from footroom.engines.fluid.inputs import Floats, FluidAnswer, FluidInputs, Trajectory, check
from footroom.engines.fluid.laws import Group, Oscillation
from footroom.engines.fluid.link import Link, flow, path_of
from footroom.engines.fluid.markings import DropTail, Marking
from footroom.engines.fluid.system import System

# A limit cycle that meets the ends of the buffer needs its law's own step to get the means to about 0.3 %;
# smooth ones need less. Steps per lane are bounded so that an answer takes some ten milliseconds.
COARSEST_FACTOR, MOST_STEPS = 4.0, 400_000
# Several groups share that bound, with steps up to this factor longer: three controls on one link change by less than
# 0.1 points of utilisation and 1 % of a rate, the drop rate by 2 % (where it is not on a jump).
GROUPS_FACTOR = 4.0
# Sawtooth periods after which the averages of a periodic model no longer change.
CYCLES, SETTLING_CYCLES = 40, 10
# Buffers arranged at once, which bounds the memory that their recorded courses take.
_TOGETHER = 16
# Shares of time at which the queue that an arriving transfer meets is sampled.
MET = tuple((i + 0.5) / 16.0 for i in range(16))

LEFT_OUT = (
    "Left out by every fluid: slow start, timeouts, bursts, discrete packets and the noise they make. Flows start "
    "with an even share of the path, or where their control starts; packets are one MTU each."
)
IN_RAMP = (
    "The queue is a state and every flow is its group's mean; the random choice of packets keeps flows out of step, as "
    "the model assumes."
)
IN_RELAY = (
    "The threshold is the same for all packets, so all flows of a group see the same marks and oscillate together; "
    "flows out of step oscillate less."
)
IN_STEP = (
    "All flows of a group see the same loss and are cut together. Flows that lose at different times use the link "
    "better and keep a steadier queue."
)
IN_TURN = (
    "Flows under one control are in at most six classes that act at different times; flows of a class are in step, so "
    "that a thousand flows are a little less steady here than they are."
)
IN_MEASURE = (
    "The queue is a state and every flow is its group's mean. These flows react to the queue they measure, not to "
    "marks or losses: what the buffer cannot hold is lost without a reaction, where a lossless fabric would pause."
)
FEW = (
    "The mean window is {:.2g} packets; below about 4 real flows that lose packets time out, so expect a lower "
    "utilisation than this."
)
CYCLES_COVERED = "Averages cover {cycles} whole cycles of the queue ({window:.3g} s)."
NO_CYCLE = (
    "The queue does not repeat itself within the measured window of {window:.3g} s. Averages depend on the length "
    "of that window; set a longer run.duration."
)
# A signal that varies by less than this share of its mean, or than this part of a packet, is constant.
CONSTANT, PART = 2e-3, 0.02


def evaluate(inputs: FluidInputs, *, trajectory_points: int = 0, averaged: bool = False) -> FluidAnswer:
    """The answer for ``inputs.buffer``."""
    return evaluate_many(inputs, [inputs.buffer], trajectory_points=trajectory_points, averaged=averaged)[0]


def evaluate_many(
    inputs: FluidInputs,
    buffers: Iterable[float],
    *,
    trajectory_points: int = 0,
    threads: int | None = None,
    averaged: bool = False,
) -> list[FluidAnswer]:
    """One answer per buffer (bytes), in order; ``inputs.buffer`` is not used.

    trajectory_points: rows of the recorded course, 0 for none.  threads: processors to use, all by default; the answers
    do not depend on it.  averaged: the averaged equations also where flows are followed one by one.  Raises
    InvalidInput naming each field at fault, Unsupported without long-lived flows.
    """
    sizes = np.asarray(list(buffers), float)
    check(inputs, sizes)
    packets = sizes / inputs.mtu
    groups = tuple(Group(g.count, g.rtt, g.flows, g.drops) for g in inputs.groups)
    background = inputs.background / (8.0 * inputs.mtu)
    links = [
        Link(inputs.packets_per_second, float(buffer), background, inputs.background_drops, inputs.mtu)
        for buffer in packets
    ]
    if per_flow.follows(inputs) and not averaged:
        return per_flow.evaluate(inputs, links, groups, points=trajectory_points, threads=threads)
    return _ascending(inputs, links, groups, trajectory_points, threads)


def _ascending(
    inputs: FluidInputs,
    links: Sequence[Link],
    groups: Sequence[Group],
    points: int,
    threads: int | None,
) -> list[FluidAnswer]:
    """The averaged equations from the smallest buffer on. One that never fills answers for all larger ones."""
    order = sorted(range(len(links)), key=lambda i: links[i].buffer)
    answers: dict[int, FluidAnswer] = {}
    for at in range(0, len(order), _TOGETHER):
        lanes = order[at : at + _TOGETHER]
        found, unfilled = _averaged(inputs, [links[i] for i in lanes], groups, points, threads, alone=len(links) == 1)
        answers.update(zip(lanes, found, strict=False))
        if unfilled:
            answers |= {
                i: replace(found[-1], buffer=links[i].buffer * inputs.mtu) for i in order[at + len(found) - 1 :]
            }
            break
    return [answers[i] for i in range(len(links))]


def _clock(
    inputs: FluidInputs,
    links: Sequence[Link],
    groups: Sequence[Group],
) -> tuple[Floats, Floats, Floats, list[tuple[str, ...]]]:
    """Step, duration, warm-up and notes per lane. A cycle repeats, so a long run is cut to enough cycles."""
    shortest, longest = min(g.base for g in groups), max(g.base for g in groups)
    waits = np.array([link.buffer / link.capacity for link in links])
    paces = [
        [group.flows.pace(path_of(link, groups, i, inputs.marking)) for i, group in enumerate(groups)] for link in links
    ]
    cycle = np.array([max(pace.cycle for pace in own) for own in paces])
    fine = np.array([min(pace.step for pace in own) for own in paces])
    wanted = np.minimum(inputs.duration, np.maximum(CYCLES * cycle, 200.0 * (longest + waits)))
    step = np.clip(wanted / MOST_STEPS, fine, COARSEST_FACTOR * fine)
    # A step costs more the more groups there are, and so does what they remember.
    coarser = np.minimum(wanted * (1.0 + len(groups)) ** 2 / (3.0 * MOST_STEPS), GROUPS_FACTOR * fine)
    step = np.minimum(np.maximum(step, coarser), shortest)
    duration = np.minimum(wanted, MOST_STEPS * step)
    share = inputs.warmup / inputs.duration
    settling = np.minimum(SETTLING_CYCLES / CYCLES * duration, inputs.warmup + SETTLING_CYCLES * cycle)
    warmup = np.where(duration < inputs.duration, np.maximum(share * duration, settling), inputs.warmup)
    notes = []
    for length, period, coarseness in zip(duration, cycle, step / fine, strict=True):
        own = []
        if length < inputs.duration:
            own.append(
                f"The fluid repeats itself, so it was run for {length:.3g} s instead of {inputs.duration:g} s "
                f"({length / period:.3g} times its slowest time scale)."
            )
        if length < SETTLING_CYCLES * period:
            own.append(f"The run spans {length / period:.2g} of its slowest time scale: averages depend on the start.")
        if coarseness > 1.001:
            own.append(f"The step is {coarseness:.2g} times the one that resolves every kink.")
        notes.append(tuple(own))
    return step, duration, warmup, notes


def _averaged(
    inputs: FluidInputs,
    links: Sequence[Link],
    groups: Sequence[Group],
    points: int,
    threads: int | None,
    *,
    alone: bool,
) -> tuple[list[FluidAnswer], bool]:
    """The averaged equations: one state for all flows of a group, for buffers in rising order.

    Answers up to the first buffer that never fills, and whether there is one.
    alone: this is the only buffer asked for, so there is time for more explanations.
    """
    mtu, marking = inputs.mtu, inputs.marking
    step, duration, warmup, clock_notes = _clock(inputs, links, groups)
    batch = links_.arrange(links, groups, marking, step=step, duration=duration, warmup=warmup, points=points)

    def unfilled(lane: int, peak: float) -> bool:
        return links[lane].buffer > 1.01 * peak + 1.0

    outcome = links_.simulate(batch, threads=threads, enough=unfilled)
    labels = tuple(group.label for group in inputs.groups)
    answers = []
    for lane, link in enumerate(links):
        balance = flow(outcome, lane, link.capacity)
        metrics = {
            "utilisation": balance.utilisation,
            "drop_rate": balance.loss,
            "queue_mean": float(outcome.mean[lane, layout.QUEUE]) * mtu,
            "queue_max": float(outcome.greatest[lane, layout.QUEUE]) * mtu,
            "queue_p50": outcome.quantile(lane, 0.5) * mtu,
            "queue_p99": outcome.quantile(lane, 0.99) * mtu,
            "throughput": balance.utilisation * inputs.capacity,
            "fairness": _fairness(outcome, lane, groups),
        }
        system = System(link, tuple(groups), marking, labels)
        explanations = rest_explanations(system, False, growth=alone)
        if len(groups) == 1:
            explanations += groups[0].flows.closed_forms(system.path(0), _oscillation(outcome, lane, layout.RATES + 1))
        mean_window = float(outcome.mean[lane, layout.WINDOW])
        notes = [_manner(group, marking) for group in groups]
        if any(group.flows.notices for group in groups) and mean_window < 4.0:
            notes.append(FEW.format(mean_window))
        notes += [f"{group.flows.source}. Holds for {group.flows.holds}." for group in groups]
        answers.append(
            FluidAnswer(
                link.buffer * mtu,
                marking.name,
                metrics,
                (*dict.fromkeys(notes), *_averages(outcome, lane), *clock_notes[lane], LEFT_OUT),
                explanations,
                _trajectory(outcome, lane, mtu, layout.WINDOW, layout.PROBABILITY, layout.QUEUE) if points else None,
                tuple(outcome.quantile(lane, share) * mtu for share in MET),
                tuple(float(x) * 8.0 * mtu for x in outcome.mean[lane, layout.RATES : layout.RATES + len(groups)]),
                dcqcn_validity.outside(
                    link,
                    groups,
                    metrics,
                    _means(outcome, lane, groups, "alpha"),
                    float(outcome.mean[lane, layout.QUEUE]),
                    inputs.warmup,
                )
                | averaged_validity.outside(link, groups, marking, metrics, mean_window)
                | step_validity.outside(link, groups, marking, all(group.paced for group in inputs.groups))
                | timely_validity.outside(link, groups, metrics, inputs.warmup),
            )
        )
        if unfilled(lane, float(outcome.peak[lane])):
            return answers, True
    return answers, False


def _averages(outcome: Outcome, lane: int) -> tuple[str, ...]:
    """What the averages of a lane cover."""
    spread = float(outcome.greatest[lane, 0] - outcome.least[lane, 0])
    if spread <= max(CONSTANT * float(outcome.mean[lane, 0]), PART):
        return ()
    cycles, window = int(outcome.cycles[lane]), float(outcome.window[lane])
    return ((CYCLES_COVERED if cycles else NO_CYCLE).format(cycles=cycles, window=window),)


def _manner(group: Group, marking: Marking) -> str:
    """How the flows of a group act in the equations, in words: in step, in turn and so on."""
    if group.flows.takes_turns:
        return IN_TURN
    if not group.flows.notices:
        return IN_MEASURE
    if isinstance(marking, DropTail):
        return IN_STEP
    return IN_RELAY if marking.jumps else IN_RAMP


def _oscillation(outcome: Outcome, lane: int, states: int) -> Oscillation:
    """Of the queue and one group's states, which begin at signal ``states``."""
    queue = layout.QUEUE
    return Oscillation(
        float(outcome.mean[lane, queue]),
        float(outcome.least[lane, queue]),
        float(outcome.greatest[lane, queue]),
        tuple(float(x) for x in outcome.mean[lane, states:]),
    )


def _means(outcome: Outcome, lane: int, groups: Sequence[Group], name: str) -> list[float]:
    """Mean of one component of the state by group; no number where the law has none of this name."""
    found, at = [], layout.RATES + len(groups)
    for group in groups:
        names = group.flows.law.states
        found.append(float(outcome.mean[lane, at + names.index(name)]) if name in names else np.nan)
        at += len(names)
    return found


def _fairness(outcome: Outcome, lane: int, groups: Sequence[Group]) -> float:
    """Jain's index of the flows' mean rates; flows of one group are alike."""
    rates = outcome.mean[lane, layout.RATES : layout.RATES + len(groups)]
    counts = np.array([group.count for group in groups])
    # Equal rates may round past the whole.
    return min(1.0, float((counts @ rates) ** 2 / (counts.sum() * (counts @ rates**2))))


def _trajectory(outcome: Outcome, lane: int, mtu: float, window: int, loss: int, queue: int | None) -> Trajectory:
    rows = int(outcome.rows[lane])
    course = outcome.trace[lane, :rows]
    return Trajectory(
        np.arange(rows, dtype=np.float64) * float(outcome.trace_step[lane]),
        course[:, window] * mtu,
        course[:, loss].copy(),
        None if queue is None else course[:, queue] * mtu,
    )
