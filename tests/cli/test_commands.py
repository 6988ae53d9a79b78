from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from footroom.cli import main


def test_run_prints_one_result_and_nothing_else(footroom: Any, scenario: Path) -> None:
    status, out, err = footroom("run", scenario, "--engine", "fluid", "--json")
    document = json.loads(out)
    assert (status, err) == (0, "")
    assert document["engine"] == "fluid"
    assert document["metrics"]["queue_mean"] == 50_000
    assert document["scenario"]["topology"]["rtt"] == 0.01


def test_run_asks_the_packet_engine_unless_told_otherwise(footroom: Any, scenario: Path) -> None:
    assert json.loads(footroom("run", scenario, "--json")[1])["engine"] == "packet"


def test_run_for_a_person_has_units_notes_and_formulas(footroom: Any, scenario: Path) -> None:
    status, out, _ = footroom("run", scenario, "--engine", "fluid")
    assert status == 0
    for text in ("90.91 %", "1.000e-03", "50 kB", "note: no bursts", "125 kB = C·RTT/8 (Villamizar 1994)"):
        assert text in out
    assert "95 %" not in out
    assert "0 to 3.000e-03" in footroom("run", scenario)[1]


def test_set_changes_fields(footroom: Any, scenario: Path) -> None:
    _, out, _ = footroom(
        "run",
        scenario,
        "--json",
        "--set",
        "switch.buffer=200 packets",
        "--set",
        "traffic.0.flows=9",
        "--set",
        'switch.sharing={"kind": "dynamic_threshold", "alpha": 2}',
        "--set",
        "run.seed=7",
    )
    document = json.loads(out)
    assert document["scenario"]["switch"]["buffer"] == 300_000
    assert document["scenario"]["traffic"][0]["flows"] == 9
    assert document["scenario"]["switch"]["sharing"]["alpha"] == 2
    assert document["seed"] == 7


def test_a_kind_set_alone_drops_the_old_kinds_parameters(footroom: Any, scenario: Path) -> None:
    before = 'switch.sharing={"kind": "dynamic_threshold", "alpha": 2}'
    status, out, _ = footroom("run", scenario, "--json", "--set", before, "--set", "switch.sharing.kind=complete")
    assert status == 0
    assert json.loads(out)["scenario"]["switch"]["sharing"] == {"kind": "complete"}


def test_another_transport_leaves_the_settings_of_the_old_hosts_out(footroom: Any) -> None:
    given = ["run", "wan-bottleneck", "--engine", "fluid", "--json", "--set", "traffic.0.congestion.kind=dcqcn"]
    status, out, err = footroom(*given)
    entry = json.loads(out)["scenario"]["traffic"][0]
    assert status == 0
    assert entry["congestion"]["kind"] == "dcqcn"
    assert "DCQCN runs over RDMA, so these settings were left out: profile" in err
    assert footroom(*given, "--set", "traffic.0.host.recovery=prr")[0] == 2
    assert footroom("run", "wan-bottleneck", "--engine", "fluid", "--set", "traffic.0.congestion.kind=cubic")[2] == ""


def test_replicas_have_intervals(footroom: Any, scenario: Path) -> None:
    document = json.loads(footroom("run", scenario, "--json", "--replicas", 3, "--workers", 2)[1])
    assert document["provenance"]["replicas"] == 3
    assert document["intervals"]["drop_rate"] == [0.0, 0.001]


def test_sweep_prints_points_of_all_engines(footroom: Any, scenario: Path) -> None:
    status, out, err = footroom("sweep", scenario, "--over", "switch.buffer=25kB:2.5MB:log3", "--json")
    points = json.loads(out)["points"]
    assert (status, err) == (0, "")
    assert [(p["at"]["switch.buffer"], p["result"]["engine"]) for p in points] == [
        (b, e) for b in (25_000, 250_000, 2_500_000) for e in ("theory", "fluid", "packet")
    ]


def test_sweep_for_a_person_and_as_csv(footroom: Any, scenario: Path, tmp_path: Path) -> None:
    status, out, _ = footroom(
        "sweep",
        scenario,
        "--over",
        "switch.buffer=100kB,1MB",
        "--over",
        "traffic.0.flows=4,8",
        "--engine",
        "fluid",
        "--csv",
        tmp_path / "x.csv",
    )
    assert status == 0
    assert "1 MB" in out
    assert "99.01 %" in out
    assert out.count("note: no bursts") == 1
    rows = list(csv.DictReader((tmp_path / "x.csv").open()))
    assert [row["traffic.0.flows"] for row in rows] == ["4", "8", "4", "8"]


def test_sweep_says_what_an_engine_cannot_answer(footroom: Any, scenario: Path) -> None:
    arguments = ("sweep", scenario, "--over", "switch.sharing.kind=complete,static", "--engine")
    status, out, _ = footroom(*arguments, "fluid,packet", "--json")
    document = json.loads(out)
    assert (status, len(document["points"]), document["unsupported"][0]["engine"]) == (0, 3, "fluid")
    assert "fluid cannot answer: switch.sharing.kind: static sharing" in footroom(*arguments, "fluid,packet")[1]


