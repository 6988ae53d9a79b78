from __future__ import annotations

import _thread
import argparse
import concurrent.futures
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import Cancelled
from footroom.cli.parser import build_parser
from footroom.scenario.files import read
from footroom.studies import engines, runner
from footroom.studies.engines import Engine

SCENARIO = "SCENARIO"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nothing"], ["nothing", "neither a file nor a preset", "wan-bottleneck"]),
        (["run", "missing.json"], ["missing.json", "cannot be read"]),
        (["run", "."], ["cannot be read|neither a file"]),
        (["run", SCENARIO, "--engine", "magic"], ["--engine", "'magic'", "theory, fluid, packet"]),
        (["run", SCENARIO, "--engine", "theory,fluid"], ["--engine", "footroom sweep"]),
        (["run", SCENARIO, "--set", "switch.buffer"], ["--set", "path, =, and a value"]),
        (["run", SCENARIO, "--set", "=5"], ["--set"]),
        (["run", SCENARIO, "--set", "switch.bufer=5"], ["switch.bufer: given 5", "unknown key"]),
        (["run", SCENARIO, "--set", "switch.buffer=12Mb"], ["switch.buffer: given '12Mb'", "size in bits", '"12 MB"']),
        (["run", SCENARIO, "--set", "run.duration=NaN"], ["run.duration", "'NaN'"]),
        (
            ["run", SCENARIO, "--set", "traffic.0.congestion.kind=vegas"],
            ["traffic.0.congestion.kind", "must be one of"],
        ),
        (["run", SCENARIO, "--replicas", "0"], ["replicas: given 0"]),
        (["run", SCENARIO, "--workers", "0"], ["workers: given 0"]),
        (["run", SCENARIO, "--replicas", "many"], ["--replicas", "invalid int"]),
        (["run"], ["SCENARIO"]),
        (["headroom", "--speed", "100G", "--cable", "-5m"], ["--cable: given '-5m'", "at least 1 m"]),
        (["voq", "--rate", "100G", "--delay", "-.3ms"], ["--delay: given '-.3ms'", "at least 1 ps"]),
        (["ecn", "--speed", "-1G"], ["--speed: given '-1G'", "at least 1 b/s"]),
        (["emulate", "--degree", "4", "--size", "-1kB"], ["--size: given '-1kB'", "at least 1 B"]),
        (["pool", "--asic", "tomahawk", "--headroom-pool", "-3MB"], ["--headroom-pool: given '-3MB'", "at least 0 B"]),
        (["export", "sonic", "--ports", "8x100G", "--headroom", "-3kB"], ["--headroom: given '-3kB'", "at least 1 B"]),
        (["headroom", "--speed", "100G", "--cable", "5m", "-5m"], ["unrecognized arguments: -5m"]),
        (["headroom", "--json", "-5m"], ["unrecognized arguments: -5m"]),
        (["run", SCENARIO, "--eng", "fluid"], ["unrecognized arguments: --eng fluid"]),
        (["sweep", SCENARIO], ["--over", "at least one axis"]),
        (["sweep", SCENARIO, "--over", "switch.buffer=25kB:2.5MB"], ["switch.buffer", "two ends"]),
        (["sweep", SCENARIO, "--over", "switch.buffer=1kB", "--over", "switch.buffer=2kB"], ["given twice"]),
        (
            ["sweep", SCENARIO, "--over", "switch.buffer=100kB", "--csv", "/no/such/x.csv"],
            ["--csv", "cannot be written"],
        ),
        (["sweep", SCENARIO, "--over", "switch.buffer=100kB", "--engine", ""], ["--engine"]),
        (["size", SCENARIO], ["--require"]),
        (["size", SCENARIO, "--require", "fast"], ["require: given 'fast'", "utilisation>=0.99"]),
        (["size", SCENARIO, "--require", "utilisation>=0.9", "--between", "5kB"], ["--between"]),
        (["size", SCENARIO, "--require", "fct_p99<=1s"], ["does not compute fct_p99"]),
        (["presets", "nothing"], ["no such preset"]),
        (["papers", "show", "nothing"], ["no such paper", "facebook-ebb"]),
        (["papers", "run", "FB-EBB-99"], ["no such paper, experiment or target", "FB-EBB-FCT"]),
        (["papers", "run", "--tier", "huge"], ["tier", "smoke, laptop, full"]),
        (["papers", "run", "FB-EBB-IN-02", "--workers", "0"], ["workers: given 0", "at least 1"]),
        (["emulate", "--policy", "dynamic_threshold:alpha=0"], ["--policy (0.alpha): given '0'", "above 0"]),
        (["emulate", "--policy", "dynamic_threshold:beta=2"], ["--policy (0.beta)", "unknown key"]),
        (["emulate", "--trace", "missing.csv"], ["--trace", "cannot be read: No such file"]),
        (["papers"], ["ACTION"]),
        (["papers", "scenario", "FB-EBB", "D/0.90"], ["case: given 'D/0.90'", "tier smoke", "'C/0.98'"]),
        (["papers", "scenario", "EBB", "C/0.90"], ["experiment: given 'EBB'", "FB-EBB-FCT"]),
        (["papers", "cases", "facebook-ebb", "--tier", "huge"], ["tier", "smoke, laptop, full"]),
        (["scale", SCENARIO], ["--scale"]),
        (["scale", SCENARIO, "--scale", "nan"], ["scale: given nan", "from 1 to 1000000"]),
        (["scale", SCENARIO, "--scale", "5"], ["scale: given 5.0", "at most 4"]),
        (["export"], ["TARGET"]),
        (["export", "ios", SCENARIO], ["target: given 'ios'", "sonic, nxos, eos, junos"]),
        (["export", "sonic"], ["ports", "32x100G@300m"]),
        (["export", "sonic", SCENARIO, "--asic", "tomahawc"], ["asic", "did you mean tomahawk"]),
        (["export", "sonic", SCENARIO, "--lossless", "9"], ["--lossless", "'9'|9"]),
        (["export", "sonic", SCENARIO, "--out", "/dev/null/x"], ["out", "cannot be written"]),
        (["import", "sonic"], ["FILE"]),
        (["import", "ios", SCENARIO], ["source: given 'ios'", "sonic"]),
        (["import", "sonic", "missing.json"], ["cannot be read"]),
        (["dance"], ["invalid choice"]),
        ([], ["COMMAND"]),
    ],
)
@pytest.mark.parametrize("machine", [False, True])
def test_bad_input_is_status_two_and_says_what_would_be_right(
    footroom: Any, scenario: Path, arguments: list[str], words: list[str], machine: bool
) -> None:
    given = [str(scenario) if a == SCENARIO else a for a in arguments]
    status, out, err = footroom(*given, *(["--json"] if machine and arguments else []))
    assert (status, out) == (2, "")
    for word in words:
        assert any(part in err for part in word.split("|")), err
    assert "Traceback" not in err


