"""How long queues were, as shares of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

#: Shares of time at which queue lengths are given.
SHARES = (*(n / 50 for n in range(50)), 0.99, 0.999, 1.0)

#: Most watched ports with a row each; beyond, only the row for all of them together is given.
MOST_PORTS = 64

#: The row for all watched ports together: a port and a moment of time are drawn at random.
ALL = "all"


class QueueRow(TypedDict):
    """One watched port, or all of them together."""

    port: Annotated[str, Field(description="from>to, or all.")]
    bytes: Annotated[
        list[float], Field(description="Bytes that waited at most for the share of time at the same place [B].")
    ]


class QueueDistribution(TypedDict):
    """How long queues were, as shares of time."""

    share: Annotated[list[float], Field(description="Shares of time, ascending to 1.")]
    queues: Annotated[
        list[QueueRow], Field(description="All watched ports together, then the one with the longest mean queue.")
    ]


def distribution(queues: Mapping[str, Callable[[float], float]]) -> QueueDistribution:
    """For each share in ``share``, the queue [B] that was not exceeded for that share of the time.

    queues: port (``from>to``, or ALL for all watched ports together) to its quantile function.
    """
    return {
        "share": list(SHARES),
        "queues": [
            {"port": port, "bytes": [float(quantile(share)) for share in SHARES]} for port, quantile in queues.items()
        ],
    }
