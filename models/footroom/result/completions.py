"""How long transfers took: by entry of the traffic and by size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field
from typing_extensions import TypedDict

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Classes of sizes are powers of two times this [B], as block sizes are in the plots of storage traffic.
BLOCK = 1000.0


class CompletionRow(TypedDict):
    """Completion times of transfers: flows, and queries over connections that carry a stream of them."""

    count: int
    mean: Annotated[float, Field(description="Mean completion time [s].")]
    p50: Annotated[float, Field(description="Median completion time [s].")]
    p99: Annotated[float, Field(description="99th percentile of completion time [s].")]
    slowdown_p50: Annotated[
        float | None, Field(description="Median of completion time over that of the same transfer alone.")
    ]
    slowdown_p99: Annotated[
        float | None, Field(description="99th percentile of the same; null where run.slowdown is off.")
    ]


class EntryCompletions(CompletionRow):
    """Those of one entry of the traffic."""

    entry: Annotated[int, Field(description="Number of the entry.")]
    name: str
    rate: Annotated[float, Field(description="Transfers completed per second [1/s].")]


class SizeCompletions(CompletionRow):
    """Those of one class of sizes."""

    above: Annotated[float, Field(description="Sizes above this [B].")]
    upto: Annotated[float, Field(description="Sizes up to this [B].")]


@dataclass(frozen=True)
class Completed:
    """Transfers that completed in the measured window; parallel arrays.

    A transfer is a flow, or one query of a connection that carries a stream of them (rpc with outstanding).
    entry: of the traffic.  size: payload [B].  time: from its begin to the last acknowledgement [s].
    ideal: the same alone on an idle network [s], None where that was not asked for.
    """

    entry: Ints
    size: Ints
    time: Floats
    ideal: Floats | None = None

    def by_entry(self, names: Sequence[str], span: float) -> list[EntryCompletions]:
        """One row per entry that completed something. names: of all entries.  span: of the measured window [s]."""
        rows: list[EntryCompletions] = []
        for entry in np.unique(self.entry).tolist():
            mine = self.entry == entry
            rows.append({"entry": entry, "name": names[entry], "rate": float(mine.sum()) / span, **self._row(mine)})
        return rows

    def by_size(self) -> list[SizeCompletions]:
        """One row per class of sizes that completed something."""
        if not len(self.size):
            return []
        power = np.ceil(np.log2(np.maximum(self.size, BLOCK) / BLOCK)).astype(np.int64)
        rows: list[SizeCompletions] = []
        for n in np.unique(power).tolist():
            above = 0.0 if n == 0 else BLOCK * 2.0 ** (n - 1)
            rows.append({"above": above, "upto": BLOCK * 2.0**n, **self._row(power == n)})
        return rows

    def _row(self, chosen: npt.NDArray[np.bool_]) -> CompletionRow:
        time = self.time[chosen]
        p50, p99 = (float(v) for v in np.percentile(time, [50, 99]))
        slow = None if self.ideal is None else np.percentile(time / self.ideal[chosen], [50, 99])
        return {
            "count": len(time),
            "mean": float(time.mean()),
            "p50": p50,
            "p99": p99,
            "slowdown_p50": None if slow is None else float(slow[0]),
            "slowdown_p99": None if slow is None else float(slow[1]),
        }


def stream_times(answers: npt.NDArray[np.float64], start: float, outstanding: int) -> tuple[Floats, Floats]:
    """Begin and completion time [s] of every query of one connection.

    answers: when each was answered [s], in order.  start: of the connection [s].  A query begins when the one
    ``outstanding`` before it is answered, and the first ones at the start.
    """
    begin = np.concatenate([np.full(outstanding, start), answers])[: len(answers)]
    return begin, answers - begin
