"""From a scenario to the closed forms' inputs, and from their answer to a result."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from footroom.base.errors import Unsupported
from footroom.engines.theory import bbr, dctcp, drawn, engine, one_more, validity
from footroom.engines.theory.bbr import BbrInputs
from footroom.engines.theory.controls import BUILDERS, Room
from footroom.engines.theory.dctcp import DctcpInputs
from footroom.engines.theory.inputs import ShortFlows, TheoryInputs
from footroom.engines.theory.smallest_buffers import too_small, windows_meet
from footroom.parts.congestion import Bbr, Dctcp
from footroom.parts.marking import Step
from footroom.parts.traffic import LongLived as Entry
from footroom.result import Result
from footroom.scenario import Scenario, one_more_bbr, unpaced
from footroom.scenario.beside import beside_transfers, bursts_of_cubic
from footroom.scenario.bottleneck import Bottleneck, bottleneck_of, caveats
from footroom.scenario.collisions import bursts_meet, lose_in_phase, phases
from footroom.scenario.lockout import bbr_beyond, locked_out, seldom_acknowledged, short_run
from footroom.scenario.one_more import OneMore, left_out, unanswered, under_marks
from footroom.scenario.short_runs import drawn_round_trips, undecided

#: Inputs of the closed forms for one scenario.
Asked = TheoryInputs | BbrInputs | DctcpInputs

#: Metrics outside validity because of bursts of transfers beside long flows.
_BESIDE = ("drop_rate", "queue_mean", "fct_mean", "fct_p50", "slowdown_p50")

#: Metrics outside validity where flows of equal round trips lose in phase.
_USED = ("utilisation", "throughput")

#: Metrics outside validity where windows meet in a small buffer, though the closed form loses nothing.
_MEETING = ("drop_rate", "utilisation", "throughput", "queue_mean", "queue_max")

#: Lowest ratio of drop rates to packets' where bursts of CUBIC meet. Over 18 cases of 12 to 60 flows, 20 and 100 ms and
#: 0.15 to 1.5 products the closed form had 0.62 to 0.86 times their drops, over the same paced 0.74 to 1.1 times; 0.55
#: times with senders' links as fast as the bottleneck.
LEAST_OF_CUBIC = 0.55
#: Packets of path per BBR flow up to which drop rates are within 1.6 times those of packets (docs/theory.md).
MOST_OF_BBR = 100.0


def inputs_of(scenario: Scenario) -> Asked:
    """The closed forms' inputs. Raises Unsupported when the scenario is not a single bottleneck."""
    return _inputs(scenario, bottleneck_of(scenario, "theory"))


def _inputs(scenario: Scenario, seen: Bottleneck) -> Asked:
    marking = seen.switch.marking
    if any(isinstance(entry.congestion, Dctcp) for entry in scenario.traffic):
        return _dctcp(scenario, seen)
    if "theory" not in marking.engines:
        raise Unsupported(
            "the closed forms are those of a queue that drops when it is full and does not mark",
            path="switch.marking.kind",
            given=marking.kind,
            engines=marking.engines,
        )
    for i, entry in enumerate(scenario.traffic):
        if "theory" not in entry.congestion.engines:
            raise Unsupported(
                f"there is no closed form for {entry.congestion.about.title} here",
                path=f"traffic.{i}.congestion.kind",
                given=entry.congestion.kind,
                engines=entry.congestion.engines,
            )
        if "theory" not in entry.congestion.known_to():
            raise Unsupported(
                f"there is no closed form for this version of {entry.congestion.about.title}",
                path=f"traffic.{i}.congestion",
                given=entry.congestion.kind,
                engines=entry.congestion.known_to(),
            )
    if any(isinstance(entry.congestion, Bbr) for entry in scenario.traffic):
        return _bbr(scenario, seen)
    room = Room.of(seen)
    groups = tuple(BUILDERS[entry.congestion.kind](entry, room) for entry in seen.long_lived)
    return TheoryInputs(
        capacity=seen.capacity,
        buffer=seen.buffer,
        mtu=seen.mtu,
        mss=seen.mss,
        rtt=seen.rtt,
        groups=groups,
        short=_short(seen),
        min_rto=min(t.host.min_rto for t in scenario.traffic),
        out_of_step=seen.spread > 0.0 and not all(entry.host.pacing for entry in seen.long_lived),
        # That of propagation, as a share of the whole round trip.
        spread=seen.spread * seen.propagation / seen.rtt,
        paced=all(entry.host.pacing for entry in seen.long_lived),
        held=sum(entry.flows * (entry.host.ack_every - 1) / 2.0 for entry in seen.long_lived),
    )


