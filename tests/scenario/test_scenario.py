from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario, lookup, replace
from footroom.scenario.files import read


def refused(raw: Any) -> tuple[str, Any, str]:
    with pytest.raises(InvalidInput) as caught:
        Scenario.parse(raw)
    assert len(caught.value.problems) == 1, caught.value
    problem = caught.value.problems[0]
    return problem.path, problem.given, problem.message


def test_quantities_become_si_and_defaults_appear(raw: dict[str, Any]) -> None:
    document = Scenario.parse(raw).to_dict()
    assert document["topology"]["bottleneck"] == 1e9
    assert document["topology"]["rtt_spread"] == 0.0
    assert document["switch"]["buffer"] == 250_000
    assert document["traffic"][0]["host"]["ack_delay"] == 0.04
    json.dumps(document, allow_nan=False)


def test_the_canonical_document_parses_to_itself(raw: dict[str, Any]) -> None:
    scenario = Scenario.parse(raw)
    assert Scenario.parse(json.loads(json.dumps(scenario.to_dict()))) == scenario


def test_the_digest_is_of_what_is_asked_not_how_it_is_written(raw: dict[str, Any]) -> None:
    digest = Scenario.parse(raw).digest
    other = copy.deepcopy(raw)
    other.update(name="another name")
    other["switch"] = {"buffer": 2.5e5}
    other["topology"] = dict(reversed({**raw["topology"], "rtt": 0.02}.items()))
    assert Scenario.parse(other).digest == digest
    assert Scenario.parse(replace(raw, "run.seed", 2)).digest != digest
    assert Scenario.parse(replace(raw, "switch.buffer", 250_001)).digest != digest


def test_packets_need_the_mtu(raw: dict[str, Any]) -> None:
    raw["switch"]["buffer"] = "100 packets"
    assert Scenario.parse(raw).switch.buffer == 150_000
    raw["run"]["mtu"] = "9000 B"
    assert Scenario.parse(raw).switch.buffer == 900_000
    del raw["run"]
    raw["traffic"][0]["start_jitter"] = 0
    assert Scenario.parse(raw).switch.buffer == 150_000


@pytest.mark.parametrize(
    ("path", "value", "at", "word"),
    [
        ("switch.buffer", "12 Mb", "switch.buffer", "size in bits"),
        ("switch.buffer", "100 B", "switch.buffer", "one full packet"),
        ("switch.buffer", -5, "switch.buffer", "at least 1"),
        ("switch.buffer", float("nan"), "switch.buffer", "not finite"),
        ("switch.buffer", None, "switch.buffer", "not a quantity"),
        ("switch.bufer", 5, "switch.bufer", 'unknown key; did you mean "buffer"?'),
        ("switch.sharing.alpha", 5, "switch.sharing.alpha", "unknown key; accepted: kind"),
        ("traffic.0.congestion.growth", 5, "traffic.0.congestion.growth", "accepted: kind, byte_counting"),
        ("traffic.0.host.pace", True, "traffic.0.host.pace", 'did you mean "pacing"?'),
        ("switch.headroom.kind", "dynamic", "switch.headroom.kind", "must be one of"),
        ("switch.headroom", {"kind": "dynamic_shared", "lossless": [1]}, "switch.headroom.lossless.0", "are 0 to 0"),
        ("switch.headroom", {"kind": "dynamic_shared", "lossless": [0, 0]}, "switch.headroom.lossless", "named once"),
        (
            "switch.headroom",
            {"kind": "dynamic_shared", "lossless": []},
            "switch.headroom.lossless",
            "1 entries or more",
        ),
        ("switch.headroom", {"kind": "dynamic_shared", "pool": 1}, "switch.headroom.pool", "unknown key"),
        ("switch.headroom", {"kind": "static_independent", "size": 0.5}, "switch.headroom.size", "at least 1 B"),
        ("switch.headroom", {"kind": "static_independent", "size": 1.5}, "switch.headroom.size", "whole number"),
        (
            "switch.headroom",
            {"kind": "static_independent", "pool": 9e4, "oversubscription": 2},
            "switch.headroom.oversubscription",
            "not both",
        ),
        ("traffic.0.priority", "any_lossless", "traffic.0.priority", "no class is lossless"),
        ("traffic.0.priority", 1, "traffic.0.priority", "classes are 0 to 0"),
        ("traffic.0.host.ack_priority", 1, "traffic.0.host.ack_priority", "classes are 0 to 0"),
        ("switch.sharing.kind", "magic", "switch.sharing.kind", "must be one of"),
        ("switch.sharing", "complete", "switch.sharing.kind", "expected an object"),
        ("switch.queues", 9, "switch.queues", "at most 8"),
        ("switch.queues", 2, "switch.scheduling.kind", "fifo serves one queue"),
        ("topology.rtt", "0 s", "topology.rtt", "at least 1 ps"),
        ("topology.rtt_spread", 1, "topology.rtt_spread", "below 1"),
        ("topology.bottleneck", "1 GB/s", "topology.bottleneck", "bytes per second"),
        ("traffic", [], "traffic", "1 entries or more"),
        ("traffic.0.flows", 0, "traffic.0.flows", "at least 1"),
        ("traffic.0.flows", 1.5, "traffic.0.flows", "whole number"),
        ("traffic.0.kind", "bulk", "traffic.0.kind", "must be one of"),
        ("traffic.0.congestion.kind", "vegas", "traffic.0.congestion.kind", "must be one of"),
        ("traffic.0.start", "40 s", "traffic.0.start", "before run.duration"),
        ("traffic.0.start_jitter", "40 s", "traffic.0.start_jitter", "the last one may start at 40 s"),
        ("traffic.0.host.mss", 1500, "traffic.0.host.mss", "headers"),
        ("traffic.0.host.recovery", "magic", "traffic.0.host.recovery", "newreno"),
        ("run.warmup", "30 s", "run.warmup", "shorter than duration"),
        ("run.mtu", 1500.5, "run.mtu", "whole number"),
        ("run.seed", -1, "run.seed", "at least 0"),
        ("run.colour", "red", "run.colour", "unknown key"),
    ],
)
def test_what_is_wrong_is_named_by_path(raw: dict[str, Any], path: str, value: Any, at: str, word: str) -> None:
    where, _, message = refused(replace(raw, path, value))
    assert where == at
    assert word in message


