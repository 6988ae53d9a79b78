"""Metrics of a coupled run that depend on effects a fluid lacks, found from the packets of the run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from footroom.base.written import count
from footroom.engines.fluid.per_flow import marked_validity
from footroom.engines.hybrid import steady
from footroom.engines.hybrid.background import Background
from footroom.engines.packet.environment import Environment
from footroom.parts.marking.red import Red

#: Metrics of the queue that fluid and packets share.
OF_THE_QUEUE = ("utilisation", "throughput", "goodput", "drop_rate", "queue_mean", "queue_max")
#: Metrics of pauses that fluid and packets ask for together.
OF_PAUSES = ("pause_time", "xoff_time", "lossless_drops")
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
#: A quantile depends on losses of transfers once this share of the transfers beyond it lost packets.
PART_LOST = 0.5
#: Initial windows that a transfer sends in two round trips of slow start.
TWO_ROUNDS = 3.0
#: Initial windows beyond which the first mark, which halves, decides how long a transfer of DCTCP takes: of 28 drawn
#: cases of 15 to 30 kB three medians were more than a tenth off, of 51 above 45 kB a half.
FIRST_MARK = 2.2
#: Flows halved by marks below which, and mean window [packets] above which, marks hit several of them at once: of 120
#: cases drawn, those with 2 to 10 such flows were up to 26 points off, and one of 220 packets 3.6. Of DCTCP's flows two
#: with 700 packets each were 6 points off.
FEWEST_HALVED, LONGEST_HALVED, FEWEST_CUT = 12, 100.0, 4
#: Mean length of a pause, in median completion times, above which these depend on it, and time paused at all ports
#: together, as a part of what is measured, below which they do not. The same part below which pauses come from chance.
LONG_PAUSE, FEW_PAUSES, RARE_PAUSES = 0.05, 0.05, 0.25
#: Drop rate above which what full headrooms refuse decides what flows of windows send.
MOST_REFUSED = 0.01
#: Part of the time for which hosts' links are busy or paused, from which on transfers there wait for long flows.
HELD_BACK = 0.5
#: Growth of what fluid sends between the halves of the measured time, over their sum, from which a run measures how
#: flows recover from their start. A run of 15 ms that was 5 points off had 0.14, one at a full link 0.03.
MOST_GROWTH = 0.05
#: Packets of path for each paced flow at a port below which rates do not describe it, and utilisation from which on
#: that matters: of 11 drawn cases below, 8 had a value that missed its target, of 25 others 2 with one seed.
FEWEST_EACH, BUSY = 2.0, 0.8
#: Wait before a port that marks, in intervals of notifications, beyond which senders hear of it too late for this
#: fluid: in planes 11 of 17 runs with 9.9 or more missed a target, drop rates by a hundred times, and one of 5 others.
MOST_WAITED = 5.0
#: BBR flows at a port that loses below which they use less of links as fluid than as packets.
FEW_TOLD = 5.0
#: Part of the long flows at hosts whose links are full from which on their shares there decide the use of other links.
MOST_BEHIND_HOSTS = 0.25


def unlike(environment: Environment, metrics: Iterable[str], by_chance: bool) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how packets are lost, or were not compared.

    by_chance: whether so few flows lose, or in such a way, that others may lose far more or less than among packets.
    """
    found = {}
    struck = _part(environment, environment.simulation.tables.flows["dropped"] > 0)
    for name in metrics:
        if name in OF_THE_QUEUE or name in COUNTED or name in OF_PAUSES:
            continue
        if name not in QUANTILES:
            found[name] = "Beside a fluid this was not compared with packets alone, or differed by more than a quarter."
        elif struck > PART_LOST * QUANTILES[name] and (by_chance or not steady.holds(environment, name)):
            found[name] = (
                f"{count(100.0 * struck)} % of the transfers lost a packet, and this quantile depends on how "
                "many do. Beside a fluid twice as many did as beside packets at worst."
            )
    return found


