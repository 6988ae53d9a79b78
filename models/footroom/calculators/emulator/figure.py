"""Queues and thresholds over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.notebook import plotly

if TYPE_CHECKING:
    from footroom.calculators.emulator.document import EmulateDocument


def draw(document: EmulateDocument) -> Any:
    """One panel per policy: the queue's maxima, its threshold, free memory, drops. A Plotly figure.

    Raises Unsupported without plotly.
    """
    go = plotly()
    make_subplots = plotly("subplots").make_subplots
    policies, time = document["policies"], document["time"]
    figure = make_subplots(
        rows=len(policies),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.03,
        subplot_titles=[one["label"] for one in policies],
    )
    top = document["question"]["buffer"]
    for row, one in enumerate(policies, start=1):
        line = one["series"][0]
        limit = [None if value is None else min(value, top) for value in line["threshold_min"]]
        drops = [queue if lost else None for queue, lost in zip(line["queue_max"], line["dropped"], strict=True)]
        for values, name, style in (
            (one["memory"]["free_min"], "free memory", {"line": {"color": "#999999", "dash": "dot"}}),
            (limit, "threshold", {"line": {"color": "#D55E00"}}),
            (line["queue_max"], "queue", {"line": {"color": "#0072B2"}}),
            (drops, "drops", {"mode": "markers", "marker": {"color": "#000000", "symbol": "x"}}),
        ):
            figure.add_trace(
                go.Scatter(x=time, y=values, name=name, legendgroup=name, showlegend=row == 1, **style), row=row, col=1
            )
    return figure.update_layout(template="plotly_white", height=160 * len(policies) + 100, margin={"t": 40})
