"""The plots that papers' data can name. Each takes answers by series name and gives kind, axes and series."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from footroom.base.rng import stream
from footroom.papers.figures.figure import FigureAxis, FigureSeries, Kind
from footroom.papers.measures import MEASURES, completion, delay, drops, queries, transfers
from footroom.papers.measures.answer import Answer, NotMeasurableError
from footroom.papers.measures.flows import Floats
from footroom.scenario import lookup

Cases = Mapping[str, Sequence[Answer]]

#: Most points of a curve: more cannot be distinguished on a page.
_MOST = 400
_LEVELS = 100


class Plot(NamedTuple):
    """What a plot function gives."""

    kind: Kind
    x: FigureAxis
    y: FigureAxis
    series: list[FigureSeries]


def utilisation_over_time(cases: Cases, window: float) -> Plot:
    """Utilisation, averaged over ``window`` seconds, against time."""
    series = []
    for name, answers in cases.items():
        y = np.concatenate([answer.port().coarser(window).utilisation for answer in answers])
        y = y[:_MOST]
        series.append(FigureSeries(name, [float((i + 0.5) * window) for i in range(len(y))], y.tolist()))
    return Plot("line", FigureAxis("time", "s"), FigureAxis("utilisation", "1"), series)


def rtt_distribution(cases: Cases, base: float) -> Plot:
    """Share of round trips not longer than x."""
    return Plot(
        "cdf",
        FigureAxis("round-trip time", "s"),
        FigureAxis("share of samples", "1"),
        [_cdf(name, delay.samples(answers, base)) for name, answers in cases.items()],
    )


def drops_against_utilisation(cases: Cases, windows: Sequence[float]) -> Plot:
    """Drop rate of every window against its utilisation, one series per window length; 0 is a whole run.

    Windows without a loss are left out, because a logarithmic axis cannot show zero.
    """
    series = []
    for name, answers in cases.items():
        for window in windows:
            utilisation, offered, dropped = drops.points(answers, window)
            lost = np.flatnonzero(dropped > 0)
            lost = lost[np.linspace(0, len(lost) - 1, min(_MOST, len(lost))).astype(np.int64)] if len(lost) else lost
            label = f"{name}, {'whole run' if window == 0.0 else _time(window)}"
            series.append(FigureSeries(label, utilisation[lost].tolist(), (dropped[lost] / offered[lost]).tolist()))
    return Plot("scatter", FigureAxis("utilisation", "1"), FigureAxis("drop rate", "1", log=True), series)


def utilisation_by_load(cases: Cases, title: str = "load") -> Plot:
    """Utilisation of every case with its bootstrap interval; x is the last part of the case's name, ``title`` what."""
    series = []
    for name, answers in cases.items():
        y, low, high = (list(column) for column in zip(*(_interval(one, _busy) for one in answers), strict=True))
        series.append(FigureSeries(name, [answer.case.rpartition("/")[2] for answer in answers], y, low, high))
    return Plot("bars", FigureAxis(title, "1"), FigureAxis("utilisation", "1"), series)


def loss_against_reach(cases: Cases) -> Plot:
    """Share of capacity left idle against buffer·√n/(C·RTT) of a dumbbell, n the long-lived flows, with its interval.

    Source: Appenzeller, Keslassy, McKeown, "Sizing Router Buffers", SIGCOMM 2004: for flows out of step the loss of
    utilisation is a function of this number alone.
    """
    series = []
    for name, answers in cases.items():
        points = sorted((_reach(answer), *_interval(answer, _idle)) for answer in answers)
        x, y, low, high = (list(column) for column in zip(*points, strict=True))
        series.append(FigureSeries(name, x, y, low, high))
    x_axis = FigureAxis("buffer·√n over C·RTT", "1", log=True)
    return Plot("line", x_axis, FigureAxis("capacity left idle", "1"), series)


def rtt_by_case(cases: Cases, base: float, title: str) -> Plot:
    """Mean round trip of every case, from its 5th to its 95th percentile; x is the last part of the case's name."""
    series = []
    for name, answers in cases.items():
        each = [delay.samples([answer], base) for answer in answers]
        low, high = (np.array([np.quantile(one, level) for one in each]) for level in (0.05, 0.95))
        mean = np.array([one.mean() for one in each])
        series.append(
            FigureSeries(
                name,
                [answer.case.rpartition("/")[2] for answer in answers],
                mean.tolist(),
                np.minimum(low, mean).tolist(),
                np.maximum(high, mean).tolist(),
            )
        )
    return Plot("bars", FigureAxis(title, "1"), FigureAxis("round-trip time", "s"), series)


def completion_cdf(cases: Cases, entry: int | None = None, shared: bool = False) -> Plot:
    """Share of flows completed within x. shared: series are planes over which queries are hashed (``shared_times``)."""
    everything = [answer for answers in cases.values() for answer in answers]
    found = {
        name: completion.shared_times(everything, name, entry) if shared else completion.times(answers, entry)
        for name, answers in cases.items()
    }
    return Plot(
        "cdf",
        FigureAxis("flow completion time", "s"),
        FigureAxis("share of flows", "1"),
        [_cdf(name, times) for name, times in found.items()],
    )


def quantile_ratios(cases: Cases, reference: str, entry: int | None = None) -> Plot:
    """Quantiles of the completion time over those of the series ``reference``, against the level."""
    levels = np.linspace(0.01, 0.99, _LEVELS - 1)
    base = np.quantile(completion.times(cases[reference], entry), levels)
    series = [
        FigureSeries(name, levels.tolist(), (np.quantile(completion.times(answers, entry), levels) / base).tolist())
        for name, answers in cases.items()
        if name != reference
    ]
    return Plot("line", FigureAxis("share of flows", "1"), FigureAxis(f"completion time over {reference}", "1"), series)


