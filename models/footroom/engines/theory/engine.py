"""The theory engine: one bottleneck in, metrics and the formulas behind them out.

Which model answers
-------------------
* One long-lived flow: the event sawtooth (:mod:`.sawtooth`).
* Two or more: overflow episodes (:mod:`.episodes`), whose docstring derives the loss rate; utilisation is raised to
  the Gaussian bound of Appenzeller et al. 2004 where that is higher and flows are out of step (both understate
  there), then limited to what random loss in a tiny buffer lets through (:mod:`.small_buffers`).
* Flows that arrive at random and end: bursts in a finite queue (:mod:`.poisson_flows`) and Cardwell's completion times.
* Both: the open-loop load is taken off the capacity of the long flows, which fill the rest and set queue and loss.

Metrics without a valid formula (tail quantiles, fairness, counts of timeouts) are absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from footroom.base.errors import Infeasible
from footroom.engines.theory import metrics as metric_explanations
from footroom.engines.theory import rules
from footroom.engines.theory.inputs import LongLived, ShortFlows, TheoryInputs
from footroom.engines.theory.long_lived import LongAnswer, bounds_cross, long_lived
from footroom.engines.theory.poisson_flows import MOST_LOSS, Completions, bursts, completions, queueing
from footroom.engines.theory.validity import LEAST_WINDOW, mean_window
from footroom.formulas.transfer.checks import not_negative
from footroom.result.explanation import Explanation

__all__ = ["LongLived", "ShortFlows", "TheoryAnswer", "TheoryInputs", "evaluate", "evaluate_many"]

Values = NDArray[np.float64]


@dataclass(frozen=True)
class TheoryAnswer:
    """metrics: contract names, SI units.  explanations: how they came about, then the sizing rules.  notes: caveats."""

    metrics: dict[str, float]
    explanations: list[Explanation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Curves:
    """Metrics over buffers, and the long flows' part."""

    metrics: dict[str, Values]
    long: LongAnswer | None


def evaluate(inputs: TheoryInputs) -> TheoryAnswer:
    """Metrics of one buffer with their explanations.

    Metrics: utilisation, drop_rate, throughput [bit/s on the wire], queue_mean [B]; queue_max [B] with long-lived
    flows; fct_mean, fct_p50 [s], slowdown_p50 with short flows below saturation.
    Raises InvalidInput when short flows leave no capacity to long ones.
    """
    curves = _curves(inputs, np.array([inputs.buffer]))
    found = {name: float(values[0]) for name, values in curves.metrics.items()}
    done = _completions(inputs, found)
    if done is not None:
        found.update(_completion_metrics(done))
    explained = metric_explanations.explain(inputs, found, curves.long, done)
    return TheoryAnswer(found, explained + _rules(inputs), _notes(inputs, found, curves.long))


def evaluate_many(
    inputs: TheoryInputs, buffers: Sequence[float] | Values, *, completion: bool = True
) -> list[dict[str, float]]:
    """The metrics of :func:`evaluate` for many buffers [B], in their order, without explanations.

    completion: include completion times; they cost some 0.1 ms per buffer, the rest a few µs.
    """
    wanted = np.asarray(buffers, dtype=np.float64).ravel()
    for buffer in wanted[~(np.isfinite(wanted) & (wanted >= 0.0))]:
        not_negative("buffer", float(buffer))
    columns = _curves(inputs, wanted).metrics
    rows = [
        dict(zip(columns, row, strict=True))
        for row in zip(*(values.tolist() for values in columns.values()), strict=True)
    ]
    if completion and inputs.short is not None:
        for row in rows:
            done = _completions(inputs, row)
            if done is not None:
                row.update(_completion_metrics(done))
    return rows


def _curves(inputs: TheoryInputs, buffers: Values) -> _Curves:
    short, long = inputs.short, None
    if inputs.groups:
        long = long_lived(inputs, buffers)
        share = 1.0 - inputs.background
        drops = long.drop_rate
        used = share * long.utilisation + inputs.background  # what is lost is sent again
        found = {"queue_mean": long.queue_mean, "queue_max": long.queue_max}
    else:
        assert short is not None  # TheoryInputs refuses neither
        queue = queueing(inputs, short, buffers)
        drops = queue.drop_rate
        # Below saturation everything gets through in the end; without any buffer nothing does.
        used = np.where(buffers > 0.0, short.load, 0.0) if short.load < 1.0 else short.load * (1.0 - drops)
        found = {"queue_mean": queue.queue_mean}
    # Rounding of ρ(1-p) at saturation may exceed 1 by an ulp.
    used = np.minimum(used, 1.0)
    return _Curves({"utilisation": used, "drop_rate": drops, "throughput": used * inputs.capacity, **found}, long)


