"""A paper and an engine that answers it at once."""

from __future__ import annotations

import copy
from typing import Any

from footroom.base.errors import Unsupported
from footroom.papers.paper import Paper
from footroom.result import Result
from footroom.result.recorded import SeriesDocument, SeriesPort
from footroom.scenario import Scenario

SMALL: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "10 ms"},
    "switch": {"buffer": "100 kB"},
    "traffic": [{"kind": "long_lived", "flows": 4, "start_jitter": "10 ms"}],
    "run": {"duration": "1 s", "warmup": "100 ms"},
}


def utilisation_of(*planes: str) -> dict[str, Any]:
    return {"measure": "utilisation", "cases": [f"{plane}/*" for plane in planes]}


def target(number: int, comparison: dict[str, Any], measure: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": f"FAKE-0{number}",
        "kind": "outcome",
        "experiment": "FAKE",
        "metric": "utilisation",
        "published": 0.9,
        "comparison": comparison,
        "confidence": "high",
        "source": "§1",
        "measure": measure,
        **more,
    }


RAW: dict[str, Any] = {
    "id": "fake",
    "title": "A paper",
    "authors": "Nobody",
    "year": 2020,
    "source": "Nowhere",
    "about": "Two planes.",
    "experiments": [
        {
            "id": "FAKE",
            "title": "Planes",
            "about": "Utilisation.",
            "base": SMALL,
            "tiers": {
                "smoke": {
                    "about": "Small.",
                    "scale": 10,
                    "set": {"run.duration": "500 ms"},
                    "only": {"load": ["high"]},
                },
                "laptop": {"about": "Larger.", "replicas": 3},
                "full": {"about": "As published."},
            },
            "axes": [
                {
                    "name": "plane",
                    "values": {
                        "A": {"set": {"switch.buffer": "200 kB"}, "full": {"switch.buffer": "2 MB"}},
                        "C": {"set": {"switch.buffer": "10 kB"}},
                        "X": {"set": {"switch.sharing": {"kind": "static"}}},
                    },
                },
                {"name": "load", "values": {"low": {"set": {"traffic.0.flows": 2}}, "high": {}}},
            ],
            "overrides": {"C/*": {"set": {"traffic.0.start_jitter": "20 ms"}}},
            "assumptions": [{"what": "flows", "value": "4", "why": "Few.", "effect": "More fill the link."}],
            "cannot_show": ["anything real"],
        }
    ],
    "targets": [
        target(1, {"type": "within", "absolute": 0.1}, utilisation_of("A")),
        target(
            2,
            {"type": "at_least", "value": 0.9},
            utilisation_of("C"),
            if_missed={"why": "The buffer is small.", "sensitivity": "A larger one."},
        ),
        target(3, {"type": "at_least", "value": 0.9}, utilisation_of("A", "X")),
        target(
            4,
            {"type": "ordering", "assertion": "A > C"},
            {"each": {"A": utilisation_of("A"), "C": utilisation_of("C")}},
        ),
        target(
            5,
            {"type": "exact"},
            {"measure": "setting", "cases": ["A/*"], "with": {"path": "switch.buffer"}},
            published=2e6,
            kind="input",
            follows_from="input",
        ),
        target(6, {"type": "at_least", "value": 0.9}, utilisation_of("A"), not_testable={"smoke": "Too short."}),
    ],
    "figures": [
        {
            "id": "FAKE-FIG-1",
            "title": "Utilisation",
            "source": "Fig. 1",
            "plot": "utilisation_by_load",
            "experiment": "FAKE",
            "cases": {"A": ["A/*"], "X": ["X/*"]},
        }
    ],
}

PAPER = Paper.model_validate(RAW)


def raw() -> dict[str, Any]:
    return copy.deepcopy(RAW)


def engine(scenario: Scenario, seed: int, *, stop: Any = None, progress: Any = None) -> Result:
    """Utilisation B/(B + 10 kB) in ten windows of 100 ms, a little of it from the seed."""
    if scenario.switch.sharing.kind == "static":
        raise Unsupported("static sharing is beyond this engine")
    buffer = scenario.switch.buffer
    busy = buffer / (buffer + 1e4) + 1e-9 * (seed % 7)
    ten = [busy] * 10
    port: SeriesPort = {
        "utilisation": ten,
        "offered": [100] * 10,
        "dropped": [0] * 10,
        "marked": [100] * 10,
        "queue": [100] * 10,
        "queue_max": [100] * 10,
        "delay": [0.0] * 10,
    }
    series: SeriesDocument = {
        "window": 0.1,
        "time": [0.1 * i for i in range(10)],
        "ports": {"left>right": port},
        "flows": [],
    }
    return Result("packet", scenario.to_dict(), seed, 0.5, {"utilisation": busy}, series=series)
