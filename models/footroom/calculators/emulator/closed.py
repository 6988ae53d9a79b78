"""The burst a policy absorbs in closed form, where there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footroom.calculators.emulator.pattern import arrival_rate, incast_packets, lines
from footroom.calculators.emulator.question import Question
from footroom.calculators.pool.burst import absorb
from footroom.calculators.pool.incast import smallest_alpha
from footroom.calculators.pool.thresholds import Queues
from footroom.parts.sharing import Complete, DynamicThreshold, Policy, Smartbuf, Static


@dataclass(frozen=True)
class Closed:
    """bytes: of burst that arrive before the first is dropped.  queue: then [B].  formula: plain text."""

    bytes: float
    queue: float
    formula: str


def _lone(policy: Policy, question: Question) -> Closed | None:
    """The queue grows at R − C up to a limit that does not move, all other queues being empty."""
    if question.congested:
        return None
    arrival, drain = arrival_rate(question), question.rate
    limit = min(policy.lone_limit(pool(question), question.ports), pool(question)) + question.reserved
    return Closed(limit * arrival / (arrival - drain), limit, "limit·R/(R − C)")


def _static(policy: Static, question: Question) -> Closed | None:
    """Queues that share nothing do not affect one another, as long as all of them fit."""
    if policy.per_queue is not None and policy.per_queue * (question.congested + 1) > pool(question):
        return None
    return _lone(policy, question.model_copy(update={"congested": 0}))


def _dynamic(policy: DynamicThreshold, question: Question) -> Closed | None:
    return _threshold(question, policy.parameters()[0])


def _smartbuf(policy: Smartbuf, question: Question) -> Closed | None:
    """The policy knows no burst when the first one comes, unless it took the congested queues for one."""
    return None if question.congested else _threshold(question, policy.alpha)


def _threshold(question: Question, alpha: float) -> Closed | None:
    arrival, drain = arrival_rate(question), question.rate
    found = absorb(pool(question), alpha, arrival, drain, [Queues("congested", question.congested, alpha)])
    if found is None:
        return None
    own = question.reserved * arrival / (arrival - drain)
    formula = (
        "α·B/(1 + α)·R/(R − C)"
        if question.congested == 0
        else "the queue meets α·free memory, the congested queues following theirs or draining"
    )
    return Closed(found.burst + own, found.queue + question.reserved, formula)


_FORMS: dict[type[Policy], Callable[[Any, Question], Closed | None]] = {
    Complete: _lone,
    Static: _static,
    DynamicThreshold: _dynamic,
    Smartbuf: _smartbuf,
}


def pool(question: Question) -> float:
    """Memory that is shared [B]."""
    return question.buffer - question.ports * question.reserved


def closed_form(policy: Policy, question: Question) -> Closed | None:
    """What ``policy`` absorbs of one burst; None where there is no closed form, as with frames or cells,
    or the queue never grows.
    """
    form = _FORMS.get(type(policy))
    if form is None or not question.plain or question.load > 0.0 or arrival_rate(question) <= question.rate:
        return None
    return form(policy, question)


def alpha_in_closed_form(question: Question) -> float | None:
    """The smallest alpha of dynamic threshold, the same for all queues, that absorbs one burst of ``question``.

    None where there is no closed form, the queue never grows, or no alpha does.
    """
    if not question.plain or question.load > 0.0 or arrival_rate(question) <= question.rate:
        return None
    if incast_packets(question) <= 1:
        return None
    queue, burst = largest_queue(question), effective_burst(question)
    shared = queue - question.reserved
    if shared <= 0.0:
        return None
    if question.congested == 0:
        return shared / (pool(question) - shared) if shared < pool(question) else None
    if burst is None:
        return None
    arrival, drain = arrival_rate(question), question.rate
    return smallest_alpha(
        burst - question.reserved * arrival / (arrival - drain),
        lambda alpha: absorb(pool(question), alpha, arrival, drain, [Queues("congested", question.congested, alpha)]),
    ).alpha


def effective_burst(question: Question) -> float | None:
    """Bytes of one incast that arrive at the full rate; None where more arrive later and still fill the queue [B]."""
    assert question.degree is not None
    inputs = lines(question)
    rest = question.degree % inputs * (question.ingress_rate or question.rate)
    return None if rest > question.rate else question.degree // inputs * inputs * question.size


def largest_queue(question: Question) -> float:
    """Longest queue of one incast that nobody drops [B].

    All inputs send until those with one sender less than the others are done; what is left may arrive more slowly.
    """
    assert question.degree is not None
    ingress, inputs = question.ingress_rate or question.rate, lines(question)
    message = question.size / ingress  # of one sender alone
    first = (inputs * ingress - question.rate) * (question.degree // inputs) * message
    return first + max(0.0, question.degree % inputs * ingress - question.rate) * message
