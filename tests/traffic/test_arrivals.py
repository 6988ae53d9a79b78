"""Given arrivals: a list or CSV, in both packet engines, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree
from tests.traffic.drawing import document, drawn

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 4, "rate": "1 Gb/s", "rtt": "100 us"}
FLOWS = [
    {"time": 0.02, "size": 3000},
    {"time": "10 ms", "size": "50 kB", "source": "h1", "destination": "h2"},
    {"time": 0.5, "size": 1e4},
    {"time": 2.0, "size": 1e4},
]
CSV = "time [s],size [B],source,destination\n0.02,3000,,\n10 ms,50 kB,h1,h2\n\n0.5,10000,,\n2,1e4,,\n"


def entry(flows: Any) -> dict[str, Any]:
    return {"kind": "arrivals", "flows": flows, "host": {"jitter": 0, "ack_every": 1}}


def test_a_list_and_csv_are_the_same() -> None:
    listed, text = (Scenario.parse(document([entry(flows)], STAR)) for flows in (FLOWS, CSV))
    assert listed == text
    assert Scenario.parse(listed.to_dict()) == listed


def test_flows_are_those_given() -> None:
    raw = document([entry(FLOWS)], STAR)
    flows = drawn(raw)
    assert flows.start.tolist() == [20 * 10**9, 10 * 10**9, 500 * 10**9]
    assert flows.size.tolist() == [3000, 50_000, 10_000]
    assert (flows.source[1], flows.destination[1]) == (1, 2)
    (note,) = flows.notes
    assert note == "traffic.0: 1 of 4 flows would start at the end of the run (1 s) or later and are left out."


def test_a_lone_flow_takes_what_it_takes_by_hand() -> None:
    raw = document([entry([{"time": 0.1, "size": 1448, "source": "h1", "destination": "h2"}])], STAR)
    # Two links of 1 Gb/s, a full packet there and 64 B back, and the propagation.
    assert fr.run(raw).metrics["fct_mean"] == pytest.approx(100e-6 + 2 * (1500 + 64) * 8e-9, abs=1e-12)


def test_engines_agree() -> None:
    rng = np.random.default_rng(7)
    flows = [
        {"time": float(t), "size": int(s)}
        for t, s in zip(rng.uniform(0, 4e-3, 40), rng.integers(1, 60_000, 40), strict=True)
    ]
    raw = document([entry(flows)], STAR, duration="1 s")
    raw["switch"]["buffer"] = "30 kB"
    assert agree(build_plan(Scenario.parse(raw)))["fct_count"] == 40


def test_a_scenario_file_may_name_a_csv_beside_it(tmp_path: Path) -> None:
    (tmp_path / "flows.csv").write_text(CSV)
    raw = document([entry("@flows.csv")], STAR)
    (tmp_path / "scenario.json").write_text(json.dumps(raw))
    assert fr.load(tmp_path / "scenario.json") == Scenario.parse(document([entry(FLOWS)], STAR))
    raw["traffic"][0]["flows"] = "@nothing.csv"
    (tmp_path / "scenario.json").write_text(json.dumps(raw))
    with pytest.raises(InvalidInput, match=r"traffic\.0\.flows: given '@nothing\.csv'; cannot be read"):
        fr.load(tmp_path / "scenario.json")
    with pytest.raises(InvalidInput):  # data that came by other ways reads no files
        fr.load(raw)


@pytest.mark.parametrize(
    ("flows", "path"),
    [
        ([], "flows"),
        ([{"time": -1, "size": 1}], "flows.0.time"),
        ([{"time": 0, "size": 0}], "flows.0.size"),
        ([{"time": 0, "size": 10, "source": "h1"}], "flows.0"),
        ([{"time": 0, "size": 10, "to": "h1"}], "flows.0.to"),
        ("size,when\n1,2", "flows"),
        ("time,size\n1", "flows"),
        ("time,size\nsoon,1", "flows.0"),
        ([{"time": 0, "size": 10, "source": "h1", "destination": "nobody"}], "flows"),
        ([{"time": 0, "size": 10, "source": "h1", "destination": "h1"}], "flows.0"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(flows: Any, path: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        drawn(document([entry(flows)], STAR))
    assert refusal.value.problems[0].path == f"traffic.0.{path}"
