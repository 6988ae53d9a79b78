from __future__ import annotations

import json
from typing import Any

import pytest

from footroom.errors import InvalidInput
from footroom.studies import Study, fingerprint
from footroom.studies.fingerprint import fingerprint as hash_of
from footroom.studies.study import replica_seed


def test_the_same_question_in_other_words_is_the_same_study(raw: dict[str, Any]) -> None:
    study = Study.of(raw, {"switch.buffer": "25kB:2.5MB:log3"}, "fluid,theory", 2)
    other = {
        "run": {"warmup": 0.1, "duration": 1, "replicas": 2},
        "traffic": [{"flows": 4, "start_jitter": 0.01, "kind": "long_lived"}], "switch": {"buffer": 5e6},
        "topology": {"rtt": 0.01, "access": 1e9, "bottleneck": "0.1 Gb/s", "kind": "dumbbell"}}
    again = Study.of(other, {"switch.buffer": ["0.025 MB", 250000, "2500 kB"]}, ["theory", "fluid", "theory"])
    assert again.id == study.id
    assert [p.at for p in again.points] == [p.at for p in study.points]


@pytest.mark.parametrize("change", [
    {"over": {"switch.buffer": "25kB:2.5MB:log4"}}, {"engines": "packet"}, {"replicas": 3}, {"over": None}])
def test_another_question_is_another_study(raw: dict[str, Any], change: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"over": {"switch.buffer": "25kB:2.5MB:log3"}, "engines": "theory", "replicas": 1}
    assert Study.of(raw, **asked).id != Study.of(raw, **{**asked, **change}).id


def test_another_seed_is_another_study(raw: dict[str, Any]) -> None:
    before = Study.of(raw).id
    raw["run"]["seed"] = 2
    assert Study.of(raw).id != before


@pytest.mark.parametrize("over", [
    None, {"switch.buffer": "25kB:2.5MB:log3"}, {"switch.sharing.kind": "static,complete,dynamic_threshold"},
    {"switch.buffer": ["10 packets", "20 packets"], "run.mtu": [1000, 1500]}])
def test_the_canonical_request_gives_the_study_again(raw: dict[str, Any], over: Any) -> None:
    raw["switch"]["sharing"] = {"kind": "static", "per_queue": "20 kB"}
    study = Study.of(raw, over, "packet", 3)
    again = Study.from_request(json.loads(json.dumps(study.request, allow_nan=False)))
    assert again.id == study.id
    assert again.request == study.request
    assert again.points == study.points


def test_a_base_may_lack_what_an_axis_brings(raw: dict[str, Any]) -> None:
    del raw["switch"]["buffer"]
    for written in ("25kB:2.5MB:log3", ["25 kB", "250 kB"], "25kB,250kB"):
        assert Study.of(raw, {"switch.buffer": written}).points[0].at == {"switch.buffer": 25_000}
    with pytest.raises(InvalidInput, match="required"):
        Study.of(raw)


@pytest.mark.parametrize(("request_", "path"), [
    ({"scenario": 5}, "scenario"), ({"over": {}}, "scenario"), ({"scenario": {}, "engine": "packet"}, "engine"),
    ([], ""),
])
def test_a_malformed_request_is_refused(request_: Any, path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Study.from_request(request_)
    assert refused.value.problems[0].path == path


@pytest.mark.parametrize(("change", "path"), [
    ({"engines": "magic"}, "engines"), ({"engines": []}, "engines"), ({"replicas": 0}, "replicas"),
    ({"replicas": 1001}, "replicas"), ({"replicas": True}, "replicas"), ({"replicas": 1.5}, "replicas"),
    ({"over": "switch.buffer"}, "over"),
])
def test_a_wrong_study_is_refused(raw: dict[str, Any], change: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Study.of(raw, **change)
    assert refused.value.problems[0].path == path


def test_replicas_have_seeds_of_their_own_that_a_scenario_accepts(raw: dict[str, Any]) -> None:
    seeds = [replica_seed(7, replica) for replica in range(100)]
    assert seeds[0] == 7
    assert len(set(seeds)) == 100
    assert max(seeds) <= 2**53
    raw["run"]["seed"] = max(seeds)
    Study.of(raw)


def test_a_run_is_addressed_by_what_decides_it(raw: dict[str, Any]) -> None:
    keys = [cell.key for cell in Study.of(raw, {"switch.buffer": [1e5, 2e5]}, "packet", 2).cells("packet")]
    assert len(set(keys)) == 4
    raw["name"] = "another name"
    again = Study.of(raw, {"switch.buffer": [1e5, 2e5]}, "packet", 3).cells("packet")
    assert [cell.key for cell in again][:2] == keys[:2]
    assert next(Study.of(raw, {"switch.buffer": [1e5]}, "reference").cells("reference")).key not in keys


def test_a_replica_run_alone_has_the_same_address(raw: dict[str, Any]) -> None:
    second = list(Study.of(raw, None, "packet", 2).cells("packet"))[1]
    raw["run"]["seed"] = second.seed
    assert next(Study.of(raw, None, "packet").cells("packet")).key == second.key


def test_other_code_is_another_address(tmp_path: Any) -> None:
    for path in ("scheduling/fifo.py", "fluid/engine.py", "cli/show.py", "sizes/data/x.csv"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("1")
    before = {e: hash_of.__wrapped__(e, tmp_path) for e in ("packet", "fluid")}
    (tmp_path / "cli/show.py").write_text("2")
    assert {e: hash_of.__wrapped__(e, tmp_path) for e in before} == before
    (tmp_path / "fluid/engine.py").write_text("2")
    assert hash_of.__wrapped__("packet", tmp_path) == before["packet"]
    assert hash_of.__wrapped__("fluid", tmp_path) != before["fluid"]
    (tmp_path / "sizes/data/x.csv").write_text("2")
    assert hash_of.__wrapped__("packet", tmp_path) != before["packet"]
    assert fingerprint.fingerprint("packet") == hash_of("packet")
