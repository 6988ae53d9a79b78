from __future__ import annotations

import json
import multiprocessing
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

from footroom.base.errors import Cancelled, InvalidInput, NotConverged, Problem, Unsupported
from footroom.result import Explanation, Result, Term
from footroom.scenario import Scenario
from footroom.studies import Study, engines, run
from footroom.studies.cell import pack, pack_error, run_cell, unpack, unpack_error
from footroom.studies.engines import Engine
from footroom.studies.study import Point

OVER = {"switch.buffer": [1e5, 2e5, 4e5]}


class Kept(dict[str, Any]):
    """A cache that goes through JSON, as a database would."""

    def put(self, key: str, document: dict[str, Any]) -> None:
        self[key] = json.loads(json.dumps(document))


class Plain(Executor):
    """An executor of another make: runs at once, gives tasks nothing but their plain data."""

    def submit(self, task: Any, /, *given: Any, **named: Any) -> Future[Any]:
        assert not named
        future: Future[Any] = Future()
        future.set_result(task(*json.loads(json.dumps(given))))
        return future


def plain(points: Any) -> list[dict[str, Any]]:
    documents = [p.to_dict() for p in points]
    for document in documents:
        document["result"].pop("wall_s")
    return documents


def test_points_come_in_the_order_of_the_axes_with_engines_side_by_side(raw: dict[str, Any], fakes: Any) -> None:
    sweep = run(Study.of(raw, OVER, "packet,fluid,theory"))
    assert [(p.at["switch.buffer"], p.result.engine) for p in sweep.points] == [
        (b, e) for b in OVER["switch.buffer"] for e in ("theory", "fluid", "packet")
    ]
    assert fakes.batches == [3]
    assert sweep.points[1].result.metrics["queue_mean"] == 5e4


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_results_do_not_depend_on_the_number_of_workers(raw: dict[str, Any], fakes: Any, workers: int) -> None:
    study = Study.of(raw, OVER, "packet", 3)
    assert plain(run(study, workers=workers).points) == plain(run(study, executor=Plain()).points)


def test_replicas_are_combined_with_an_interval_around_their_mean(raw: dict[str, Any], fakes: Any) -> None:
    (point,) = run(Study.of(raw, None, "packet", 3)).points
    assert len({seed for _, seed in fakes.calls}) == 3
    low, high = point.result.intervals["queue_mean"]
    assert low < point.result.metrics["queue_mean"] < high
    assert point.result.to_dict()["provenance"]["replicas"] == 3
    assert point.result.seed == 1
    assert point.result.scenario["run"]["replicas"] == 3


def test_what_an_engine_cannot_answer_is_listed_and_the_rest_is_answered(raw: dict[str, Any], fakes: Any) -> None:
    sweep = run(Study.of(raw, {"switch.sharing.kind": "complete,static"}, "fluid,packet"))
    assert len(sweep.points) == 3
    (refusal,) = sweep.unsupported
    assert (refusal.engine, refusal.at, refusal.engines) == ("fluid", {"switch.sharing.kind": "static"}, ("packet",))
    with pytest.raises(Unsupported, match="static sharing") as refused:
        run(Study.of(raw, {"switch.sharing.kind": "static"}, "fluid")).answered()
    assert refused.value.path == "switch.sharing.kind"


def test_finished_points_are_told_as_they_land(raw: dict[str, Any], fakes: Any) -> None:
    told: list[dict[str, Any]] = []
    sweep = run(
        Study.of(raw, {"switch.sharing.kind": "complete,static"}, "fluid,packet", 2),
        on_point=lambda _, point: told.append(point),
    )
    assert sorted(map(json.dumps, told)) == sorted(
        json.dumps(document) for document in [*(p.to_dict() for p in sweep.points), sweep.unsupported[0].to_dict()]
    )
    assert told[0]["result"]["engine"] == "fluid"


