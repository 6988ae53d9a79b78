"""What is run for which target, and the verdicts on a paper whose numbers are known."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError
from tests.papers.fake import PAPER, engine, raw, target, utilisation_of

from footroom import papers
from footroom.base.errors import Cancelled, InvalidInput
from footroom.papers import run
from footroom.papers.cases import document, points
from footroom.papers.catalogue import select
from footroom.papers.paper import Paper
from footroom.papers.verdict import Judgement, settled
from footroom.studies import engines
from footroom.studies.engines import Engine

EXPERIMENT = PAPER.experiments[0]


@pytest.fixture(autouse=True)
def packet(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An engine that answers at once; names of what it was asked."""
    asked: list[str] = []

    def simulate(scenario: Any, seed: int, **rest: Any) -> Any:
        asked.append(scenario.name)
        return engine(scenario, seed, **rest)

    both = (Engine("packet", "", "", simulate=simulate), Engine("hybrid", "", "", simulate=simulate))
    monkeypatch.setattr(engines, "ENGINES", both)
    return asked


def verdicts(*ids: str, tier: Any = "smoke", **more: Any) -> dict[str, dict[str, Any]]:
    found = run(ids, tier, known=[PAPER], workers=2, **more).to_dict()
    return {entry["id"]: entry for entry in json.loads(json.dumps(found))["targets"]}


def test_cases_are_all_combinations_that_the_tier_takes() -> None:
    assert EXPERIMENT.cases("smoke") == ("A/high", "C/high", "X/high")
    assert EXPERIMENT.cases("full") == ("A/low", "A/high", "C/low", "C/high", "X/low", "X/high")
    assert EXPERIMENT.matching(["A/*", "*/low"], "full") == ("A/low", "A/high", "C/low", "X/low")


def test_a_document_is_the_base_then_the_tier_then_the_case() -> None:
    made = document(EXPERIMENT, "A/low", "full")
    assert made["switch"] == {"buffer": "2 MB"}
    assert made["traffic"][0]["flows"] == 2
    assert made["run"]["duration"] == "1 s"
    assert document(EXPERIMENT, "A/high", "smoke")["switch"] == {"buffer": "200 kB"}
    assert document(EXPERIMENT, "A/high", "smoke")["run"]["duration"] == "500 ms"
    assert document(EXPERIMENT, "X/high", "smoke")["switch"]["sharing"] == {"kind": "static"}
    assert document(EXPERIMENT, "C/low", "smoke")["traffic"][0]["start_jitter"] == "20 ms"  # by pattern, last


def test_a_case_with_fluid_runs_by_the_hybrid_engine_and_the_others_by_packets() -> None:
    changed = raw()
    changed["experiments"][0]["axes"][0]["values"]["C"]["set"]["traffic.0.as"] = "fluid"
    found = run("fake", known=[Paper.model_validate(changed)], workers=1).runs
    assert {one["case"]: one["engine"] for one in found} == {"A/high": "packet", "C/high": "hybrid"}  # X is refused


def test_replicas_are_runs_of_their_own() -> None:
    laid_out = points([(EXPERIMENT, "A/high")], "laptop")
    assert len({point.scenario.run.seed for point in laid_out}) == 3
    assert {point.at["replica"] for point in laid_out} == {0, 1, 2}


def test_verdicts() -> None:
    found = verdicts()
    assert {name: entry["verdict"] for name, entry in found.items()} == {
        "FAKE-01": "met",
        "FAKE-02": "missed",
        "FAKE-03": "not_testable",
        "FAKE-04": "met",
        "FAKE-05": "met",
        "FAKE-06": "not_testable",
    }
    assert found["FAKE-01"]["ours"] == pytest.approx(20 / 21)
    assert found["FAKE-01"]["interval"] == pytest.approx([20 / 21] * 2)
    assert found["FAKE-01"]["samples"] == 10
    assert found["FAKE-01"]["support"] == 1.0
    assert found["FAKE-02"]["reason"].startswith("0.5 is")
    assert (found["FAKE-02"]["explanation"], found["FAKE-02"]["sensitivity"]) == (
        "The buffer is small.",
        "A larger one.",
    )
    assert "static sharing" in found["FAKE-03"]["reason"]
    assert found["FAKE-03"]["ours"] is None
    assert found["FAKE-05"]["ours"] == 2e6  # of the full definition, whatever the tier
    assert found["FAKE-06"]["reason"] == "Too short."


