"""Errors of the engines: how they are measured, what was shipped, and what a result says of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.cli import engine_errors
from footroom.scenario import Scenario
from footroom.studies.accuracy.grid import CASES, Case
from footroom.studies.accuracy.measure import ENGINES, QUANTITIES, errors, written
from footroom.studies.accuracy.place import Place, expected, place_of
from footroom.studies.accuracy.release import released, summary, table, write

DOCS = Path(__file__).parents[2] / "docs" / "engines.md"


def changed(case: Case, path: str, value: Any) -> Scenario:
    """A case's scenario with one field changed."""
    raw = case.scenario().to_dict()
    at: Any = raw
    *inner, last = path.split(".")
    for name in inner:
        at = at[int(name) if name.isdigit() else name]
    at[last] = value
    return Scenario.parse(raw)


def test_errors_are_points_ratios_and_shares_of_the_buffer() -> None:
    found = {"utilisation": 0.97, "drop_rate": 2e-3, "queue_mean": 30e3, "fct_p50": 0.3}
    packets = {"utilisation": 0.95, "drop_rate": 1e-3, "queue_mean": 20e3, "fct_p50": 0.2, "fct_p99": 1.0}
    assert errors(found, packets, 100e3) == pytest.approx(
        {"utilisation": 2.0, "drop_rate": 2.0, "queue_mean": 0.1, "fct_p50": 1.5}
    )
    assert "drop_rate" not in errors(found, {**packets, "drop_rate": 9e-5}, 100e3)


def test_the_worst_error_is_the_farthest_from_none() -> None:
    def row(ratio: float, *outside: str) -> dict[str, Any]:
        one = {"errors": {"drop_rate": ratio}, "outside": list(outside)}
        return {"control": "newreno", "theory": {"refused": ""}, "fluid": one, "hybrid": {"refused": ""}}

    (found,) = summary([row(0.25), row(2.0), row(9.0, "drop_rate")])
    assert (found["median"], found["worst"], found["valid"], found["of"]) == (1.125, 0.25, 2, 3)
    (none,) = summary([row(9.0, "drop_rate")])
    assert (none["median"], none["worst"], none["valid"]) == (None, None, 0)


def test_what_is_shipped_covers_the_grid() -> None:
    found = released()
    assert [(row["control"], row["flows"], row["buffer"], row["load"]) for row in found.cases] == [
        (case.control, case.flows, case.buffer, case.load) for case in CASES
    ]
    for row in found.cases:
        for engine in ENGINES:
            assert row[engine].get("refused") or set(row[engine]["errors"]) <= set(QUANTITIES)


def test_the_documentation_shows_what_is_shipped() -> None:
    assert table(released().cases) in DOCS.read_text(encoding="utf-8")


def test_a_file_is_written_as_it_is_read() -> None:
    again = json.loads(write(list(released().cases), released().date))
    assert tuple(again["cases"]) == released().cases


def test_every_case_is_its_own_place() -> None:
    for case in CASES:
        found = expected(case.scenario(), "hybrid")
        assert found is not None
        assert (found["case"], found["reason"]) == (case.name, "")
        place = place_of(case.scenario())
        assert isinstance(place, Place)
        assert place.distance(case) == pytest.approx(0.0, abs=1e-9)


def test_a_result_carries_the_error_at_its_place() -> None:
    scenario = changed(Case("newreno", 12, 1.0, 0.05), "topology.bottleneck", "600 Mb/s")
    found = fr.run(scenario, engine="theory").expected_error
    assert found is not None
    assert found["case"] == "newreno, 12 flows, buffer 1 BDP, load 0.05"
    row = next(
        r for r in released().cases if (r["control"], r["flows"], r["buffer"], r["load"]) == ("newreno", 12, 1, 0.05)
    )
    assert found["errors"] == row["theory"]["errors"]
    told = engine_errors.line(found)
    assert written(found["errors"]["utilisation"], "points") in told
    assert found["case"] in told


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("switch.buffer", "75 MB", "bandwidth-delay products of buffer, and this has 100"),
        ("topology.rtt", "40 s", "packets of path per flow, and this has 138889"),
        ("topology.rtt", "1 ns", "packets of path per flow, and this has 0.0"),
        ("traffic.0.flows", 1, "4 flows and more, not 1"),
        ("traffic.0.flows", 400, "packets of path per flow, and this has 1.25"),
        ("traffic.0.congestion", {"kind": "hpcc"}, "no HPCC"),
        ("traffic.1.load", 0.8, "load of arriving transfers, and this has 0.8"),
        ("switch.marking", {"kind": "red", "kmin": "50 kB", "kmax": "500 kB"}, "no marks with NewReno"),
    ],
)
def test_outside_the_grid_is_said(path: str, value: Any, reason: str) -> None:
    scenario = changed(Case("newreno", 12, 1.0, 0.05), path, value)
    found = expected(scenario, "fluid")
    assert found is not None
    assert (found["case"], found["errors"]) == ("", {})
    assert reason in found["reason"]
    assert "outside the grid" in engine_errors.line(found)


def test_packets_are_the_yardstick() -> None:
    assert expected(CASES[0].scenario(), "packet") is None
    assert engine_errors.line(None) == ""


def test_engines_are_not_run_beside_papers() -> None:
    with pytest.raises(InvalidInput, match="run it alone"):
        engine_errors.asked(["ENGINES", "smartbuf"])
    assert not engine_errors.asked(["smartbuf"])
