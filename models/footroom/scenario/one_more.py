"""One more transfer over a scenario's bottleneck: the inputs of its model, and where the model was found to hold."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footroom.formulas.transfer import marked
from footroom.formulas.transfer.among import Course, Place, Sender, completion_times
from footroom.formulas.transfer.growth import Additive, CubicClimb, Growth
from footroom.formulas.transfer.marked import Answer, Curve, Load
from footroom.parts.congestion import Cubic, Dctcp, NewReno
from footroom.parts.marking import NoMarking, Red, Step
from footroom.result.transfer import named
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.document import Scenario

#: Mean window of the load [packets] below which timeouts decide, and flows above which a transfer beyond its first
#: window comes out up to twice too slow.
SMALLEST_WINDOW, MOST_FLOWS = 6.0, 100
#: Flows of the load above which a transfer beyond its first window comes out up to twice too slow: under marks, and
#: paced NewReno.
MOST_MARKED, MOST_PACED = 10, 10
#: Flows of the load below which, under marks, a transfer beyond its first window comes out up to 1.7 times too fast.
FEWEST_MARKED = 5
#: Flows of the load below which a transfer under CUBIC beyond its first window comes out up to 1.7 times too fast.
FEWEST_CUBIC = 10
#: The same for a load of several controls, where packets took up to 1.7 times as long.
FEWEST_MIXED = 20
#: Flows of the load below which the 99th percentile was found between a seventh and twice that of packets.
FEWEST_FLOWS = 20
#: Flows of the load above which, beside arriving ones, a transfer beyond its first window comes out up to 2.3 times
#: too slow.
MOST_BESIDE = 5
#: The 99th percentile is left out where the 97th and the 99.7th lie further apart than this: it is on a jump.
JUMP = 1.6

#: How a transfer's window grows, by congestion control.
GROWTHS: dict[type, Callable[[Any], Growth]] = {
    NewReno: lambda _: Additive(),
    Cubic: lambda law: CubicClimb(law.beta, law.growth, law.reno_friendly, law.fast_convergence, law.friendly_steepens),
    Dctcp: lambda _: Additive(),
}
#: Controls for which the model knows how a transfer loses packets at a full buffer.
BY_LOSS = (NewReno, Cubic)
#: How it reacts to marks, by congestion control; the exponents are those of W ~ p^(-1/2), p^(-3/4) and p^-1.
ANSWERS: dict[type, Callable[[Any], Answer]] = {
    NewReno: lambda _: Answer(2.0),
    Cubic: lambda _: Answer(4.0 / 3.0),
    Dctcp: lambda law: Answer(1.0, law.g, law.initial_alpha, law.minimum_window),
}
#: The probability of a mark against the queue, by marking; sizes in packets of so many bytes.
CURVES: dict[type, Callable[[Any, float], Curve]] = {
    Step: lambda marking, packet: Curve(marking.threshold / packet, marking.threshold / packet),
    Red: lambda marking, packet: Curve(marking.kmin / packet, marking.kmax / packet, marking.pmax),
}

MODEL = (
    "The completion time of one more transfer ({size}) is that of a {law} flow, followed window by window "
    "beside the load, at the topology's round trip, from the first byte sent to the last one acknowledged."
)
NO_TAIL = (
    "transfer_p99 is not computed for a transfer of so many windows: what is left after the first ones is sent "
    "at their mean rate."
)
UNCOMPARED = "under {} was not compared with the packet simulation."
#: Share of the transfers that may overflow the buffer in slow start under a marking.
MOST_OVERFLOWS = {"transfer_p50": 0.25, "transfer_p99": 0.005}
STUCK = "it loses all that it sends in windows that time out again and again"
PROBES = "probes in the packet simulation measure it (run.probe_share)"
_LEFT_OUT: ContextVar[bool] = ContextVar("one_more_left_out", default=False)


@contextlib.contextmanager
def leave_out(leaving: bool = True) -> Iterator[None]:
    """Models in this block do not compute the completion time of one more transfer, which takes most of their time.

    Their other numbers are the same.
    """
    token = _LEFT_OUT.set(leaving)
    try:
        yield
    finally:
        _LEFT_OUT.reset(token)


def left_out() -> bool:
    """Whether nobody asks for that completion time."""
    return _LEFT_OUT.get()


@dataclass(frozen=True)
class OneMore:
    """metrics: transfer_p50, transfer_p99 [s].  outside: metric to reason.  notes: what a reader must know."""

    metrics: dict[str, float] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def unanswered(scenario: Scenario, seen: Bottleneck) -> str:
    """Why no model here knows the completion time of one more transfer; empty where one does."""
    reason, laws, marking = "", [entry.congestion for entry in seen.long_lived], seen.switch.marking
    # The transfer is one of the first entry, which may be flows that arrive.
    laws.append(scenario.traffic[0].congestion)
    if not seen.long_lived:
        reason = "the model knows a load with long-lived flows only"
    elif seen.poisson and not isinstance(marking, NoMarking):
        reason = "with marking the model knows a load of long-lived flows only"
    elif not isinstance(marking, NoMarking) and type(marking) not in CURVES:
        reason = f"the model knows no {marking.about.title} marking"
    elif isinstance(marking, Red) and marking.weight < 1.0:
        reason = "the model knows marks by the queue itself only, not by its average"
    elif not isinstance(marking, NoMarking) and not all(entry.host.ecn for entry in seen.long_lived):
        reason = "the model knows no marking that drops packets of hosts without ECN"
    elif isinstance(marking, NoMarking) and any(type(law) not in BY_LOSS for law in laws):
        reason = "without marking the model knows transfers under NewReno and CUBIC only"
    elif any(type(law) not in GROWTHS for law in laws):
        reason = "with marking the model knows transfers under NewReno, CUBIC and DCTCP only"
    elif any(type(law) is not type(laws[0]) for law in laws) and not isinstance(marking, NoMarking):
        reason = "with marking the model knows flows under one control only"
    elif len({entry.host.pacing for entry in (*seen.long_lived, scenario.traffic[0])}) > 1:
        reason = "the model knows flows that all pace, or none"
    elif any(entry.rtt is not None for entry in seen.long_lived):
        reason = "the model knows the topology's round trip only"
    elif any(isinstance(law, NewReno) and not law.byte_counting for law in laws):
        reason = "the model knows growth by acknowledged bytes only"
    elif scenario.traffic[0].host.pacing and not isinstance(marking, NoMarking):
        reason = "with marking the model knows no pacing"
    return f"No completion time of one more transfer: {reason}; {PROBES}." if reason else ""


def answers(
    scenarios: Sequence[Scenario],
    seen: Sequence[Bottleneck],
    courses: Sequence[Course],
    places: Sequence[Place],
    outside: Sequence[str],
) -> list[OneMore]:
    """One answer per scenario; those with the same sender are followed together. outside: why the load's own numbers
    do not hold, empty where they do.
    """
    found: dict[int, OneMore] = {}
    together: dict[Sender, list[int]] = {}
    for i, (scenario, one) in enumerate(zip(scenarios, seen, strict=True)):
        together.setdefault(sender_of(scenario, one, growth_of(scenario)), []).append(i)
    for sender, members in together.items():
        followed = completion_times(
            [courses[i] for i in members], [places[i] for i in members], sender, scenarios[members[0]].run.seed
        )
        for i, times, whole in zip(members, followed.times, followed.whole, strict=True):
            found[i] = _answer(scenarios[i], times, bool(whole), sender, courses[i], places[i], outside[i])
    return [found[i] for i in range(len(scenarios))]


def under_marks(scenario: Scenario, seen: Bottleneck, load: Load, outside: str) -> OneMore:
    """One answer beside a load whose packets are marked. outside: why the load's own numbers do not hold."""
    sender = sender_of(scenario, seen, growth_of(scenario))
    law, marking = scenario.traffic[0].congestion, seen.switch.marking
    found = marked.completion_times(
        load, CURVES[type(marking)](marking, seen.mtu), ANSWERS[type(law)](law), sender, scenario.run.seed
    )
    half, most = (float(value) for value in np.quantile(found.times, (0.5, 0.99)))
    metrics, reasons = {"transfer_p50": half}, {}
    notes = [MODEL.format(size=named(scenario.run.transfer), law=law.about.title)]
    lost = (
        f"{found.overflows:.0%} of the transfers overflow the buffer in slow start before they see a mark, and "
        "this model leaves out what they lose."
    )
    long = sender.segments > sender.initial_window
    if outside or found.overflows > MOST_OVERFLOWS["transfer_p50"]:
        reasons["transfer_p50"] = outside or lost
    elif long and not isinstance(law, Dctcp):
        reasons["transfer_p50"] = (
            f"Under marks a transfer of several windows of {law.about.title} was found to take 0.8 to 1.7 times as "
            "long as this model says."
        )
    elif long and not FEWEST_MARKED <= load.flows <= MOST_MARKED:
        reasons["transfer_p50"] = (
            "Under marks a transfer of several windows was found to take up to 1.7 times as "
            f"long as this model says among fewer than {FEWEST_MARKED} flows, and as little as "
            f"half the time among more than {MOST_MARKED}."
        )
    if not found.whole:
        return OneMore(metrics, reasons, (*notes, NO_TAIL))
    metrics["transfer_p99"] = most
    if outside or found.overflows > MOST_OVERFLOWS["transfer_p99"]:
        reasons["transfer_p99"] = outside or lost
    elif long:
        reasons["transfer_p99"] = f"The 99th percentile of a transfer of several windows {UNCOMPARED.format('marks')}"
    return OneMore(metrics, reasons, tuple(notes))


