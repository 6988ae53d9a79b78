"""Three plots over one axis: drop rate, utilisation, completion time or queue."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.base.notebook import plotly
from footroom.result import METRICS
from footroom.result.figures import COLOURS

_DASHES = {"theory": "dot", "fluid": "solid"}
_SYMBOLS = {"packet": "circle", "reference": "x"}
_LAST = ("fct_p99", "fct_mean", "queue_p99", "queue_mean")

Points = Sequence[dict[str, Any]]


def draw(points: Points) -> Any:
    """See ``footroom.studies.sweep.figure_of``."""
    go = plotly()
    make_subplots = plotly("subplots").make_subplots
    if not points:
        raise InvalidInput.at("points", [], "a figure needs at least one point")
    path = _main_axis(points)
    present = {name for point in points for name in point["result"]["metrics"]}
    metrics = ["drop_rate", "utilisation", next((name for name in _LAST if name in present), "queue_mean")]
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.04)
    for number, (series, members) in enumerate(_series(points, path).items()):
        colour = COLOURS[number % len(COLOURS)]
        for engine in dict.fromkeys(point["result"]["engine"] for point in members):
            own = [point for point in members if point["result"]["engine"] == engine]
            for row, metric in enumerate(metrics, start=1):
                here = [point for point in own if metric in point["result"]["metrics"]]
                if here:
                    trace = _trace(go, here, path, metric, engine, series, colour, legend=row == 1)
                    figure.add_trace(trace, row=row, col=1)
    for row, metric in enumerate(metrics, start=1):
        unit = METRICS[metric][0]
        figure.update_yaxes(
            title_text=f"{metric} [{unit}]", hoverformat=".3~g" if unit == "1" else ".3~s", row=row, col=1
        )
        if metric == "drop_rate" and _spread([_shown(p, metric) for p in points if metric in p["result"]["metrics"]]):
            figure.update_yaxes(type="log", exponentformat="power", row=row, col=1)
    if _spread([point["at"].get(path) for point in points]):
        figure.update_xaxes(type="log")
    figure.update_xaxes(title_text=path, row=3, col=1)
    figure.update_xaxes(showspikes=True, spikemode="across", spikethickness=1, exponentformat="SI")
    return figure.update_layout(
        height=780,
        hovermode="x unified",
        hoversubplots="axis",
        template="plotly_white",
        legend_title_text="",
        margin={"t": 30},
    )


def _main_axis(points: Points) -> str:
    """Path of the numeric axis with most values, else of any; empty without axes."""

    def rank(path: str) -> tuple[bool, int]:
        values = [point["at"][path] for point in points]
        numeric = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
        return numeric, len({json.dumps(value, sort_keys=True) for value in values})

    return max(points[0]["at"], key=rank, default="")


def _series(points: Points, path: str) -> dict[str, list[dict[str, Any]]]:
    """Points by what is compared: the values of all axes but the main one."""
    found: dict[str, list[dict[str, Any]]] = {}
    for point in points:
        others = ", ".join(f"{key} = {_text(value)}" for key, value in point["at"].items() if key != path)
        found.setdefault(others, []).append(point)
    return found


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("kind", value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _shown(point: dict[str, Any], metric: str) -> float:
    """The value drawn: where no drop was seen, the upper end of the interval, because a log axis cannot show 0."""
    value = float(point["result"]["metrics"][metric])
    if metric == "drop_rate" and value == 0.0 and metric in point["result"]["intervals"]:
        return float(point["result"]["intervals"][metric][1])
    return value


def _spread(values: list[Any]) -> bool:
    """Whether values are positive and span more than a factor of ten, apart from zeros."""
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool) and v != 0]
    return bool(numbers) and min(numbers) > 0 and max(numbers) / min(numbers) > 10


def _trace(
    go: Any, points: Points, path: str, metric: str, engine: str, series: str, colour: str, *, legend: bool
) -> Any:
    x = [_text(at) if isinstance(at := point["at"].get(path, ""), dict) else at for point in points]
    y = [_shown(point, metric) for point in points]
    name = f"{engine}, {series}" if series else engine
    common = {"x": x, "y": y, "name": name, "legendgroup": name, "showlegend": legend}
    if engine in _DASHES:
        return go.Scatter(
            mode="lines" if len(points) > 1 else "markers",
            line={"dash": _DASHES[engine], "color": colour},
            marker={"color": colour, "symbol": "line-ew-open"},
            **common,
        )
    unseen = [point["result"]["metrics"][metric] == 0.0 and value > 0.0 for point, value in zip(points, y, strict=True)]
    ends = [point["result"]["intervals"].get(metric, (value, value)) for point, value in zip(points, y, strict=True)]
    return go.Scatter(
        mode="markers",
        **common,
        marker={
            "color": colour,
            "size": 9,
            "symbol": ["triangle-down-open" if hidden else _SYMBOLS.get(engine, "circle") for hidden in unseen],
        },
        text=["none seen; 95 % upper end" if hidden else "" for hidden in unseen],
        error_y={
            "type": "data",
            "symmetric": False,
            "color": colour,
            "thickness": 1.2,
            "array": [max(0.0, high - value) for (_, high), value in zip(ends, y, strict=True)],
            "arrayminus": [
                0.0 if hidden else max(0.0, value - low)
                for (low, _), value, hidden in zip(ends, y, unseen, strict=True)
            ],
        },
    )
