"""A result in JSON is what ``ResultDocument`` declares, block by block: nothing more, nothing less, no other type."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from pydantic import ValidationError
from tests.contract.declared import check
from tests.lossless.test_propagation import two_switches

import footroom as fr
from footroom.result.document import ResultDocument


def crowded() -> dict[str, Any]:
    """A star of five hosts under load, with everything recorded that a run can record of it."""
    return {
        "topology": {"kind": "star", "hosts": 5, "rate": "1 Gb/s", "rtt": "40 us"},
        "switch": {"buffer": "60 kB"},
        "traffic": [
            {"kind": "long_lived", "flows": 2, "start_jitter": "1 ms"},
            {"kind": "poisson", "name": "short", "load": 0.2, "sizes": "20 kB"},
        ],
        "run": {
            "duration": "20 ms",
            "warmup": "5 ms",
            "transfer": "100 kB",
            "series": "1 ms",
            "timeline": {"start": 0, "end": "2 ms", "step": "10 us"},
            "keep_flows": True,
            "slowdown": True,
            "memories": "100 us",
            "fabric": "1 ms",
        },
    }


def documents() -> dict[str, dict[str, Any]]:
    """Results that have every block between them."""
    lossless = two_switches("72 us")
    return {
        "packet": fr.run(crowded(), "packet").to_dict(),
        "lossless": fr.run(lossless, "packet").to_dict(),
        "plain": fr.run(lossless, "reference").to_dict(),
        "theory": fr.run("wan-bottleneck", "theory").to_dict(),
        "fluid": fr.run("wan-bottleneck", "fluid").to_dict(),
    }


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, Any]]:
    return documents()


def test_every_engine_answers_in_the_declared_shape(told: dict[str, dict[str, Any]]) -> None:
    for engine, document in told.items():
        try:
            check(ResultDocument, document)
        except ValidationError as error:
            pytest.fail(f"{engine}: {error}")


def test_what_is_not_declared_is_found(told: dict[str, dict[str, Any]]) -> None:
    document = told["packet"]
    with pytest.raises(ValidationError, match="Unexpected"):
        check(ResultDocument, {**document, "more": 1})
    series = {**document["series"], "ports": {"a>b": {"utilisation": []}}}
    with pytest.raises(ValidationError, match="offered"):
        check(ResultDocument, {**document, "series": series})


def test_most_blocks_are_looked_at(told: dict[str, dict[str, Any]]) -> None:
    seen = {name for document in told.values() for name, block in document.items() if block}
    declared = {field.name for field in dataclasses.fields(ResultDocument)}
    # Staircases, scaling, watchdogs and deadlocks have tests of their own.
    assert declared - seen <= {"steps", "scaling", "watchdog", "deadlock", "outside_validity", "intervals", "groups"}
