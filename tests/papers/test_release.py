"""The results that come with the package: they fit the registered claims, and every surface shows them as they are."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from footroom.cli import main
from footroom.cli.papers import _VERDICTS, _value
from footroom.papers import papers, release, released
from footroom.papers.cases import document
from footroom.papers.catalogue import experiment_named
from footroom.papers.comparison.common import Judged
from footroom.papers.release import MEASURE_PARTS, PARTS, Origin, Released, digests, read, table, write
from footroom.papers.verdict import DECISIVE, VERDICTS

DOCS = Path(__file__).parents[2] / "docs" / "papers.md"
#: A paper that is younger than the run has no results yet; what has results has all of them.
SHIPPED = [paper for paper in papers() if paper.id in released().origins]
TARGETS = {target.id: target for paper in SHIPPED for target in paper.targets}
FIGURES = {figure.id: figure for paper in SHIPPED for figure in paper.figures}
by_target = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)


def test_every_claim_and_figure_has_a_result_and_no_result_is_left_over() -> None:
    assert set(released().targets) == set(TARGETS)
    assert set(released().figures) == set(FIGURES)
    assert released().tier == "laptop"
    for paper, origin in released().origins.items():
        assert paper in origin.digests
        if not released().changed(next(one for one in SHIPPED if one.id == paper)):
            assert {*PARTS, *MEASURE_PARTS, paper} <= set(origin.digests)
        assert origin.runs > 0
    assert {"facebook-ebb", "facebook-fa", "smartbuf"} <= set(released().origins)


@by_target
def test_a_verdict_follows_from_its_number_by_the_registered_rule(target: Any) -> None:
    found = released().targets[target.id]
    assert found["verdict"] in VERDICTS
    if found["ours"] is None:
        assert found["verdict"] == "not_testable"
        return
    judged: Judged = target.comparison.judge(found["ours"], target.published)
    support = found["support"]
    if found["verdict"] == "met":
        assert judged.met
        assert support is None or support >= DECISIVE
    elif found["verdict"] == "missed":
        assert not judged.met
        assert support is None or support <= 1.0 - DECISIVE + 1e-9


@by_target
def test_what_is_not_met_says_why_and_names_a_run_that_shows_it(target: Any) -> None:
    if released().targets[target.id]["verdict"] not in ("missed", "undecided"):
        return
    assert target.if_missed is not None
    assert len(target.if_missed.why) > 40
    if target.follows_from == "simulation":
        shown = target.if_missed.shown_by
        assert document(experiment_named(shown.experiment, papers()), shown.case, "laptop")


def test_figures_are_complete_and_printed_values_lie_in_their_axes() -> None:
    for name, spec in FIGURES.items():
        figure = released().figures[name]
        assert figure["series"], name
        values = [value for one in figure["series"] for value in (*one["y"], *one["low"], *one["high"])]
        assert values, name
        assert all(math.isfinite(value) for value in values), name
        for line in spec.published:
            assert line.target in TARGETS
            assert len(line.x) == len(line.y)
            assert len(line.low) == len(line.high)
            assert len(line.low) in (0, len(line.y))
            assert {type(x) is str for x in line.x} == {type(x) is str for one in figure["series"] for x in one["x"]}
            if isinstance(line.x[0], str):
                assert set(line.x) <= {x for one in figure["series"] for x in one["x"]}


def test_parts_that_changed_since_are_named() -> None:
    now = released()
    (paper, other, *_) = SHIPPED
    today = Origin(date="2026-01-02", version="1", runs=1, digests=digests())
    fresh = Released(**{**vars(now), "origins": {paper.id: today}})
    assert fresh.changed(paper) == []
    old = replace(today, digests={**digests(), "engines/packet": "0", paper.id: "0"})
    mixed = Released(**{**vars(now), "origins": {paper.id: old, other.id: today}})
    assert mixed.changed(paper) == ["engines/packet", "paper"]
    assert mixed.changed(other) == []


def test_a_measure_makes_those_papers_stale_that_name_it() -> None:
    now, by_id = released(), {paper.id: paper for paper in SHIPPED}
    old = Origin("2026-01-02", "1", 1, {**digests(), "papers/measures/sharing.py": "0"})
    found = Released(**{**vars(now), "origins": dict.fromkeys(by_id, old)})
    assert found.changed(by_id["bbr-data-centre"]) == ["papers/measures/sharing.py"]
    assert found.changed(by_id["facebook-fa"]) == []


def test_what_only_models_and_notes_read_makes_no_paper_stale() -> None:
    """Nothing that a packet run executes imports these files, but the note on short runs."""
    package = Path(release.__file__).parents[1]
    modules = {Path(file).stem for file in release._NOT_RUN}
    assert all((package / file).exists() for file in release._NOT_RUN)
    found = []
    for part in (one for one in PARTS if not one.startswith("papers/figures")):
        home = package / part
        for path in sorted(home.rglob("*.py")) if home.is_dir() else [home]:
            if path.relative_to(package).as_posix() not in release._NOT_RUN:
                name = path.relative_to(package).as_posix()
                found += [
                    (name, line.strip())
                    for line in path.read_text(encoding="utf-8").splitlines()
                    if re.match(rf"\s*from footroom\.scenario\.({'|'.join(modules)})\b", line)
                ]
    assert found == [
        ("engines/plan/build.py", "from footroom.scenario.short_runs import cautions as cautions_of_short_runs")
    ]


def test_words_of_a_paper_do_not_make_it_stale(tmp_path: Path) -> None:
    def with_paper(change: Any) -> str:
        home = tmp_path / "papers" / "data"
        home.mkdir(parents=True, exist_ok=True)
        raw = json.loads((Path(str(DOCS.parents[1])) / "models/footroom/papers/data/smartbuf.json").read_text("utf-8"))
        change(raw)
        (home / "smartbuf.json").write_text(json.dumps(raw), encoding="utf-8")
        digests.cache_clear()
        return digests(tmp_path)["smartbuf"]

    same = with_paper(lambda raw: None)
    assert same == with_paper(lambda raw: raw["targets"][4]["if_missed"].update(why="other words"))
    assert same != with_paper(lambda raw: raw["targets"][4].update(comparison={"type": "at_least", "value": 2.0}))
    assert same != with_paper(lambda raw: raw["experiments"][0]["base"]["run"].update(seed=99))
    digests.cache_clear()


def test_a_written_file_is_read_back_and_keeps_papers_that_were_not_run() -> None:
    (paper, other, *_) = SHIPPED
    before = released()
    found = before.of(paper)
    own = {"experiment": paper.experiments[0].id}
    run = {"tier": "laptop", "runs": [own, own], "targets": found["targets"], "figures": found["figures"]}
    alone = read(write(run, "2026-01-02"))
    assert set(alone.origins) == {paper.id}
    assert (alone.origins[paper.id].date, alone.origins[paper.id].runs, alone.tier) == ("2026-01-02", 2, "laptop")
    assert alone.targets == {target.id: before.targets[target.id] for target in paper.targets}
    assert all("published" not in one for one in alone.figures.values())
    assert alone.of(other)["targets"] == []
    both = read(write(run, "2026-01-02", before=before))
    assert both.origins[paper.id].date == "2026-01-02"
    assert both.origins[other.id] == before.origins[other.id]
    assert (both.targets, both.figures) == (before.targets, before.figures)


def test_the_documentation_shows_the_same_verdicts() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert table() in text
    assert all(f"on {origin.date}" in text for origin in released().origins.values())


def test_the_readme_shows_the_same_verdicts() -> None:
    rows = [
        line
        for line in (DOCS.parents[1] / "README.md").read_text(encoding="utf-8").splitlines()
        if line.split(" ")[0] in TARGETS
    ]
    assert len(rows) >= 5
    for row in rows:
        target = TARGETS[row.split(" ")[0]]
        found = released().targets[target.id]
        assert row.endswith(f"{_value(found['ours'], target.unit):<28} {_VERDICTS[found['verdict']]}"), row


def test_the_command_line_opens_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "list"]) == 0
    listed = capsys.readouterr().out
    for paper in SHIPPED:
        verdicts = [one["verdict"] for one in released().of(paper)["targets"]]
        assert f"{verdicts.count('met')} met, {verdicts.count('missed')} missed" in listed
    assert all(f"on {origin.date}" in listed for origin in released().origins.values())
    assert "footroom papers run --tier laptop" in listed
    assert main(["papers", "show", "smartbuf"]) == 0
    shown = capsys.readouterr().out
    assert "SB-01 MISSED" in shown
    assert "see it: footroom papers scenario" in shown
