"""The papers that are shipped: complete, runnable, and with the numbers as published."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.papers import TIERS, Paper, Target, papers
from footroom.papers.cases import document, points
from footroom.papers.catalogue import experiment_named, paper_named, read
from footroom.papers.figures import PLOTS
from footroom.papers.measures import MEASURES, leaves
from footroom.papers.runner import needed

EXPERIMENTS = [experiment for paper in papers() for experiment in paper.experiments]
TARGETS = [target for paper in papers() for target in paper.targets]
by_experiment = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.id)
by_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.id)

#: As printed (Beheshti, Lapukhov and Ganjali 2019; Rezaei, Almasi and Vamanan 2021; Miao et al. 2019; Shan et al.
#: 2023), numbers only.
PRINTED: dict[str, Any] = {
    "FB-EBB-IN-02": {"A": 500_000, "B": 2_000, "C": 200},
    "FB-EBB-IN-03": 3e9,
    "FB-EBB-02": 30,
    "FB-EBB-03": 300,
    "FB-EBB-04": 10,
    "FB-EBB-06": 0.9,
    "FB-EBB-07": 0.8,
    "FB-EBB-08": 0.7,
    "FB-EBB-11": 1e-4,
    "FB-EBB-12": 1e-3,
    "FB-EBB-13": 10,
    "FB-EBB-15": [3, 4],
    "FB-EBB-16": 0,
    "FB-EBB-17": 10,
    "FB-EBB-18": 0,
    "FB-EBB-21": 1142,
    "FB-EBB-22": 1135,
    "FB-EBB-23": 0.006,
    "FB-EBB-24": 1168,
    "FB-EBB-25": 872,
    "FB-EBB-26": 1.34,
    "FB-FA-IN-01": {"shared": 12e6, "reserved": 1664, "queues": 8},
    "SB-IN-01": 2,
    "SB-IN-02": 1.33,
    "SB-IN-03": 0.75,
    "SB-04": 8,
    "SB-05": 0.09,
    "HPCC-IN-01": 0.11,
    "HPCC-IN-05": 0.05,
    "HPCC-01": 7,
    "HPCC-02": 1.5,
    "HPCC-03": 5.9,
    "HPCC-05": 29,
    "HPCC-06": 38,
    "HPCC-07": 1.31,
    "HPCC-10": 0.229,
    "HPCC-11": 0.905,
    "HPCC-13": 11.9,
    "HPCC-14": 41.6,
    "HPCC-15": 7.8,
    "HPCC-16": 5.3,
    "HPCC-17": 100.0,
    "HPCC-18": 4.3,
    "HPCC-19": 23.3,
    "HPCC-20": 18,
    "HPCC-21": 2.2,
    "HPCC-22": 65,
    "HPCC-23": 74,
    "HPCC-24": 21.3,
    "HPCC-25": 23.7,
    "HPCC-26": 247,
    "HPCC-27": 519,
    "DSH-03": 0.67,
    "DSH-04": 0.0496,
    "DSH-05": 4,
    "DSH-06": 4,
    "DSH-07": 0.96,
    "DSH-08": 1.0,
    "DSH-10": 0.577,
    "DSH-11": 0.311,
    "DSH-14": 8,
}
#: Printed in words.
WORDS = {
    "FB-EBB-IN-01",
    "FB-EBB-01",
    "FB-EBB-05",
    "FB-EBB-09",
    "FB-EBB-10",
    "FB-EBB-14",
    "FB-EBB-19",
    "FB-EBB-20",
    "FB-EBB-27",
    "FB-EBB-28",
    "FB-EBB-29",
    "FB-EBB-30",
    "FB-FA-01",
    "FB-FA-02",
    "FB-FA-03",
    "FB-FA-04",
    "FB-FA-05",
    "FB-FA-06",
    "FB-FA-07",
    "SB-IN-04",
    "SB-01",
    "SB-02",
    "SB-03",
    "SB-06",
    "SB-07",
    "SB-08",
    "SB-09",
    "SB-10",
    "SB-11",
    "SB-12",
    "SB-13",
    "SB-14",
    "HPCC-IN-02",
    "HPCC-IN-03",
    "HPCC-IN-04",
    "HPCC-04",
    "HPCC-08",
    "HPCC-09",
    "HPCC-12",
    "HPCC-28",
    "HPCC-29",
    "DSH-01",
    "DSH-02",
    "DSH-09",
    "DSH-12",
    "DSH-13",
    "DSH-15",
    "DSH-16",
}


def test_every_target_is_there_with_what_was_printed() -> None:
    found = {target.id: target.published for target in TARGETS}
    assert found.keys() >= PRINTED.keys() | WORDS
    assert {name: found[name] for name in PRINTED} == PRINTED
    assert all(isinstance(found[name], str) for name in WORDS)


@by_experiment
@pytest.mark.parametrize("tier", TIERS)
def test_every_case_is_a_scenario(experiment: Any, tier: Any) -> None:
    cases = experiment.cases(tier)
    assert cases
    # Laying out thousands of pairs takes its time, so the full size is only read.
    chosen = cases if tier != "full" else cases[:1]
    assert len(points([(experiment, case) for case in chosen], tier)) >= len(chosen)


@by_target
def test_what_a_target_measures_exists_on_the_laptop_tier(target: Target) -> None:
    for leaf in leaves(target.measure):
        experiment = experiment_named(leaf.experiment or target.experiment, papers())
        tier = "laptop" if MEASURES[leaf.measure].simulated else "full"
        for pattern in leaf.cases:
            assert experiment.matching([pattern], tier), pattern  # type: ignore[arg-type]


def test_figures_name_plots_and_cases_that_exist() -> None:
    for paper in papers():
        for figure in paper.figures:
            assert figure.plot in PLOTS
            experiment = experiment_named(figure.experiment, papers())
            for patterns in figure.cases.values():
                assert experiment.matching(patterns, "laptop")


def test_targets_of_one_paper_may_look_at_another() -> None:
    (target,) = [t for t in TARGETS if t.id == "FB-FA-01"]
    wanted = needed([target], [], papers(), "smoke")
    assert {experiment.id for experiment, _ in wanted} == {"FB-EBB", "FB-FA"}


def test_planes_differ_in_their_queue_only() -> None:
    (backbone,) = [e for e in EXPERIMENTS if e.id == "FB-EBB"]
    one, other = (document(backbone, case, "laptop") for case in ("B/0.80", "C/0.80"))
    assert {**one, "switch": None, "name": ""} == {**other, "switch": None, "name": ""}


@pytest.mark.parametrize(("name", "part"), [("FB-EBB", "0.98"), ("FB-EBB-FCT", "busy"), ("FB-EBB-ASSUMED", "none")])
def test_deep_limits_shrink_with_the_scale_and_shallow_ones_do_not(name: str, part: str) -> None:
    (backbone,) = [e for e in EXPERIMENTS if e.id == name]
    for tier in ("smoke", "laptop"):
        scale = backbone.tiers[tier].scale
        ratio = {p: limit(backbone, f"{p}/{part}", "full") / limit(backbone, f"{p}/{part}", tier) for p in "ABC"}
        assert ratio == {"A": scale, "B": 1.0, "C": 1.0}


def limit(backbone: Any, case: str, tier: Any) -> float:
    """Most packets in one queue of the case's switch."""
    switch = document(backbone, case, tier)["switch"]
    voq = switch.get("architecture", {})
    return float(voq.get("limit_packets") or switch["buffer"].split()[0])


def test_a_file_that_is_wrong_names_the_field() -> None:
    with pytest.raises(InvalidInput, match="experiments: "):
        read(
            '{"id": "x", "title": "", "authors": "", "year": 1, "source": "", "about": "", "experiments": [], '
            '"targets": []}'
        )
    with pytest.raises(InvalidInput, match="facebook-ebb"):
        paper_named("nothing")
    assert isinstance(paper_named("facebook-fa"), Paper)


@by_experiment
def test_numbers_that_were_chosen_are_those_of_the_scenario(experiment: Any) -> None:
    cases = [document(experiment, case, "full") for case in experiment.cases("full")]
    for chosen in experiment.chosen:
        if chosen.path:
            assert any(_at(case, chosen.path) == chosen.value for case in cases), chosen.what


def _at(found: Any, path: str) -> Any:
    for step in path.split("."):
        found = found[int(step)] if isinstance(found, list) else found.get(step, {})
    return found


def test_no_two_papers_have_a_target_or_a_figure_of_one_id() -> None:
    """Results that come with the package are kept by these ids, whichever paper they are of."""
    for named in ([t.id for paper in papers() for t in paper.targets], [f.id for p in papers() for f in p.figures]):
        assert sorted(named) == sorted(set(named))
