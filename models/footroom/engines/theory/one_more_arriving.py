"""One more transfer beside flows that arrive at random and end."""

from __future__ import annotations

import math

import numpy as np

from footroom.engines.theory.inputs import ShortFlows, TheoryInputs
from footroom.engines.theory.poisson_flows import MOST_LOSS, queueing
from footroom.formulas.transfer.spread import Transfers, spread_of
from footroom.parts.marking import NoMarking
from footroom.result.transfer import named
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.one_more import OneMore

#: Equally likely queues that the transfer may meet.
LEVELS = 100
#: Share of the buffer beyond which a transfer overflows it in its own slow start.
LONGEST = 0.25
#: Share of the load from which other flows share the link with a transfer of several windows most of the time.
MOST_LOAD = 0.6

MODEL = (
    "The completion time of one more transfer ({size}) is that of Cardwell, Savage and Anderson (INFOCOM 2000) "
    "over the queue of the arriving flows, exponential below the buffer, and the capacity that they leave."
)


def answers(scenario: Scenario, seen: Bottleneck) -> bool:
    """Whether this model covers the load: flows that arrive and end, alone, in a queue that does not mark."""
    return (
        not seen.long_lived
        and len(seen.poisson) == len(scenario.traffic)
        and isinstance(seen.switch.marking, NoMarking)
    )


def of(scenario: Scenario, inputs: TheoryInputs, short: ShortFlows, outside: dict[str, str]) -> OneMore:
    """transfer_p50 and transfer_p99. outside: of the load's metrics, with reasons."""
    host, size = scenario.traffic[0].host, float(scenario.run.transfer)
    queue = queueing(inputs, short, np.array([inputs.buffer]))
    loss, mean = float(queue.drop_rate[0]), float(queue.queue_mean[0])
    if short.load >= 1.0 or loss > MOST_LOSS:
        return OneMore(notes=("No completion time of one more transfer: the arriving flows leave it no capacity.",))
    largest = math.inf if host.receive_window is None else max(1.0, host.receive_window // inputs.mss)
    transfers = Transfers(
        np.array([size]),
        np.array([1.0]),
        inputs.mss,
        min(float(host.initial_window), largest),
        largest,
        1.0,
        host.min_rto,
    )
    packet = 8.0 * inputs.mtu
    alone = min(short.access, inputs.capacity) / packet
    segments = float(transfers.segments[0])
    # One window is a burst, which leaves at the rate of the link once its first packet is served.
    one_window = segments <= transfers.initial_window
    rate = alone if one_window else min(short.access, inputs.capacity * (1.0 - short.load)) / packet
    trips = inputs.rtt + _queues(mean, min(short.load, 1.0), inputs.buffer) * 8.0 / inputs.capacity
    found = spread_of(transfers, trips, base=inputs.rtt, rate=rate, alone=alone, loss=loss)
    metrics = {"transfer_p50": found.quantile(0.5), "transfer_p99": found.quantile(0.99)}
    reason = next(iter(outside.values()), "") or _beyond(segments, transfers.initial_window, inputs, short)
    notes = (MODEL.format(size=named(size)),)
    return OneMore(metrics, dict.fromkeys(metrics, reason) if reason else {}, notes)


def _beyond(segments: float, first: float, inputs: TheoryInputs, short: ShortFlows) -> str:
    """Why the transfer's own packets break the model; empty where they do not."""
    if segments > LONGEST * inputs.buffer / inputs.mtu:
        return (
            "The transfer is longer than a quarter of the buffer, which it may overflow in its own slow start; "
            "this model knows losses by other flows only."
        )
    if segments > first and short.load > MOST_LOAD:
        return (
            f"Above a load of {MOST_LOAD:g} a transfer of several windows meets queues of changing length, which "
            "this model takes as one for its whole life."
        )
    return ""


def _queues(mean: float, load: float, buffer: float) -> np.ndarray:
    """Equally likely queues [B]: empty with probability 1 - load, exponential of the same mean beyond, at most full."""
    share = (np.arange(LEVELS) + 0.5) / LEVELS
    busy = np.clip((share - (1.0 - load)) / load, 0.0, None)
    return np.asarray(np.minimum(-mean / load * np.log1p(-busy), buffer))
