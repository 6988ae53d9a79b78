"""Figures of what a run recorded over time: its windows, and its timeline around an event."""

from __future__ import annotations

from typing import Any, Literal

from footroom.base.errors import InvalidInput
from footroom.base.notebook import plotly
from footroom.result.recorded import SeriesDocument, TimelineDocument, TimelineQueue

#: Okabe and Ito's colours: distinct with any colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_GREY = "#999999"


def timeline(block: TimelineDocument | None, queues: int = 1) -> Any:
    """Queue, limit, free memory, marks and drops, one panel for each of the ``queues`` longest queues.

    block: ``Result.timeline``. The queue is the longest of every step, free memory the least, the limit that at the
    step's end. Raises InvalidInput where nothing was recorded, Unsupported without plotly.
    """
    if not block or not block["queues"] or not block["time"]:
        raise InvalidInput.at("run.timeline", None, "no timeline was recorded; give run.timeline a start, end and step")
    go, make_subplots = _plotly()
    shown = block["queues"][: max(1, queues)]
    figure = make_subplots(
        rows=len(shown),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.06,
        subplot_titles=[_name(block["queues"], queue) for queue in shown],
    )
    time = block["time"]
    for row, queue in enumerate(shown, start=1):
        for values, name, style in (
            (queue["free_min"], "free memory", {"line": {"color": _GREY, "dash": "dot"}}),
            (queue["threshold"], "limit", {"line": {"color": COLOURS[1]}}),
            (queue["queue_max"], "queue", {"line": {"color": COLOURS[0]}}),
            (_where(queue, "marked"), "marks", {"mode": "markers", "marker": {"color": COLOURS[2], "size": 4}}),
            (_where(queue, "dropped"), "drops", {"mode": "markers", "marker": {"color": COLOURS[6], "symbol": "x"}}),
        ):
            figure.add_trace(
                go.Scatter(x=time, y=values, name=name, legendgroup=name, showlegend=row == 1, **style), row=row, col=1
            )
        figure.update_yaxes(title_text="bytes [B]", row=row, col=1)
    figure.update_xaxes(title_text="time [s]", row=len(shown), col=1)
    return figure.update_layout(template="plotly_white", height=240 * len(shown) + 120, margin={"t": 40})


def series(block: SeriesDocument | None) -> Any:
    """Utilisation, drop rate and longest queue of every window, one colour for each watched port.

    block: ``Result.series``. Windows without a drop have no point on the logarithmic axis. Raises InvalidInput where
    nothing was recorded, Unsupported without plotly.
    """
    if not block or not block["time"]:
        raise InvalidInput.at("run.series", None, "no windows were recorded; give run.series the length of a window")
    go, make_subplots = _plotly()
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.04)
    for number, (name, port) in enumerate(block["ports"].items()):
        rates = [lost / seen if lost else None for lost, seen in zip(port["dropped"], port["offered"], strict=True)]
        colour = COLOURS[number % len(COLOURS)]
        for row, values in enumerate((port["utilisation"], rates, port["queue_max"]), start=1):
            figure.add_trace(
                go.Scatter(
                    x=block["time"],
                    y=values,
                    name=name,
                    legendgroup=name,
                    showlegend=row == 1,
                    mode="markers" if row == 2 else "lines",
                    marker={"color": colour, "size": 4},
                ),
                row=row,
                col=1,
            )
    for row, title in enumerate(("utilisation [1]", "drop rate [1]", "longest queue [B]"), start=1):
        figure.update_yaxes(title_text=title, row=row, col=1)
    figure.update_yaxes(type="log", exponentformat="power", row=2, col=1)
    figure.update_xaxes(title_text="end of the window [s]", row=3, col=1)
    return figure.update_layout(template="plotly_white", height=620, margin={"t": 30})


def _plotly() -> tuple[Any, Any]:
    return plotly(), plotly("subplots").make_subplots


def _where(queue: TimelineQueue, what: Literal["marked", "dropped"]) -> list[int | None]:
    return [longest if count else None for longest, count in zip(queue["queue_max"], queue[what], strict=True)]


def _name(queues: list[TimelineQueue], queue: TimelineQueue) -> str:
    parts = [queue["port"]]
    parts += [f"{key} {queue[key]}" for key in ("class", "card") if any(one[key] for one in queues)]
    return ", ".join(parts)
