"""Memory as stacked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.notebook import plotly

if TYPE_CHECKING:
    from footroom.calculators.pool.document import PoolDocument

#: Okabe and Ito's colours by what a line is for: distinct with any colour vision.
_COLOURS = {
    "headroom": "#D55E00",
    "insurance": "#D55E00",
    "headroom_pool": "#D55E00",
    "private_headroom": "#E69F00",
    "reserved_pg": "#0072B2",
    "reserved_queue": "#56B4E9",
    "mirror": "#CC79A7",
    "management": "#000000",
    "xon": "#0072B2",
    "lossy_pg": "#56B4E9",
    "management_pg": "#000000",
    "descriptors": "#F0E442",
    "pool": "#009E73",
    "reserved": "#0072B2",
    "footroom": "#009E73",
    "remainder": "#999999",
}


def draw(document: PoolDocument) -> Any:
    """One bar of all lines, and one for each scheme where schemes were compared. A Plotly figure.

    Raises Unsupported without plotly.
    """
    go = plotly()
    figure = go.Figure()
    for line in document["lines"]:
        figure.add_trace(
            go.Bar(
                x=["asked"],
                y=[line["bytes"]],
                name=line["title"],
                marker_color=_COLOURS[line["name"]],
                customdata=[line["share"]],
                hovertemplate="%{y:.4s}B, %{customdata:.2%}",
            )
        )
    schemes = document["schemes"] or {}
    needed = [scheme["bytes"] for scheme in schemes.values()]
    left = [scheme["left"] for scheme in schemes.values()]
    for name, colour, sizes in (("headroom", _COLOURS["headroom"], needed), ("left", _COLOURS["footroom"], left)):
        if schemes:
            figure.add_trace(
                go.Bar(
                    x=list(schemes),
                    y=[max(0, size) for size in sizes],
                    name=f"{name}, by scheme",
                    marker_color=colour,
                    opacity=0.7,
                )
            )
    figure.add_hline(y=document["memory"]["buffer"], line_dash="dot", annotation_text="packet memory")
    return figure.update_layout(
        barmode="stack",
        template="plotly_white",
        height=520,
        margin={"t": 30},
        yaxis={"title": "memory [B]", "exponentformat": "SI"},
        legend_title_text="",
    )
