"""Figures as the papers draw them, as plain data, drawn by Plotly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from footroom.papers.figures.figure import FigureAxis, FigureSeries, PaperFigure
from footroom.papers.figures.plots import PLOTS
from footroom.papers.measures import Answer, NotMeasurableError
from footroom.papers.paper import FigureSpec

__all__ = ["PLOTS", "FigureAxis", "FigureSeries", "PaperFigure", "draw"]


def draw(spec: FigureSpec, answers: Callable[[Sequence[str]], list[Answer]]) -> PaperFigure:
    """The figure of ``spec``; series that could not be run are left out and named in the notes.

    The notes also name the metrics that lie outside the validity of an engine.
    """
    cases, notes = {}, []
    for name, patterns in spec.cases.items():
        try:
            cases[name] = answers(patterns)
        except NotMeasurableError as error:
            notes.append(f"{name} is missing: {error}")
            continue
        outside = sorted({metric for answer in cases[name] for metric in answer.outside})
        if outside:
            notes.append(f"{name}: outside the validity of the engine are {', '.join(outside)}")
    try:
        kind, x, y, series = PLOTS[spec.plot](cases, **spec.given)
    except (NotMeasurableError, KeyError) as error:
        return PaperFigure(
            spec.id,
            spec.title,
            spec.source,
            "line",
            FigureAxis("", "1"),
            FigureAxis("", "1"),
            (),
            (*notes, f"cannot be drawn: {error}"),
            spec.published,
        )
    return PaperFigure(spec.id, spec.title, spec.source, kind, x, y, tuple(series), tuple(notes), spec.published)