def _bbr(scenario: Scenario, seen: Bottleneck) -> BbrInputs:
    """BBR flows that are all alike and alone; its closed forms know no others."""
    law = scenario.traffic[0].congestion
    for i, entry in enumerate(scenario.traffic):
        alike = isinstance(entry, Entry) and entry.congestion == law and entry.host.receive_window is None
        if not alike:
            raise Unsupported(
                "the closed forms of BBR are those of long-lived flows all alike, without others beside them",
                path=f"traffic.{i}",
                engines=("fluid",),
            )
    assert isinstance(law, Bbr)  # one is, and all are alike
    return BbrInputs(
        seen.capacity, seen.buffer, seen.mtu, seen.rtt, seen.flows, law.version, law.interval, law.probe_rtt_time
    )


def _dctcp(scenario: Scenario, seen: Bottleneck) -> DctcpInputs:
    """DCTCP flows alone under a step; the closed form knows no others."""
    marking = seen.switch.marking
    if not isinstance(marking, Step):
        raise Unsupported(
            "the closed form of DCTCP is that of a step, which marks every packet above a threshold",
            path="switch.marking.kind",
            given=marking.kind,
            engines=("fluid", "packet", "reference"),
        )
    for i, entry in enumerate(scenario.traffic):
        alike = (
            isinstance(entry, Entry)
            and isinstance(entry.congestion, Dctcp)
            and entry.host.receive_window is None
            and entry.host.ecn
            and entry.rtt is None
        )
        if not alike:
            raise Unsupported(
                "the closed form of DCTCP is that of long-lived DCTCP flows with ECN over the topology's "
                "round trip, without others beside them",
                path=f"traffic.{i}",
                engines=("fluid", "packet", "reference"),
            )
    return DctcpInputs(seen.capacity, seen.buffer, marking.threshold, seen.mtu, seen.rtt, seen.flows)


def _short(seen: Bottleneck) -> ShortFlows | None:
    """All open-loop entries as one class of flows with the sizes of each, by its share of arrivals."""
    if not seen.poisson:
        return None
    sizes: list[float] = []
    weights: list[float] = []
    for entry in seen.poisson:
        arrivals = entry.load / entry.sizes.mean()
        points, shares = entry.sizes.points()
        sizes += points.tolist()
        weights += (arrivals * shares).tolist()
    first = seen.poisson[0].host
    # Headers make the link busier than the payload's load says.
    load = sum(entry.load for entry in seen.poisson) * seen.mtu / seen.mss
    window = np.inf if first.receive_window is None else first.receive_window / seen.mss
    return ShortFlows(
        load=load,
        sizes=tuple(sizes),
        weights=tuple(weights),
        initial_window=float(first.initial_window),
        max_window=max(window, float(first.initial_window)),
        access=seen.access,
        ack_every=1.0,
    )


def estimate(scenario: Scenario) -> Result:
    """Closed forms for one scenario, with every rule explained."""
    began = time.perf_counter()
    asked = inputs_of(scenario)
    answer = _evaluate(asked)
    beyond = _outside(scenario, asked, answer.metrics)
    extra = _one_more([scenario], [asked], [beyond])[0]
    # After that time of one more transfer, which was compared with packets beside such loads as well.
    beyond = _bursts(scenario, answer.metrics) | beyond
    explanations = tuple(
        replace(one, valid=False, holds=f"{one.holds} Not here: {beyond[one.name]}.") if one.name in beyond else one
        for one in answer.explanations
    )
    return Result(
        "theory",
        scenario.to_dict(),
        scenario.run.seed,
        time.perf_counter() - began,
        answer.metrics | extra.metrics,
        explanations=explanations,
        notes=(
            *answer.notes,
            *extra.notes,
            *caveats(scenario),
            *short_run(scenario, bottleneck_of(scenario, "theory")),
            *drawn_round_trips(bottleneck_of(scenario, "theory")),
        ),
        outside=beyond | extra.outside,
    )


def _evaluate(asked: Asked) -> engine.TheoryAnswer:
    if isinstance(asked, BbrInputs):
        return bbr.evaluate(asked)
    return dctcp.evaluate(asked) if isinstance(asked, DctcpInputs) else engine.evaluate(asked)


def _evaluate_many(asked: Asked, buffers: list[float]) -> list[dict[str, float]]:
    if isinstance(asked, BbrInputs):
        return bbr.evaluate_many(asked, buffers)
    if isinstance(asked, DctcpInputs):
        return dctcp.evaluate_many(asked, buffers)
    return engine.evaluate_many(asked, buffers)


def _one_more(scenarios: list[Scenario], asked: list[Asked], outside: list[dict[str, str]]) -> list[OneMore]:
    """Completion times of one more transfer."""
    if left_out():
        return [OneMore() for _ in scenarios]
    known = [i for i, inputs in enumerate(asked) if isinstance(inputs, TheoryInputs)]
    plain = [inputs for inputs in asked if isinstance(inputs, TheoryInputs)]
    answers = one_more.of([scenarios[i] for i in known], plain, [outside[i] for i in known])
    found = dict(zip(known, answers, strict=True))
    return [found[i] if i in found else _beside(scenario, asked[i], outside[i]) for i, scenario in enumerate(scenarios)]


