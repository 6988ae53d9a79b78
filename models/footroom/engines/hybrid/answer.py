"""The result of a coupled run, and which of its numbers agree with packets alone (measured in docs/hybrid.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from footroom.base.written import count
from footroom.engines.fluid.per_flow import validity
from footroom.engines.hybrid import cautions
from footroom.engines.hybrid.averaged import Averaged
from footroom.engines.hybrid.background import Background
from footroom.engines.hybrid.paced import Paced
from footroom.engines.packet.environment import Environment
from footroom.engines.plan import SECOND, Plan
from footroom.parts.traffic import LongLived
from footroom.result import Result
from footroom.scenario import HEADER
from footroom.scenario.collisions import collision_limit, longest_burst

#: Busy part of the time below which a port has capacity to spare, and most of the losses at such ports.
BUSY, MOST_SPARE = 0.9, 0.5
#: Share of the long flows that may not have had a loss or a mark yet since the warm-up.
MOST_QUIET = 0.25
#: Utilisation from which on a link is full however its flows start: of the drawn cases that were off by more than two
#: points none had over 0.75.
FULL_LINK = 0.98
#: Long flows at a port that loses below which one loss changes the load, and the share of the path's packets below
#: which a buffer does not keep the link busy then.
FEWEST_HIT, SHALLOW = 4.0, 0.5
#: Drop rate from which on clumps of packets shorten a queue that drops, and parts of the bandwidth-delay product below
#: which a buffer is too small for them, and they idle the link as well: of 8 drawn dumbbells 6 queues were over a tenth
#: of the buffer off. Of 44 with fewer drops, or more buffer, one was, by 0.102, and two more with one seed.
OFTEN_LOST, FEW, TINY = 0.03, 0.2, 0.1
USED = ("utilisation", "throughput")


def complete(environment: Environment, result: Result, background: Background | Averaged | Paced) -> Result:
    """The ``result`` of the packets, completed by the fluid's share."""
    background.check_conservation()
    metrics = dict(result.metrics)
    metrics["goodput"] = metrics.get("goodput", 0.0) + background.goodput()
    metrics.pop("fairness", None)  # of the packets alone
    # Hosts beside paced fluid send again all that came beyond a loss; flows of one state lose together.
    by_chance = not isinstance(background, Background) or background.where_lost(told=False) < FEWEST_HIT
    outside = result.outside | cautions.unlike(environment, metrics, by_chance)
    if isinstance(background, Paced):
        outside |= background.outside(metrics) | cautions.cut(environment, metrics)
    elif isinstance(background, Averaged):
        outside |= _by_mean(background.outside(metrics), metrics)
        if background.marked:
            outside |= cautions.marked(environment, metrics)
    else:
        outside |= cautions.behind_hosts(environment, background.full_hosts(), metrics)
        if background.marked:
            outside |= cautions.marked_alone(environment, background, background.full_hosts(), metrics)
        if background.told:
            outside |= cautions.told(metrics, background.where_lost(told=True))
        if background.lossless:
            window = (environment.plan.duration - environment.plan.warmup) / SECOND
            outside |= cautions.paused_windows(environment, background, metrics, window)
        if background.several_hops:
            outside |= _by_bursts(environment.plan, background, metrics)
        if not background.told:
            outside |= _by_few(environment, background, metrics) | _by_clumps(environment, background, metrics)
        if why := _still_starts(background):
            # A queue that marks hold depends on when the last of them came.
            sure = (() if background.marked else ("queue_mean",)) + (
                USED if metrics["utilisation"] >= FULL_LINK else ()
            )
            outside |= {name: why for name in metrics if name not in sure}
        elif why := _nothing_holds(environment, background):
            sure = USED if _never_lacks(environment.plan, background) else ()
            outside |= {name: why for name in metrics if name not in sure}
    step = f"{background.step * 1e6:.3g} us"
    what = (
        f"{background.flows} flows are fluid, in steps of {step}. Completion times, timeouts and retransmissions "
        "are those of the packets. Rates and shares of single flows are not given."
    )
    left_out = "The fluid leaves out acknowledgements on the way back and the wait of packets at its hosts."
    if isinstance(background, Background) and background.several_hops:
        left_out = "The fluid leaves out bursts of acknowledgements that waited together."
    elif isinstance(background, Paced):
        left_out = (
            "The fluid leaves out packets that wait for one another by chance, and what is sent again after a loss."
        )
    return replace(
        result,
        engine="hybrid",
        metrics=metrics,
        groups=(),
        outside=outside,
        notes=(*result.notes, what, left_out),
    )


def _by_mean(found: dict[str, str], metrics: Iterable[str]) -> dict[str, str]:
    """Those of ``metrics`` for which the averaged equations do not hold; completion times follow the queue."""
    why = found.get("queue_mean")
    times = dict.fromkeys(cautions.QUANTILES, why) if why else {}
    return {name: reason for name, reason in (times | found).items() if name in metrics and reason}


