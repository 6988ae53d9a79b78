"""The answer of every engine, and how replicas are combined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from footroom.base.notebook import pandas, plotly
from footroom.base.version import VERSION
from footroom.result import figures
from footroom.result.explanation import Explanation
from footroom.result.share import Share
from footroom.result.transfer import Transfers, pooled, transfer_metrics

if TYPE_CHECKING:  # some of them import NumPy, which an answer without a simulation does not need
    from footroom.result.completions import EntryCompletions, SizeCompletions
    from footroom.result.expected_error import ExpectedError
    from footroom.result.fabric import FabricDocument
    from footroom.result.headroom_use import SwitchHeadroom
    from footroom.result.queues import QueueDistribution
    from footroom.result.recorded import FlowsDocument, MemoryRecord, SeriesDocument, TimelineDocument
    from footroom.result.steps import StepDocument

#: Version of this schema; raised when a field changes its meaning.
SCHEMA = 1

#: Metric name to (unit, meaning). A metric that does not apply is absent from a result.
METRICS: dict[str, tuple[str, str]] = {
    "utilisation": ("1", "bits sent by the bottleneck, framing included, over its capacity"),
    "drop_rate": ("1", "packets dropped over packets offered at the bottleneck"),
    "queue_mean": ("B", "waiting bytes, averaged over time"),
    "queue_p50": ("B", "median over time of the waiting bytes"),
    "queue_p99": ("B", "99th percentile over time of the waiting bytes"),
    "queue_max": ("B", "most bytes that ever waited"),
    "throughput": ("bit/s", "bits sent by the bottleneck per second, framing included"),
    "goodput": ("bit/s", "payload put in order per second; above the rate where older gaps are filled"),
    "fairness": ("1", "Jain's index of the long-lived flows' data; of a staircase's steps, mean over time"),
    "timeouts": ("1", "retransmission timeouts"),
    "retransmissions": ("packet", "segments sent again"),
    "setup_retries": ("packet", "lost set-up packets, sent again 1, 2, 4 s later; fct_* leave this wait out"),
    "tail_loss_probes": ("packet", "segments sent to probe for a lost tail"),
    "marks": ("packet", "packets marked"),
    "lossless_drops": ("packet", "packets of lossless classes dropped at any switch"),
    "pause_frames": ("1", "pause frames that switches sent, with repetitions, without frames that resume"),
    "pause_time": ("s", "time that classes of ports were paused, added up"),
    "xoff_time": ("s", "time that priority groups asked for a pause, from Xoff to Xon, added up"),
    "deadlock": ("1", "1 where pauses deadlocked, 0 where they could have; over replicas the share of runs"),
    "watchdog_alarms": ("1", "queues for which the PFC watchdog would have taken its action, whole run"),
    "headroom_max": ("B", "most bytes that one priority group ever held in headroom"),
    "fct_count": ("1", "flows, and queries of rpc with outstanding, that completed in the measured window"),
    "fct_unfinished": ("1", "flows that had started but not completed when the run ended"),
    "fct_mean": ("s", "mean flow completion time: first byte sent to last byte acknowledged"),
    "fct_p50": ("s", "median flow completion time"),
    "fct_p95": ("s", "95th percentile of flow completion time"),
    "fct_p99": ("s", "99th percentile of flow completion time"),
    "transfer_p50": ("s", "median completion time of one more transfer, of run.transfer bytes, over the bottleneck"),
    "transfer_p99": ("s", "99th percentile of the completion time of one more transfer, of run.transfer bytes"),
    "qct_count": ("1", "queries whose last answer came in the measured window"),
    "qct_unfinished": ("1", "queries that had begun but lacked an answer when the run ended"),
    "query_rate": ("1/s", "queries completed per second"),
    "qct_mean": ("s", "mean query completion time: start of a query to the last acknowledgement of its answers"),
    "qct_p50": ("s", "median query completion time"),
    "qct_p99": ("s", "99th percentile of query completion time"),
    "slowdown_p50": ("1", "median of completion time over that of the same flow alone"),
    "slowdown_p99": ("1", "99th percentile of completion time over that of the same flow alone"),
}


#: What only some results have.
_BLOCKS = (
    "steps",
    "series",
    "timeline",
    "flows",
    "memories",
    "priority_groups",
    "deadlock",
    "watchdog",
    "scaling",
    "completions",
    "completions_by_size",
    "queue_distribution",
    "fabric",
    "headroom",
    "expected_error",
)


@dataclass(frozen=True)
class Result:
    """One engine's answer to one scenario. Values are bare numbers in SI base units.

    ``footroom.result.document.ResultDocument`` explains the fields that appear in JSON. Others: offered: packets at the
    bottleneck, summed over replicas, for the interval of a drop rate of 0.  outside: ``outside_validity``; these
    numbers are shown faded and meet no requirement.  transfers: what probes found; ``combine`` turns it into metrics.
    """

    engine: str
    scenario: dict[str, Any]
    seed: int
    wall_s: float
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    offered: int = 0
    replicas: int = 1
    groups: tuple[Share, ...] = ()
    steps: list[StepDocument] | None = None
    series: SeriesDocument | None = None
    timeline: TimelineDocument | None = None
    flows: FlowsDocument | None = None
    scaling: dict[str, Any] | None = None
    memories: list[MemoryRecord] | None = None
    priority_groups: list[dict[str, Any]] | None = None
    deadlock: dict[str, Any] | None = None
    watchdog: list[dict[str, Any]] | None = None
    outside: dict[str, str] = field(default_factory=dict)
    transfers: Transfers | None = None
    completions: list[EntryCompletions] | None = None
    completions_by_size: list[SizeCompletions] | None = None
    queue_distribution: QueueDistribution | None = None
    fabric: FabricDocument | None = None
    headroom: list[SwitchHeadroom] | None = None
    expected_error: ExpectedError | None = None

    def __post_init__(self) -> None:
        for name, value in self.metrics.items():
            if name not in METRICS or not math.isfinite(value):
                raise ValueError(f"metric {name} = {value} must be a known metric and finite")
        for name in self.outside:
            if name not in self.metrics:
                raise ValueError(f"{name} is outside the model's validity but has no value")

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the shape of the public contract."""
        return {
            "engine": self.engine,
            "scenario": self.scenario,
            "seed": self.seed,
            "wall_s": self.wall_s,
            "metrics": dict(self.metrics),
            "intervals": {name: list(bounds) for name, bounds in self.intervals.items()},
            "outside_validity": dict(self.outside),
            "notes": list(self.notes),
            "explanations": [e.to_dict() for e in self.explanations],
            "groups": [share.to_dict() for share in self.groups],
            "provenance": {"version": VERSION, "schema": SCHEMA, "replicas": self.replicas},
            **{name: block for name in _BLOCKS if (block := getattr(self, name)) is not None},
        }

    def to_frame(self) -> Any:
        """One row per metric: value, low, high, unit. Needs pandas."""
        rows = [
            {
                "metric": name,
                "value": value,
                "low": self.intervals.get(name, (None, None))[0],
                "high": self.intervals.get(name, (None, None))[1],
                "unit": METRICS[name][0],
            }
            for name, value in self.metrics.items()
        ]
        return pandas().DataFrame(rows).set_index("metric")

    def figure(self) -> Any:
        """A Plotly table of the metrics. Needs plotly."""
        go = plotly()
        names = list(self.metrics)
        cells = [names, [f"{self.metrics[n]:.4g}" for n in names], [METRICS[n][0] for n in names]]
        return go.Figure(go.Table(header={"values": ["metric", "value", "unit"]}, cells={"values": cells}))

    def timeline_figure(self, queues: int = 1) -> Any:
        """The longest queues step by step, with limit, free memory, marks and drops. Needs run.timeline, and plotly."""
        return figures.timeline(self.timeline, queues)

    def series_figure(self) -> Any:
        """Utilisation, drop rate and longest queue of every window. Needs run.series, and plotly."""
        return figures.series(self.series)


