"""How the engine's metrics are computed, with their inputs."""

from __future__ import annotations

import numpy as np

from footroom.engines.theory.inputs import ShortFlows, TheoryInputs
from footroom.engines.theory.long_lived import LongAnswer, counts_as_gaussian
from footroom.engines.theory.poisson_flows import MOST_LOSS, Completions, queueing
from footroom.result.explanation import Explanation, Term

_EPISODES = "Derived in engines/theory/episodes.py; Mathis et al. 1997 for the growth, Spang et al. 2021 for the drops"
_SAWTOOTH = "Derived in footroom.engines.theory.sawtooth; one packet lost per cycle"


def explain(
    inputs: TheoryInputs, found: dict[str, float], long: LongAnswer | None, done: Completions | None
) -> list[Explanation]:
    """One explanation per metric, the completion times as one."""
    if long is not None:
        listed = _long(inputs, found, long)
    else:
        assert inputs.short is not None  # TheoryInputs refuses neither
        listed = _short(inputs, found, inputs.short)
    if done is not None:
        listed.append(_completion(inputs, found, done))
    return listed


def _long(inputs: TheoryInputs, found: dict[str, float], long: LongAnswer) -> list[Explanation]:
    path = inputs.bdp * (1.0 - inputs.background) / inputs.mtu
    shared = [
        Term("BDP", "bandwidth-delay product left to the long-lived flows", path, "packet"),
        Term("b", "buffer over bandwidth-delay product", inputs.buffer / inputs.bdp, "1"),
        Term("n", "long-lived flows", float(inputs.flows), "1"),
    ]
    if inputs.background:
        shared.append(Term("ρ0", "open-loop load taken off the capacity", inputs.background, "1"))
    event = long.event
    if long.limited[0]:
        formula = {"utilisation": "min(1, ΣWmax/BDP)", "drop_rate": "0", "queue_mean": "max(0, ΣWmax - BDP)"}
        source, holds, valid = "Windows conserve packets", "Receive windows that fit into path and buffer.", True
        if inputs.spread:
            formula |= {
                "utilisation": "min(1, (ΣWmax/BDP)·artanh(s)/s)",
                "queue_mean": "BDP·max(0, 2s/(exp(2s·BDP/ΣWmax) - 1) - 1 + s)",
            }
            shared.append(Term("s", "spread of the round trips", inputs.spread, "1"))
        terms = (
            *shared,
            Term(
                "ΣWmax",
                "sum of receive windows",
                sum(group.flows * group.max_window for group in inputs.groups),
                "packet",
            ),
        )
    elif event is None and inputs.groups[0].cubic:
        group = inputs.groups[0]
        formula = {
            "utilisation": "mean over 0 ≤ u ≤ 1 of min(1, (1+b)(1 - (1-β)u³))",
            "drop_rate": "L/(L + U·BDP·k), L = max(1, growth in the round trip after an overflow), "
            "k = a·(1-β)·(1+b)²·BDP round trips per climb",
            "queue_mean": "BDP · mean over 0 ≤ u ≤ 1 of max(0, (1+b)(1 - (1-β)u³) - 1)",
        }
        source, valid = "Time average of the cubic (RFC 9438, section 4.2)", path >= 4.0
        if group.converges:
            source += "; with fast convergence (section 4.7) every other climb is over a plateau of (1+β)/2"
        holds = (
            "One flow in congestion avoidance whose recovery keeps sending; windows of many packets; the round "
            "trip taken as constant, so best for b well below 1."
        )
        terms = (
            *shared,
            Term("β", "window factor on loss", group.beta, "1"),
            Term("a", "round trips per packet regained, K/((1-β)·(1+b)²·BDP·RTT)", group.ack_every, "1"),
            Term("U", "utilisation", float(long.utilisation[0]), "1"),
        )
    elif event is None:
        group = inputs.groups[0]
        formula = {
            "utilisation": "1 if l ≥ 1 else ((1-l²)/2 + (h²-1)/2)/((1-l) + (h²-1)/2), l = β·h, h = 1+b",
            "drop_rate": "1/(1 + a·BDP²·delivered), delivered = numerator of the utilisation",
            "queue_mean": "BDP·[(h³-m³)/3 - (h²-m²)/2]/time, m = max(l, 1), time = denominator of the utilisation",
        }
        source, valid = _SAWTOOTH, path >= 4.0
        holds = "One flow in congestion avoidance whose recovery keeps sending; windows of many packets."
        terms = (
            *shared,
            Term("β", "window factor on loss", group.beta, "1"),
            Term("a", "segments per window-increase step", group.ack_every, "1"),
        )
    else:
        formula = {
            "utilisation": "min(random-loss limit, max(delivered/time of an overflow cycle, erf(1.8371·b·√n/(1+b))))"
            if counts_as_gaussian(inputs)
            else "min(random-loss limit, delivered/time of an overflow cycle)",
            "drop_rate": "g/(g + delivered), delivered per cycle from (1+b+g)(1-x) up to 1+b at g per round trip",
            "queue_mean": "time average of (w-1)·BDP over the cycle",
        }
        source = _EPISODES
        window = path / inputs.flows
        valid = window >= 5.0
        holds = (
            "Two or more flows with equal shares, windows of at least about 5 packets, drop-tail, hits spread at "
            "random over flows. The Gaussian bound counts where round trips differ; elsewhere it is shown for "
            "comparison."
        )
        if not valid:
            holds += f" Not here: the path gives a flow {window:.2g} packets."
        terms = (
            *shared,
            Term("g", "growth of all windows per round trip, in BDP", event.growth, "1"),
            Term("h", "fraction of flows hit per overflow", event.hit, "1"),
            Term("x", "mean fall of the total window per overflow", event.cut, "1"),
            Term("λ/h", "drops per window reduction", event.drops_per_cut, "1"),
            Term("U1", "utilisation of the overflow cycle", float(long.cycle[0]), "1"),
            Term("erf", "Gaussian bound on utilisation", float(long.gaussian[0]), "1"),
        )
    titles = {"utilisation": ("Utilisation", "1"), "drop_rate": ("Drop rate", "1"), "queue_mean": ("Mean queue", "B")}
    return [
        Explanation(name, title, formula[name], found[name], unit, source, holds, terms, valid)
        for name, (title, unit) in titles.items()
    ]


