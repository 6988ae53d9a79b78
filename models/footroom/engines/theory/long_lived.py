"""Long-lived flows at one bottleneck, for many buffers at once: utilisation, loss and queue.

One flow: the event sawtooth, or CUBIC's.  More: overflow episodes, raised to Appenzeller's Gaussian bound where that is
higher and flows are out of step, then limited to the load at which random loss in a buffer
of a few packets is what the windows need.  Windows that cannot fill the buffer: no loss at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footroom.base.errors import InvalidInput
from footroom.engines.theory.cubic import cubic_sawtooth, overshoots
from footroom.engines.theory.episodes import Overflow, episodes, overflow
from footroom.engines.theory.inputs import LongLived, TheoryInputs
from footroom.engines.theory.sawtooth import sawtooth, sawtooth_drop_rate
from footroom.engines.theory.sizing import ROOT_N_FACTOR
from footroom.engines.theory.small_buffers import loads_reached, loss_needed
from footroom.engines.theory.window_limited import carried, standing_queue

Values = NDArray[np.float64]


@dataclass(frozen=True)
class LongAnswer:
    """One entry per buffer: share of the flows' capacity used [1], drops over offered [1], mean and largest queue [B].

    random: where loss in a small buffer, not the sawtooth, sets the utilisation.  limited: windows never overflow.
    gaussian: Appenzeller's bound [1].  cycle: utilisation of the overflow cycle alone [1].
    event: what an overflow does; None for one flow.
    """

    utilisation: Values
    drop_rate: Values
    queue_mean: Values
    queue_max: Values
    random: NDArray[np.bool_]
    limited: NDArray[np.bool_]
    gaussian: Values
    cycle: Values
    event: Overflow | None


def long_lived(inputs: TheoryInputs, buffers: Values) -> LongAnswer:
    """Answers for buffers [B]; ``inputs.buffer`` is not used.

    The capacity is what open-loop traffic leaves over, C·(1-ρ).  A queue holds the long flows' packets in the same
    proportion, so the buffer counts as the same multiple of the bandwidth-delay product.
    Raises InvalidInput where open-loop traffic leaves no capacity.
    """
    background = inputs.background
    if background >= 1.0:
        raise InvalidInput.at("short.load", background, "below 1 is needed to leave room for long-lived flows")
    flows = inputs.flows
    path = inputs.bdp * (1.0 - background) / inputs.mtu  # packets of long flows in flight without queue
    ratio = buffers / inputs.bdp
    group = _average(inputs.groups)
    gaussian = _gaussian(ratio, flows)
    limit = sum(one.flows * one.max_window for one in inputs.groups) / path  # largest total window [BDP]
    standing = min(standing_queue(limit, inputs.spread), 1e300)
    limited = np.asarray(standing <= ratio)

    event = overflow(inputs.groups, path) if flows > 1 else None
    if event is None and group.cubic:
        used, queue, drops = _cubic(ratio, path, group)
    elif event is None:
        teeth = sawtooth(ratio, group.beta, group.ack_every)
        used, queue = teeth.utilisation, teeth.queue_mean
        drops = sawtooth_drop_rate(ratio, path, group.beta, group.ack_every)
    else:
        result = episodes(ratio, event)
        used, queue, drops = result.utilisation, result.queue_mean, result.drop_rate
    cycle = used
    if event is not None and counts_as_gaussian(inputs):
        used = np.maximum(used, gaussian)

    room = buffers / inputs.mtu
    burst = (1.0 + group.burst) / 2.0
    reached, _ = loads_reached(room, path / flows, background, group.beta, group.ack_every, burst, float(flows))
    reached = np.clip((reached - background) / (1.0 - background), 0.0, 1.0)
    # One flow's packets are ACK-clocked, not random: the Poisson picture needs several.
    random = (reached < used) & (flows > 1)
    scale = loss_needed(reached * path / flows, group.beta, group.ack_every) / loss_needed(
        used * path / flows, group.beta, group.ack_every
    )
    drops = np.where(random, np.minimum(drops * scale, 1.0), drops)
    used = np.where(random, reached, used)

    used = np.where(limited, carried(limit, inputs.spread), used)
    drops = np.where(limited, 0.0, drops)
    queue = np.where(limited, standing, queue)
    top = np.where(limited, standing, ratio)
    return LongAnswer(used, drops, queue * inputs.bdp, top * inputs.bdp, random, limited, gaussian, cycle, event)


def counts_as_gaussian(inputs: TheoryInputs) -> bool:
    """Whether the total window is a sum of sawtooths that do not depend on one another.

    Different round trips make it so for few flows as well. From the source's 250 flows on, flows are out of step
    whatever their round trips; with few flows the bound lies below the episodes anyway.
    """
    return inputs.out_of_step and inputs.flows > 1


def bounds_cross(inputs: TheoryInputs) -> float | None:
    """Smallest buffer [B] from which the Gaussian bound is above the overflow cycle; None where it is nowhere so.

    Utilisation is the larger of the two, so its curve bends there.
    """
    if not counts_as_gaussian(inputs):
        return None
    path = inputs.bdp * (1.0 - inputs.background) / inputs.mtu
    event, low, high = overflow(inputs.groups, path), 1e-3, 1e1

    def above(ratio: float) -> bool:
        at = np.array([ratio])
        return bool(_gaussian(at, inputs.flows)[0] > episodes(at, event).utilisation[0])

    # Both are 1, to rounding, in deep buffers, so the crossing is searched from below.
    grid = np.geomspace(low, high, 65)
    first = next((i for i, ratio in enumerate(grid.tolist()) if above(ratio)), None)
    if first is None or first == 0:
        return None
    low, high = float(grid[first - 1]), float(grid[first])
    for _ in range(30):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if above(middle) else (middle, high)
    return high * inputs.bdp


def _cubic(ratio: Values, path: float, group: LongLived) -> tuple[Values, Values, Values]:
    """Utilisation, mean queue [BDP] and drop rate of one flow on CUBIC's curve.

    An overflow drops the packets that growth adds until it is noticed, and one at least.
    """
    used, queue, drops = [], [], []
    for one in ratio.tolist():
        cycle = cubic_sawtooth(one, group.beta, converges=group.converges)
        # A climb lasts as many round trips of an empty path as the line has steps, stretched by the queue.
        climb = group.ack_every * (1.0 - group.beta) * (1.0 + one) ** 2 * path
        lost = sum(
            max(1.0, over)
            for over in overshoots((1.0 + one) * path, (1.0 + one) / climb, group.beta, converges=group.converges)
        )
        used.append(cycle.utilisation)
        queue.append(cycle.queue_mean)
        drops.append(lost / (lost + cycle.utilisation * path * climb * cycle.duration))
    return np.array(used), np.array(queue), np.array(drops)


def _average(groups: tuple[LongLived, ...]) -> LongLived:
    """One group that represents all, each flow counted once; growth adds up, so its inverse is averaged."""
    flows = sum(group.flows for group in groups)

    def mean(values: list[float]) -> float:
        return sum(group.flows * value for group, value in zip(groups, values, strict=True)) / flows

    return LongLived(
        flows,
        mean([group.beta for group in groups]),
        1.0 / mean([1.0 / group.ack_every for group in groups]),
        mean([group.burst for group in groups]),
        cubic=all(group.cubic for group in groups),
        converges=all(group.converges for group in groups),
    )


def _gaussian(ratio: Values, flows: int) -> Values:
    """Appenzeller's bound for buffers of ``ratio`` BDP; see :func:`.sizing.root_n_utilisation`."""
    from scipy.special import erf

    return np.asarray(erf(ROOT_N_FACTOR * np.sqrt(flows) * ratio / (1.0 + ratio)), dtype=np.float64)