def test_the_shape_of_the_public_contract() -> None:
    found = run(known=[PAPER]).to_dict()
    for entry in found["targets"]:
        assert entry.keys() >= {
            "id",
            "published",
            "ours",
            "interval",
            "verdict",
            "reason",
            "comparison",
            "confidence",
            "metric",
            "unit",
            "experiment",
            "tier",
            "samples",
        }
    assert found["counts"] == {"met": 3, "missed": 1, "undecided": 0, "not_testable": 2}
    assert found["simulation_counts"] == {"met": 2, "missed": 1, "undecided": 0, "not_testable": 2}


def test_three_replicas_give_an_interval_over_them() -> None:
    found = verdicts("FAKE-01", tier="laptop")["FAKE-01"]
    assert found["replicas"] == 3
    low, high = found["interval"]
    assert 0.0 < high - low < 1e-6


def test_a_number_on_the_edge_of_its_rule_is_undecided() -> None:
    # All windows of a run agree and its seed changes them a little: the rule ends at the mean of three runs.
    busy = [one["metrics"]["utilisation"] for one in run(["FAKE-01"], tier="laptop", known=[PAPER]).runs]
    edge = {"type": "at_most", "value": sum(busy) / len(busy) + 1e-12}
    raw_paper = raw()
    raw_paper["targets"] = [target(1, edge, utilisation_of("A")), target(2, edge, utilisation_of("C"))]
    found = run(tier="laptop", known=[Paper.model_validate(raw_paper)]).to_dict()["targets"]
    assert [entry["verdict"] for entry in found] == ["undecided", "met"]
    support = found[0]["support"]
    assert support is not None
    assert 0.1 < support < 0.9
    assert "of the bootstrap draws: 90 % are needed for met" in found[0]["reason"]
    assert found[0]["explanation"] == ""


def test_a_target_that_its_runs_leave_open_is_run_on(packet: list[str]) -> None:
    busy = [one["metrics"]["utilisation"] for one in run(["FAKE-01"], tier="laptop", known=[PAPER]).runs]
    edge = {"type": "at_most", "value": sum(busy) / len(busy) + 1e-12}
    raw_paper = raw()
    raw_paper["experiments"][0]["tiers"]["laptop"]["most_replicas"] = 7
    raw_paper["targets"] = [
        target(1, edge, {"measure": "utilisation", "cases": ["A/high"]}),
        target(2, edge, {"measure": "utilisation", "cases": ["C/high"]}),
        target(
            3,
            edge,
            {
                "formula": "a - c",
                "of": {
                    "a": {"measure": "utilisation", "cases": ["A/high"]},
                    "c": {"measure": "utilisation", "cases": ["C/high"]},
                },
            },
        ),
    ]
    raw_paper["figures"] = []
    packet.clear()
    fractions: list[float] = []
    said: list[tuple[int, int]] = []
    found = run(
        tier="laptop",
        known=[Paper.model_validate(raw_paper)],
        workers=1,
        on_progress=lambda done, _: fractions.append(done),
        on_case=lambda *case: said.append(case[2:]),
    )
    # A's cases go on to seven seeds; C was settled by three, and so was their difference, which is judged by the seeds
    # that both have.
    assert (packet.count("FAKE A/high"), packet.count("FAKE C/high")) == (7, 3)
    assert [one.replicas for one in found.judgements] == [7, 3, 3]
    assert found.judgements[1].support == 1.0
    assert sorted(number for number, _ in said) == list(range(1, 11))
    assert {total for _, total in said} == {6, 10}
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)


def test_each_look_has_three_times_as_many_runs_up_to_the_most(packet: list[str]) -> None:
    raw_paper = raw()
    laptop = raw_paper["experiments"][0]["tiers"]["laptop"]
    laptop.update(replicas=9, most_replicas=None)
    raw_paper["figures"] = []
    raw_paper["targets"] = [
        target(1, {"type": "at_most", "value": 1.0}, {"measure": "utilisation", "cases": ["A/high"]})
    ]
    nine = [one["metrics"]["utilisation"] for one in run(tier="laptop", known=[Paper.model_validate(raw_paper)]).runs]
    # The rule ends between the means of three and of nine runs, so that neither look settles it.
    raw_paper["targets"][0]["comparison"]["value"] = (sum(nine[:3]) / 3 + sum(nine) / 9) / 2
    laptop.update(replicas=3, most_replicas=11)
    packet.clear()
    found = run(tier="laptop", known=[Paper.model_validate(raw_paper)], workers=1)
    assert packet.count("FAKE A/high") == 11
    assert [one.replicas for one in found.judgements] == [11]

    laptop.update(most_replicas=9)
    packet.clear()
    run(tier="laptop", known=[Paper.model_validate(raw_paper)], workers=1)
    assert packet.count("FAKE A/high") == 9


