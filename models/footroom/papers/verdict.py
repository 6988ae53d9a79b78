"""The verdict on one target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from footroom.papers.comparison import Value
from footroom.papers.measures import Estimate, NotMeasurableError, estimate
from footroom.papers.measures.estimate import Runs
from footroom.papers.paper import Target, Tier, describe, simulated, why

if TYPE_CHECKING:
    from footroom.papers.document import JudgedTarget, VerdictCounts

Verdict = Literal["met", "missed", "undecided", "not_testable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

#: Share of draws that must agree for a verdict of met or missed; below it the target is undecided.
DECISIVE = 0.9

#: The same share at every look at the runs but the last. A target that falls short of it gets more runs, and is judged
#: by ``DECISIVE`` at the end. Looks that stop at the first agreement err more often than one; early looks this strict
#: leave the error of the last one all but unchanged (Haybittle 1971; Peto et al. 1976).
SETTLED = 0.99

#: Looks at the runs, each of three times as many as the one before.
LOOKS = 3


@dataclass(frozen=True)
class Judgement:
    """Published, ours, and whether they agree.

    verdict: met or missed where at least ``DECISIVE`` of the draws agree (or where there is nothing to draw again),
    else undecided.  ours: None when not testable.  interval: 95 %, of a single number.  reason: what was compared, by
    how much a target is missed, or why it cannot be told.  samples: windows or flows behind ours.  support: share of
    bootstrap draws that meet the rule, None without any.
    """

    target: Target
    tier: Tier
    verdict: Verdict
    reason: str
    ours: Value | None = None
    interval: tuple[float, float] | None = None
    samples: int = 0
    replicas: int = 1
    support: float | None = None

    def to_dict(self) -> JudgedTarget:
        """Plain data in the shape of the public contract, and more."""
        return {
            **describe(self.target),
            "ours": _plain(self.ours),
            "interval": self.interval,
            "verdict": self.verdict,
            "reason": self.reason,
            "tier": self.tier,
            "samples": self.samples,
            "replicas": self.replicas,
            "support": self.support,
            **why(self.target, self.verdict),
        }


def settled(judgement: Judgement) -> bool:
    """Whether more runs are not worth their time: nearly all draws agree, or nothing can be drawn."""
    if judgement.support is None:
        return judgement.verdict != "undecided"
    return max(judgement.support, 1.0 - judgement.support) >= SETTLED


def _plain(value: Value | None) -> Any:
    if value is None or isinstance(value, (int, float)):
        return value
    return dict(value) if isinstance(value, dict) else list(value)


def judge(target: Target, tier: Tier, runs: Runs, replicas: int) -> Judgement:
    """Measure and compare. ``runs`` raises NotMeasurableError where a case is missing."""
    if tier in target.not_testable:
        return Judgement(target, tier, "not_testable", target.not_testable[tier])
    needs_runs = simulated(target)
    try:
        found: Estimate = estimate(target.measure, runs, replicas if needs_runs else 1, needs_runs)
    except NotMeasurableError as error:
        return Judgement(target, tier, "not_testable", str(error))
    judged = target.comparison.judge(found.value, target.published)
    support = None
    if found.draws:
        met = sum(target.comparison.judge(draw, target.published).met for draw in found.draws)
        support = met / len(found.draws)
    verdict: Verdict = "met" if judged.met else "missed"
    reason = judged.reason + doubt(found.value, found.interval)
    if support is not None and (support if judged.met else 1.0 - support) < DECISIVE:
        verdict = "undecided"
        reason += (
            f"; the rule holds in {100.0 * support:.0f} % of the bootstrap draws: {100.0 * DECISIVE:.0f} % are "
            f"needed for met, at most {100.0 * (1.0 - DECISIVE):.0f} % for missed"
        )
    elif found.untold:
        verdict = "undecided"
        reason += "; fewer than half of the bootstrap draws give a verdict: it depends on few windows or flows"
    return Judgement(target, tier, verdict, reason, found.value, found.interval, found.samples, found.replicas, support)


def count(judgements: Iterable[Judgement]) -> VerdictCounts:
    """How many targets got which verdict."""
    found = [judgement.verdict for judgement in judgements]
    return {
        "met": found.count("met"),
        "missed": found.count("missed"),
        "undecided": found.count("undecided"),
        "not_testable": found.count("not_testable"),
    }


def doubt(value: Value, interval: tuple[float, float] | None) -> str:
    """A note on a number that lies outside its own interval, as an extreme of few windows can."""
    if interval is None or not isinstance(value, (int, float)):
        return ""
    slack = 1e-9 * max(abs(end) for end in interval)
    if interval[0] - slack <= value <= interval[1] + slack:
        return ""
    return "; it lies outside the bootstrap interval: it depends on few windows or flows"