def with_rule_of_three(result: Result) -> Result:
    """Give a drop rate of 0 its 95 % interval [0, 3/n] for n packets offered (Hanley and Lippman-Hand, JAMA 1983)."""
    if result.metrics.get("drop_rate") == 0.0 and result.offered > 0:
        bounds = (0.0, min(1.0, 3.0 / result.offered))
        return replace(result, intervals={**result.intervals, "drop_rate": bounds})
    return result


def with_transfers(result: Result, parts: Sequence[Result]) -> Result:
    """``result`` with the percentiles that the probes of all ``parts`` give together."""
    found = [part.transfers for part in parts if part.transfers is not None]
    if not found:
        return result
    transfers = pooled(found)
    metrics, intervals, notes = transfer_metrics(transfers)
    return replace(
        result,
        metrics=result.metrics | metrics,
        intervals=result.intervals | intervals,
        notes=(*result.notes, *notes),
        transfers=transfers,
    )


def combine(results: Sequence[Result]) -> Result:
    """Mean over replicas with 95 % intervals (Student's t) of every metric that all replicas have.

    Completion-time percentiles are means of the replicas' percentiles; those of probes are of all replicas' probes
    together.
    """
    if len(results) == 1:
        return with_transfers(with_rule_of_three(results[0]), results)
    from scipy.stats import t as student

    count = len(results)
    quantile = float(student.ppf(0.975, count - 1))
    metrics: dict[str, float] = {}
    intervals: dict[str, tuple[float, float]] = {}
    for name in results[0].metrics:
        values = [r.metrics[name] for r in results if name in r.metrics]
        if len(values) < count:
            continue
        mean = math.fsum(values) / count
        half = quantile * math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (count - 1) / count)
        metrics[name] = mean
        low = max(0.0, mean - half)
        high = min(1.0, mean + half) if name in ("utilisation", "drop_rate", "fairness", "deadlock") else mean + half
        intervals[name] = (low, high)
    first = results[0]
    outside = {name: reason for r in results for name, reason in r.outside.items() if name in metrics}
    notes = tuple(dict.fromkeys(note for r in results for note in r.notes))
    return with_transfers(
        with_rule_of_three(
            replace(
                first,
                deadlock=next((r.deadlock for r in results if r.deadlock is not None), None),
                metrics=metrics,
                intervals=intervals,
                outside=outside,
                notes=notes,
                wall_s=math.fsum(r.wall_s for r in results),
                offered=sum(r.offered for r in results),
                replicas=count,
            )
        ),
        results,
    )
