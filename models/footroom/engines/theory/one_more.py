"""One more transfer beside the overflow cycles of the closed forms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from footroom.engines.theory import one_more_arriving
from footroom.engines.theory.inputs import TheoryInputs
from footroom.engines.theory.long_lived import LongAnswer, long_lived
from footroom.formulas.transfer.among import Course, Place
from footroom.scenario import Scenario, one_more
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of
from footroom.scenario.one_more import OneMore

#: Samples of a course at most, and overflows it has; their falls are those of a normal distribution at equal shares.
MOST_SAMPLES, CYCLES = 4000, 16
_TOO_FEW = "In so small a buffer losses come at random, which this completion time leaves out."


def of(
    scenarios: Sequence[Scenario], asked: Sequence[TheoryInputs], outside: Sequence[dict[str, str]]
) -> list[OneMore]:
    """Completion times of one more transfer for every scenario. outside: of the load's metrics, with reasons."""
    seen = [bottleneck_of(scenario, "theory") for scenario in scenarios]
    refused = [one_more.unanswered(scenario, one) for scenario, one in zip(scenarios, seen, strict=True)]
    known = [i for i, reason in enumerate(refused) if not reason]
    load = [long_lived(asked[i], np.array([asked[i].buffer])) for i in known]
    reasons = [
        outside[i].get("drop_rate", _TOO_FEW if one.random[0] else "") for i, one in zip(known, load, strict=True)
    ]
    computed = one_more.answers(
        [scenarios[i] for i in known],
        [seen[i] for i in known],
        [_course(asked[i], one) for i, one in zip(known, load, strict=True)],
        [_place(asked[i], one) for i, one in zip(known, load, strict=True)],
        reasons,
    )
    answered = dict(zip(known, computed, strict=True))
    return [
        answered[i] if i in answered else _arriving(scenarios[i], asked[i], seen[i], outside[i], reason)
        for i, reason in enumerate(refused)
    ]


def _arriving(
    scenario: Scenario, asked: TheoryInputs, seen: Bottleneck, outside: dict[str, str], reason: str
) -> OneMore:
    if asked.short is None or not one_more_arriving.answers(scenario, seen):
        return OneMore(notes=(reason,))
    return one_more_arriving.of(scenario, asked, asked.short, outside)


def _place(inputs: TheoryInputs, load: LongAnswer) -> Place:
    drops = float(load.drop_rate[0])
    # One flow loses one packet a cycle.
    per_cut = 1.0 if load.event is None else load.event.drops_per_cut
    return Place(
        capacity=inputs.capacity / 8.0 / inputs.mtu,
        buffer=inputs.buffer / inputs.mtu,
        rtt=inputs.rtt,
        flows=float(inputs.flows),
        cuts=drops / per_cut,
        drops=drops,
        share=1.0 - inputs.background,
    )


def _course(inputs: TheoryInputs, load: LongAnswer) -> Course:
    """The windows of all flows over several overflow cycles, see ``episodes``, at equal distances in time."""
    path = inputs.bdp / inputs.mtu
    if load.limited[0]:
        return Course(inputs.rtt, np.full(2, float(load.queue_mean[0]) / inputs.mtu))
    top = 1.0 + inputs.buffer / inputs.bdp
    time, total = _cycles(inputs, load, top)
    count = int(min(MOST_SAMPLES, max(64.0, 4.0 * time[-1])))
    at = (np.arange(count) + 0.5) / count * time[-1]
    return Course(float(time[-1]) / count * inputs.rtt, (np.interp(at, time, total) - 1.0) * path)


def _cycles(inputs: TheoryInputs, load: LongAnswer, top: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Time [round trips without queue] and the sum of windows [bandwidth-delay products], linear in between."""
    from scipy.special import ndtri

    event = load.event
    if event is None:
        group = inputs.groups[0]
        growth, hit, falls = inputs.mtu / inputs.bdp / group.ack_every, 1.0, np.full(CYCLES, 1.0 - group.beta)
    else:
        spread = ndtri((np.arange(CYCLES) + 0.5) / CYCLES)
        # In no order of size: one large fall does not follow another.
        spread = spread[np.argsort(np.arange(CYCLES) * 7 % CYCLES)]
        growth, hit = event.growth, event.hit
        falls = np.clip(event.cut + spread * event.scatter, event.least, event.most)
    time, total, now = [0.0], [top], 0.0
    for fall in falls:
        low = min((top + (growth if event is not None else 0.0)) * (1.0 - float(fall)), top)
        # Full until the loss is noticed; then those hit do not grow for a round trip.
        now += top
        time.append(now)
        total.append(top)
        time.append(now + 1e-9)
        total.append(low)
        now += hit * max(low, 1.0)
        time.append(now)
        total.append(low)
        for step in np.linspace(low, top, 9)[1:]:
            now += max(1.0, (total[-1] + float(step)) / 2.0) * (float(step) - total[-1]) / growth
            time.append(now)
            total.append(float(step))
    return np.array(time), np.array(total)
