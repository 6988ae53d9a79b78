"""How flows that join and leave one after the other share a link, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.fct import fairness

Floats = npt.NDArray[np.float64]


class StepFlow(TypedDict):
    """What one flow got in a step."""

    flow: Annotated[
        int, Field(description="Its number among the long-lived flows, from 0, in the order of their starts.")
    ]
    entry: Annotated[int, Field(description="Entry of the traffic it belongs to.")]
    goodput: Annotated[float, Field(description="Payload delivered in order [bit/s].")]


class StepDocument(TypedDict):
    """From one time at which a flow of a staircase joins or leaves to the next."""

    start: Annotated[float, Field(description="When it begins [s].")]
    end: Annotated[float, Field(description="When it ends [s].")]
    flows: Annotated[list[StepFlow], Field(description="The long-lived flows that were there for the whole step.")]
    fairness: Annotated[
        float | None,
        Field(
            description="Jain's index of their goodput; null with fewer than two of them, or where nothing was "
            "delivered."
        ),
    ]


def steps_of(
    times: Sequence[float], received: Sequence[Floats], start: Floats, stop: Floats, entry: Sequence[int]
) -> list[StepDocument]:
    """One row per step: from one time at which a flow joins or leaves to the next.

    times: these times [s], in order.  received: payload [B] that the receiver of every flow has in order at each of
    them.  start, stop: when each flow joins and leaves [s], infinite for never.  entry: of the traffic, of each flow.
    """
    rows: list[StepDocument] = []
    for (begin, before), (end, after) in pairwise(zip(times, received, strict=True)):
        there = np.flatnonzero((start < end) & (stop > begin))
        goodput = 8.0 * (after - before)[there] / (end - begin)
        rows.append(
            {
                "start": begin,
                "end": end,
                "flows": [
                    {"flow": flow, "entry": entry[flow], "goodput": rate}
                    for flow, rate in zip(there.tolist(), goodput.tolist(), strict=True)
                ],
                "fairness": fairness(goodput) if len(goodput) > 1 and goodput.any() else None,
            }
        )
    return rows


def mean_fairness(rows: Sequence[StepDocument]) -> float | None:
    """Jain's index, mean over the time in which two flows or more were there; None where there is no such time."""
    known = [(row["end"] - row["start"], row["fairness"]) for row in rows if row["fairness"] is not None]
    total = sum(span for span, _ in known)
    return sum(span * index for span, index in known) / total if known else None