def _beside(scenario: Scenario, inputs: Asked, outside: dict[str, str]) -> OneMore:
    """Beside BBR or DCTCP."""
    seen = bottleneck_of(scenario, "theory")
    if isinstance(inputs, DctcpInputs):
        refused = unanswered(scenario, seen)
        reason = next((outside[name] for name in ("queue_mean", "utilisation") if name in outside), "")
        return OneMore(notes=(refused,)) if refused else under_marks(scenario, seen, inputs.course, reason)
    reason = one_more_bbr.unanswered(scenario, seen)
    if reason:
        return OneMore(notes=(reason,))
    assert isinstance(inputs, BbrInputs)  # the others are answered
    found = bbr.evaluate_many(inputs, [inputs.buffer])[0]
    return one_more_bbr.of(scenario, seen, (found["queue_mean"],), found["drop_rate"], next(iter(outside.values()), ""))


def _outside(scenario: Scenario, inputs: Asked, metrics: dict[str, float]) -> dict[str, str]:
    """Metric to reason, for numbers outside the range in which the closed forms were found to hold."""
    reason = too_small(bottleneck_of(scenario, "theory"))
    if reason:
        return dict.fromkeys(metrics, reason)
    seen = bottleneck_of(scenario, "theory")
    early = {name: why for name, why in undecided(scenario, seen).items() if name in metrics}

    def elsewhere(moved: Bottleneck) -> dict[str, float]:
        asked = _inputs(scenario, moved)
        return _evaluate_many(asked, [asked.buffer])[0]

    early = drawn.outside(seen, metrics, elsewhere) | early
    if isinstance(inputs, BbrInputs):
        return early | {name: why for name, why in bbr_beyond(seen, MOST_OF_BBR).items() if name in metrics}
    if isinstance(inputs, DctcpInputs):
        meeting = bursts_meet(seen)
        return dict.fromkeys(metrics, meeting) if meeting else dctcp.outside(inputs)
    if metrics["drop_rate"] > 0.0 and (meeting := unpaced.windows_meet(seen)):
        return dict.fromkeys(metrics, meeting)
    found = validity.outside(inputs, metrics)
    if (phased := phases(seen) or locked_out(seen) or seldom_acknowledged(seen)) and metrics["drop_rate"] > 0.0:
        found = {"drop_rate": phased} | found
    if metrics["drop_rate"] > 0.0 and (in_phase := lose_in_phase(seen)):
        found = {name: in_phase for name in _USED if name in metrics} | found
    if metrics["drop_rate"] > 0.0:
        lost = unpaced.beyond(seen, metrics["utilisation"])
        found = {name: why for name, why in lost.items() if name in metrics} | found
    if inputs.groups and metrics["drop_rate"] == 0.0 and (meeting := windows_meet(seen, metrics["queue_mean"])):
        found = {name: meeting for name in _MEETING if name in metrics} | found
    return early | found


def _bursts(scenario: Scenario, metrics: dict[str, float]) -> dict[str, str]:
    """Metric to reason, outside because of bursts: of transfers beside long flows, and of CUBIC flows that meet."""
    seen = bottleneck_of(scenario, "theory")
    found = {name: reason for name in _BESIDE if name in metrics} if (reason := beside_transfers(seen)) else {}
    if metrics["drop_rate"] > 0.0 and (meeting := bursts_of_cubic(seen, LEAST_OF_CUBIC)):
        found = {"drop_rate": meeting} | found
    return found


def estimate_many(scenarios: list[Scenario]) -> list[Result]:
    """Closed forms for many scenarios; those that differ in the buffer alone are answered in one go.

    Of several only the metrics: derivations of every point would outweigh the curve. One scenario gets them all.
    """
    if len(scenarios) == 1:
        return [estimate(scenarios[0])]
    began = time.perf_counter()
    asked = [inputs_of(scenario) for scenario in scenarios]
    same: dict[Asked, list[int]] = {}
    for i, inputs in enumerate(asked):
        same.setdefault(replace(inputs, buffer=0.0), []).append(i)
    found: dict[int, dict[str, float]] = {}
    for inputs, members in same.items():
        buffers = [asked[i].buffer for i in members]
        found.update(zip(members, _evaluate_many(inputs, buffers), strict=True))
    beyond = [_outside(scenario, asked[i], found[i]) for i, scenario in enumerate(scenarios)]
    extra = _one_more(scenarios, asked, beyond)
    beyond = [_bursts(scenario, found[i]) | beyond[i] for i, scenario in enumerate(scenarios)]
    spent = (time.perf_counter() - began) / max(1, len(scenarios))
    return [
        Result(
            "theory", s.to_dict(), s.run.seed, spent, found[i] | extra[i].metrics, outside=beyond[i] | extra[i].outside
        )
        for i, s in enumerate(scenarios)
    ]
