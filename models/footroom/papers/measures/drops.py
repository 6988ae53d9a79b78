"""Packets lost, against the utilisation of the link."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures.answer import Answer, NotMeasurableError, by_case
from footroom.papers.measures.flows import Floats


def drop_rate(answers: Sequence[Answer], port: str | None = None) -> float:
    """Packets dropped over packets offered, all cases together.

    Raises NotMeasurableError where no packet was offered.
    """
    offered = sum(float(answer.port(port).offered.sum()) for answer in answers)
    if offered == 0.0:
        raise NotMeasurableError("no packet was offered")
    return sum(float(answer.port(port).dropped.sum()) for answer in answers) / offered


def greatest_drop_rate(answers: Sequence[Answer], port: str | None = None) -> float:
    """Greatest of the cases' drop rates."""
    return max(drop_rate(replicas, port) for replicas in by_case(answers).values())


def points(answers: Sequence[Answer], window: float, port: str | None = None) -> tuple[Floats, Floats, Floats]:
    """Utilisation, packets offered and packets dropped of every window of all cases; 0: one window is a whole run."""
    found = [answer.port(port).coarser(window) for answer in answers]
    return (
        np.concatenate([w.utilisation for w in found]),
        np.concatenate([w.offered for w in found]),
        np.concatenate([w.dropped for w in found]),
    )


def drop_onset(
    answers: Sequence[Answer],
    window: float = 0.0,
    width: float = 0.02,
    least: float = 1e-6,
    port: str | None = None,
    never: bool = False,
) -> float:
    """Utilisation from which on packets are lost: middle of the lowest bin with a drop rate above ``least``.

    width: of a bin of utilisation; bins are centred on its multiples.  window [s]: over which utilisation is averaged.
    never: give 1 for a link that lost nothing though a window reached 99 %: drops begin beyond what was measured.
    Raises NotMeasurableError where nothing was lost otherwise.
    """
    utilisation, offered, dropped = points(answers, window, port)
    bins = np.round(utilisation / width).astype(np.int64)
    for number in np.unique(bins):
        inside = bins == number
        if dropped[inside].sum() > least * offered[inside].sum():
            return float(number * width)
    if never and float(utilisation.max()) >= 0.99:
        return 1.0
    raise NotMeasurableError(
        f"the drop rate stays below {least:g} in every bin, up to a utilisation of {float(utilisation.max()):.3f}"
    )


def drop_rate_at(
    answers: Sequence[Answer], utilisation: float, window: float = 0.0, width: float = 0.02, port: str | None = None
) -> float:
    """Drop rate at ``utilisation``.

    Windows of all cases are sorted into bins of ``width``, and the logarithm of their drop rates is interpolated
    linearly between the bins' mean utilisations. Bins without a loss count as half a packet lost, so that the
    logarithm exists; where both neighbours have none the answer is 0. Where the runs end on one side of
    ``utilisation``, but within the bin that holds it, that bin's own drop rate is taken.
    Raises NotMeasurableError where they do not reach it.
    """
    busy, offered, dropped = points(answers, window, port)
    bins = np.round(busy / width).astype(np.int64)
    numbers = np.unique(bins)
    at = np.array([busy[bins == n].mean() for n in numbers])
    total = np.array([offered[bins == n].sum() for n in numbers])
    lost = np.array([dropped[bins == n].sum() for n in numbers])
    above = int(np.searchsorted(at, utilisation))
    edge = min(above, len(at) - 1)
    if above in (0, len(at)) and numbers[edge] == round(utilisation / width):
        return float(lost[edge] / total[edge])
    if above in (0, len(at)):
        raise NotMeasurableError(
            f"utilisation reaches from {at[0]:.3f} to {at[-1]:.3f}, not on both sides of {utilisation:g}"
        )
    if lost[above - 1] == lost[above] == 0.0:
        return 0.0
    low, high = (np.log(max(lost[i], 0.5) / total[i]) for i in (above - 1, above))
    share = (utilisation - at[above - 1]) / (at[above] - at[above - 1])
    return float(np.exp(low + share * (high - low)))