def told(metrics: Iterable[str], flows: float) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold where BBR is fluid, flow by flow.

    flows: of it at a port that loses, the mean over what is lost.
    """
    found = dict.fromkeys(
        ("drop_rate", *QUANTILES),
        "Which BBR flow measured its path first decides what is lost, among packets as well. As a fluid it lost 0.2 to "
        "1.9 times as much as packets, which completion times beside it follow.",
    )
    if flows < FEW_TOLD:
        found |= dict.fromkeys(
            ("utilisation", "throughput", "goodput"),
            f"{flows:.2g} BBR flows share a port that loses. With fewer than {FEW_TOLD:g} BBR as a fluid used up to "
            "3 points less of the links than packets did.",
        )
    return {name: why for name, why in found.items() if name in metrics}


def paused(metrics: Mapping[str, float], window: float) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how long single pauses are.

    window: s that was measured.
    """
    found = dict.fromkeys(
        ("pause_frames", "headroom_max"),
        "Fluid that waits is mixed, so the bytes of one port do not leave together as packets do: pauses are shorter, "
        "and frames were 0.6 to 2.6 times as many.",
    )
    mean = metrics.get("pause_time", 0.0) / max(1.0, metrics.get("pause_frames", 0.0))
    share = mean / metrics.get("fct_p50", math.inf)
    if share > LONG_PAUSE and metrics["pause_time"] > FEW_PAUSES * window:
        found |= dict.fromkeys(
            QUANTILES,
            f"A pause takes {count(100.0 * share)} % of the median completion time in the mean. Beside a fluid pauses "
            "are shorter than among packets, by more than a half at worst, so transfers wait less for the next one to "
            "end.",
        )
    found |= _rare(metrics, window)
    return {name: why for name, why in found.items() if name in metrics}


def _rare(metrics: Mapping[str, float], window: float) -> dict[str, str]:
    """Metric to reason, for times of pauses that are rare. window: s that was measured."""
    if not 0.0 < metrics.get("pause_time", 0.0) < RARE_PAUSES * window:
        return {}
    return dict.fromkeys(
        ("pause_time", "xoff_time"),
        f"Ports were paused for {count(100.0 * metrics['pause_time'] / window)} % of the time, all together. Such "
        "rare pauses follow from chance: their time was 0.6 to 1.7 times that of packets.",
    )


def paused_windows(
    environment: Environment, background: Background, metrics: Mapping[str, float], window: float
) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold where pauses stop fluid of windows.

    window: s that was measured.
    """
    found = _rare(metrics, window) | {
        "headroom_max": "Fluid comes evenly, and switches look at it once a step: peaks of headroom were 0 to 1.6 "
        "times those of packets."
    }
    plan = environment.plan
    if metrics.get("marks", 0.0) > 0.0 and metrics.get("pause_time", 0.0) > 0.0:
        found |= dict.fromkeys(
            ("pause_time", "xoff_time"),
            "Marks and pauses hold the queue together. Which hosts are paused then depends on how unlike the flows' "
            "windows are, and fluid has them more alike: ports were paused for 0.4 to 1.1 times as long as among "
            "packets.",
        )
    if metrics.get("lossless_drops", 0.0) > 0.0:
        found |= dict.fromkeys(
            ("lossless_drops", "drop_rate", "pause_time", "xoff_time", "pause_frames", *QUANTILES),
            "A full headroom refuses packets. Which flows lose, and how many packets at a time, decides how often they "
            "are cut: 0.2 to 8 times as many packets were lost as among packets, and ports were paused for 0.1 to 13 "
            "times as long. A headroom that just holds what packets need may refuse some fluid.",
        )
        if metrics.get("drop_rate", 0.0) > MOST_REFUSED:
            found |= dict.fromkeys(
                OF_THE_QUEUE,
                f"Headrooms refuse over {100.0 * MOST_REFUSED:.0f} % of the packets, which decides what flows send: "
                "utilisation was up to 7 points off.",
            )
    late = _part(environment, np.isin(plan.routes[plan.flow_forward], background.full_hosts(HELD_BACK)))
    found |= {
        name: (
            f"{count(100.0 * late)} % of the transfers start at hosts whose links are busy or paused for over "
            f"{100.0 * HELD_BACK:.0f} % of the time. There a transfer waits by what its host lets each long flow "
            "queue, and took 0.3 to 1.7 times as long as among packets."
        )
        for name, beyond in QUANTILES.items()
        if late > PART_LOST * beyond
    }
    marked = _part(environment, environment.simulation.tables.flows["cut_end"] > 0)
    if marked > PART_LOST * QUANTILES["fct_p50"]:
        found |= dict.fromkeys(
            ("fct_p50", "slowdown_p50"),
            f"{count(100.0 * marked)} % of the transfers were cut by a mark, and the median lies between those that "
            "were and those that were not: it was 0.8 times that of packets.",
        )
    return {name: why for name, why in found.items() if name in metrics}


def recovering(metrics: Iterable[str], growth: float) -> dict[str, str]:
    """Metric to reason, for all ``metrics`` of a run in which paced flows still change what they send.

    growth: as ``Paced.growth`` gives it.
    """
    if abs(growth) <= MOST_GROWTH:
        return {}
    why = (
        f"The fluid sent {count(100.0 * abs(growth))} % {'more' if growth > 0.0 else 'less'} in the second half of the "
        "measured time than in the mean of both: the run measures how flows recover from the cuts at their start, of "
        "which utilisation was up to 19 points off. Measure for tens of milliseconds, after a longer warm-up."
    )
    return dict.fromkeys(metrics, why)


def crowded(metrics: Mapping[str, float], each: float) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold where paced flows are many for their path.

    each: packets of path for each of them, at the port with the fewest.
    """
    if each >= FEWEST_EACH or metrics["utilisation"] < BUSY:
        return {}
    why = (
        f"The path holds {each:.2g} packets for each flow at a port. Below {FEWEST_EACH:g} marks of single packets "
        "decide, which rates do not model: utilisation was up to 2.5 points lower than with packets, drop rates were "
        "0.8 to 27 times theirs and medians of completion times 0.8 to 1.4 times."
    )
    affected = ("utilisation", "throughput", "goodput", "drop_rate", *QUANTILES)
    return {name: why for name in affected if name in metrics}


