"""The budgets as stacked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.notebook import plotly
from footroom.formulas.headroom.budget import PARTS

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import HeadroomDocument

#: Okabe and Ito's colours: distinct with any colour vision.
_COLOURS = dict(zip(PARTS, ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#CC79A7", "#999999"), strict=True))
#: Of a scheme outside what it holds for.
_FADED = 0.4


def draw(document: HeadroomDocument) -> Any:
    """One bar per scheme, one segment per line, coloured by what the line pays for; bytes on a linear axis. A scheme
    that does not hold for the link is faded, with a "!" before its name.
    """
    go = plotly()
    figure = go.Figure()
    for part in PARTS:
        shown = False
        for name, scheme in document["schemes"].items():
            beyond = scheme["outside"] != ""
            for line in scheme["lines"]:
                if line["part"] == part:
                    hover = f"{line['name']}<br>%{{y}} B<br>{line['formula']}<extra>{name}</extra>"
                    figure.add_bar(
                        x=[name],
                        y=[line["bytes"]],
                        name=part,
                        legendgroup=part,
                        showlegend=not shown,
                        opacity=_FADED if beyond else 1.0,
                        marker={"color": _COLOURS[part], "line": {"width": 1, "color": "white"}},
                        hovertemplate=hover,
                    )
                    shown = True
    if "watermark" in document:
        figure.add_hline(y=document["watermark"]["bytes"], line_dash="dot", annotation_text="watermark")
    names = {name: f"{'! ' if scheme['outside'] else ''}{name}" for name, scheme in document["schemes"].items()}
    figure.update_xaxes(tickvals=list(names), ticktext=list(names.values()))
    return figure.update_layout(
        barmode="relative",
        template="plotly_white",
        yaxis_title="headroom [B]",
        xaxis_title="scheme",
        legend_title_text="",
        margin={"t": 30},
    )