@pytest.mark.parametrize("raw_", [None, 5, "text", [], ["topology"]])
def test_a_document_is_an_object(raw_: Any) -> None:
    assert "object" in refused(raw_)[2]


def test_what_is_missing_is_named(raw: dict[str, Any]) -> None:
    del raw["topology"], raw["switch"]["buffer"]
    with pytest.raises(InvalidInput) as caught:
        Scenario.parse(raw)
    assert {(p.path, p.message) for p in caught.value.problems} == {
        ("topology", "this field is required"),
        ("switch.buffer", "this field is required"),
    }


def test_open_loop_loads_stay_below_one(raw: dict[str, Any]) -> None:
    raw["traffic"] = [{"kind": "poisson", "load": 0.6, "sizes": "10 kB"}] * 2
    where, _, message = refused(raw)
    assert where == "traffic"
    assert "1.2" in message


def test_sizes_by_name_by_quantity_and_by_kind(raw: dict[str, Any]) -> None:
    pareto = {"kind": "bounded_pareto"}
    for sizes, kind in (("websearch_dctcp", "empirical"), ("10 kB", "fixed"), (pareto, "bounded_pareto")):
        raw["traffic"] = [{"kind": "poisson", "load": 0.5, "sizes": sizes}]
        assert Scenario.parse(raw).to_dict()["traffic"][0]["sizes"]["kind"] == kind
    raw["traffic"] = [{"kind": "poisson", "load": 0.5, "sizes": "nonsense"}]
    assert "websearch_dctcp" in refused(raw)[2]


def test_replacing_leaves_the_original_alone(raw: dict[str, Any]) -> None:
    before = copy.deepcopy(raw)
    changed = replace(raw, "traffic.0.host.ack_every", 1)
    assert raw == before
    assert lookup(changed, "traffic.0.host.ack_every") == 1
    assert replace(raw, "traffic.0.host2.x", 1)["traffic"][0]["host2"] == {"x": 1}


@pytest.mark.parametrize(
    "path", ["", ".", "switch.", ".switch", "traffic.x.flows", "traffic.1.flows", "traffic.-1.flows", "switch.buffer.x"]
)
def test_paths_that_lead_nowhere(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput):
        replace(raw, path, 1)
    with pytest.raises(InvalidInput):
        lookup(raw, path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"run": {"seed": 5}}'),
        ("a.toml", "[run]\nseed = 5\n"),
        ("a.yaml", "run:\n  seed: 5\n"),
        ("a.yml", "run: {seed: 5}"),
    ],
)
def test_documents_in_three_languages(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert read(tmp_path / name) == {"run": {"seed": 5}}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"{"),
        ("a.json", b'{"seed": NaN}'),
        ("a.json", b"[1]"),
        ("a.json", b"\xff\xfe"),
        ("a.toml", b"run = ["),
        ("a.yaml", b"a: [1"),
        ("a.yaml", b"!!python/object/apply:os.getcwd []"),
        ("a.yaml", b""),
        ("a.json", b""),
    ],
)
def test_broken_documents_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput):
        read(tmp_path / name)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("marking", "bytes_"),
    [
        ({"kind": "step", "threshold": "65 packets"}, {"threshold": 97_500}),
        ({"kind": "red", "kmin": "5 packets", "kmax": "50.5 packets"}, {"kmin": 7500, "kmax": 75_750}),
        ({"kind": "pi", "target": "20 packets"}, {"target": 30_000}),
    ],
)
def test_marking_thresholds_in_packets_are_full_packets(
    raw: dict[str, Any], marking: dict[str, Any], bytes_: dict[str, float]
) -> None:
    raw["switch"]["marking"] = marking
    found = Scenario.parse(raw).switch.marking.model_dump()
    assert {name: found[name] for name in bytes_} == bytes_
    raw["run"] = {**raw.get("run", {}), "mtu": 9000}
    found = Scenario.parse({**raw, "switch": {**raw["switch"], "buffer": "10 MB"}}).switch.marking.model_dump()
    assert {name: found[name] / 6 for name in bytes_} == bytes_


def test_only_lengths_are_given_in_packets(raw: dict[str, Any]) -> None:
    raw["switch"]["marking"] = {"kind": "red", "kmin": "5 packets", "kmax": "50 packets", "pmax": "1 packet"}
    with pytest.raises(InvalidInput, match="pmax"):
        Scenario.parse(raw)