def _nothing_holds(environment: Environment, background: Background) -> str:
    """Why nothing of the answer holds; empty where it does."""
    plan, fluids = environment.plan, environment.simulation.tables.fluids
    lossy = [row for row in fluids if row["lost"] > 0.0]
    if not lossy:
        return ""
    room = min(_room(plan, int(row["port"])) / float(row["packet"]) for row in lossy)
    if room < validity.FEWEST:
        return (
            f"A queue that drops holds {count(room)} packets. Below {validity.FEWEST:g} packets single bursts fill "
            "it, which a fluid does not have."
        )
    if background.window < validity.SMALLEST_WINDOW:
        return (
            f"The mean window of the fluid is {background.window:.2g} packets. Below {validity.SMALLEST_WINDOW:g} "
            "packets losses end in timeouts, which a fluid counts only in part."
        )
    trips, product = background.trips, _product(plan, background, lossy)
    limit = _collision_limit(plan, background, product)
    if float(np.ptp(trips)) > 1e-6 * float(trips.mean()) and room < limit:
        return (
            f"Round trips differ and the buffer holds {count(room)} packets. Below {limit:.0f} packets "
            "bursts of such flows collide, and they lose far more throughput than the fluid does."
        )
    return ""


def _never_lacks(plan: Plan, background: Background) -> bool:
    """Whether one bottleneck has as many flows as its path holds packets: with one packet each they fill it, however
    they lose. Where windows were below 4 packets, utilisation was within 0.1 points in all of seven such drawn cases,
    and up to 3 points off in the others.
    """
    if plan.scenario.topology.kind != "dumbbell":
        return False
    rate = float(plan.port_rate[int(plan.watched[0])])
    return background.lasting_flows() >= rate / 8.0 / background.packet * float(background.trips.mean())


def _by_few(environment: Environment, background: Background, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, where so few flows share the ports that lose that it matters which of them is hit."""
    flows = background.where_lost(told=False)
    if flows >= FEWEST_HIT:
        return {}
    lossy = [row for row in environment.simulation.tables.fluids if row["lost"] > 0.0]
    room = min(_room(environment.plan, int(row["port"])) / float(row["packet"]) for row in lossy)
    shallow = background.several_hops or room < SHALLOW * _product(environment.plan, background, lossy)
    why = (
        f"{flows:.2g} long flows share a port that loses. With fewer than {FEWEST_HIT:g} it decides which of them "
        "loses a packet, or whether a transfer does: drop rates were 0.3 to 1.3 times those of packets"
    )
    found = {"drop_rate": why + "."}
    if shallow:
        found |= dict.fromkeys(USED, why + ", and utilisation up to 7 points off.")
    return {name: reason for name, reason in found.items() if name in metrics}


def _by_clumps(environment: Environment, background: Background, metrics: Mapping[str, float]) -> dict[str, str]:
    """Metric to reason, where one bottleneck loses so often that clumps of packets leave gaps in its queue."""
    plan = environment.plan
    if plan.scenario.topology.kind != "dumbbell" or metrics.get("drop_rate", 0.0) < OFTEN_LOST:
        return {}
    port = int(plan.watched[0])
    path = float(plan.port_rate[port]) / 8.0 * float(background.trips.mean())
    if _room(plan, port) >= FEW * path:
        return {}
    why = (
        f"{count(100.0 * metrics['drop_rate'])} % is lost. From {100.0 * OFTEN_LOST:g} % on small windows stay in the "
        "clumps in which they meet, and the queue empties between clumps, which the fluid spreads out: the mean queue "
        "was up to 0.25 of the buffer shorter with packets"
    )
    found = {name: why + "." for name in metrics if name.startswith("queue_")}
    if _room(plan, port) < TINY * path:
        found |= dict.fromkeys(USED, why + ", and utilisation up to 3.6 points lower.")
    return {name: reason for name, reason in found.items() if name in metrics}


def _collision_limit(plan: Plan, background: Background, product: float) -> float:
    """Buffer [packets] below which bursts of the long flows meet. product: packets that the path holds."""
    long = [entry for entry in plan.scenario.traffic if entry.fluid and isinstance(entry, LongLived)]
    window, trip, largest = product / background.flows, float(background.trips.mean()), plan.scenario.run.mtu - HEADER
    bursts = [longest_burst(entry.host, window, trip, entry.host.mss or largest) for entry in long]
    return collision_limit(product, max(bursts, default=2.0))


def _product(plan: Plan, background: Background, lossy: Iterable[np.void]) -> float:
    """Bandwidth-delay product of the fastest of the ports that lost fluid, for the mean round trip [packets]."""
    fastest = max(float(plan.port_rate[row["port"]]) / 8.0 / float(row["packet"]) for row in lossy)
    return fastest * float(background.trips.mean())


def _by_bursts(plan: Plan, background: Background, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, where most losses fall at ports that have capacity to spare."""
    part = background.lost_below(BUSY)
    if part <= MOST_SPARE:
        return {}
    why = f"{count(100.0 * part)} % of the losses fell at ports under {100.0 * BUSY:.0f} % busy, where bursts collide. "
    if all(setting.sharing.kind != "complete" for setting in plan.settings):
        return {"drop_rate": why + "The fluid has none: it lost as little as half of what packets did."}
    why += (
        "With complete sharing one full port takes the memory that these bursts need; the fluid used up to 12 points "
        "more of the links than packets did."
    )
    return {name: why for name in metrics if name != "queue_mean"}


def _still_starts(background: Background) -> str:
    """Why the run is too short; empty where it is not."""
    part = background.part_without_loss()
    if part <= MOST_QUIET:
        return ""
    return (
        f"{count(100.0 * part)} % of the fluid's long flows lost nothing and heard of no mark after the warm-up, and "
        "still grow. What is measured then is their start, which the fluid models as slow start until the first loss."
    )


def _room(plan: Plan, port: int) -> float:
    """Bytes that the memory of the port's switch holds."""
    return float(plan.settings[plan.port_switch[port]].buffer)