def _completions(inputs: TheoryInputs, found: dict[str, float]) -> Completions | None:
    """Completion times of the short flows; None without any, at overload, or with losses beyond the formulas."""
    short = inputs.short
    if short is None or short.load >= 1.0 or found["drop_rate"] > MOST_LOSS:
        return None
    return completions(inputs, short, found["drop_rate"], found["queue_mean"], _left(inputs))


def _left(inputs: TheoryInputs) -> float:
    """Share of the capacity a short flow can hope for: what the others leave, split evenly with the long flows."""
    free = 1.0 - inputs.background
    return free / (inputs.flows + 1.0) if inputs.groups else free


def _completion_metrics(done: Completions) -> dict[str, float]:
    return {
        "fct_mean": done.mean,
        "fct_p50": done.median(done.times),
        "slowdown_p50": done.median(done.times / done.idle),
    }


def _rules(inputs: TheoryInputs) -> list[Explanation]:
    """The rules that apply to this traffic."""
    found: list[Explanation] = []
    if inputs.groups:
        flows, capacity, rtt = inputs.flows, inputs.capacity, inputs.rtt
        found = [rules.bdp(capacity, rtt, flows, inputs.mtu), rules.bdp_over_root_n(capacity, rtt, flows, inputs.mtu)]
        found += [
            rules.decrease_dependent(capacity, rtt, beta, flows, packet=inputs.mtu)
            for beta in sorted({group.beta for group in inputs.groups})
        ]
        with suppress(Infeasible):  # the bound cannot promise that much for so few flows; the other rules stand
            found.append(rules.root_n_for_utilisation(capacity, rtt, flows, packet=inputs.mtu))
        found.append(rules.bscl(capacity, rtt, flows, packet=inputs.mtu))
    if inputs.short is not None and inputs.short.load < 1.0:
        found.append(
            rules.short_flow_bound(
                inputs.short.load,
                bursts(inputs, inputs.short),
                inputs.mtu,
                burst_ratio=inputs.short.access / inputs.capacity,
            )
        )
    return found


def _bend(inputs: TheoryInputs, long: LongAnswer) -> list[str]:
    """Which of the two bounds on utilisation counts, where the curve over the buffer bends between them."""
    crossing = bounds_cross(inputs)
    if crossing is None:
        return []
    cycle, gaussian = float(long.cycle[0]), float(long.gaussian[0])
    note = (
        f"Utilisation is the larger of two lower bounds: {100.0 * cycle:.3g} % if all flows that lose together are "
        f"cut at one moment, {100.0 * gaussian:.3g} % if flows are fully unsynchronised. Its curve bends at a buffer "
        f"of about {crossing / 1e3:.3g} kB, where one overtakes the other."
    )
    return [note]


def _notes(inputs: TheoryInputs, found: dict[str, float], long: LongAnswer | None) -> list[str]:
    notes: list[str] = []
    if long is not None:
        window = mean_window(inputs, found)
        if window < LEAST_WINDOW:
            notes.append(f"Mean windows are {window:.2g} packets; timeouts, which the model leaves out, matter there.")
        if long.random[0]:
            notes.append("The buffer is so small that random bursts, not the windows' sawtooth, set the utilisation.")
        if long.event is not None and not long.limited[0] and not long.random[0]:
            notes += _bend(inputs, long)
        if long.limited[0]:
            notes.append("Receive windows are too small to fill the buffer: nothing is dropped.")
        if len({(group.beta, group.ack_every) for group in inputs.groups}) > 1:
            notes.append("Flows under different controls are given equal shares; one that grows faster takes more.")
        if inputs.background:
            notes.append(
                f"Open-loop traffic takes {inputs.background:.3g} of the capacity; the long-lived flows "
                "share the rest and set queue and loss."
            )
        notes.append("Steady state of congestion avoidance: no slow start, no start-up overshoot.")
    if inputs.short is not None:
        if inputs.short.load >= 1.0:
            notes.append(
                "The offered load is at or above the capacity: loss is what cannot be carried, and "
                "completion times have no steady value."
            )
        if inputs.short.access <= inputs.capacity:
            notes.append(
                "Access links no faster than the bottleneck spread the bursts: loss and queue are overestimates."
            )
        if found["drop_rate"] > MOST_LOSS:
            notes.append(f"Losses above {MOST_LOSS:g} are outside the formulas; completion times are not given.")
        if "fct_mean" in found:
            notes.append(
                "Completion times are means for each size; fct_p50 and slowdown_p50 are medians over sizes, "
                "without the scatter within a size."
            )
    return notes
