"""From a question to thresholds: search the ramp, and judge over time the best one and all shipped thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.base.errors import Infeasible, Unsupported
from footroom.base.notebook import pandas
from footroom.calculators.ecn.defaults import shipped
from footroom.calculators.ecn.judging import AtRest, OverTime, Thresholds, answers_to_marks, at_rest, over_time
from footroom.calculators.ecn.question import EcnQuestion
from footroom.engines.fluid.adapter import system_of
from footroom.engines.fluid.system import System
from footroom.formulas.transfer.dctcp_sawtooth import COLLISION, FEWEST
from footroom.result.explanation import Explanation, Term

if TYPE_CHECKING:
    from footroom.calculators.ecn.document import EcnDocument, JudgedDocument

#: Ramps that are tried: Kmin as a share of Kmax, probabilities at Kmax, and the number of Kmax up to the buffer.
SHARES, PROBABILITIES, SIZES = (0.05, 0.25, 0.5), (0.01, 0.05, 0.1, 0.2, 0.5, 1.0), 14
#: Points of the picture.
CURVE = 16
#: Best candidates whose margins are computed before the search gives up.
LOOKED_AT = 60


@dataclass(frozen=True)
class Judged:
    """One set of thresholds judged. name: who ships it, or ``advice``.  meets: whether it meets the targets, and if
    not ``reasons``.  queue: in equilibrium, bytes, None without equilibrium.  phase_margin: degrees.
    over_time: by integration.
    """

    name: str
    thresholds: Thresholds
    queue: float | None
    stable: bool
    phase_margin: float | None
    over_time: OverTime
    meets: bool
    reasons: tuple[str, ...]
    source: str = ""

    def to_dict(self) -> JudgedDocument:
        """Plain data; what does not apply is absent."""
        found: JudgedDocument = {
            "name": self.name,
            "kmin": self.thresholds.kmin,
            "kmax": self.thresholds.kmax,
            "pmax": self.thresholds.pmax,
            "stable": self.stable,
            "queue_at_rest": self.queue,
            "phase_margin_deg": self.phase_margin,
            "utilisation": self.over_time.utilisation,
            "drop_rate": self.over_time.loss,
            "queue_mean": self.over_time.queue_mean,
            "queue_min": self.over_time.queue_least,
            "queue_max": self.over_time.queue_greatest,
            "meets": self.meets,
            "reasons": list(self.reasons),
            "source": self.source,
        }
        if self.queue is None:
            del found["queue_at_rest"]
        if self.phase_margin is None:
            del found["phase_margin_deg"]
        return found


@dataclass(frozen=True)
class Advice:
    """advice: the thresholds found, None where none meet the targets, with the ``reason``.
    curve: the same ramp for other Kmax.  defaults: shipped thresholds, judged alike.  valid_from: least Kmin for which
    the fluid holds [B].
    """

    question: EcnQuestion
    advice: Judged | None
    reason: str
    curve: tuple[Judged, ...]
    defaults: tuple[Judged, ...]
    explanations: tuple[Explanation, ...]
    valid_from: float
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> EcnDocument:
        """Plain data, SI base units; without advice that key is absent."""
        found: EcnDocument = {
            "question": self.question.model_dump(mode="json"),
            "feasible": self.advice is not None,
            "advice": None if self.advice is None else self.advice.to_dict(),
            "reason": self.reason,
            "valid_from": self.valid_from,
            "curve": [one.to_dict() for one in self.curve],
            "defaults": [one.to_dict() for one in self.defaults],
            "explanations": [one.to_dict() for one in self.explanations],
            "notes": list(self.notes),
        }
        if self.advice is None:
            del found["advice"]
        return found

    def to_frame(self) -> Any:
        """All judged thresholds as a pandas frame."""
        rows = [*([] if self.advice is None else [self.advice]), *self.defaults, *self.curve]
        return pandas().DataFrame([row.to_dict() for row in rows])

    def figure(self) -> Any:
        """Queue and utilisation against Kmax, with what is shipped (Plotly)."""
        from footroom.calculators.ecn.figure import draw

        return draw(self)


def advise(question: EcnQuestion) -> Advice:
    """Thresholds with the shortest queue in equilibrium that meet the targets.

    Raises Unsupported for a control that does not react to marks.
    """
    system = system_of(question.scenario())
    if not answers_to_marks(system):
        raise Unsupported(
            f'congestion "{question.congestion.kind}" does not react to marks: there is nothing to set',
            path="congestion.kind",
            given=question.congestion.kind,
        )
    search = _steps if _stepped(system) else _ramps
    best, reason, family = search(question, system)
    curve_of = [Thresholds(family.kmin / family.kmax * kmax, kmax, family.pmax) for kmax in _sizes(question, CURVE)]
    others = [Thresholds(one.kmin, one.kmax, one.pmax) for one in shipped()]
    curve = _judge(question, system, [("curve", one, "") for one in curve_of])
    defaults = _judge(
        question,
        system,
        [(one.name, thresholds, one.source) for one, thresholds in zip(shipped(), others, strict=True)],
        margins=True,
    )
    least = _valid_from(question)
    return Advice(
        question,
        best,
        reason,
        curve,
        defaults,
        _explanations(question, system, best),
        least * question.mtu,
        (*_too_low(question, system, best, least), BURSTS, SETTLED),
    )


BURSTS = (
    "A fluid has no bursts: hosts that send in bursts need Kmin, or K, longer by about one burst of every flow that "
    "may coincide (30 to 40 packets at 10 Gb/s with segmentation offload, Alizadeh et al., SIGCOMM 2010)."
)
SETTLED = (
    "Figures are those of the converged half of a run: they leave out the overshoot of flows that start together, "
    "and the pause frames it may cause."
)
#: Where the authors of DCQCN begin to mark: 5 kB of packets of 1 kB.
DCQCN_LEAST = 5.0
LOW_DCQCN = (
    "Kmin at {speed:g} Gb/s is {kmin:.2g} packets: outside the fluid's validity, as single packets of two senders "
    "reach it. Begin to mark at {least:.0f} packets ({size:.1f} kB) or more, as DCQCN's authors do (5 kB of 1 kB "
    "packets; Zhu et al., SIGCOMM 2015, section 5), and check it with the packet simulation."
)
LOW_BURSTS = (
    "{name} at {speed:g} Gb/s is {kmin:.2g} packets: outside the fluid's validity, as bursts reach it before the "
    "link is full. It holds from max(15, 2·sqrt(C·RTT)) = {least:.0f} packets ({size:.0f} kB) on; DCTCP's authors "
    "mark at 20 packets with 1 Gb/s and at 65 with 10 Gb/s (Alizadeh et al., SIGCOMM 2010, section 4). Check it "
    "with the packet simulation."
)


def _valid_from(question: EcnQuestion) -> float:
    """Least threshold [packets] for which the fluid holds."""
    if question.congestion.kind == "dcqcn":
        return DCQCN_LEAST
    pipe = question.speed * question.rtt / 8.0 / question.mtu
    return max(FEWEST, COLLISION * math.sqrt(pipe))


def _too_low(question: EcnQuestion, system: System, best: Judged | None, least: float) -> tuple[str, ...]:
    """A note where the advised marking begins below the fluid's validity, with the least threshold recommended."""
    if best is None or best.thresholds.kmin >= least * question.mtu:
        return ()
    kmin = best.thresholds.kmin / question.mtu
    words = LOW_DCQCN if question.congestion.kind == "dcqcn" else LOW_BURSTS
    return (
        words.format(
            name="K" if _stepped(system) else "Kmin",
            speed=question.speed / 1e9,
            kmin=kmin,
            least=least,
            size=least * question.mtu / 1e3,
        ),
    )


