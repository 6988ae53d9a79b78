"""The result of a coupled run, and which of its numbers agree with packets alone (measured in docs/hybrid.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from footroom.engines.fluid.per_flow import validity
from footroom.engines.hybrid.background import Background
from footroom.engines.packet.environment import Environment
from footroom.engines.plan import Plan
from footroom.result import Result

#: Of the queue that fluid and packets share.
OF_THE_QUEUE = ("utilisation", "throughput", "goodput", "drop_rate", "queue_mean", "queue_max")
#: Counts of packets' flows that need no model.
COUNTED = ("fct_count",)
#: Quantiles of completion times, and the part of the transfers beyond each.
QUANTILES = {
    "fct_p50": 0.5,
    "slowdown_p50": 0.5,
    "fct_p95": 0.05,
    "slowdown_p95": 0.05,
    "fct_p99": 0.01,
    "slowdown_p99": 0.01,
}
#: A quantile depends on how often transfers lose packets once so much of the part beyond it does.
PART_LOST = 0.5


def complete(environment: Environment, background: Background, wall: float) -> Result:
    """The result of the packets with what the fluid adds to it. wall: time the run took [s]."""
    result = environment.result()
    background.check_conservation()
    metrics = dict(result.metrics)
    metrics["goodput"] = metrics.get("goodput", 0.0) + background.goodput()
    metrics.pop("fairness", None)  # of the packets alone
    outside = result.outside | _outside(environment, background, metrics)
    step = f"{background.step * 1e6:.3g} us"
    what = (
        f"{background.flows} flows are fluid, in steps of {step}. Completion times, timeouts and retransmissions "
        "are those of the packets. Rates and shares of single flows are not given."
    )
    left_out = "The fluid leaves out acknowledgements on the way back and the wait of packets at its hosts."
    return replace(
        result,
        engine="hybrid",
        wall_s=wall,
        metrics=metrics,
        groups=(),
        outside=outside,
        notes=(*result.notes, what, left_out),
    )


def _outside(environment: Environment, background: Background, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold here."""
    why = _nothing_holds(environment, background)
    if why:
        return dict.fromkeys(metrics, why)
    found = {}
    struck = _struck(environment)
    for name in metrics:
        if name in OF_THE_QUEUE or name in COUNTED:
            continue
        if name not in QUANTILES:
            found[name] = "Beside a fluid this was not compared with packets alone, or differed by more than a quarter."
        elif struck > PART_LOST * QUANTILES[name]:
            found[name] = (
                f"{100.0 * struck:.2g} % of the transfers lost a packet, and this quantile depends on how "
                "many do. Beside a fluid twice as many did as beside packets at worst."
            )
    return found


def _struck(environment: Environment) -> float:
    """Part of the transfers of packets that lost one."""
    plan = environment.plan
    flows = environment.simulation.tables.flows
    mine = (plan.flow_bytes >= 0) & (plan.flow_start >= plan.warmup) & (flows["end"] >= 0)
    return float((flows["dropped"][mine] > 0).mean()) if mine.any() else 0.0


def _nothing_holds(environment: Environment, background: Background) -> str:
    """Why nothing of the answer holds; empty where it does."""
    plan, fluids = environment.plan, environment.simulation.tables.fluids
    lossy = [row for row in fluids if row["lost"] > 0.0]
    if not lossy:
        return ""
    room = min(_room(plan, int(row["port"])) / float(row["packet"]) for row in lossy)
    if room < validity.FEWEST:
        return (
            f"A queue that drops holds {room:.3g} packets. Below {validity.FEWEST:g} packets single bursts fill "
            "it, which a fluid does not have."
        )
    if background.window < validity.SMALLEST_WINDOW:
        return (
            f"The mean window of the fluid is {background.window:.2g} packets. Below {validity.SMALLEST_WINDOW:g} "
            "packets losses end in timeouts, which a fluid counts only in part."
        )
    trips = background.trips
    fastest = max(float(plan.port_rate[row["port"]]) / 8.0 / float(row["packet"]) for row in lossy)
    product = fastest * float(trips.mean())
    limit = validity.COLLISION * float(np.sqrt(product))
    if float(np.ptp(trips)) > 1e-6 * float(trips.mean()) and room < limit:
        return (
            f"Round trips differ and the buffer holds {room:.3g} packets. Below 2·sqrt(BDP) = {limit:.0f} packets "
            "bursts of such flows collide, and they lose far more throughput than the fluid does."
        )
    return ""


def _room(plan: Plan, port: int) -> float:
    """Bytes that the memory of the port's switch holds."""
    return float(plan.settings[plan.port_switch[port]].buffer)
