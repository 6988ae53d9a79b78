"""Numbers of the scenario itself: parameters that a paper states, to be compared with those that are run."""

from __future__ import annotations

from collections.abc import Sequence

from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.scenario import lookup


def setting(answers: Sequence[Answer], path: str) -> float:
    """The number at ``path`` of the canonical document, SI base units; the cases must agree.

    Raises NotMeasurableError where they do not.
    """
    found = [lookup(dict(answer.scenario), path) for answer in answers]
    if any(value != found[0] for value in found):
        raise NotMeasurableError(f"{path} differs among the cases: {found}")
    value = found[0]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotMeasurableError(f"{path} is no number: {value!r}")
    return float(value)


def metric(answers: Sequence[Answer], name: str) -> float:
    """Mean over the cases of a metric of their results. Raises NotMeasurableError where one lacks it."""
    missing = [answer.case for answer in answers if name not in answer.metrics]
    if missing:
        raise NotMeasurableError(f"{name} does not apply to {', '.join(missing)}")
    return float(sum(answer.metrics[name] for answer in answers) / len(answers))
