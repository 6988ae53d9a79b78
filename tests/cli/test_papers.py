"""``footroom papers`` over an engine that answers at once, without windows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from footroom.papers import runner
from footroom.papers.catalogue import paper_named
from footroom.papers.figures import FigureAxis, FigureSeries, PaperFigure
from footroom.papers.runner import PaperRun
from footroom.papers.verdict import Judgement

Answer = tuple[int, str, str]


def test_papers_are_listed(footroom: Callable[..., Answer]) -> None:
    status, out, _ = footroom("papers", "list", "--json")
    assert status == 0
    assert {"facebook-ebb", "facebook-fa"} <= {paper["id"] for paper in json.loads(out)["papers"]}
    status, out, _ = footroom("papers", "list")
    assert status == 0
    assert "FB-EBB-FCT" in out


def test_a_paper_is_shown_with_what_it_assumes(footroom: Callable[..., Answer]) -> None:
    status, out, _ = footroom("papers", "show", "facebook-ebb", "--json")
    assert status == 0
    assert json.loads(out)["experiments"][0]["base"]["topology"]["kind"] == "dumbbell"
    status, out, _ = footroom("papers", "show", "facebook-ebb")
    assert status == 0
    assert "assumed: round trip" in out
    assert "cannot show: What shallow buffers do below full congestion" in out
    assert "FB-EBB-12" in out


def test_a_case_is_written_as_a_scenario_that_runs(footroom: Callable[..., Answer], tmp_path: Path) -> None:
    status, out, _ = footroom("papers", "cases", "facebook-ebb", "--tier", "laptop", "--json")
    assert status == 0
    listed = {(case["experiment"], case["case"]): case for case in json.loads(out)["cases"]}
    status, out, _ = footroom("papers", "scenario", "FB-EBB", "C/0.90", "--tier", "laptop")
    assert status == 0
    assert json.loads(out) == listed["FB-EBB", "C/0.90"]["scenario"]
    file = tmp_path / "case.json"
    file.write_text(out)
    assert footroom("run", file, "--engine", "theory")[0] == 0
    status, out, _ = footroom("papers", "cases", "facebook-ebb", "--tier", "laptop")
    assert status == 0
    assert "C/0.90" in out


def test_parameters_are_judged_without_a_run(footroom: Callable[..., Answer]) -> None:
    status, out, err = footroom("papers", "run", "FB-EBB-IN-01", "FB-EBB-IN-02", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert [(t["id"], t["verdict"]) for t in found["targets"]] == [("FB-EBB-IN-01", "met"), ("FB-EBB-IN-02", "met")]
    # 750 MB over 100 Gb/s times 68 ms, and times 30 ms.
    assert found["targets"][0]["ours"] == {"between_regions": pytest.approx(750 / 850), "frc_to_atn": 2.0}
    assert found["targets"][1]["ours"] == {"A": 500_000.0, "B": 2_000.0, "C": 200.0}
    assert found["runs"] == []


def test_an_engine_without_windows_leaves_a_target_not_testable(footroom: Callable[..., Answer]) -> None:
    status, out, err = footroom("papers", "run", "FB-EBB-01")
    assert status == 0
    assert "FB-EBB-01 not testable: no windows were recorded" in out
    assert "0 met, 0 missed, 0 undecided, 1 not testable of 1 targets\n" in out
    assert "fitted numbers that no paper gives: footroom papers show facebook-ebb\ntier smoke, 1 runs" in out
    assert "1 of 1: FB-EBB A/congested" in err


def test_verdicts_are_counted_with_and_without_what_does_not_test_the_model(footroom: Callable[..., Answer]) -> None:
    _, out, _ = footroom("papers", "run", "FB-EBB-IN-01", "FB-EBB-IN-02", "FB-EBB-01")
    assert "2 met, 0 missed, 0 undecided, 1 not testable of 3 targets" in out
    assert (
        "0 met, 0 missed, 0 undecided, 1 not testable of the 1 that follow from the simulation; left out: 2 inputs"
    ) in out


def test_a_miss_is_explained(footroom: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    target = next(one for one in paper_named("facebook-ebb").targets if one.id == "FB-EBB-15")
    missed = Judgement(target, "laptop", "missed", "0.069 is a factor 14.5 below 1", ours=0.069)
    monkeypatch.setattr(runner, "run", lambda *_, **__: PaperRun("laptop", (missed,), (), (), 1.0))
    _, out, _ = footroom("papers", "run", "FB-EBB-15", "--tier", "laptop")
    assert "FB-EBB-15 MISSED: 0.069 is a factor 14.5 below 1" in out
    assert target.if_missed is not None
    assert target.if_missed.why in out
    assert "see it: footroom papers scenario FB-EBB B/congested --tier laptop > case.json" in out


def test_a_rule_that_is_not_the_first_reading_is_told(footroom: Callable[..., Answer]) -> None:
    _, out, _ = footroom("papers", "run", "FB-EBB-IN-01")
    assert "FB-EBB-IN-01, how it is judged: The paper calls the limit roughly the bandwidth-delay product" in out


def test_experiments_that_only_explain_show_their_figures(
    footroom: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    def figure(name: str, points: int) -> PaperFigure:
        series = FigureSeries("C", [0.05 + i for i in range(points)], [0.3] * points)
        return PaperFigure(
            name,
            "Loss",
            "Fig. 6",
            "line",
            FigureAxis("reach", "1"),
            FigureAxis("idle", "1"),
            (series,),
            ("B is missing",),
        )

    found = PaperRun("smoke", (), (figure("F", 2), figure("G", 41)), (), 1.0)
    monkeypatch.setattr(runner, "run", lambda *_, **__: found)
    status, out, _ = footroom("papers", "run", "FB-EBB-LAW")
    assert status == 0
    lines = out.splitlines()
    assert lines[:2] == ["F: Loss", "B is missing"]
    assert [line.split() for line in lines[4:6]] == [["C", "0.05", "0.3"], ["C", "1.05", "0.3"]]
    assert "41 points" in out
    assert lines[-1] == "tier smoke, 0 runs, 1 s"