def queue_distribution(cases: Cases, busiest: bool = False) -> Plot:
    """Share of time with a queue of at most x bytes: of all watched ports, or of the one with the longest queue."""
    series = []
    for name, answers in cases.items():
        for answer in answers:
            row = answer.queues["queues"][-1 if busiest else 0]
            series.append(FigureSeries(name, list(row["bytes"]), list(answer.queues["share"])))
    return Plot("line", FigureAxis("queue", "B"), FigureAxis("share of time", "1"), series)


def slowdown_by_size(cases: Cases, level: str) -> Plot:
    """Slowdown against the upper end of each class of sizes. level: p50 or p99."""
    series = [
        FigureSeries(
            name,
            [float(row["upto"]) for row in answer.by_size],
            [float(row[f"slowdown_{level}"]) for row in answer.by_size],
        )
        for name, answers in cases.items()
        for answer in answers
    ]
    return Plot("line", FigureAxis("query size, up to", "B", log=True), FigureAxis("slowdown", "1", log=True), series)


def entries_by_case(cases: Cases, entry: str, column: str, title: str, unit: str) -> Plot:
    """One column of the completion times of an entry, by series."""
    rows = [(name, transfers.by_entry(answers, entry, column)) for name, answers in cases.items()]
    return Plot(
        "bars",
        FigureAxis("control", "1"),
        FigureAxis(title, unit, log=True),
        [FigureSeries(entry, [name for name, _ in rows], [value for _, value in rows])],
    )


def measure_by_case(
    cases: Cases, measure: str, title: str, unit: str, over: str, log: bool = False, factor: float = 1.0, **given: Any
) -> Plot:
    """A measure of every case against the number that ends its name, called ``over``, times ``factor``."""
    series = []
    for name, answers in cases.items():
        x = [factor * float(answer.case.rpartition("/")[2]) for answer in answers]
        series.append(FigureSeries(name, x, [MEASURES[measure].function([answer], **given) for answer in answers]))
    title_x, _, unit_x = over.partition(" in ")
    return Plot("line", FigureAxis(title_x, unit_x or "1"), FigureAxis(title, unit, log), series)


def measure_by_name(cases: Cases, measure: str, title: str, unit: str, over: str, **given: Any) -> Plot:
    """A measure of every case against the last part of its name, called ``over``."""
    series = []
    for name, answers in cases.items():
        x = [answer.case.rpartition("/")[2] for answer in answers]
        series.append(FigureSeries(name, x, [MEASURES[measure].function([answer], **given) for answer in answers]))
    return Plot("bars", FigureAxis(over, "1"), FigureAxis(title, unit), series)


def query_distribution(cases: Cases, entry: int) -> Plot:
    """Share of the queries of one traffic entry that took no longer than x."""
    return Plot(
        "cdf",
        FigureAxis("latency of a query", "s"),
        FigureAxis("share of queries", "1"),
        [_cdf(name, queries.latencies(answers, entry)) for name, answers in cases.items()],
    )


def goodput_over_time(cases: Cases) -> Plot:
    """Goodput of every long-lived flow, window by window, of the first case of each name."""
    series = []
    for name, answers in cases.items():
        rates = answers[0].rates
        if rates is None:
            raise NotMeasurableError("the goodput of single flows was not recorded")
        x = (np.arange(1, rates.goodput.shape[1] + 1) * rates.width)[:_MOST].tolist()
        series += [
            FigureSeries(f"{name} flow {number + 1}".strip(), x, flow[:_MOST].tolist())
            for number, flow in enumerate(rates.goodput)
        ]
    return Plot("line", FigureAxis("time", "s"), FigureAxis("goodput", "bit/s"), series)


def _busy(answer: Answer) -> float:
    return float(answer.port().utilisation.mean())


def _idle(answer: Answer) -> float:
    return 1.0 - _busy(answer)


def _interval(answer: Answer, measured: Callable[[Answer], float]) -> tuple[float, float, float]:
    """What was measured, and the ends of its bootstrap interval of 95 %."""
    value = measured(answer)
    draws = [measured(answer.resampled(stream(i, "papers", answer.case))) for i in range(100)]
    low, high = np.percentile(draws, [2.5, 97.5])
    return value, min(float(low), value), max(float(high), value)


def _reach(answer: Answer) -> float:
    """Buffer times √n over the bandwidth-delay product, of a dumbbell's bottleneck."""
    document = dict(answer.scenario)
    flows = sum(entry.get("flows", 0) for entry in document["traffic"])
    product = lookup(document, "topology.bottleneck") / 8.0 * lookup(document, "topology.rtt")
    return float(lookup(document, "switch.buffer") * math.sqrt(flows) / product)


def _cdf(name: str, values: Floats) -> FigureSeries:
    ordered = np.sort(values)
    chosen = np.unique(np.linspace(0, len(ordered) - 1, min(_MOST, len(ordered))).astype(np.int64))
    return FigureSeries(name, ordered[chosen].tolist(), ((chosen + 1) / len(ordered)).tolist())


def _time(seconds: float) -> str:
    return f"{seconds * 1000:g} ms" if seconds < 1.0 else f"{seconds:g} s"


PLOTS: dict[str, Any] = {
    plot.__name__: plot
    for plot in (
        utilisation_over_time,
        rtt_distribution,
        drops_against_utilisation,
        utilisation_by_load,
        loss_against_reach,
        rtt_by_case,
        completion_cdf,
        quantile_ratios,
        measure_by_case,
        queue_distribution,
        slowdown_by_size,
        entries_by_case,
        measure_by_name,
        query_distribution,
        goodput_over_time,
    )
}