def test_an_engine_that_cannot_answer_at_all_is_bad_input(footroom: Any, scenario: Path) -> None:
    status, out, err = footroom("run", scenario, "--engine", "fluid", "--set", "switch.sharing.kind=static", "--json")
    assert (status, out) == (2, "")
    assert "Engines that can answer: packet" in err


def test_a_preset_brings_its_axes_and_engines(footroom: Any) -> None:
    status, out, _ = footroom("sweep", "wan-bottleneck", "--json")
    document = json.loads(out)
    assert status == 0
    assert len(document["points"]) == 27
    assert len(json.loads(footroom("sweep", "facebook-ebb", "--engine", "fluid", "--json")[1])["points"]) == 3


def test_size_finds_the_buffer(footroom: Any, scenario: Path) -> None:
    status, out, err = footroom(
        "size", scenario, "--require", "utilisation>=0.9", "--require", "drop_rate<=5e-4", "--engine", "fluid", "--json"
    )
    document = json.loads(out)
    assert (status, err, document["feasible"], document["path"]) == (0, "", True, "switch.buffer")
    assert document["value"] == pytest.approx(2e5, rel=0.02)
    assert document["binding"] == "drop_rate<=5e-4"
    assert "decided by utilisation>=90%" in footroom("size", scenario, "--require", "utilisation>=90%")[1]
    by_packets = footroom("size", scenario, "--require", "utilisation>=90%", "--engine", "packet")[1]
    assert "95 % interval 8" in by_packets
    assert "decided by utilisation>=90%; packet" in by_packets


def test_size_beyond_reach_is_status_three(footroom: Any, scenario: Path) -> None:
    arguments = ("size", scenario, "--require", "drop_rate<=1e-12", "--engine", "fluid")
    status, out, err = footroom(*arguments)
    assert (status, out) == (3, "")
    assert "cannot be reached" in err
    status, out, _ = footroom(*arguments, "--json")
    assert status == 3
    assert json.loads(out)["feasible"] is False


def test_size_where_and_what(footroom: Any, scenario: Path) -> None:
    document = json.loads(
        footroom(
            "size",
            scenario,
            "--require",
            "utilisation>=0.9",
            "--between",
            "50kB:200kB",
            "--engine",
            "fluid",
            "--tolerance",
            "1e-9",
            "--json",
        )[1]
    )
    assert (document["value"], document["interval"]) == (90_000, [89_999, 90_000])


def test_presets_and_catalog(footroom: Any, tmp_path: Path) -> None:
    status, out, _ = footroom("presets")
    assert status == 0
    assert "facebook-ebb-full (heavy)" in out
    assert json.loads(footroom("presets", "--json")[1])["presets"][0]["question"].endswith("?")
    shown = footroom("presets", "tor-10g")[1]
    (tmp_path / "own.json").write_text(shown)
    assert footroom("run", tmp_path / "own.json", "--json")[0] == 0
    assert json.loads(footroom("presets", "tor-10g", "--json")[1])["over"]
    assert "newreno" in footroom("catalog")[1]
    assert "axes" in json.loads(footroom("catalog", "--json")[1])


def test_bench_prints_what_is_measured(footroom: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    fake = types.ModuleType("footroom.bench")
    fake.MEASUREMENTS = 1  # type: ignore[attr-defined]

    def measure(say: Any) -> dict[str, Any]:
        say("packet_dumbbell")
        return {"rates": {"packet_dumbbell": 4.8e6}, "ratios": {"two_cores": 1.7}}

    fake.measure = measure  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "footroom.bench", fake)
    assert json.loads(footroom("bench", "--json")[1])["ratios"] == {"two_cores": 1.7}
    assert "4.8e+06" in footroom("bench")[1]


def test_serve_hands_its_options_over(footroom: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    told: dict[str, Any] = {}
    fake = types.ModuleType("footroom_api.serve")
    fake.main = lambda **options: told.update(options)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "footroom_api.serve", fake)
    assert footroom("serve", "--port", 0, "--database", "x.db", "--allow-host", "a", "--allow-host", "b")[0] == 0
    assert told == {
        "host": "127.0.0.1",
        "port": 0,
        "database": "x.db",
        "scheduler": None,
        "allow_hosts": ["a", "b"],
        "first_free": False,
    }
    assert footroom("serve", "--port", 70000)[0] == 2


@pytest.mark.parametrize("arguments", [["presets"], ["presets", "--json"], ["catalog"], ["voq", "--json"], ["voq"]])
def test_an_output_in_ascii_is_no_fault(arguments: list[str]) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "footroom.cli", *arguments],
        env=environment,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    if "--json" in arguments:
        assert isinstance(json.loads(text), (dict, list))


def test_help_gives_defaults_and_what_an_omitted_option_means(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["pool", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "Largest packet of a lossless class; default 1500 B" in text
    assert "Packet memory; if omitted, the chip's usable memory" in text
    assert "none means" not in text
