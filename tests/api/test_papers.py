"""Papers over HTTP: listed, run in the background, kept over a restart."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from footroom.base.errors import Cancelled, NotConverged
from footroom.papers import runner
from footroom_api.app import create_app
from footroom_api.settings import Settings

RUN = "papers/facebook-ebb/runs/smoke"


class FakeRun:
    """Stands in for running a paper. gate: closed, it holds the run up; error: raised; deaf: never looks at stop."""

    def __init__(self) -> None:
        self.gate, self.calls, self.error, self.deaf = threading.Event(), 0, None, False
        self.gate.set()

    def __call__(self, ids: list[str], tier: str, *, workers: Any, stop: Any, on_progress: Any, cache: Any) -> Any:
        self.calls += 1
        error = self.error
        on_progress(0.5, 3.0)
        while not self.gate.wait(0.005):
            if stop.is_set() and not self.deaf:
                raise Cancelled("stopped")
        if error is not None:
            raise error
        return Found(tier)


class Found:
    """Verdicts as a run gives them."""

    def __init__(self, tier: str) -> None:
        self._tier = tier

    def to_dict(self) -> dict[str, Any]:
        target = {
            "id": "FB-EBB-12",
            "experiment": "FB-EBB",
            "kind": "outcome",
            "metric": "drop rate",
            "published": 1e-3,
            "unit": "1",
            "comparison": "within a factor 3",
            "accepted": [0.001 / 3, 0.003],
            "confidence": "medium",
            "source": "§2.1",
            "notes": "",
            "follows_from": "fit",
            "rule_note": "",
            "ours": 0.0012,
            "interval": [0.001, 0.0014],
            "verdict": "met",
            "reason": "",
            "tier": self._tier,
            "samples": 30,
            "replicas": 1,
            "support": 0.99,
            "explanation": "",
            "sensitivity": "",
            "shown_by": None,
        }
        axis = {"title": "utilisation", "unit": "1", "log": False}
        figure = {
            "id": "F",
            "title": "",
            "source": "Fig. 5",
            "kind": "scatter",
            "x": axis,
            "y": axis,
            "notes": [],
            "series": [{"name": "C", "x": [0.9], "y": [1e-3], "low": [], "high": []}],
            "published": [],
        }
        run = {"experiment": "FB-EBB", "case": "C/0.90", "replica": 0, "wall_s": 1.0, "metrics": {"utilisation": 0.9}}
        one = {"met": 0, "missed": 0, "undecided": 0, "not_testable": 0}
        return {
            "tier": self._tier,
            "targets": [target],
            "counts": dict(one, met=1),
            "simulation_counts": one,
            "figures": [figure],
            "runs": [run],
            "wall_s": 1.0,
        }


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRun]:
    found = FakeRun()
    monkeypatch.setattr(runner, "run", found)
    yield found
    found.gate.set()


@pytest.fixture
def client(fake: FakeRun, client: TestClient) -> Iterator[TestClient]:
    """The server; it ends before ``fake``, or a run that still waits would be a real one."""
    yield client
    fake.gate.set()


def test_every_case_is_a_scenario_that_can_be_asked_about(client: TestClient) -> None:
    found = client.get("papers/facebook-ebb/cases/laptop").json()
    cases = {(case["experiment"], case["case"]): case for case in found["cases"]}
    plane = cases["FB-EBB", "C/0.90"]
    assert {"FB-EBB-08", "FB-EBB-12"} <= set(plane["targets"])
    assert plane["scenario"]["name"] == "FB-EBB C/0.90"
    answer = client.post("estimates", json={"scenario": plane["scenario"], "engines": ["theory"]})
    assert answer.status_code == 200, answer.text
    assert client.get("papers/nobody/cases/laptop").status_code == 404
    assert client.get("papers/facebook-ebb/cases/huge").status_code == 422


def test_papers_are_listed_with_their_targets(client: TestClient) -> None:
    listed = {paper["id"]: paper for paper in client.get("papers").json()["papers"]}
    assert listed.keys() >= {"facebook-ebb", "facebook-fa"}
    assert "FB-EBB-12" in {target["id"] for target in listed["facebook-ebb"]["targets"]}
    assert listed["facebook-ebb"]["verdicts"] == {}


def test_a_paper_has_its_documents_and_assumptions(client: TestClient) -> None:
    paper = client.get("papers/facebook-ebb").json()
    (backbone,) = [e for e in paper["experiments"] if e["id"] == "FB-EBB"]
    assert backbone["base"]["topology"]["kind"] == "dumbbell"
    laptop = backbone["tiers"]["laptop"]
    assert (laptop["scale"], laptop["replicas"], laptop["most_replicas"]) == (10, 2, 6)
    assert all(assumption["effect"] for assumption in backbone["assumptions"])


def test_a_run_is_asked_for_watched_and_found(client: TestClient, fake: FakeRun, until: Any) -> None:
    assert client.get(RUN).json()["status"] == "none"
    fake.gate.clear()
    asked = client.post("papers/facebook-ebb/run?tier=smoke")
    assert asked.status_code == 202
    assert asked.headers["location"] == "/api/v1/papers/facebook-ebb/runs/smoke"
    assert until(client, RUN, "running")["result"] is None
    assert client.post("papers/facebook-ebb/run").status_code == 200  # the same, under way
    fake.gate.set()
    done = until(client, RUN, "done")
    assert done["progress"] == 1.0
    assert done["result"]["targets"][0]["ours"] == 0.0012
    listed = {paper["id"]: paper for paper in client.get("papers").json()["papers"]}
    assert listed["facebook-ebb"]["verdicts"] == {"smoke": {"FB-EBB-12": "met"}}
    assert client.post("papers/facebook-ebb/run").status_code == 200
    assert fake.calls == 1


def test_a_finished_run_outlives_the_server(settings: Settings, fake: FakeRun, until: Any) -> None:
    for _ in range(2):
        with TestClient(create_app(settings), base_url="http://localhost/api/v1") as client:
            client.post("papers/facebook-ebb/run")
            assert until(client, RUN, "done")["result"]["counts"]["met"] == 1
    assert fake.calls == 1


def test_a_run_can_be_cancelled_and_asked_for_again(client: TestClient, fake: FakeRun, until: Any) -> None:
    assert client.delete(RUN).status_code == 200
    fake.gate.clear()
    client.post("papers/facebook-ebb/run")
    until(client, RUN, "running")
    assert client.delete(RUN).status_code == 202
    assert until(client, RUN, "cancelled")["result"] is None
    assert client.post("papers/facebook-ebb/run").status_code == 202
    fake.gate.set()
    until(client, RUN, "done")


@pytest.mark.parametrize("error", [None, ZeroDivisionError("x")])
def test_a_cancelled_run_that_ends_all_the_same_stays_cancelled(
    client: TestClient, fake: FakeRun, until: Any, error: Exception | None
) -> None:
    fake.gate.clear()
    fake.deaf, fake.error = True, error  # type: ignore[assignment]
    client.post("papers/facebook-ebb/run")
    until(client, RUN, "running")
    client.delete(RUN)
    fake.gate.set()
    fake.error = None  # what comes next runs in the same single thread, so the first has ended once it is done
    client.post("papers/facebook-fa/run")
    until(client, "papers/facebook-fa/runs/smoke", "done")
    left = client.get(RUN).json()
    assert (left["status"], left["result"], left["error"]) == ("cancelled", None, None)
    assert client.post("papers/facebook-ebb/run").status_code == 202


@pytest.mark.parametrize(
    ("error", "kind"), [(NotConverged("no"), "not-converged"), (ZeroDivisionError("x"), "internal")]
)
def test_a_run_that_fails_says_why(client: TestClient, fake: FakeRun, until: Any, error: Exception, kind: str) -> None:
    fake.error = error  # type: ignore[assignment]
    client.post("papers/facebook-ebb/run")
    failed = until(client, RUN, "failed")
    assert failed["error"]["type"].endswith(kind)


def test_what_does_not_exist(client: TestClient) -> None:
    assert client.get("papers/nothing").status_code == 404
    assert client.post("papers/nothing/run").status_code == 404
    assert client.post("papers/facebook-ebb/run?tier=huge").status_code == 422
    assert client.get("papers/facebook-ebb/runs/huge").status_code == 422
