"""Which control changes the answer: rows that equal single searches, honest about what they cannot say."""

from __future__ import annotations

import csv
import io
import json
import shlex
from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import Cancelled, InvalidInput, Unsupported
from footroom.cli.main import main
from footroom.parts.congestion import REGISTRY
from footroom.scenario import Scenario, presets
from footroom.scenario.bottleneck import congested_queue
from footroom.scenario.kinds import set_field
from footroom.studies import search
from footroom.studies.controls import Comparison, available, compare, control_named, pairs

NEED = ["utilisation>=0.99"]


def scenario(preset: str = "wan-bottleneck") -> dict[str, Any]:
    document: dict[str, Any] = presets.load(preset).to_dict()["scenario"]
    return document


def test_every_kind_of_the_registry_is_there_and_versions_apart() -> None:
    assert {control.documents[0]["kind"] for control in available()} == set(REGISTRY.names)
    assert {"bbr1", "bbr2"} <= {control.name for control in available()}
    assert control_named("bbr").name == "bbr1"
    assert len({control.name for control in pairs(available())}) == len(pairs(available()))


@pytest.mark.parametrize("name", ["tahoe", "cubic+cubic", "cubic+tahoe", "a+b+c", "", None, 3])
def test_an_unknown_control_is_refused_with_those_that_there_are(name: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        control_named(name)
    assert "newreno" in str(refused.value) or "different" in str(refused.value)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize("control", ["newreno", "cubic", "dctcp", "bbr1+cubic"])
def test_a_figure_is_that_of_a_single_search(engine: str, control: str) -> None:
    row = compare(scenario(), NEED, engines=engine, controls=[control], flows=[20]).rows[0]
    document = scenario()
    for path, value in (row.settings or {}).items():
        document = set_field(document, path, value)
    if row.status == "unanswered":
        with pytest.raises(Unsupported):
            search(document, NEED, engine=engine)
        return
    alone = search(document, NEED, engine=engine)
    assert (row.value, row.interval, row.binding) == (alone.value, alone.interval, alone.binding)


def test_the_command_of_a_row_gives_its_figure(capsys: pytest.CaptureFixture[str]) -> None:
    answer = fr.controls("wan-bottleneck", NEED, engines="theory", controls=["newreno+cubic"], flows=[5])
    words = shlex.split(answer.rows[0].command)
    assert words[:3] == ["footroom", "size", "wan-bottleneck"]
    assert main([*words[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == answer.rows[0].value


def test_flows_are_shared_by_halves_and_entries_keep_their_part() -> None:
    asked = Comparison(scenario("mixed-controls"), NEED, controls=["newreno+cubic"], flows=[31], engines="fluid")
    entries = asked.cells[0][3].document["traffic"]
    assert sum(entry["flows"] for entry in entries) == 31
    kinds = {entry["congestion"]["kind"]: 0 for entry in entries}
    for entry in entries:
        kinds[entry["congestion"]["kind"]] += entry["flows"]
    assert abs(kinds["newreno"] - kinds["cubic"]) <= 3  # three entries, each of which may be odd


def test_a_mixture_needs_a_flow_each() -> None:
    asked = Comparison(scenario(), NEED, controls=["newreno", "newreno+cubic"], flows=[1, 2], engines="theory")
    assert [(control.name, count) for control, count, _, _ in asked.cells] == [
        ("newreno", 1),
        ("newreno", 2),
        ("newreno+cubic", 2),
    ]


def test_parameters_of_the_control_that_is_there_stay() -> None:
    document = scenario("cubic-wan")
    document["traffic"][0]["congestion"] = {"kind": "cubic", "beta": 0.8}
    asked = Comparison(document, NEED, controls=["cubic", "newreno"], flows=[20], engines="theory")
    found = [one.document["traffic"][0]["congestion"] for _, _, _, one in asked.cells]
    assert found == [{"kind": "cubic", "beta": 0.8}, {"kind": "newreno"}]


def test_a_stricter_target_needs_no_smaller_buffer() -> None:
    def buffers(target: str) -> list[float]:
        rows = compare(scenario(), [target], engines="theory", controls=["newreno", "cubic"], flows=[2, 50, 200]).rows
        return [row.value or 0.0 for row in rows]

    loose, strict = buffers("utilisation>=0.95"), buffers("utilisation>=0.995")
    # Where the model's validity ends, and not the target decides, both are the same.
    assert all(a <= b for a, b in zip(loose, strict, strict=True))
    assert sum(a < b for a, b in zip(loose, strict, strict=True)) > 3


def test_cubic_needs_less_than_newreno_as_it_cuts_less() -> None:
    """A lone flow that cuts to beta keeps the link busy with (1 - beta)/beta of the path as buffer (Spang et al.)."""
    rows = compare(scenario(), ["utilisation>=0.9999"], engines="theory", controls=["newreno", "cubic"], flows=[1]).rows
    product = 1e9 * 0.02 / 8.0
    for row, beta in zip(rows, (0.5, 0.7), strict=True):
        assert row.value == pytest.approx((1.0 - beta) / beta * product, rel=0.1)


def test_a_buffer_of_few_packets_is_not_vouched_for_by_a_model_without_bursts() -> None:
    """Below 16 packets this fluid fills the link, where paced bursts are lost in packets; above, it stays at 98 %."""
    row = compare(scenario(), NEED, engines="fluid", controls=["bbr1"], flows=[50]).rows[0]
    assert row.status == "missed"
    assert row.value is None
    assert "utilisation is 100.00 %" in row.reason


def test_the_edge_of_a_models_validity_is_not_the_need() -> None:
    """With 1000 flows windows are of two packets: smaller buffers meet the target, where the fluid does not hold."""
    row = compare(scenario(), NEED, engines="fluid", controls=["newreno"], flows=[1000]).rows[0]
    assert row.status == "found"
    assert "not valid for them" in row.outside


def test_controls_that_wait_for_marks_get_them_only_where_there_are_none() -> None:
    wan = Comparison(scenario(), NEED, controls=["dctcp", "newreno"], flows=[50], engines="fluid").cells
    assert wan[0][3].settings["switch.marking"]["threshold"] == pytest.approx(1e9 * 0.02 / 8 / 7, rel=0.01)
    assert "switch.marking" not in wan[1][3].settings
    rack = Comparison(scenario("dctcp-rack"), NEED, controls=["dctcp"], flows=[8], engines="fluid").cells
    assert rack[0][3].settings == {}


@pytest.mark.parametrize("preset", [one.id for one in presets.PRESETS])
def test_every_preset_is_asked_or_refused_with_those_that_can(preset: str) -> None:
    document = scenario(preset)
    if congested_queue(Scenario.parse(document)) is None:
        with pytest.raises(Unsupported, match="wan-bottleneck"):
            Comparison(document, NEED, controls=["cubic"])
        return
    asked = Comparison(document, NEED, engines="packet")
    for control, _, _, one in asked.cells:
        parsed = Scenario.parse(one.document)  # every control makes a scenario that is valid
        kinds = {entry.congestion.kind for entry in parsed.traffic}
        assert {law["kind"] for law in control.documents} <= kinds


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"flows": "0:10:log3"}, "traffic.0.flows"),
        ({"flows": [0]}, "flows"),
        ({"flows": [1.5]}, "flows"),
        ({"flows": ["x"]}, "flows"),
        ({"flows": [True]}, "flows"),
        ({"flows": []}, "traffic.0.flows"),
        ({"controls": []}, "controls"),
        ({"engines": "magic"}, "engines"),
        ({"flows": list(range(1, 2000))}, "flows"),
    ],
)
def test_wrong_input_names_its_field(options: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        compare(scenario(), NEED, **options)
    assert refused.value.problems[0].path == path


@pytest.mark.parametrize("require", [[], ["utilization>=0.9"], ["utilisation>=0.9.9"]])
def test_a_wrong_requirement_is_refused(require: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        compare(scenario(), require)
    assert refused.value.problems[0].path == "require"


def test_traffic_without_long_flows_has_no_number_of_them() -> None:
    asked = Comparison(scenario("short-flows"), ["drop_rate<=1e-3"], controls=["newreno", "cubic"], engines="theory")
    assert [count for _, count, _, _ in asked.cells] == [None, None]
    with pytest.raises(InvalidInput, match="leave it out"):
        Comparison(scenario("short-flows"), NEED, flows=[10])


def test_completion_times_start_probes_for_packets_only() -> None:
    need = ["transfer_p99<=1s"]
    packets = Comparison(scenario(), need, controls=["cubic"], flows=[50], engines="theory,packet").cells
    assert [one.settings.get("run.probe_share") for _, _, _, one in packets] == [None, 0.01]


def test_completion_time_is_computed_where_it_is_asked_for() -> None:
    row = compare(scenario(), ["transfer_p99<=1.5s"], engines="theory", controls=["newreno"], flows=[50]).rows[0]
    assert row.value == search(scenario(), ["transfer_p99<=1.5s"], engine="theory").value


def test_rows_come_one_by_one_and_can_be_stopped() -> None:
    class Stop:
        seen = 0

        def is_set(self) -> bool:
            return self.seen > 1

    stop = Stop()

    def on_row(row: Any) -> None:
        stop.seen += 1

    with pytest.raises(Cancelled):
        compare(scenario(), NEED, engines="theory", controls=["newreno"], flows=[1, 2, 3, 4], on_row=on_row, stop=stop)
    assert stop.seen == 2


def test_the_table_as_csv_has_every_row_and_rule() -> None:
    answer = compare(scenario(), NEED, engines="theory", controls=["newreno", "swift"], flows=[50])
    lines = list(csv.DictReader(io.StringIO(answer.to_csv())))
    assert [line["control"] for line in lines][:3] == ["newreno", "swift", "bdp"]
    assert float(lines[0]["buffer [B]"]) == answer.rows[0].value
    assert lines[1]["status"] == "unanswered"
    assert lines[1]["buffer [B]"] == ""
    root = next(line for line in lines if line["control"] == "bdp_over_root_n")
    assert float(root["buffer [B]"]) == pytest.approx(1e9 * 0.02 / 8 / 50**0.5, rel=0.01)


def test_the_sentence_names_both_ends() -> None:
    answer = compare(scenario(), NEED, engines="theory", controls=["newreno", "cubic"], flows=[50])
    assert answer.headline.startswith("Yes.")
    assert "CUBIC needs 185 kB" in answer.headline
    assert "NewReno 810 kB" in answer.headline


def test_the_command_line_prints_tables_and_refuses_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "controls",
        "wan-bottleneck",
        "--engine",
        "theory",
        "--flows",
        "50",
        "--control",
        "newreno",
        "--control",
        "swift",
    ]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "809.7 kB" in printed
    assert "Swift: no answer" in printed
    assert "BDP/√n" in printed
    assert main([*asked, "--control", "tahoe"]) == 2
    assert "tahoe" in capsys.readouterr().err
    assert main(["controls", "storage-benchmark"]) == 2
    assert "wan-bottleneck" in capsys.readouterr().err


def test_the_document_is_plain_and_has_no_nan() -> None:
    answer = compare(scenario(), NEED, engines="theory", controls=["newreno", "bbr2", "hpcc"], flows=[1, 50])
    assert json.loads(json.dumps(answer.to_dict(), allow_nan=False))["rows"][0]["status"] == "found"