def test_every_option_with_a_unit_takes_a_negative_value_as_its_value() -> None:
    verbs = next(one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction))
    asked = 0
    for verb, parser in verbs.choices.items():
        parser.format_help()  # adds the options
        if any(not action.option_strings for action in parser._actions):
            continue  # it wants a scenario or a verb of its own first
        for action in parser._actions:
            if action.nargs is None and action.metavar in {"bit/s", "B", "s", "m"}:
                chosen, _ = parser.parse_known_args([action.option_strings[-1], "-5m"])
                assert "-5m" in str(getattr(chosen, action.dest)), (verb, action.dest)
                asked += 1
    assert asked > 40


def test_every_fault_of_a_document_is_reported(footroom: Any, scenario: Path) -> None:
    document = json.loads(scenario.read_text())
    document["switch"]["buffer"] = "5 parsec"
    document["topology"]["rtt"] = -1
    scenario.write_text(json.dumps(document))
    _, _, err = footroom("run", scenario)
    assert [line.split(":")[1].strip() for line in err.splitlines()] == ["topology.rtt", "switch.buffer"]


def test_a_byte_order_mark_is_no_part_of_a_document(footroom: Any, scenario: Path) -> None:
    scenario.write_text(scenario.read_text(), encoding="utf-8-sig")
    status, _, err = footroom("run", scenario, "--engine", "theory", "--json")
    assert status == 0, err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("twice.json", '{"run": {"seed": 1, "duration": 1, "seed": 2}}'),
        ("twice.yaml", "run:\n  seed: 1\n  seed: 2\n"),
        ("twice.toml", "[run]\nseed = 1\nseed = 2\n"),
    ],
)
def test_a_key_that_is_there_twice_is_refused(footroom: Any, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    status, out, err = footroom("run", tmp_path / name)
    assert (status, out) == (2, "")
    assert "'seed' is given twice" in err or "overwrite" in err  # what the TOML reader says


def test_yaml_may_take_a_mapping_over_and_change_it(tmp_path: Path) -> None:
    path = tmp_path / "merged.yaml"
    path.write_text("base: &base {seed: 1, mtu: 1500}\nrun:\n  <<: *base\n  seed: 2\n")
    assert read(path)["run"] == {"seed": 2, "mtu": 1500}


def test_a_deep_or_odd_document_is_refused_not_a_crash(footroom: Any, scenario: Path) -> None:
    for text in ("[" * 100_000, "null", '{"topology": null}', '{"a": 1e999}'):
        scenario.write_text(text)
        status, _, err = footroom("run", scenario)
        assert status == 2, err


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)


def test_help_loads_no_compiler() -> None:
    code = (
        "import sys; from footroom.cli.parser import build_parser; build_parser().format_help(); "
        "import footroom; print(sorted({'numba', 'numpy', 'pydantic', 'scipy'} & set(sys.modules)))"
    )
    assert run("-c", code).stdout.strip() == "[]"
    ended = run("-m", "footroom.cli", "--help")
    assert ended.returncode == 0
    assert "sweep" in ended.stdout


def test_version() -> None:
    assert run("-m", "footroom.cli", "--version").stdout.startswith("footroom ")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f'"{sys.executable}" -m footroom.cli presets facebook-ebb | true'
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert ended.stderr == ""


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Interrupts are heard, also where the tests were started in the background, which makes children deaf to them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupt_stops_the_runs_and_ends_with_130(
    footroom: Any, scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    waiting, wait = threading.Event(), concurrent.futures.wait

    def waited(*given: Any, **named: Any) -> Any:
        waiting.set()
        return wait(*given, **named)

    def endless(scenario: Any, seed: int, *, stop: Any, progress: Any) -> Any:
        assert waiting.wait(60)  # for the main thread to wait for this one
        _thread.interrupt_main()
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            if stop.is_set():
                seen.append(True)
                raise Cancelled("stopped")
            time.sleep(0.01)
        raise AssertionError("nobody stopped the run")

    monkeypatch.setattr(engines, "ENGINES", (Engine("packet", "", "", simulate=endless),))
    monkeypatch.setattr(runner, "wait", waited)
    status, out, err = footroom("run", scenario, "--json", "--workers", 1)
    # The command does not wait for its threads, one of which might compile; the run is told to stop all the same.
    patience = time.monotonic() + 60
    while not seen and time.monotonic() < patience:
        time.sleep(0.01)
    assert (status, out, err, seen) == (130, "", "footroom: interrupted\n", [True])
