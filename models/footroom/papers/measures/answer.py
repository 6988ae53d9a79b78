"""One run as measures see it: its windows, its flows, its metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from footroom.papers.measures.flows import Floats, Flows, Ints, Redrawn

#: Windows are drawn in blocks of this length [s]: longer than any correlation of load or congestion window here.
BLOCK = 2.0


class NotMeasurableError(Exception):
    """The runs do not determine this number; the message says why, for the reader of the verdict."""


@dataclass(frozen=True)
class Windows:
    """What one port did, window by window; all arrays have one entry per window.

    width: length of a window [s].  utilisation: bits sent over capacity.  offered, dropped, marked: packets.
    queue: waiting bytes at the window's end; queue_max: most in it.  delay: wait at the window's end [s].
    """

    width: float
    utilisation: Floats
    offered: Floats
    dropped: Floats
    queue_max: Floats
    queue: Floats
    delay: Floats

    def __len__(self) -> int:
        return len(self.utilisation)

    def coarser(self, width: float) -> Windows:
        """The same over longer windows: means of utilisation, sums of packets. ``width`` 0 means the whole run.

        An incomplete window at the end is left out. Raises NotMeasurableError for windows shorter than recorded or
        longer than the run.
        """
        count = len(self) if width == 0.0 else round(width / self.width)
        if count < 1:
            raise NotMeasurableError(f"windows of {width:g} s are shorter than the {self.width:g} s recorded")
        number = len(self) // count
        if number < 1:
            raise NotMeasurableError(f"a window of {width:g} s is longer than the run")

        def fold(values: Floats) -> Floats:
            return values[: number * count].reshape(number, count)

        return Windows(
            self.width * count,
            fold(self.utilisation).mean(axis=1),
            fold(self.offered).sum(axis=1),
            fold(self.dropped).sum(axis=1),
            fold(self.queue_max).max(axis=1),
            fold(self.queue).mean(axis=1),
            fold(self.delay).mean(axis=1),
        )

    def taken(self, chosen: Ints) -> Windows:
        """The windows of these numbers, in this order."""
        return Windows(self.width, *(getattr(self, name)[chosen] for name in _COLUMNS))


_COLUMNS = ("utilisation", "offered", "dropped", "queue_max", "queue", "delay")


@dataclass(frozen=True)
class Rates:
    """Goodput [bit/s] of long-lived flows, window by window: one row per flow. width: of a window [s].  entry: of the
    traffic, per flow.
    """

    width: float
    goodput: Floats
    entry: Ints


@dataclass(frozen=True)
class Answer:
    """One run of one case.

    case: its name.  scenario: the canonical document.  metrics: as in a result.  ports: windows of every watched port,
    empty where none were recorded.  flows: completed ones, None where they were not kept.  memories: what every
    switch's memory held and its policy counted, as in a result.  completions, by_size, queues: completion times by
    entry and by size, and the distribution of queues, as in a result.  rates: of long-lived flows, None where
    not recorded.  groups: priority groups of lossless classes, as in a result.  outside: metric to reason, for those
    outside the validity of the engine.
    """

    case: str
    scenario: Mapping[str, Any]
    metrics: Mapping[str, float]
    ports: Mapping[str, Windows] = field(default_factory=dict)
    flows: Flows | Redrawn | None = None
    memories: Sequence[Mapping[str, Any]] = ()
    completions: Sequence[Mapping[str, Any]] = ()
    by_size: Sequence[Mapping[str, Any]] = ()
    queues: Mapping[str, Any] = field(default_factory=dict)
    rates: Rates | None = None
    groups: Sequence[Mapping[str, Any]] = ()
    outside: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, case: str, result: Mapping[str, Any]) -> Answer:
        """From a complete result as plain data (``footroom.studies.cell.pack``)."""
        series, flows = result.get("series"), result.get("flows")
        ports = {}
        if series:
            for name, port in series["ports"].items():
                columns = [np.asarray(port[column], dtype=np.float64) for column in _COLUMNS]
                ports[name] = Windows(float(series["window"]), *columns)
        kept = None
        if flows:
            size, fct, start = (np.asarray(flows[name], dtype=np.float64) for name in ("size", "fct", "start"))
            kept = Flows(size, fct, start, np.asarray(flows["entry"], dtype=np.int64))
        rates = None
        if series and series.get("flows"):
            rates = Rates(
                float(series["window"]),
                np.array([flow["goodput"] for flow in series["flows"]]),
                np.array([flow["entry"] for flow in series["flows"]], dtype=np.int64),
            )
        return cls(
            case,
            result["scenario"],
            result["metrics"],
            ports,
            kept,
            result.get("memories") or (),
            result.get("completions") or (),
            result.get("completions_by_size") or (),
            result.get("queue_distribution") or {},
            rates,
            result.get("priority_groups") or (),
            result.get("outside_validity") or {},
        )

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self.scenario.get("run", {}).get("seed", 0))

    def port(self, name: str | None = None) -> Windows:
        """Windows of one watched port; without a name all of them as one: mean utilisation, sums of packets.

        Raises NotMeasurableError where none were recorded.
        """
        if not self.ports:
            raise NotMeasurableError("no windows were recorded")
        if name is not None:
            if name not in self.ports:
                raise NotMeasurableError(f"port {name} was not watched, only {', '.join(self.ports)}")
            return self.ports[name]
        all_ports = list(self.ports.values())
        if len(all_ports) == 1:
            return all_ports[0]

        def stacked(column: str) -> Floats:
            return np.array([getattr(port, column) for port in all_ports])

        return Windows(
            all_ports[0].width,
            stacked("utilisation").mean(axis=0),
            stacked("offered").sum(axis=0),
            stacked("dropped").sum(axis=0),
            stacked("queue_max").max(axis=0),
            stacked("queue").mean(axis=0),
            stacked("delay").mean(axis=0),
        )

    def flows_of(self, entry: int | None = None) -> Flows:
        """Completed flows of one traffic entry, of all without one. Raises NotMeasurableError where there are none."""
        if self.flows is None:
            raise NotMeasurableError("completion times of single flows were not kept")
        found = self.flows.of_entry(entry)
        if not len(found.fct):
            raise NotMeasurableError(f"no flow completed in case {self.case}")
        return found

    def times_of(self, entry: int | None = None) -> Floats:
        """Completion times [s] of one traffic entry, of all without one. Raises NotMeasurableError as ``flows_of``."""
        found = np.empty(0) if self.flows is None else self.flows.times(entry)
        return found if len(found) else self.flows_of(entry).fct

    @cached_property
    def _quantiles(self) -> dict[tuple[float, int | None], float]:
        return {}

    def quantile(self, level: float, entry: int | None = None) -> float:
        """Quantile of the completion times [s], cached for the next call. Raises as ``times_of``."""
        if (level, entry) not in self._quantiles:
            found = None if self.flows is None else self.flows.quantile(level, entry)
            self._quantiles[level, entry] = float(np.quantile(self.times_of(entry), level)) if found is None else found
        return self._quantiles[level, entry]

    def resampled(self, rng: np.random.Generator) -> Answer:
        """The run as it might have come out: blocks of windows, and queries, drawn again with replacement.

        All ports get the same blocks, because they share their traffic (Künsch, Annals of Statistics 17, 1989).
        """
        ports: Mapping[str, Windows] = self.ports
        if ports:
            first = next(iter(ports.values()))
            block = max(1, min(len(first) // 5, round(BLOCK / first.width)))
            starts = rng.integers(0, len(first) - block + 1, -(-len(first) // block))
            chosen = (starts[:, None] + np.arange(block)).ravel()[: len(first)]
            ports = {name: port.taken(chosen) for name, port in ports.items()}
        flows = self.flows.whole if isinstance(self.flows, Redrawn) else self.flows
        if flows is not None and len(flows.fct):
            return replace(self, ports=ports, flows=flows.again(rng))
        return replace(self, ports=ports)


def by_case(answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    """Replicas of every case, in the order of the cases."""
    found: dict[str, list[Answer]] = {}
    for answer in answers:
        found.setdefault(answer.case, []).append(answer)
    return found