def _short(inputs: TheoryInputs, found: dict[str, float], short: ShortFlows) -> list[Explanation]:
    queue = queueing(inputs, short, np.array([inputs.buffer]))
    burst, offered = float(queue.burst[0]), float(queue.offered[0])
    terms = (
        Term("ρ", "offered load", short.load, "1"),
        Term("ρ'", "load with retransmissions, ρ/(1-p) below saturation", offered, "1"),
        Term("B", "buffer", inputs.buffer / inputs.mtu, "packet"),
        Term("c", "burst that an arriving packet belongs to, E[X²]/E[X]", burst, "packet"),
    )
    slow, heavy = short.access <= inputs.capacity, short.load < 1.0 and found["drop_rate"] > MOST_LOSS
    holds = (
        "Flows arriving as a Poisson process whose bursts reach the bottleneck as one; bursts stop growing at the "
        "path's own window and at the window losses allow."
    )
    if heavy:
        holds += f" Not here: losses above {MOST_LOSS:g} mean repeated timeouts."
    if slow:
        holds += " Not here: access is no faster than the bottleneck, so these are overestimates."
    valid = not (slow or heavy)
    source = "Appenzeller et al. 2004, section 4 (bursts); Padhye et al. 1998 (windows under loss); M/M/1/K"
    return [
        Explanation(
            "utilisation",
            "Utilisation",
            "ρ'·(1 - p)",
            found["utilisation"],
            "1",
            source,
            holds,
            (*terms, Term("p", "drop rate", found["drop_rate"], "1")),
            valid,
        ),
        Explanation(
            "drop_rate",
            "Drop rate",
            "p = (1-ρ')·ρ'^K/(1-ρ'^(K+1)), K = 2B/c",
            found["drop_rate"],
            "1",
            source,
            holds,
            terms,
            valid,
        ),
        Explanation(
            "queue_mean",
            "Mean queue",
            "1/θ - B/(exp(θB) - 1), θ = 2(1-ρ')/(ρ'·c)",
            found["queue_mean"],
            "B",
            "Reflected random walk; Pollaczek-Khinchine for bursts as B grows",
            holds,
            terms,
            valid,
        ),
    ]


def _completion(inputs: TheoryInputs, found: dict[str, float], done: Completions) -> Explanation:
    rtt = inputs.rtt + found["queue_mean"] * 8.0 / inputs.capacity
    return Explanation(
        name="fct_mean",
        title="Mean completion time",
        formula="Σ share·(T_slow_start + T_recovery + (d - E)/min(X, rate))",
        value=found["fct_mean"],
        unit="s",
        source="Cardwell, Savage and Anderson, INFOCOM 2000; slow start in whole round trips",
        holds="Losses that hit packets independently; rate is an even share of what other traffic leaves.",
        terms=(
            Term("p", "drop rate", found["drop_rate"], "1"),
            Term("RTT", "round-trip time with the mean queue", rtt, "s"),
            Term("T0", "first retransmission timeout", max(inputs.min_rto, rtt), "s"),
            Term("d", "mean flow", float(done.shares @ done.segments), "packet"),
        ),
    )
