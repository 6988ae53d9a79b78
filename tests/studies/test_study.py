from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import footroom
from footroom.base.compile_cache.unit import source
from footroom.base.errors import InvalidInput
from footroom.studies import Study, fingerprint
from footroom.studies.fingerprint import fingerprint as hash_of
from footroom.studies.study import replica_seed


def test_the_same_question_in_other_words_is_the_same_study(raw: dict[str, Any]) -> None:
    study = Study.of(raw, {"switch.buffer": "25kB:2.5MB:log3"}, "fluid,theory", 2)
    other = {
        "run": {"warmup": 0.1, "duration": 1, "replicas": 2},
        "traffic": [{"flows": 4, "start_jitter": 0.01, "kind": "long_lived"}],
        "switch": {"buffer": 5e6},
        "topology": {"rtt": 0.01, "access": 1e9, "bottleneck": "0.1 Gb/s", "kind": "dumbbell"},
    }
    again = Study.of(other, {"switch.buffer": ["0.025 MB", 250000, "2500 kB"]}, ["theory", "fluid", "theory"])
    assert again.id == study.id
    assert [p.at for p in again.points] == [p.at for p in study.points]


@pytest.mark.parametrize(
    "change", [{"over": {"switch.buffer": "25kB:2.5MB:log4"}}, {"engines": "packet"}, {"replicas": 3}, {"over": None}]
)
def test_another_question_is_another_study(raw: dict[str, Any], change: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"over": {"switch.buffer": "25kB:2.5MB:log3"}, "engines": "theory", "replicas": 1}
    assert Study.of(raw, **asked).id != Study.of(raw, **{**asked, **change}).id


def test_another_seed_is_another_study(raw: dict[str, Any]) -> None:
    before = Study.of(raw).id
    raw["run"]["seed"] = 2
    assert Study.of(raw).id != before


@pytest.mark.parametrize(
    "over",
    [
        None,
        {"switch.buffer": "25kB:2.5MB:log3"},
        {"switch.sharing.kind": "static,complete,dynamic_threshold"},
        {"switch.buffer": ["10 packets", "20 packets"], "run.mtu": [1000, 1500]},
    ],
)
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


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        ({"scenario": 5}, "scenario"),
        ({"over": {}}, "scenario"),
        ({"scenario": {}, "engine": "packet"}, "engine"),
        ([], ""),
    ],
)
def test_a_malformed_request_is_refused(request_: Any, path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Study.from_request(request_)
    assert refused.value.problems[0].path == path


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"engines": "magic"}, "engines"),
        ({"engines": []}, "engines"),
        ({"replicas": 0}, "replicas"),
        ({"replicas": 1001}, "replicas"),
        ({"replicas": True}, "replicas"),
        ({"replicas": 1.5}, "replicas"),
        ({"over": "switch.buffer"}, "over"),
    ],
)
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
    """Packets import sizes, lazily headroom's schemes, and for types only the pool; nobody imports the rest."""
    files = {
        "engines/packet/__init__.py": "from footroom.engines.packet.run import run\n",
        "engines/packet/run.py": "import os\n\nfrom footroom.sizes import (\n    a,\n    b,\n)\n\nif TYPE_CHECKING:\n"
        "    from footroom.pool import c\n\n\ndef run():\n    import footroom.headroom.scheme as s\n",
        "sizes/__init__.py": "",
        "sizes/a.py": "",
        "sizes/data/x.csv": "1",
        "pool/__init__.py": "",
        "headroom/__init__.py": "def call():\n    from footroom.headroom.calculator import f\n",
        "headroom/scheme.py": "",
        "headroom/calculator.py": "",
        "engines/fluid/engine.py": "",
        "engines/fluid/data.json": "1",
    }
    package = tmp_path / "footroom"
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)

    def hashes() -> tuple[str, str]:
        source.cache_clear()
        return hash_of.__wrapped__("packet", package), hash_of.__wrapped__("fluid", package)

    for name, (packets, fluid) in {
        "sizes/a.py": (True, False),
        "sizes/data/x.csv": (True, False),
        "headroom/scheme.py": (True, False),
        "headroom/__init__.py": (True, False),
        "engines/packet/run.py": (True, False),
        "pool/__init__.py": (False, False),
        "headroom/calculator.py": (False, False),
        "engines/fluid/engine.py": (False, True),
        "engines/fluid/data.json": (False, True),
    }.items():
        before = hashes()
        (package / name).write_text(files[name] + ("\nedited = 1\n" if name.endswith(".py") else "\n2\n"))
        assert (hashes()[0] != before[0], hashes()[1] != before[1]) == (packets, fluid), name
    assert fingerprint.fingerprint("packet") == hash_of("packet")


_LOADED = """
import json, sys
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named
name, scenarios = sys.argv[1], json.loads(sys.argv[2])
for raw in scenarios:
    engine_named(name).evaluate(Scenario.parse(raw), 1)
print(json.dumps([m.__file__ for n, m in sys.modules.items() if n.startswith("footroom") and m.__file__]))
"""


@pytest.mark.parametrize("engine", ["packet", "reference", "fluid", "theory"])
def test_all_that_an_engine_loads_is_in_its_address(engine: str) -> None:
    """Nothing that takes part in an answer, here of two scenarios, may be left out of its address."""
    plain = {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "rtt": "20 ms"},
        "switch": {"buffer": "30 kB"},
        "traffic": [{"kind": "long_lived", "flows": 2, "start_jitter": 0.1}],
        "run": {"duration": 1, "warmup": 0.5},
    }
    lossless = {
        "topology": {"kind": "star", "hosts": 3, "rate": "10 Gb/s", "rtt": "10 us"},
        "switch": {"buffer": "1 MB", "headroom": {"kind": "static_independent"}},
        "traffic": [{"kind": "incast", "degree": 2, "size": "10 kB", "load": 0.2, "congestion": {"kind": "dcqcn"}}],
        "run": {"duration": 0.002, "warmup": 0.0005},
    }
    scenarios = [plain, lossless] if engine in ("packet", "reference") else [plain]
    output = subprocess.run(
        [sys.executable, "-c", _LOADED, engine, json.dumps(scenarios)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ).stdout
    package = Path(footroom.__file__).parent
    counted = fingerprint._reached(package, sorted((package / "engines" / engine).rglob("*.py")))
    loaded = {Path(name) for name in json.loads(output.splitlines()[-1])}
    assert {path for path in loaded - counted if path.parent.name != "studies"} == set()
    assert not any("pool" in path.parts for path in counted) or engine in ("fluid", "theory")
