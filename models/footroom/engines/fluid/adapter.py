"""From a scenario to the fluid models' inputs, and from their answer to a result."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from footroom.base import deadline
from footroom.base.errors import Unsupported
from footroom.engines.fluid import completion, engine, laws, markings, one_more
from footroom.engines.fluid.inputs import FlowGroup, FluidAnswer, FluidInputs, check
from footroom.engines.fluid.laws import Group
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.system import System
from footroom.parts.congestion import RDMA, TCP
from footroom.parts.marking import NoMarking
from footroom.parts.traffic import LongLived
from footroom.result import Result, Share
from footroom.scenario import Scenario, unpaced
from footroom.scenario.beside import beside_transfers, completion_beside
from footroom.scenario.bottleneck import bottleneck_of, caveats, without_idle_marks
from footroom.scenario.collisions import bursts_meet, height_of, lose_in_phase, phases
from footroom.scenario.lockout import bbr_beyond, locked_out, short_run
from footroom.scenario.one_more import OneMore
from footroom.scenario.short_runs import drawn_round_trips, undecided

#: Metrics that the phases of flows change where every packet is acknowledged.
PHASED = ("drop_rate", "queue_mean", "queue_p50")
#: Groups that a spread of round-trip times is split into.
_GROUPS = 8


def inputs_of(scenario: Scenario) -> FluidInputs:
    """The fluid models' inputs. Raises Unsupported when the scenario is not a single bottleneck of long flows."""
    seen = bottleneck_of(scenario, "fluid")
    if not seen.long_lived:
        raise Unsupported(
            "the fluid engine models long-lived flows and there are none",
            path="traffic",
            engines=("theory", "packet", "reference"),
        )
    marking = seen.switch.marking
    for i, entry in enumerate(scenario.traffic):
        if isinstance(entry, LongLived) and entry.host.receive_window is not None:
            raise Unsupported(
                "the fluid engine has no receive window",
                path=f"traffic.{i}.host.receive_window",
                engines=("theory", "packet", "reference"),
            )
    if marking.kind not in markings.BUILDERS:
        raise Unsupported(
            f"the fluid engine has no model of {marking.about.title} marking",
            path="switch.marking.kind",
            given=marking.kind,
            engines=marking.engines,
        )
    early = not isinstance(marking, NoMarking)
    packets = 8.0 * seen.mtu
    groups: list[FlowGroup] = []
    longest = max(entry.rtt or seen.propagation for entry in seen.long_lived) * (1.0 + seen.spread)
    for i, entry in enumerate(scenario.traffic):
        if not isinstance(entry, LongLived):
            continue
        kind = entry.congestion.kind
        if kind not in laws.BUILDERS:
            raise Unsupported(
                f"the fluid engine has no model of {entry.congestion.about.title}",
                path=f"traffic.{i}.congestion.kind",
                given=kind,
                engines=entry.congestion.engines,
            )
        if "fluid" not in entry.congestion.known_to():
            raise Unsupported(
                f"the fluid engine has no model of this version of {entry.congestion.about.title}",
                path=f"traffic.{i}.congestion",
                given=kind,
                engines=entry.congestion.known_to(),
            )
        if entry.congestion.telemetry() and entry.recovery_of() in TCP:
            raise Unsupported(
                f"the fluid engine models {entry.congestion.about.title} over RDMA only: over TCP its windows follow "
                "probes and acknowledgements",
                path=f"traffic.{i}.host.recovery",
                given=entry.recovery_of(),
                engines=("packet", "reference"),
            )
        parts = 1 if seen.spread == 0.0 else min(_GROUPS, entry.flows)
        for k in range(parts):
            count = entry.flows // parts + (1 if k < entry.flows % parts else 0)
            rtt = (entry.rtt or seen.propagation) * (1.0 + seen.spread * ((2.0 * k + 1.0) / parts - 1.0))
            setting = laws.Setting(
                seen.mtu,
                seen.capacity / packets,
                seen.access / packets,
                rtt,
                seen.flows,
                early and _carries_ect(entry),
                longest,
                early,
            )
            law = laws.BUILDERS[kind](entry.congestion, entry.host, setting)
            groups.append(
                FlowGroup(
                    count,
                    rtt,
                    law,
                    early and not _carries_ect(entry),
                    entry.name or kind,
                    i,
                    entry.host.min_rto,
                    entry.host.pacing,
                    height_of(entry, seen),
                    entry.host.ack_every,
                )
            )
    return FluidInputs(
        capacity=seen.capacity,
        mtu=seen.mtu,
        buffer=seen.buffer,
        groups=tuple(groups),
        duration=scenario.run.duration,
        warmup=scenario.run.warmup,
        marking=markings.BUILDERS[marking.kind](marking, seen.mtu),
        background=sum(entry.load for entry in seen.poisson) * seen.capacity * seen.mtu / seen.mss,
        background_drops=early and not all(entry.host.ecn for entry in seen.poisson),
        seed=scenario.run.seed,
    )


def _carries_ect(entry: LongLived) -> bool:
    """Whether a queue marks packets of these flows instead of dropping them.

    As in the packet engine: RFC 3168 lets only a sender that reacts to marks set ECT, and BBR does not react. Packets
    without ECT are dropped where others are marked, whatever ``host.ecn`` says.
    """
    return entry.host.ecn and (entry.recovery_of() in RDMA or entry.congestion.hooks().on_ecn is not None)


