"""The figures of the published experiments, ours beside what the papers print."""

from __future__ import annotations

from typing import Any

import figure_html

from footroom.papers.catalogue import papers
from footroom.papers.figures.figure import FigureAxis, FigureSeries, PaperFigure
from footroom.papers.paper import Published
from footroom.papers.release import released

_INTRODUCTION = """# Published figures

Results of the {tier} tier, as `footroom papers show` has them. Dotted lines with crosses are what the paper
prints. Verdicts and reasons: [published experiments](papers.md).
"""


def page() -> str:
    """All figures of the results that come with the package, under the paper that each belongs to."""
    shipped = released()
    lines = [_INTRODUCTION.format(tier=shipped.tier)]
    for paper in papers():
        found = shipped.of(paper)
        figures = found["figures"]
        if figures:
            lines += [f"## {paper.title}", "", f"Run on {found['date']} with version {found['version']}.", ""]
        for figure in figures:
            lines += [
                f"### {figure['source']}: {figure['title']}",
                "",
                *(f"{note}  " for note in figure["notes"]),
                "",
                figure_html.block(_figure(figure).figure().to_plotly_json()),
                "",
            ]
    return "\n".join(lines)


def _figure(data: dict[str, Any]) -> PaperFigure:
    series = tuple(FigureSeries(**one) for one in data["series"])
    published = tuple(Published.model_validate(one) for one in data["published"])
    return PaperFigure(
        **{
            **data,
            "x": FigureAxis(**data["x"]),
            "y": FigureAxis(**data["y"]),
            "series": series,
            "published": published,
            "notes": tuple(data["notes"]),
        }
    )