def growth_of(scenario: Scenario) -> Growth:
    """How the transfer's window grows."""
    law = scenario.traffic[0].congestion
    return GROWTHS[type(law)](law)


def sender_of(scenario: Scenario, seen: Bottleneck, growth: Growth) -> Sender:
    """The transfer's: a flow of the scenario's first entry."""
    host = scenario.traffic[0].host
    largest = math.inf if host.receive_window is None else max(1.0, host.receive_window // seen.mss)
    # Above the round trip, whichever way the host bounds its timeout.
    above = host.min_rto if host.rto_floor == "variance" else max(0.0, host.min_rto - seen.rtt)
    return Sender(
        segments=math.ceil(scenario.run.transfer / seen.mss),
        initial_window=float(host.initial_window),
        max_window=largest,
        growth=growth,
        min_rto=above,
        probe_margin=host.probe_margin if host.tail_loss_probe else None,
        ack_delay=host.ack_delay if host.ack_every > 1 else 0.0,
        burst=max(0.0, 1.0 - seen.capacity / seen.access),
        paced=host.pacing,
    )


def _several(scenario: Scenario) -> bool:
    """Whether the load's flows have several controls."""
    return len({entry.congestion.kind for entry in scenario.traffic}) > 1


def _answer(
    scenario: Scenario, times: np.ndarray, whole: bool, sender: Sender, course: Course, place: Place, outside: str
) -> OneMore:
    if not np.isfinite(times).all():
        return OneMore(notes=(f"No completion time of one more transfer: beside this load {STUCK}; {PROBES}.",))
    early, half, most, late = (float(value) for value in np.quantile(times, (0.97, 0.5, 0.99, 0.997)))
    law, long = scenario.traffic[0].congestion, sender.segments > sender.initial_window
    metrics, notes = {"transfer_p50": half}, [MODEL.format(size=named(scenario.run.transfer), law=law.about.title)]
    reasons: dict[str, str] = {}
    window = (float(course.excess.mean()) + place.capacity * place.rtt) * place.share / place.flows
    small = (
        (
            f"The mean window is {window:.2g} packets. Below {SMALLEST_WINDOW:g} packets timeouts decide how long a "
            "transfer takes, which this model knows too roughly."
        )
        if window < SMALLEST_WINDOW
        else ""
    )
    if outside or small:
        reasons["transfer_p50"] = outside or small
    elif long and sender.paced and place.flows > MOST_PACED and not isinstance(law, Cubic):
        reasons["transfer_p50"] = (
            f"Among more than {MOST_PACED} paced flows a transfer of several windows was found "
            "to take as little as half the time that this model says."
        )
    elif long and place.share < 1.0 and place.flows > MOST_BESIDE:
        reasons["transfer_p50"] = (
            f"Beside arriving flows and more than {MOST_BESIDE} long ones a transfer of several "
            "windows was found to take as little as 0.4 times what this model says."
        )
    elif long and place.flows > MOST_FLOWS:
        reasons["transfer_p50"] = (
            f"With more than {MOST_FLOWS} flows a transfer of several windows was found to take "
            "half the time that this model says."
        )
    elif long and place.flows < FEWEST_MIXED and _several(scenario):
        reasons["transfer_p50"] = (
            f"With fewer than {FEWEST_MIXED} flows of several controls a transfer of several "
            "windows was found to take up to 1.7 times as long."
        )
    elif long and place.flows < FEWEST_CUBIC and isinstance(law, Cubic):
        reasons["transfer_p50"] = (
            f"With fewer than {FEWEST_CUBIC} CUBIC flows a transfer of several windows was "
            "found to take up to 1.7 times as long."
        )
    if not whole:
        notes.append(NO_TAIL)
        return OneMore(metrics, reasons, tuple(notes))
    metrics["transfer_p99"] = most
    if outside or small:
        reasons["transfer_p99"] = outside or small
    elif place.flows < FEWEST_FLOWS:
        reasons["transfer_p99"] = (
            f"With fewer than {FEWEST_FLOWS} flows the 99th percentile in the packet simulation was between half of "
            "this one and seven times it."
        )
    elif long and sender.paced:
        reasons["transfer_p99"] = f"The 99th percentile of a transfer of several windows {UNCOMPARED.format('pacing')}"
    elif late > JUMP * early:
        reasons["transfer_p99"] = (
            f"The 99th percentile lies on a jump: 3 % of the transfers take more than "
            f"{early:.3g} s, 0.3 % more than {late:.3g} s. A little more or less loss moves it."
        )
    return OneMore(metrics, reasons, tuple(notes))
