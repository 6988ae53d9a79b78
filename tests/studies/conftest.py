"""A small scenario, and engines that answer at once with numbers that can be checked."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from footroom.base.errors import Cancelled, Unsupported
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.studies import engines
from footroom.studies.engines import Engine


@pytest.fixture
def raw() -> dict[str, Any]:
    return {
        "name": "small",
        "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
        "switch": {"buffer": "100 kB"},
        "traffic": [{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms"}],
        "run": {"duration": "1 s", "warmup": "100 ms"},
    }


def smooth(scenario: Scenario) -> dict[str, float]:
    """Metrics that grow or fall with the buffer, for checking what a search finds."""
    buffer = scenario.switch.buffer
    return {"utilisation": buffer / (buffer + 1e4), "drop_rate": min(1.0, 100.0 / buffer), "queue_mean": buffer / 2.0}


class Fakes:
    """What the fake engines did. calls: (engine, seed) of every simulation; hold: simulations wait until it is set."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.batches: list[int] = []
        self.hold: threading.Event | None = None
        self.entered = threading.Event()

    def estimate_many(self, scenarios: list[Scenario]) -> list[Result]:
        self.batches.append(len(scenarios))
        for scenario in scenarios:
            if scenario.switch.sharing.kind == "static":
                raise Unsupported("static sharing is beyond the fluid", path="switch.sharing.kind", engines=("packet",))
        return [Result("fluid", s.to_dict(), s.run.seed, 0.0, smooth(s)) for s in scenarios]

    def simulate(self, scenario: Scenario, seed: int, *, stop: Any, progress: Any) -> Result:
        self.calls.append(("packet", seed))
        self.entered.set()
        while self.hold is not None and not self.hold.wait(0.01):
            if stop is not None and stop.is_set():
                raise Cancelled("stopped")
        if progress is not None:
            progress(0.5)
        noise = (seed % 1000) * 1e-6
        metrics = {name: value * (1.0 + noise) for name, value in smooth(scenario).items()}
        return Result("packet", scenario.to_dict(), seed, 0.0, metrics, offered=1000, notes=("made up",))


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = Fakes()
    monkeypatch.setattr(
        engines,
        "ENGINES",
        (
            Engine(
                "theory",
                "Theory",
                "at once",
                estimate_many=lambda scenarios: [
                    Result("theory", s.to_dict(), s.run.seed, 0.0, {"utilisation": 1.0}) for s in scenarios
                ],
            ),
            Engine("fluid", "Fluid", "at once", estimate_many=made.estimate_many),
            Engine("packet", "Packet", "seconds", simulate=made.simulate),
        ),
    )
    return made
