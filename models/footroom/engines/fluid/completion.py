"""Completion times of transfers over the fluid's queue and loss.

The fluid gives the distribution of the queue; a transfer that arrives at some instant meets the queue of that instant
and the loss of the run. Its own packets are not part of the fluid: it is one more flow among many.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from footroom.engines.fluid.inputs import FluidAnswer
from footroom.formulas.transfer.spread import Spread, Transfers, spread_of
from footroom.parts.traffic.host import Host
from footroom.result.explanation import Explanation, Term
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of

#: Loss beyond which the formulas do not hold: most windows then end in repeated timeouts.
MOST_LOSS = 0.3
#: Transfers explained one by one, bytes.
EXAMPLES = {"10kB": 1e4, "1MB": 1e6, "100MB": 1e8}

INDEPENDENT = (
    "Completion times are a mixture over flow sizes, over the queue a flow meets and over whether it loses; losses are "
    "taken as independent, so tails of bursts of loss are too short."
)
_SOURCE = (
    "Cardwell, Savage, Anderson, INFOCOM 2000; Padhye et al., SIGCOMM 1998, eqs 22, 31 and 32; "
    "queue and loss of the fluid"
)
_FORMULA = (
    "rounds of slow start x (T + q/C) + d/x, and with probability 1-(1-p)^d a first loss repaired in one round "
    "trip or, with share Q, a timeout G T0/(1-p), the rest at the rate of Padhye"
)


@dataclass(frozen=True)
class Completion:
    """metrics: contract names.  explanations, notes: how they came about."""

    metrics: dict[str, float] = field(default_factory=dict)
    explanations: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()


def of(scenario: Scenario, answer: FluidAnswer, *, explained: bool) -> Completion:
    """Completion times of the scenario's open-loop flows, and three examples in the explanations.

    explained: with explanations.  Empty beyond ``MOST_LOSS``.
    """
    if answer.metrics["drop_rate"] > MOST_LOSS:
        return Completion(notes=(f"Losses above {MOST_LOSS:g} are outside the completion-time formulas.",))
    seen = bottleneck_of(scenario, "fluid")
    parts = [_transfers(seen, entry.host, *entry.sizes.points()) for entry in seen.poisson]
    metrics: dict[str, float] = {}
    notes: tuple[str, ...] = ()
    if parts:
        arrivals = np.array([entry.load / entry.sizes.mean() for entry in seen.poisson])
        found = _mixed([_spread(seen, answer, part) for part in parts], arrivals / arrivals.sum())
        metrics = {
            "fct_mean": found.mean,
            "fct_p50": found.quantile(0.5),
            "fct_p95": found.quantile(0.95),
            "fct_p99": found.quantile(0.99),
            "slowdown_p50": found.quantile(0.5, of_slowdown=True),
            "slowdown_p99": found.quantile(0.99, of_slowdown=True),
        }
        notes = (INDEPENDENT,)
    explanations: tuple[Explanation, ...] = ()
    if explained:
        host = scenario.traffic[0].host
        explanations = tuple(_example(seen, answer, host, name, size) for name, size in EXAMPLES.items())
    return Completion(metrics, explanations, notes)


def _transfers(seen: Bottleneck, host: Host, sizes: np.ndarray, shares: np.ndarray) -> Transfers:
    largest = math.inf if host.receive_window is None else host.receive_window / seen.mss
    first = float(host.initial_window)
    return Transfers(sizes, shares, seen.mss, min(first, max(1.0, largest)), max(1.0, largest), 1.0, host.min_rto)


def _rates(seen: Bottleneck) -> tuple[float, float]:
    """Packets/s a transfer can get beside the long flows, and alone."""
    free = 1.0 - sum(entry.load for entry in seen.poisson) * seen.mtu / seen.mss
    packet = 8.0 * seen.mtu
    return (
        min(seen.access, seen.capacity * free / (seen.flows + 1.0)) / packet,
        min(seen.access, seen.capacity) / packet,
    )


def _spread(seen: Bottleneck, answer: FluidAnswer, transfers: Transfers) -> Spread:
    # A transfer's packets are stored and forwarded, unlike the fluid.
    trips = seen.rtt + np.array(answer.levels) * 8.0 / seen.capacity
    rate, alone = _rates(seen)
    return spread_of(transfers, trips, base=seen.rtt, rate=rate, alone=alone, loss=answer.metrics["drop_rate"])


def _mixed(parts: list[Spread], weights: np.ndarray) -> Spread:
    return Spread(
        np.concatenate([part.times for part in parts]),
        np.concatenate([part.slowdowns for part in parts]),
        np.concatenate([part.shares * weight for part, weight in zip(parts, weights, strict=True)]),
    )


def _example(seen: Bottleneck, answer: FluidAnswer, host: Host, name: str, size: float) -> Explanation:
    transfers = _transfers(seen, host, np.array([size]), np.array([1.0]))
    found = _spread(seen, answer, transfers)
    rate, _ = _rates(seen)
    queue = float(np.mean(answer.levels))
    return Explanation(
        f"fct_{name}",
        f"Mean completion time of a transfer of {name}",
        _FORMULA,
        found.mean,
        "s",
        _SOURCE,
        "One more flow among many; losses independent of the flow's own bursts.",
        (
            Term("d", "packets", float(transfers.segments[0]), "packet"),
            Term("T", "round trip without queue", seen.rtt, "s"),
            Term("q", "mean queue it meets", queue, "B"),
            Term("p", "drop rate", answer.metrics["drop_rate"], "1"),
            Term("IW", "initial window", transfers.initial_window, "packet"),
            Term("x", "fair share of the link", rate * 8.0 * seen.mtu, "bit/s"),
            Term("T0", "smallest timeout", host.min_rto, "s"),
        ),
        answer.metrics["drop_rate"] < 0.05,
    )
