"""A figure as plain data, for a page, a notebook or a file to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from footroom.base.notebook import plotly
from footroom.papers.paper import Published
from footroom.result.figures import COLOURS

if TYPE_CHECKING:
    from footroom.papers.document import PaperFigureAxis, PaperFigureDocument, PaperFigureSeries

Kind = Literal["line", "scatter", "cdf", "bars"]


@dataclass(frozen=True)
class FigureAxis:
    """title: what is drawn along it.  unit: SI base unit, "1" for shares.  log: whether it is logarithmic."""

    title: str
    unit: str
    log: bool = False

    def to_dict(self) -> PaperFigureAxis:
        """Plain data."""
        return {"title": self.title, "unit": self.unit, "log": self.log}


@dataclass(frozen=True)
class FigureSeries:
    """Points of one name; x may be names of bars. low, high: ends of the interval of every y, empty without any."""

    name: str
    x: list[float] | list[str]
    y: list[float]
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def to_dict(self) -> PaperFigureSeries:
        """Plain data."""
        return {"name": self.name, "x": self.x, "y": self.y, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class PaperFigure:
    """source: the paper's figure.  notes: what the reader must know, also what could not be drawn.

    published: what the paper prints, in the same axes.
    """

    id: str
    title: str
    source: str
    kind: Kind
    x: FigureAxis
    y: FigureAxis
    series: tuple[FigureSeries, ...]
    notes: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()

    def to_dict(self) -> PaperFigureDocument:
        """Plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "source": self.source,
            "kind": self.kind,
            "x": self.x.to_dict(),
            "y": self.y.to_dict(),
            "series": [one.to_dict() for one in self.series],
            "notes": list(self.notes),
            "published": [one.to_dict() for one in self.published],
        }

    def figure(self) -> Any:
        """Drawn with Plotly. Raises Unsupported without it."""
        go = plotly()
        drawn = go.Figure()
        for number, one in enumerate(self.series):
            drawn.add_trace(self._trace(go, one, COLOURS[number % len(COLOURS)]))
        for line in self.published:
            drawn.add_trace(
                go.Scatter(
                    x=line.x,
                    y=line.y,
                    name=line.name,
                    mode="lines+markers",
                    marker={"symbol": "cross-thin", "size": 12, "line": {"width": 2}},
                    line={"dash": "dot", "color": "black"},
                    **_ends(line, "black"),
                )
            )
        for axis, update in ((self.x, drawn.update_xaxes), (self.y, drawn.update_yaxes)):
            unit = "" if axis.unit == "1" else f" [{axis.unit}]"
            update(title_text=f"{axis.title}{unit}", type="log" if axis.log else None)
        return drawn.update_layout(title=self.title, template="plotly_white")

    def _trace(self, go: Any, one: FigureSeries, colour: str) -> Any:
        ends = _ends(one, colour)
        if self.kind == "bars":
            return go.Bar(x=one.x, y=one.y, name=one.name, marker_color=colour, **ends)
        how = {"line": {"mode": "lines"}, "scatter": {"mode": "markers"}, "cdf": {"mode": "lines", "line_shape": "hv"}}[
            self.kind
        ]
        return go.Scatter(x=one.x, y=one.y, name=one.name, marker_color=colour, **how, **ends)


def _ends(one: FigureSeries | Published, colour: str) -> dict[str, Any]:
    if not one.low:
        return {}
    return {
        "error_y": {
            "type": "data",
            "symmetric": False,
            "color": colour,
            "array": [h - y for h, y in zip(one.high, one.y, strict=True)],
            "arrayminus": [y - low for y, low in zip(one.y, one.low, strict=True)],
        }
    }