def _stepped(system: System) -> bool:
    return all(group.flows.stepped for group in system.groups)


def _sizes(question: EcnQuestion, count: int) -> list[float]:
    top = question.buffer if question.pfc_threshold is None else min(question.buffer, question.pfc_threshold)
    return [float(x) for x in np.geomspace(4.0 * question.mtu, top, count)]


def _ramps(question: EcnQuestion, system: System) -> tuple[Judged | None, str, Thresholds]:
    """The shortest queue in equilibrium among ramps that are stable enough."""
    tried = [
        Thresholds(share * kmax, kmax, pmax)
        for kmax in _sizes(question, SIZES)
        for share in SHARES
        for pmax in PROBABILITIES
    ]
    rests = [one for one in at_rest(system, tried) if isinstance(one, AtRest)]
    stable = sorted((one for one in rests if one.stable and one.queue > 0.0), key=lambda one: one.queue)
    within = [one for one in stable if one.queue <= question.longest_queue]
    near: AtRest | None = None
    for one in within[:LOOKED_AT]:
        if one.likely_margin() < question.phase_margin:
            near = near or one
            continue
        judged = _judge(question, system, [("advice", one.thresholds, "")], margins=True)[0]
        if judged.meets:
            return judged, "", one.thresholds
        near = near or one
    fallback = near or (stable[0] if stable else rests[0] if rests else None)
    family = fallback.thresholds if fallback else Thresholds(0.25 * question.buffer, question.buffer, 0.1)
    if not rests:
        return None, "no ramp within the buffer has a fixed point: there are too many flows for it", family
    if not stable:
        return None, "with every ramp within the buffer the queue oscillates", family
    if not within:
        return (
            None,
            (
                f"the shortest stable queue is {stable[0].queue:.0f} B, more than the "
                f"{question.longest_queue:.0f} B asked for"
            ),
            family,
        )
    return (
        None,
        (
            f"no ramp has a phase margin of {question.phase_margin:g} degrees and a utilisation of "
            f"{question.utilisation:g} with a queue of at most {question.longest_queue:.0f} B"
        ),
        family,
    )


