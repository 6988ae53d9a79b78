"""What switches' memories held, and what their sharing policies counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from footroom.papers.measures.answer import Answer, NotMeasurableError

_OVER: dict[str, Callable[[list[float]], float]] = {
    "max": max,
    "min": min,
    "mean": lambda values: sum(values) / len(values),
    "sum": sum,
}


def _memories(answers: Sequence[Answer], switches: str) -> list[Mapping[str, Any]]:
    found = [one for answer in answers for one in answer.memories if one["switch"].startswith(switches)]
    if not found:
        raise NotMeasurableError(f"nothing was recorded for the memories of {switches or 'any switch'}")
    return found


def observed(answers: Sequence[Answer], name: str, over: str = "mean", switches: str = "") -> float:
    """What policies counted under ``name``: max, min, mean or sum over the memories of all cases.

    switches: how their names begin, any by default.
    """
    values = [float(one["observed"][name]) for one in _memories(answers, switches) if name in one["observed"]]
    if not values:
        raise NotMeasurableError(f"no policy of these cases counts {name}")
    return float(_OVER[over](values))


def held_share(answers: Sequence[Answer], entry: int, switches: str = "") -> float:
    """Share of one entry of the traffic in the bytes that waited, mean over time, all memories and cases together."""
    held = [one["held"] for one in _memories(answers, switches)]
    total = sum(sum(bytes_) for bytes_ in held)
    if total == 0.0:
        raise NotMeasurableError("the memories were not sampled, or nothing waited")
    return float(sum(bytes_[entry] for bytes_ in held) / total)


def fullest(answers: Sequence[Answer], switches: str = "") -> float:
    """Most bytes in use over the size of the memory, greatest of all memories and cases."""
    return max(float(one["most"] / one["buffer"]) for one in _memories(answers, switches))
