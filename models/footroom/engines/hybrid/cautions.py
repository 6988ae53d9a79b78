"""What of a coupled run depends on things that a fluid has not, found in the packets of the run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.environment import Environment

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
#: Initial windows that a transfer sends in two round trips of slow start.
TWO_ROUNDS = 3.0


def unlike(environment: Environment, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how packets are lost, or were not compared."""
    found = {}
    struck = _part(environment, environment.simulation.tables.flows["dropped"] > 0)
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


def behind_hosts(environment: Environment, full: npt.NDArray[np.int64], metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how transfers share the links of hosts ``full``."""
    plan = environment.plan
    late = _part(environment, np.isin(plan.routes[plan.flow_forward], full))
    return {
        name: (
            f"{100.0 * late:.2g} % of the transfers start at hosts whose links long flows keep full. There a transfer "
            "waits by what its host lets each flow queue, and took 0.6 to 1.6 times as long as beside packets."
        )
        for name, beyond in QUANTILES.items()
        if name in metrics and late > PART_LOST * beyond
    }


def marked(environment: Environment, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how marks fall beside a fluid whose flows see them
    together.
    """
    plan, tables = environment.plan, environment.simulation.tables
    scenario = plan.scenario
    first = np.array([float(entry.host.initial_window) for entry in scenario.traffic])[plan.flow_stack]
    halves = np.array([entry.congestion.kind != "dctcp" for entry in scenario.traffic])[plan.flow_stack]
    lasting = _part(environment, plan.flow_segments > TWO_ROUNDS * first)
    cut = _part(environment, (tables.flows["cut_end"] > 0) & halves)
    found = {}
    for name, beyond in QUANTILES.items():
        if name not in metrics:
            continue
        if lasting > PART_LOST * beyond:
            found[name] = (
                f"{100.0 * lasting:.2g} % of the transfers last longer than two round trips of slow start. Flows of "
                "this fluid are marked together, and more often: such transfers took 0.9 to 1.4 times as long as "
                "beside packets."
            )
        elif cut > PART_LOST * beyond:
            found[name] = (
                f"{100.0 * cut:.2g} % of the transfers were cut by a mark, and this quantile depends on how many are."
            )
    return found


def _part(environment: Environment, which: npt.NDArray[np.bool_]) -> float:
    """Part of the packets' transfers that began after the warm-up and ended, of those that are in ``which``."""
    plan = environment.plan
    mine = (plan.flow_bytes >= 0) & (plan.flow_start >= plan.warmup) & (environment.simulation.tables.flows["end"] >= 0)
    return float(which[mine].mean()) if mine.any() else 0.0