def _steps(question: EcnQuestion, system: System) -> tuple[Judged | None, str, Thresholds]:
    """The lowest step that keeps the port busy."""
    tried = [Thresholds(k, k, 1.0) for k in _sizes(question, CURVE)]
    judged = _judge(question, system, [("advice", one, "") for one in tried])
    for one in judged:
        if one.meets:
            return one, "", one.thresholds
    top = max(judged, key=lambda one: one.over_time.utilisation)
    return (
        None,
        (
            f"the best step keeps the port {top.over_time.utilisation:.4f} busy with a queue of up to "
            f"{top.over_time.queue_greatest:.0f} B"
        ),
        top.thresholds,
    )


def _judge(
    question: EcnQuestion,
    system: System,
    asked: Sequence[tuple[str, Thresholds, str]],
    *,
    margins: bool = False,
) -> tuple[Judged, ...]:
    """Compare each with the question."""
    thresholds = [one for _, one, _ in asked]
    rests, courses = at_rest(system, thresholds), over_time(system, thresholds)
    stepped = _stepped(system)
    found = []
    for (name, own, source), rest, course in zip(asked, rests, courses, strict=True):
        margin = rest.phase_margin() if margins and isinstance(rest, AtRest) and rest.stable else None
        stable = isinstance(rest, AtRest) and rest.stable
        # Without equilibrium, the longest queue is that of the oscillation.
        longest = rest.queue if isinstance(rest, AtRest) and rest.stable else course.queue_greatest
        reasons = []
        if own.kmax > question.buffer:
            reasons.append(f"Kmax exceeds the buffer of {question.buffer:.0f} B: packets are dropped first")
        if question.pfc_threshold is not None and own.kmin >= question.pfc_threshold:
            reasons.append(f"marking begins above the pause threshold of {question.pfc_threshold:.0f} B")
        if course.utilisation < question.utilisation:
            reasons.append(f"utilisation is {100 * course.utilisation:.2f} %, below {100 * question.utilisation:g} %")
        if longest > question.longest_queue:
            reasons.append(f"a queue of {longest:.0f} B is longer than {question.longest_queue:.0f} B")
        if not stable and not stepped:
            reasons.append(
                f"the queue oscillates between {course.queue_least:.0f} and {course.queue_greatest:.0f} B"
                + (f": {rest}" if isinstance(rest, str) else "")
            )
        elif margin is not None and margin < question.phase_margin:
            reasons.append(f"the phase margin of {margin:.1f}° is below {question.phase_margin:g}°")
        found.append(
            Judged(
                name,
                own,
                rest.queue if isinstance(rest, AtRest) else None,
                stable,
                margin,
                course,
                not reasons,
                tuple(reasons),
                source,
            )
        )
    return tuple(found)


def _explanations(question: EcnQuestion, system: System, best: Judged | None) -> tuple[Explanation, ...]:
    """Rules of thumb beside the search."""
    pipe = question.speed * question.rtt / 8.0
    terms = (Term("C", "rate of the port", question.speed, "bit/s"), Term("RTT", "without queueing", question.rtt, "s"))
    found = [Explanation("bdp", "Bandwidth-delay product", "C RTT", pipe, "B", "definition", "always", terms)]
    if _stepped(system):
        found.append(
            Explanation(
                "dctcp_threshold",
                "Smallest step that never empties the queue",
                "K > C RTT / 7",
                pipe / 7.0,
                "B",
                "Alizadeh et al., SIGCOMM 2010, section 3.3, eq. 13",
                "synchronised flows, the worst number of them",
                terms,
            )
        )
    if best is not None and best.queue is not None:
        found.append(
            Explanation(
                "delay",
                "Time a packet waits at equilibrium",
                "q / C",
                best.queue * 8.0 / question.speed,
                "s",
                "definition",
                "the equilibrium queue",
                (Term("q", "equilibrium queue", best.queue, "B"), terms[0]),
            )
        )
    return tuple(found)


def ecn(**asked: Any) -> Advice:
    """Thresholds for ``speed``, ``rtt``, ``flows``, ``buffer``, ``congestion`` …: the fields of ``EcnQuestion``.

    Raises InvalidInput, Unsupported, and Infeasible where nothing meets the targets.
    """
    found = advise(EcnQuestion.parse(asked))
    if found.advice is None:
        raise Infeasible(found.reason)
    return found
