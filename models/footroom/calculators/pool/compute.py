"""Answering a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from footroom.calculators.pool.answer import PoolAnswer, Sections
from footroom.calculators.pool.explain import explain
from footroom.calculators.pool.fitting import Recable, what_fits
from footroom.calculators.pool.needs import Setting, compare, divide, needs_of, pooling_notes, settle
from footroom.calculators.pool.overhead import overhead_of
from footroom.calculators.pool.pools import check_pools
from footroom.calculators.pool.port_check import port_check
from footroom.calculators.pool.question import Question
from footroom.calculators.pool.reading import read_pools
from footroom.calculators.pool.sections import marking, pauses, split
from footroom.calculators.pool.shares import shares
from footroom.calculators.pool.sharing import incast, thresholds

#: Headroom that pools given as sizes bring themselves.
_HEADROOM = ("headroom", "insurance", "headroom_pool")


def pool(question: Question | Mapping[str, Any] | None = None, /, **fields: Any) -> PoolAnswer:
    """Whether a buffer configuration fits its chip, and what is left: ``fr.pool(asic="tomahawk", lossless_classes=1)``.

    question: an object as the API takes it; ``fields`` override its keys.  Raises InvalidInput; Infeasible, which
    carries the whole answer, when more is guaranteed than there is.
    """
    return assess(question, **fields).require()


def assess(question: Question | Mapping[str, Any] | None = None, /, **fields: Any) -> PoolAnswer:
    """As ``pool``, but a configuration that does not fit is answered too."""
    given = question.model_dump(exclude_unset=True) if isinstance(question, Question) else dict(question or {})
    asked = Question.parse({**given, **fields})
    setting = settle(asked)
    division = divide(asked, setting)
    check = None
    if asked.pools:
        reserved = sum(line.size for line in division.lines() if line.name not in _HEADROOM)
        reading = read_pools(asked.pools, division.memory, reserved, setting.asic.id if setting.asic else None)
        asked = asked.model_copy(update={"pools": reading.pools})
        check = check_pools(asked.pools, division.memory, reserved, reading.note)
    notes = (*setting.notes, *pooling_notes(asked, setting))
    answer = PoolAnswer(asked, division, setting.memory_source, check, notes=notes)
    if not setting.ports:
        return _noted(replace(answer, explanations=tuple(explain(asked, division, check, answer.sections))))
    sections = Sections(schemes=compare(asked, setting, division))
    if asked.port_limit is not None:
        slack = overhead_of(setting.scheme, setting.asic.id if setting.asic else "").slack
        sections = replace(sections, port_check=port_check(division, asked.port_limit, slack))
    if not division.fits:
        fits = what_fits(division, _recable(asked, setting), all(not group.insurance for group in division.groups))
        explanations = explain(asked, division, check, sections)
        return _noted(replace(answer, fits=fits, sections=sections, explanations=tuple(explanations)))
    sections = replace(
        sections,
        thresholds=thresholds(asked, division),
        shares=shares(asked, division),
        incast=incast(asked, division),
        pauses=pauses(asked, division),
        marking=marking(asked, division),
        split=split(asked, division),
    )
    explanations = explain(asked, division, check, sections)
    return _noted(replace(answer, sections=sections, explanations=tuple(explanations)))


def _recable(question: Question, setting: Setting) -> Recable | None:
    """How a group changes with its cable; None where headroom was given in bytes for all."""
    if question.headroom is not None or all(group.headroom is not None for group in setting.ports):
        return None

    return lambda place, cable: needs_of(question, setting, setting.ports[place], cable)


def _noted(answer: PoolAnswer) -> PoolAnswer:
    """With notes on what the numbers mean for a switch."""
    notes = list(answer.notes)
    sections, division = answer.sections, answer.division
    if answer.check:
        notes += answer.check.warnings
    notes += [note for group in division.groups for note in group.notes]
    if division.pooled and division.groups:
        largest = max((group.headroom for group in division.groups if group.lossless), default=0.0)
        if division.headroom_pool < largest:
            notes.append(
                f"the shared headroom pool, {division.headroom_pool:.0f} B, is smaller than the headroom of "
                f"one priority group, {largest:.0f} B: a single pause can lose packets"
            )
    for name, size in (("lossless", answer.question.lossless_pool), ("egress lossy", answer.question.lossy_pool)):
        if size is not None and division.groups and division.fits and size > division.footroom:
            notes.append(
                f"the {name} pool, {size:.0f} B, is larger than the {division.footroom:.0f} B that are left "
                "to share: the latter is what it can hold"
            )
    for row in sections.thresholds or ():
        if row["bytes"] <= 0:
            notes.append(f"the threshold of {row['queue']} queues is 0: they are stopped at once")
    found = sections.incast
    if found and not found["absorbed"]:
        notes.append(
            f"alpha {found['alpha']:g} absorbs {found['burst']:.0f} B of the incast's {found['bytes']:.0f} B: "
            + ("a pause" if found["queue"] == "lossless" else "loss")
            + " is to be expected"
        )
    return replace(answer, notes=tuple(dict.fromkeys(notes)))
