"""The trade-off drawn: queue and utilisation against Kmax, with what is shipped beside the advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.notebook import plotly

if TYPE_CHECKING:
    from footroom.calculators.ecn.advice import Advice, Judged

_LINE, _BAND, _GOOD, _BAD = "#0072B2", "rgba(0,114,178,0.18)", "#009E73", "#D55E00"


def draw(advice: Advice) -> Any:
    """Two plots over Kmax: the queue's mean with its range, and the utilisation."""
    go = plotly()
    make_subplots = plotly("subplots").make_subplots
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06)
    kmax = [one.thresholds.kmax for one in advice.curve]
    for y, fill in (
        ([one.over_time.queue_least for one in advice.curve], None),
        ([one.over_time.queue_greatest for one in advice.curve], "tonexty"),
    ):
        figure.add_trace(
            go.Scatter(x=kmax, y=y, fill=fill, fillcolor=_BAND, line={"width": 0}, hoverinfo="skip", showlegend=False),
            row=1,
            col=1,
        )
    figure.add_trace(
        go.Scatter(
            x=kmax,
            y=[one.over_time.queue_mean for one in advice.curve],
            name="same ramp, other Kmax",
            line={"color": _LINE},
        ),
        row=1,
        col=1,
    )
    figure.add_trace(
        go.Scatter(
            x=kmax, y=[one.over_time.utilisation for one in advice.curve], showlegend=False, line={"color": _LINE}
        ),
        row=2,
        col=1,
    )
    points = [*advice.defaults, *([] if advice.advice is None else [advice.advice])]
    for one in points:
        _point(go, figure, one)
    figure.update_xaxes(type="log", exponentformat="SI")
    figure.update_xaxes(title_text="Kmax [B]", row=2, col=1)
    figure.update_yaxes(title_text="queue [B]", exponentformat="SI", row=1, col=1)
    figure.update_yaxes(title_text="utilisation", row=2, col=1)
    return figure.update_layout(height=620, template="plotly_white", margin={"t": 30})


def _point(go: Any, figure: Any, one: Judged) -> None:
    """One set of thresholds; a filled marker meets the targets."""
    own = one.name == "advice"
    marker = {
        "size": 13 if own else 10,
        "symbol": "star" if own else "diamond" if one.meets else "x",
        "color": _GOOD if one.meets else _BAD,
    }
    for row, y in ((1, one.over_time.queue_mean), (2, one.over_time.utilisation)):
        figure.add_trace(
            go.Scatter(
                x=[one.thresholds.kmax],
                y=[y],
                mode="markers",
                marker=marker,
                name=one.name,
                legendgroup=one.name,
                showlegend=row == 1,
                hovertext="; ".join(one.reasons) or "meets what was asked",
            ),
            row=row,
            col=1,
        )
