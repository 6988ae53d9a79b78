"""The command line, run inside this process, over engines that answer at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import Unsupported
from footroom.cli import main
from footroom.result import Explanation, Result
from footroom.scenario import Scenario
from footroom.studies import engines
from footroom.studies.engines import Engine

Answer = tuple[int, str, str]

SCENARIO: dict[str, Any] = {
    "name": "small",
    "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
    "switch": {"buffer": "100 kB"},
    "traffic": [{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms"}],
    "run": {"duration": "1 s", "warmup": "100 ms"},
}


def metrics(scenario: Scenario) -> dict[str, float]:
    buffer = scenario.switch.buffer
    return {"utilisation": buffer / (buffer + 1e4), "drop_rate": 100.0 / buffer, "queue_mean": buffer / 2.0}


def fluid(scenarios: list[Scenario]) -> list[Result]:
    if any(s.switch.sharing.kind == "static" for s in scenarios):
        raise Unsupported("static sharing is beyond the fluid", path="switch.sharing.kind", engines=("packet",))
    why = Explanation("bdp", "Bandwidth-delay product", "C·RTT/8", 125_000.0, "B", "Villamizar 1994", "one flow")
    return [
        Result("fluid", s.to_dict(), 1, 0.0, metrics(s), notes=("no bursts",), explanations=(why,)) for s in scenarios
    ]


def packet(scenario: Scenario, seed: int, *, stop: Any, progress: Any) -> Result:
    return Result("packet", scenario.to_dict(), seed, 0.0, {**metrics(scenario), "drop_rate": 0.0}, offered=1000)


@pytest.fixture
def footroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run one command; exit status, standard output, standard error."""
    monkeypatch.setattr(
        engines,
        "ENGINES",
        (
            Engine(
                "theory",
                "",
                "",
                estimate_many=lambda scenarios: [
                    Result("theory", s.to_dict(), 1, 0.0, {"utilisation": 1.0}) for s in scenarios
                ],
            ),
            Engine("fluid", "", "", estimate_many=fluid),
            Engine("packet", "", "", simulate=packet),
        ),
    )

    def command(*arguments: object) -> Answer:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse
            status = int(ended.code or 0)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return command


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SCENARIO))
    return path