def system_of(scenario: Scenario) -> System:
    """The scenario as one bottleneck with its fixed point, linearisation and course.

    Raises Unsupported when it is no single bottleneck of long-lived flows, InvalidInput naming a field at fault.
    """
    inputs = inputs_of(scenario)
    check(inputs, np.array([inputs.buffer]))
    packets = 8.0 * inputs.mtu
    link = Link(
        inputs.capacity / packets,
        inputs.buffer / inputs.mtu,
        inputs.background / packets,
        inputs.background_drops,
        inputs.mtu,
    )
    groups = tuple(Group(group.count, group.rtt, group.flows, group.drops) for group in inputs.groups)
    return System(link, groups, inputs.marking, tuple(group.label for group in inputs.groups))


def _shares(groups: tuple[FlowGroup, ...], rates: tuple[float, ...]) -> tuple[Share, ...]:
    """The share of each entry's flows; nothing where the answer does not give it by group."""
    if not rates:
        return ()
    total = sum(group.count * rate for group, rate in zip(groups, rates, strict=True))
    flows = sum(group.count for group in groups)
    shares = []
    for entry in dict.fromkeys(group.entry for group in groups):
        own = [(group, rate) for group, rate in zip(groups, rates, strict=True) if group.entry == entry]
        count, sent = sum(group.count for group, _ in own), sum(group.count * rate for group, rate in own)
        shares.append(Share(f"traffic.{entry}", own[0][0].label, count, sent / count, sent / total, count / flows))
    return tuple(shares)


def _result(
    scenario: Scenario, inputs: FluidInputs, answer: FluidAnswer, extra: OneMore, spent: float, *, explained: bool
) -> Result:
    done = completion.of(scenario, answer, explained=explained)
    groups = _shares(inputs.groups, answer.rates)
    # Completion times are computed from the queue and the loss, so they hold no further than these do.
    after = dict.fromkeys(done.metrics, next(iter(answer.outside.values()))) if answer.outside else {}
    seen = bottleneck_of(scenario, "fluid")
    after = {name: why for name, why in completion_beside(seen).items() if name in done.metrics} | after
    return Result(
        "fluid",
        scenario.to_dict(),
        scenario.run.seed,
        spent,
        answer.metrics | done.metrics | extra.metrics,
        explanations=(*answer.explanations, *done.explanations),
        notes=(
            *answer.notes,
            *done.notes,
            *extra.notes,
            *caveats(scenario),
            *short_run(scenario, seen),
            *drawn_round_trips(seen),
        ),
        groups=groups,
        outside=answer.outside | after | extra.outside,
    )


def estimate(scenario: Scenario) -> Result:
    """The fluid model that fits the scenario."""
    return estimate_many([scenario])[0]


def estimate_many(scenarios: list[Scenario]) -> list[Result]:
    """Fluid answers for many scenarios; those that differ in the buffer alone are integrated as one batch."""
    began = time.perf_counter()
    asked = [inputs_of(scenario) for scenario in scenarios]
    same: dict[FluidInputs, list[int]] = {}
    for i, inputs in enumerate(asked):
        same.setdefault(replace(inputs, buffer=0.0), []).append(i)
    found: dict[int, FluidAnswer] = {}
    for inputs, members in same.items():
        deadline.check(f"{len(found)} of {len(scenarios)} scenarios were answered")
        buffers = np.array([asked[i].buffer for i in members])
        points = max(one_more.rows(scenarios[i]) for i in members)
        answers = engine.evaluate_many(replace(inputs, buffer=float(buffers[0])), buffers, trajectory_points=points)
        found.update(zip(members, answers, strict=True))
    for i, scenario in enumerate(scenarios):
        seen = without_idle_marks(bottleneck_of(scenario, "fluid"))
        if not set(found[i].metrics) <= set(found[i].outside) and (
            reason := bursts_meet(seen) or unpaced.windows_meet(seen)
        ):
            found[i] = replace(found[i], outside=dict.fromkeys(found[i].metrics, reason))
        reason, outside = phases(seen) or locked_out(seen), bbr_beyond(seen)
        if reason and found[i].metrics["drop_rate"] > 0.0:
            outside |= dict.fromkeys(PHASED, reason)
        if found[i].metrics["drop_rate"] > 0.0 and (reason := lose_in_phase(seen)):
            outside |= dict.fromkeys(("utilisation", "throughput"), reason)
        if found[i].metrics["drop_rate"] > 0.0:
            outside = unpaced.beyond(seen, found[i].metrics["utilisation"]) | outside
        outside = undecided(scenario, seen) | outside
        if outside:
            known = {name: why for name, why in outside.items() if name in found[i].metrics}
            found[i] = replace(found[i], outside=known | found[i].outside)
    extra = one_more.of(scenarios, [found[i] for i in range(len(scenarios))])
    # After the completion time of one more transfer, which was compared with packets beside such loads as well.
    for i, scenario in enumerate(scenarios):
        seen = without_idle_marks(bottleneck_of(scenario, "fluid"))
        if reason := beside_transfers(seen):
            found[i] = replace(found[i], outside=dict.fromkeys(PHASED, reason) | found[i].outside)
    spent = (time.perf_counter() - began) / max(1, len(scenarios))
    return [
        _result(s, asked[i], found[i], extra[i], spent, explained=len(scenarios) == 1) for i, s in enumerate(scenarios)
    ]