@pytest.mark.parametrize(
    ("support", "verdict", "done"),
    [
        (1.0, "met", True),
        (0.99, "met", True),
        (0.985, "met", False),
        (0.5, "undecided", False),
        (0.015, "missed", False),
        (0.01, "missed", True),
        (None, "met", True),
        (None, "undecided", False),
        (None, "not_testable", True),
    ],
)
def test_a_first_look_settles_only_what_is_all_but_sure(support: float | None, verdict: Any, done: bool) -> None:
    assert settled(Judgement(PAPER.targets[0], "laptop", verdict, "", support=support)) is done


def test_only_what_is_needed_is_run(packet: list[str]) -> None:
    assert verdicts("FAKE-01").keys() == {"FAKE-01"}
    assert packet == ["FAKE A/high"]


def test_parameters_need_no_run(packet: list[str]) -> None:
    assert verdicts("FAKE-05")["FAKE-05"]["verdict"] == "met"
    assert packet == []


def test_ids_are_papers_experiments_and_targets() -> None:
    assert len(select(["fake"], [PAPER]).targets) == len(select(["FAKE"], [PAPER]).targets) == len(PAPER.targets)
    assert [t.id for t in select(["FAKE-04", "FAKE-01"], [PAPER]).targets] == ["FAKE-01", "FAKE-04"]
    assert select(["FAKE-01"], [PAPER]).figures == ()
    with pytest.raises(InvalidInput, match="papers are fake, experiments FAKE"):
        run(["FAKE-99"], known=[PAPER])
    with pytest.raises(InvalidInput, match="smoke, laptop, full"):
        run(tier="huge", known=[PAPER])  # type: ignore[arg-type]


def test_one_id_may_stand_alone() -> None:
    assert papers.run("FB-EBB-IN-02").judgements == papers.run(["FB-EBB-IN-02"]).judgements
    assert papers.cases_of("facebook-fa", "smoke") == papers.cases_of(papers.paper_named("facebook-fa"), "smoke")
    with pytest.raises(InvalidInput, match="no such paper"):
        papers.cases_of("nobody")


def test_a_case_that_was_refused_is_missing_from_its_figure_and_named() -> None:
    (figure,) = run(known=[PAPER]).figures
    assert [series.name for series in figure.series] == ["A"]
    assert figure.series[0].y == pytest.approx([20 / 21])
    assert "X is missing" in figure.notes[0]
    assert figure.to_dict()["x"] == {"title": "load", "unit": "1", "log": False}
    assert len(figure.figure().data) == 1


def test_a_run_tells_how_far_it_is() -> None:
    said: list[tuple[str, str, int, int]] = []
    fractions: list[float] = []
    run(known=[PAPER], on_case=lambda *case: said.append(case), on_progress=lambda done, left: fractions.append(done))
    assert sorted(number for _, _, number, _ in said) == [1, 2, 3]
    assert {(name, total) for name, _, _, total in said} == {("FAKE", 3)}
    assert fractions[-1] == pytest.approx(1.0)


def test_a_run_can_be_stopped(packet: list[str]) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        run(known=[PAPER], stop=stop)
    assert packet == []


def test_a_run_resumes_from_its_cache(packet: list[str]) -> None:
    class Kept(dict[str, Any]):
        def put(self, key: str, document: dict[str, Any]) -> None:
            self[key] = json.loads(json.dumps(document))

    kept = Kept()
    first, again = (run(["FAKE-01"], known=[PAPER], cache=kept) for _ in range(2))
    assert packet == ["FAKE A/high"]
    assert first.judgements == again.judgements


def change(path: list[Any], value: Any) -> Callable[[], dict[str, Any]]:
    def made() -> dict[str, Any]:
        document = raw()
        here: Any = document
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value
        return document

    return made


@pytest.mark.parametrize(
    "made",
    [
        change(["targets", 0, "experiment"], "OTHER"),
        change(["targets", 1, "id"], "FAKE-01"),
        change(["targets", 0, "measure"], {"each": {"A": utilisation_of("A")}}),
        change(["targets", 3, "measure"], utilisation_of("A")),
        change(["targets", 0, "colour"], "red"),
        change(["experiments", 0, "tiers", "smoke", "only"], {"load": ["middle"]}),
        change(["targets"], []),
        change(["figures", 0, "experiment"], "OTHER"),
        change(["experiments", 0, "tiers", "laptop", "most_replicas"], 2),
    ],
)
def test_data_that_contradict_themselves_are_refused(made: Callable[[], dict[str, Any]]) -> None:
    with pytest.raises(ValidationError):
        Paper.model_validate(made())
