"""Plots of stability answers. Plotly is an extra of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput
from footroom.base.notebook import plotly
from footroom.calculators.stability.loop import Loop
from footroom.calculators.stability.nyquist import nyquist

if TYPE_CHECKING:
    from footroom.calculators.stability.answer import StabilityAnswer
    from footroom.calculators.stability.grid import StabilityMap

#: Two of Okabe and Ito's colours, distinct with any colour vision.
_BLUE, _ORANGE = "#0072B2", "#D55E00"


def draw(answer: StabilityAnswer) -> Any:
    """The loop gain in the complex plane beside the point -1, and the queue over time where that was asked for.

    Raises InvalidInput where there is neither a loop gain nor a trajectory.
    """
    go, subplots = _plotly()
    curve = answer.nyquist
    if curve is None and answer.linear is not None and answer.judgement is not None and answer.linear.delayed:
        curve = nyquist(Loop.of(answer.linear), answer.judgement)
    parts = [part for part, there in (("loop", curve), ("course", answer.trajectory)) if there is not None]
    if not parts:
        raise InvalidInput.at(
            "trajectory", None, "without a linear answer there is no loop gain to draw: ask for the trajectory"
        )
    figure = subplots.make_subplots(rows=1, cols=len(parts))
    if curve is not None:
        figure.add_trace(
            go.Scatter(
                x=curve["real"],
                y=curve["imaginary"],
                mode="lines",
                name="L(jω)",
                line={"color": _BLUE},
                customdata=curve["frequency"],
                hovertemplate="%{customdata:.4s} rad/s<br>%{x:.3g} %{y:+.3g}j",
            ),
            row=1,
            col=1,
        )
        figure.add_trace(
            go.Scatter(
                x=[-1.0], y=[0.0], mode="markers", name="−1", marker={"color": _ORANGE, "symbol": "x", "size": 10}
            ),
            row=1,
            col=1,
        )
        figure.update_xaxes(title_text="Re L", range=[-3.0, 1.5], row=1, col=1)
        figure.update_yaxes(title_text="Im L", range=[-2.5, 2.5], row=1, col=1)
    if answer.trajectory is not None:
        figure.add_trace(
            go.Scatter(
                x=answer.trajectory["time"],
                y=answer.trajectory["queue"],
                mode="lines",
                name="queue",
                line={"color": _BLUE},
                showlegend=False,
            ),
            row=1,
            col=len(parts),
        )
        figure.update_xaxes(title_text="time [s]", row=1, col=len(parts))
        figure.update_yaxes(title_text="queue [B]", hoverformat=".3~s", row=1, col=len(parts))
    return figure.update_layout(template="plotly_white", margin={"t": 30})


def draw_map(found: StabilityMap) -> Any:
    """Growth of the rightmost root as a heat map, the border of stability as a line."""
    go, _ = _plotly()
    rows = found.y[1][found.first : found.first + len(found.growth)]
    common = {"x": list(found.x[1]), "y": list(rows), "z": [list(row) for row in found.growth]}
    largest = max((abs(value) for row in found.growth for value in row if value is not None), default=1.0)
    figure = go.Figure(
        [
            go.Heatmap(
                **common,
                colorscale="RdBu_r",
                zmin=-largest,
                zmax=largest,
                colorbar={"title": "growth [1/s]"},
                hovertemplate="%{x:.4~s}, %{y:.4~s}<br>%{z:.3g} 1/s<extra></extra>",
            ),
            go.Contour(
                **common,
                contours={"start": 0.0, "end": 0.0, "size": 1.0, "coloring": "lines"},
                showscale=False,
                line={"color": "#000000", "width": 2},
                colorscale=[[0.0, "#000000"], [1.0, "#000000"]],
                hoverinfo="skip",
                name="border of stability",
            ),
        ]
    )
    figure.update_xaxes(title_text=found.x[0], type="log" if _even_ratios(found.x[1]) else "linear")
    figure.update_yaxes(title_text=found.y[0], type="log" if _even_ratios(rows) else "linear")
    return figure.update_layout(template="plotly_white", margin={"t": 30})


def _even_ratios(values: tuple[float, ...]) -> bool:
    """Whether an axis has equal ratios rather than equal steps: only then is it drawn logarithmic."""
    if len(values) < 3 or min(values) <= 0.0:
        return False
    return abs(values[1] ** 2 / (values[0] * values[2]) - 1.0) < abs((values[0] + values[2]) / (2.0 * values[1]) - 1.0)


def _plotly() -> tuple[Any, Any]:
    return plotly(), plotly("subplots")