def mixed(metrics: Iterable[str], wait: float, interval: float) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on when packets reach the port that marks them.

    wait: s, the longest before such a port at switches that mark nothing.  interval: s between two notifications.
    """
    if wait <= MOST_WAITED * interval:
        return {}
    why = (
        f"Packets waited up to {count(1e6 * wait)} µs in switches that mark nothing, before a port that marks. This "
        "fluid marks what its senders send now, so they slow down sooner than senders of packets, which send at full "
        f"rate for as long as their packets wait. These waits are {count(wait / interval)} times the interval of "
        "notifications. With ten or more the fluid lost a hundredth of what packets did at worst, or nothing."
    )
    return {name: why for name in metrics if name in OF_THE_QUEUE or name in QUANTILES}


def behind_hosts(environment: Environment, full: npt.NDArray[np.int64], metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how transfers share the links of hosts ``full``."""
    plan = environment.plan
    late = _part(environment, np.isin(plan.routes[plan.flow_forward], full))
    return {
        name: (
            f"{count(100.0 * late)} % of the transfers start at hosts whose links long flows keep full. There a "
            "transfer waits by what its host lets each flow queue, and took 0.6 to 1.6 times as long as beside packets."
        )
        for name, beyond in QUANTILES.items()
        if name in metrics and late > PART_LOST * beyond
    }


def marked(environment: Environment, metrics: Iterable[str]) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how marks fall beside a fluid whose flows see them
    together.
    """
    plan = environment.plan
    first = np.array([float(entry.host.initial_window) for entry in plan.scenario.traffic])[plan.flow_stack]
    lasting = _part(environment, plan.flow_segments > TWO_ROUNDS * first)
    why = (
        f"{count(100.0 * lasting)} % of the transfers last longer than two round trips of slow start. Flows of "
        "this fluid are marked together, and more often: such transfers took 0.9 to 1.4 times as long as "
        "beside packets."
    )
    return cut(environment, metrics) | {
        name: why for name, beyond in QUANTILES.items() if name in metrics and lasting > PART_LOST * beyond
    }


def marked_alone(
    environment: Environment, background: Background, full: npt.NDArray[np.int64], metrics: Mapping[str, float]
) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that do not hold where fluid is followed flow by flow under marks.

    full: ports of hosts whose links are full.
    """
    used = ("utilisation", "throughput", "goodput")
    found = cut(environment, metrics, first_window=True)
    halved, behind = background.halved_flows(), background.part_behind(full)
    if metrics.get("drop_rate", 0.0) > 0.0:
        found["drop_rate"] = (
            "Marks keep the queue short, so what is lost are bursts of flows that begin: drop rates were 0.5 to 1.8 "
            "times those of packets."
        )
    if halved and (why := _halved(environment, background, metrics)):
        found |= dict.fromkeys((*used, "queue_mean", *QUANTILES), why)
    window = _window(environment, background, metrics)
    lasting = background.lasting_flows()
    if not halved and 0 < lasting < FEWEST_CUT and window > LONGEST_HALVED:
        found |= dict.fromkeys(
            used,
            f"{lasting} flows have a mean window of {count(window)} packets. So few are marked "
            "one at a time among packets and together here: utilisation was up to 6 points lower.",
        )
    if 0 < halved < FEWEST_HALVED:
        found |= dict.fromkeys(
            (*used, *QUANTILES),
            f"{halved} flows are halved by marks. Among packets a burst above the threshold marks one of them, here "
            f"often several: with fewer than {FEWEST_HALVED} utilisation was up to 26 points off.",
        )
    if behind > MOST_BEHIND_HOSTS:
        found |= dict.fromkeys(
            used,
            f"{count(100.0 * behind)} % of the long flows start at hosts whose links are full. How they share these "
            "decides how much of other links is used: utilisation was up to 4 points higher than with packets.",
        )
    if background.several_hops and background.refused():
        found |= dict.fromkeys(
            (*used, "drop_rate", *QUANTILES),
            "Acknowledgements of NewReno and CUBIC understand no marks, so switches drop them where they would mark "
            "data. This fluid only counts these drops: utilisation was up to 6 points higher than with packets.",
        )
    return {name: why for name, why in found.items() if name in metrics}


