"""The papers, read from ``data``, and what an id on the command line means."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from pydantic import ValidationError

from footroom.base.errors import InvalidInput, in_words
from footroom.papers.paper import Experiment, FigureSpec, Paper, Target

#: Files in the order the papers are listed.
_IDS: tuple[str, ...] = ("facebook-ebb", "facebook-fa", "smartbuf", "hpcc-buffers", "bbr-data-centre", "dsh")


def read(text: str) -> Paper:
    """A paper from its file's text. Raises InvalidInput."""
    try:
        return Paper.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput.at(".".join(str(step) for step in first["loc"]), None, in_words(first["msg"])) from None


@functools.cache
def papers() -> tuple[Paper, ...]:
    """All papers."""
    folder = resources.files("footroom.papers").joinpath("data")
    return tuple(read(folder.joinpath(f"{paper}.json").read_text(encoding="utf-8")) for paper in _IDS)


def paper_named(name: str, known: Sequence[Paper] | None = None) -> Paper:
    """The paper of that id. Raises InvalidInput."""
    known = papers() if known is None else known
    for paper in known:
        if paper.id == name:
            return paper
    raise InvalidInput.at("ID", name, f"no such paper; papers are {', '.join(paper.id for paper in known)}")


def experiment_named(name: str, known: Sequence[Paper]) -> Experiment:
    """The experiment of that id, whatever paper it belongs to. Raises InvalidInput."""
    found = {experiment.id: experiment for paper in known for experiment in paper.experiments}
    if name not in found:
        raise InvalidInput.at("ID", name, f"no such experiment; experiments are {', '.join(found)}")
    return found[name]


@dataclass(frozen=True)
class Selection:
    """The targets selected, and the figures of papers and experiments named as a whole."""

    targets: tuple[Target, ...]
    figures: tuple[FigureSpec, ...]


def select(ids: Sequence[str] | str | None, known: Sequence[Paper]) -> Selection:
    """The targets and figures of ``ids`` (papers, experiments, targets), each once, in order of papers; none means all.

    A text is one id. Raises InvalidInput.
    """
    ids = [ids] if isinstance(ids, str) else ids
    chosen = set(ids or ())
    names = {
        name
        for paper in known
        for name in (paper.id, *(e.id for e in paper.experiments), *(t.id for t in paper.targets))
    }
    for name in ids or ():
        if name not in names:
            experiments = ", ".join(e.id for paper in known for e in paper.experiments)
            raise InvalidInput.at(
                "ID",
                name,
                f"no such paper, experiment or target; papers are "
                f"{', '.join(paper.id for paper in known)}, experiments {experiments}; "
                "footroom papers show ID lists the targets of a paper",
            )
    targets: list[Target] = []
    figures: list[FigureSpec] = []
    for paper in known:
        targets += [t for t in paper.targets if not chosen or chosen & {paper.id, t.experiment, t.id}]
        figures += [f for f in paper.figures if not chosen or chosen & {paper.id, f.experiment}]
    return Selection(tuple(targets), tuple(figures))
