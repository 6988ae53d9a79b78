from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from footroom import studies
from footroom.base.errors import InvalidInput
from footroom.studies import Study, catalog, csv_of, describe_engines, engines, figure_of, run
from footroom.studies.engines import ENGINES, engine_names


def test_the_document_has_the_public_shape(raw: dict[str, Any], fakes: Any) -> None:
    document = run(Study.of(raw, {"switch.buffer": "25kB,50kB"}, "packet", 2)).to_dict()
    assert document["points"][0]["at"] == {"switch.buffer": 25_000}
    expected = {"engine", "scenario", "seed", "wall_s", "metrics", "intervals", "provenance"}
    assert expected <= set(document["points"][0]["result"])
    json.dumps(document, allow_nan=False)


def test_csv_has_one_row_per_point_and_engine_and_leaves_out_what_is_not_there(raw: dict[str, Any], fakes: Any) -> None:
    over = {"switch.buffer": "25kB,50kB", "switch.sharing": [{"kind": "complete"}]}
    sweep = run(Study.of(raw, over, "theory,packet", 2))
    rows = list(csv.DictReader(io.StringIO(sweep.to_csv())))
    assert [(row["switch.buffer"], row["engine"]) for row in rows] == [
        ("25000.0", "theory"),
        ("25000.0", "packet"),
        ("50000.0", "theory"),
        ("50000.0", "packet"),
    ]
    assert rows[0]["drop_rate"] == ""
    assert float(rows[1]["drop_rate_low"]) <= float(rows[1]["drop_rate"])
    assert json.loads(rows[0]["switch.sharing"]) == {"kind": "complete"}
    assert "fct_p99" not in rows[0]
    assert csv_of([]) == "engine,seed,replicas\n"


def test_a_frame_has_the_same_columns(raw: dict[str, Any], fakes: Any) -> None:
    sweep = run(Study.of(raw, {"switch.buffer": "25kB,50kB"}, "packet", 2))
    frame = sweep.to_frame()
    assert list(frame.columns)[:2] == ["switch.buffer", "engine"]
    assert set(frame.columns) == set(sweep.to_csv().splitlines()[0].split(","))


def test_an_engine_looks_the_same_everywhere_and_colour_is_what_is_compared(raw: dict[str, Any], fakes: Any) -> None:
    over = {"switch.buffer": "25kB:2.5MB:log3", "traffic.0.flows": [4, 8]}
    traces = run(Study.of(raw, over, "theory,fluid,packet", 2)).figure().data
    by_engine = {engine: [t for t in traces if t.name.startswith(engine)] for engine in ("theory", "fluid", "packet")}
    assert {t.line.dash for t in by_engine["theory"]} == {"dot"}
    assert {t.line.dash for t in by_engine["fluid"]} == {"solid"}
    assert {t.mode for t in by_engine["packet"]} == {"markers"}
    assert len(by_engine["packet"]) == 6
    assert all(t.error_y.array is not None for t in by_engine["packet"])
    colours = {t.name: t.marker.color for t in by_engine["packet"]}
    assert len(set(colours.values())) == 2
    assert by_engine["fluid"][0].line.color == colours["packet, traffic.0.flows = 4"]


def test_a_point_without_drops_is_drawn_at_its_upper_end(raw: dict[str, Any], fakes: Any) -> None:
    points = run(Study.of(raw, {"switch.buffer": "25kB:2.5MB:log3"}, "packet")).to_dict()["points"]
    points[2]["result"]["metrics"]["drop_rate"] = 0.0
    points[2]["result"]["intervals"]["drop_rate"] = [0.0, 0.0003]
    figure = figure_of(points)
    drops = figure.data[0]
    assert drops.y[2] == 0.0003
    assert drops.marker.symbol[2] == "triangle-down-open"
    assert drops.marker.symbol[0] == "circle"
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.yaxis.type == "log"


def test_a_figure_of_one_point_or_of_words(raw: dict[str, Any], fakes: Any) -> None:
    assert len(run(Study.of(raw, None, "fluid")).figure().data) == 3
    words = run(Study.of(raw, {"switch.sharing.kind": "complete,dynamic_threshold"}, "packet")).figure()
    assert list(words.data[0].x) == ["complete", "dynamic_threshold"]
    with pytest.raises(InvalidInput):
        figure_of([])


def test_engines_are_listed_in_order() -> None:
    assert [e["engine"] for e in describe_engines()] == ["theory", "fluid", "hybrid", "packet", "reference"]
    assert [e.name for e in ENGINES if not e.random] == ["theory", "fluid"]
    assert engine_names("packet,theory, packet") == ("theory", "packet")


def test_the_catalogue_lists_every_axis_with_units() -> None:
    found = catalog()
    json.dumps(found, allow_nan=False)
    axes = {axis["axis"]: axis for axis in found["axes"]}
    assert list(axes) == [
        "topology",
        "sharing",
        "marking",
        "headroom",
        "scheduling",
        "architecture",
        "traffic",
        "sizes",
        "congestion",
    ]
    dumbbell = next(kind for kind in axes["topology"]["kinds"] if kind["kind"] == "dumbbell")
    assert dumbbell["schema"]["properties"]["rtt"]["unit"] == "s"
    assert not any(axis["planned"] for axis in axes.values())


def test_the_catalogue_lists_the_engines_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = catalog()["engines"]
    monkeypatch.setattr(engines, "ENGINES", ENGINES[:1])
    assert catalog()["engines"] == before[:1]


def test_every_public_name_exists() -> None:
    for name in studies.__all__:
        assert getattr(studies, name) is not None
    with pytest.raises(AttributeError):
        _ = studies.nothing


def test_text_in_a_table_is_never_a_formula() -> None:
    point = {
        "at": {"name": "=1+1", "switch.buffer": -5.0},
        "result": {
            "engine": "theory",
            "seed": 1,
            "provenance": {"replicas": 1},
            "metrics": {"utilisation": 0.5},
            "intervals": {},
        },
    }
    assert "\n'=1+1,-5.0,theory" in csv_of([point])