def _window(environment: Environment, background: Background, metrics: Mapping[str, float]) -> float:
    """Mean window [packets] of the fluid's lasting flows, from what the first watched link holds on average."""
    rate = float(environment.plan.port_rate[int(environment.plan.watched[0])])
    path = rate / 8.0 / background.packet * float(background.trips.mean())
    return (path * metrics["utilisation"] + metrics["queue_mean"] / background.packet) / max(
        1, background.lasting_flows()
    )


def _halved(environment: Environment, background: Background, metrics: Mapping[str, float]) -> str:
    """Why flows that a mark halves use another share of a bottleneck than packets do, by the limits that the fluid
    without packets has; empty where they do not.
    """
    plan = environment.plan
    port = int(plan.watched[0])
    marking, packet = plan.settings[plan.port_switch[port]].marking, background.packet
    path = float(plan.port_rate[port]) / 8.0 / packet * float(background.trips.mean())
    window = _window(environment, background, metrics)
    last = float(getattr(marking, "kmax", getattr(marking, "threshold", math.inf))) / packet
    if last < marked_validity.FEWEST:
        return (
            f"Every packet is marked above {count(last)} packets of queue. Below {marked_validity.FEWEST:g} packets "
            "single bursts are marked, which a fluid does not have."
        )
    if window < marked_validity.SMALL_CUBIC:
        return (
            f"The mean window is {window:.3g} packets. Below {marked_validity.SMALL_CUBIC:g} packets cuts "
            "come in whole packets: utilisation was up to 9 points above that of packets."
        )
    if metrics["utilisation"] >= marked_validity.NEARLY_ALL:
        return ""
    if window > LONGEST_HALVED:
        varies = True
    elif isinstance(marking, Red):
        varies = path >= marked_validity.LONG_PATH and (
            marking.pmax * path * packet >= marked_validity.STEEP * (marking.kmax - marking.kmin)
        )
    else:
        varies = (
            path >= marked_validity.LONG_PATH_OF_STEP and background.lasting_flows() >= marked_validity.FEWEST_OF_STEP
        )
    return (
        "Windows keep the gaps that cuts leave, so the queue of packets varies and passes its marks for short times; "
        "here marks reach several flows in one round trip. Utilisation was up to 4 points below that of packets."
        if varies
        else ""
    )


def cut(environment: Environment, metrics: Iterable[str], first_window: bool = False) -> dict[str, str]:
    """Metric to reason, for those of ``metrics`` that depend on how many transfers a mark has cut: a quantile between
    those that were and those that were not moves far if a few more are.

    first_window: also of DCTCP, whose first mark halves, transfers that send more than ``FIRST_MARK`` initial windows.
    """
    plan, tables = environment.plan, environment.simulation.tables
    halves = np.array([entry.congestion.kind != "dctcp" for entry in plan.scenario.traffic])[plan.flow_stack]
    if first_window:
        first = np.array([float(entry.host.initial_window) for entry in plan.scenario.traffic])[plan.flow_stack]
        halves |= plan.flow_segments > FIRST_MARK * first
    part = _part(environment, (tables.flows["cut_end"] > 0) & halves)
    why = f"{count(100.0 * part)} % of the transfers were cut by a mark, and this quantile depends on how many are."
    return {name: why for name, beyond in QUANTILES.items() if name in metrics and part > PART_LOST * beyond}


def _part(environment: Environment, which: npt.NDArray[np.bool_]) -> float:
    """Part of the transfers whose completion times count, those that ended after the warm-up, that are in ``which``."""
    plan = environment.plan
    mine = (plan.flow_bytes >= 0) & ~plan.probing & (environment.simulation.tables.flows["end"] > plan.warmup)
    return float(which[mine].mean()) if mine.any() else 0.0