def test_progress_rises_to_one(raw: dict[str, Any], fakes: Any) -> None:
    seen: list[float] = []
    run(Study.of(raw, OVER, "fluid,packet", 2), on_progress=lambda fraction, left: seen.append(fraction), workers=1)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)
    assert 0.0 < seen[0] < 1.0


def test_a_kept_run_is_not_computed_again(raw: dict[str, Any], fakes: Any) -> None:
    kept, study = Kept(), Study.of(raw, OVER, "packet", 2)
    first = run(study, cache=kept)
    assert len(kept) == len(fakes.calls) == 6
    again = run(study, cache=kept)
    assert len(fakes.calls) == 6
    assert plain(again.points) == plain(first.points)
    raw["name"] = "renamed"
    renamed = run(Study.of(raw, {"switch.buffer": [1e5, 8e5]}, "packet", 2), cache=kept)
    assert len(fakes.calls) == 8
    assert renamed.points[0].result.scenario["name"] == "renamed"


def test_the_costliest_runs_begin_first_and_the_answers_keep_their_order(raw: dict[str, Any], fakes: Any) -> None:
    begun: list[float] = []

    class Noted(Plain):
        def submit(self, task: Any, /, *given: Any, **named: Any) -> Future[Any]:
            begun.append(given[0][0]["scenario"]["run"]["duration"])
            return super().submit(task, *given, **named)

    study = Study.of(raw, {"run.duration": [1, 5, 3, 4]}, "packet", 2)
    sweep = run(study, executor=Noted())
    assert begun == [5, 5, 4, 4, 3, 3, 1, 1]
    assert [point.at["run.duration"] for point in sweep.points] == [1, 5, 3, 4]
    assert plain(sweep.points) == plain(run(study, workers=1).points)


def twice(raw: dict[str, Any]) -> Study:
    """The same scenario under two names, and another."""
    asked = [
        Scenario.parse({**raw, "name": name, "switch": {"buffer": buffer}})
        for name, buffer in (("a", 1e5), ("b", 1e5), ("c", 2e5))
    ]
    return Study(asked[0], (), ("packet",), 1, tuple(Point(i, {"name": s.name}, s) for i, s in enumerate(asked)))


@pytest.mark.parametrize("kept", [None, Kept()])
def test_points_that_ask_for_the_same_run_share_it(raw: dict[str, Any], fakes: Any, kept: Kept | None) -> None:
    told: list[dict[str, Any]] = []
    seen: list[float] = []
    sweep = run(
        twice(raw),
        cache=kept,
        on_point=lambda _, point: told.append(point),
        on_progress=lambda fraction, left: seen.append(fraction),
    )
    assert len(fakes.calls) == 2
    assert [point.result.scenario["name"] for point in sweep.points] == ["a", "b", "c"]
    a, b, c = (point.result.metrics for point in sweep.points)
    assert a == b
    assert a != c
    assert len(told) == 3
    assert seen[-1] == pytest.approx(1.0)
    if kept is not None:
        assert len(kept) == 2
        assert plain(run(twice(raw), cache=kept).points) == plain(sweep.points)
        assert len(fakes.calls) == 2


def test_a_refusal_holds_for_all_that_asked(raw: dict[str, Any], fakes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any, **named: Any) -> Result:
        raise Unsupported("not today")

    monkeypatch.setattr(engines, "ENGINES", (Engine("packet", "Packet", "never", simulate=refuse),))
    assert [refusal.at["name"] for refusal in run(twice(raw)).unsupported] == ["a", "b", "c"]


def test_a_packed_result_is_complete(raw: dict[str, Any], fakes: Any) -> None:
    term = Term("B", "buffer", 1.0, "B")
    result = Result(
        "packet",
        {"name": "x"},
        3,
        0.5,
        {"utilisation": 0.5},
        {"utilisation": (0.4, 0.6)},
        ("said",),
        (Explanation("n", "t", "f", 1.0, "B", "s", "h", (term,)),),
        7,
        2,
        series={"window": 1.0, "time": [1.0], "ports": {}, "flows": []},
        flows={"entry": [0], "size": [1], "start": [0.0], "fct": [1.0], "source": ["h0"]},
        headroom=[],
        priority_groups=[{"switch": "s0"}],
    )
    assert unpack(json.loads(json.dumps(pack(result)))) == result


def test_a_study_that_was_stopped_resumes(raw: dict[str, Any], fakes: Any) -> None:
    kept, stop = Kept(), threading.Event()
    study = Study.of(raw, {"switch.buffer": [1e5 * k for k in range(1, 21)]}, "packet")
    with pytest.raises(Cancelled):
        run(study, cache=kept, stop=stop, on_point=lambda *_: stop.set(), workers=1)
    done = len(kept)
    assert 0 < done < 20
    fakes.calls.clear()
    assert len(run(study, cache=kept).points) == 20
    assert len(fakes.calls) == 20 - done


def test_a_run_under_way_sees_the_stop_flag(raw: dict[str, Any], fakes: Any) -> None:
    fakes.hold, stop = threading.Event(), threading.Event()

    def interrupt() -> None:
        fakes.entered.wait(60)
        stop.set()

    threading.Thread(target=interrupt).start()
    with pytest.raises(Cancelled):
        run(Study.of(raw, OVER, "packet"), stop=stop, workers=2)
    assert len(fakes.calls) <= 3


def test_stopped_before_it_starts(raw: dict[str, Any], fakes: Any) -> None:
    stop = threading.Event()
    stop.set()
    for engine in ("fluid", "packet"):
        with pytest.raises(Cancelled):
            run(Study.of(raw, OVER, engine), stop=stop)
    assert fakes.calls == []


def test_a_callers_own_threads_are_left_alive(raw: dict[str, Any], fakes: Any) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert len(run(Study.of(raw, OVER, "packet"), executor=pool).points) == 3
        assert pool.submit(lambda: 5).result() == 5


@pytest.mark.parametrize("workers", [0, -1, True, 1.5])
def test_a_wrong_number_of_workers_is_refused(raw: dict[str, Any], fakes: Any, workers: Any) -> None:
    with pytest.raises(InvalidInput, match="workers"):
        run(Study.of(raw, OVER, "packet"), workers=workers)


def test_bad_input_found_only_when_the_run_is_laid_out_ends_the_study(raw: dict[str, Any]) -> None:
    raw["traffic"][0]["sources"] = ["nobody"]
    with pytest.raises(InvalidInput) as refused:
        run(Study.of(raw, None, "packet"))
    assert refused.value.problems[0].path == "traffic.0.sources"


def test_a_task_runs_in_another_process(raw: dict[str, Any]) -> None:
    study = Study.of(raw, {"switch.buffer": [5e4, 1e5]}, "theory")
    tasks = [cell.task() for cell in study.cells("theory")]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = [unpack(outcome["result"]) for outcome in pool.map(run_cell, tasks)]
    assert [r.metrics for r in there] == [p.result.metrics for p in run(study).points]


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput([Problem("a.b", 5, "wrong"), Problem("c", None, "missing")]),
        NotConverged("too few steps"),
        Unsupported("cannot do that", path="switch.marking", given="red", engines=("packet",)),
    ],
)
def test_errors_survive_as_data(error: Exception) -> None:
    again = unpack_error(json.loads(json.dumps(pack_error(error))))  # type: ignore[arg-type]
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_a_result_survives_as_data(raw: dict[str, Any]) -> None:
    result = run(Study.of(raw, None, "theory")).points[0].result
    assert unpack(json.loads(json.dumps(pack(result)))) == result
    bounds = {"utilisation": (0.4, 0.6)}
    noted = Result("packet", {}, 1, 0.5, {"utilisation": 0.5}, bounds, ("a",), offered=9, replicas=2)
    assert unpack(json.loads(json.dumps(pack(noted)))) == noted
