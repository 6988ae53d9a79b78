"""Traces are checked line by line, and Python, the command line and HTTP give one document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import footroom as fr
from footroom.calculators.emulator.trace import read_trace
from footroom.cli import main
from footroom.parts.sharing import REGISTRY
from footroom_api.app import create_app
from footroom_api.settings import Settings

TRACE = """time,port,size,flow
0.0,3,1500,a
0.0,3,1500,b
1e-6,3,1500,a
1e-6,0,64,c
"""


def test_a_trace_is_read_to_the_picosecond() -> None:
    read = read_trace(TRACE + "\n2.000000000001e-6 , 1 , 99 , b\n", 4)
    assert read.time.tolist() == [0, 0, 10**6, 10**6, 2 * 10**6 + 0]
    assert read.port.tolist() == [3, 3, 3, 0, 1]
    assert read.size.tolist() == [1500, 1500, 1500, 64, 99]
    assert read.flow.tolist() == [0, 1, 0, 2, 1]
    assert read.seq.tolist() == [0, 0, 1, 0, 1]


def test_columns_may_stand_in_any_order_and_flows_may_be_left_out() -> None:
    read = read_trace("size,port,time\n100,2,0\n200,1,1\n300,2,1\n", 4)
    assert (read.size.tolist(), read.time.tolist()) == ([100, 200, 300], [0, 10**12, 10**12])
    assert read.flow.tolist() == [0, 1, 0]
    assert "fab and abm" in fr.emulate(trace="size,port,time\n100,2,0\n", policies=["fab"]).notes[0]


def test_what_a_spreadsheet_writes_is_read() -> None:
    plain = "time,port,size\n0,1,64\n1e-6,0,1500\n"
    read = read_trace("\ufeff" + plain.replace("\n", "\r\n"), 4)
    assert (list(read.time), list(read.port)) == (list(read_trace(plain, 4).time), [1, 0])
    named = read_trace(plain.replace("time,port,size", "time [s], port, size [B]"), 4)
    assert (list(named.size), list(named.port)) == ([64, 1500], [1, 0])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "trace.line 1"),
        ("time,port\n", "trace.line 1"),
        ("time;port;size\n0;0;64\n", "trace.line 1"),
        ("time [us],port,size\n0,0,64\n", "trace.line 1"),
        ("time,port,size,colour\n", "trace.line 1"),
        ("time,port,size,size\n", "trace.line 1"),
        ("time,port,size\n", "trace"),
        ("time,port,size\n0,0\n", "trace.line 2"),
        ("time,port,size\n0,0,1500\n0,0,1500,1\n", "trace.line 3"),
        ("time,port,size\n0,4,1500\n", "trace.line 2.port"),
        ("time,port,size\n0,-1,1500\n", "trace.line 2.port"),
        ("time,port,size\n0,0,0\n", "trace.line 2.size"),
        ("time,port,size\n0,0,1500.5\n", "trace.line 2.size"),
        ("time,port,size\n0,0,70000\n", "trace.line 2.size"),
        ("time,port,size\nnan,0,64\n", "trace.line 2.time"),
        ("time,port,size\n1e-6,0,64\n\n0,0,64\n", "trace.line 4.time"),
        ("time,port,size\n1us,0,64\n", "trace.line 2.time"),
        ("time,port,size\n-1,0,64\n", "trace.line 2.time"),
        ("time,port,size\n1_0,0,64\n", "trace.line 2.time"),
        ("time,port,size,flow\n0,0,64,\n", "trace.line 2.flow"),
        ('time,port,size\n0,0,"64\n', "trace"),
    ],
)
def test_what_is_wrong_in_a_trace_is_named_by_line(text: str, where: str) -> None:
    with pytest.raises(fr.InvalidInput) as refusal:
        fr.emulate(trace=text, ports=4, policies=["static"])
    assert [problem.path for problem in refusal.value.problems] == [where]


def test_all_faults_are_listed_up_to_a_page() -> None:
    with pytest.raises(fr.InvalidInput) as refusal:
        read_trace("time,port,size\n" + "x,9,y\n" * 100, 4)
    assert [problem.path for problem in refusal.value.problems[:3]] == [
        "trace.line 2.time",
        "trace.line 2.port",
        "trace.line 2.size",
    ]
    assert len(refusal.value.problems) < 30


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"degree": 0}, "degree"),
        ({"colour": 1}, "colour"),
        ({"size": "64KB"}, "size"),
        ({"buffer": 1.5}, "buffer"),
        ({"policies": []}, "policies"),
        ({"policies": ["nix"]}, "policies.0.kind"),
        ({"policies": ["fab:alpha"]}, "policies.0"),
        ({"policies": ["static", {"kind": "smartbuf", "sigma": 1}]}, "policies.1.sigma"),
        ({"trace": TRACE, "degree": 3}, "degree"),
        ({"trace": TRACE, "load": 0.5}, "load"),
        ({"reserved": "1 MB"}, "reserved"),
        ({"congested": 32}, "congested"),
        ({"size": "1 TB"}, "size"),
        ({"load": 0.9, "bursts": 500}, "load"),
        ({"bursts": 1000}, "size"),
        ({"congested": 1, "overload": 1.000001, "buffer": "1 TB", "rate": "1 Mb/s"}, "rate"),
        ({"ports": 1024, "steps": 4000}, "steps"),
    ],
)
def test_what_is_wrong_in_a_question_is_named(given: dict[str, Any], where: str) -> None:
    with pytest.raises(fr.InvalidInput) as refusal:
        fr.emulate(given)
    assert [problem.path for problem in refusal.value.problems] == [where]


def test_policies_in_short_and_in_full_are_the_same() -> None:
    short = fr.emulate(policies=["smartbuf:sigma=32,faithful=true", "edt"], capacity=False, degree=3)
    full = fr.emulate(
        policies=[{"kind": "smartbuf", "sigma": 32, "faithful": True}, {"kind": "edt"}], capacity=False, degree=3
    )
    assert short.to_dict() == full.to_dict()
    assert [one["label"] for one in short.policies] == ["smartbuf sigma=32 faithful=True", "edt"]


def test_a_trace_needs_no_bursts_to_find_its_alpha() -> None:
    """Two senders at 100 Gb/s for 200 packets each: a packet is sent at once, and in the end 200 wait."""
    lines = "".join(f"{i * 120e-9:.12f},0,1500,{flow}\n" for i in range(200) for flow in "ab")
    answer = fr.emulate(
        trace="time,port,size,flow\n" + lines, buffer=400 * 1500, ports=4, policies=["dynamic_threshold"]
    )
    assert answer.smallest_alpha is not None
    alpha = answer.smallest_alpha["emulated"]
    assert answer["dynamic_threshold"]["lossless"]
    # The last one is admitted when 200 ≤ α · (400 − 199), its own memory being free still.
    assert alpha == pytest.approx(200 / 201, rel=1e-5)
    assert answer.smallest_alpha["closed_form"] is None
    assert answer["dynamic_threshold"]["bursts"] == []


def test_frames_and_figures() -> None:
    answer = fr.emulate(degree=4, bursts=2)
    assert list(answer.to_frame()["policy"]) == [one["label"] for one in answer.policies]
    assert len(answer.figure().data) == 4 * len(answer.policies)
    with pytest.raises(KeyError):
        answer["nix"]


def test_python_command_line_and_http_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = {
        "degree": 12,
        "size": "90 kB",
        "buffer": "1 MB",
        "bursts": 2,
        "steps": 20,
        "policies": ["dynamic_threshold:alpha=2", "smartbuf"],
    }
    ours = fr.emulate(question).to_dict()
    assert (
        main(
            [
                "emulate",
                "--degree",
                "12",
                "--size",
                "90 kB",
                "--buffer",
                "1 MB",
                "--bursts",
                "2",
                "--steps",
                "20",
                "--policy",
                "dynamic_threshold:alpha=2",
                "--policy",
                "smartbuf",
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(ours))
    with TestClient(
        create_app(Settings(database=str(tmp_path / "x.db"), warm=False, frontend=tmp_path)),
        base_url="http://localhost",
    ) as client:
        answer = client.post("/api/v1/emulate", json=question)
        assert answer.status_code == 200
        assert answer.json() == json.loads(json.dumps(ours))
        wrong = client.post("/api/v1/emulate", json={"trace": TRACE, "ports": 3})
        assert wrong.status_code == 422
        assert [error["path"] for error in wrong.json()["errors"]] == [
            "trace.line 2.port",
            "trace.line 3.port",
            "trace.line 4.port",
        ]
        schema = client.get("/api/v1/emulate").json()
        assert schema["properties"]["buffer"]["unit"] == "B"


def test_the_command_line_reads_a_file_and_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("\ufeff" + TRACE, encoding="utf-8")
    assert main(["emulate", "--trace", str(path), "--policy", "complete"]) == 0
    shown = capsys.readouterr().out
    assert "4 packets" in shown
    assert "complete" in shown
    path.write_text(TRACE + "2e-6,99,1500,a\n", encoding="utf-8")
    assert main(["emulate", "--trace", str(path)]) == 2
    assert "line 6" in capsys.readouterr().err
    assert main(["emulate", "--trace", str(tmp_path / "none.csv")]) == 2
    assert main(["emulate", "--policy", "smartbuf:beta=2"]) == 2
    assert "--policy" in capsys.readouterr().err


def test_whatever_a_policy_counts_is_named_and_has_a_unit() -> None:
    kinds = [registered.model_fields["kind"].default for registered in REGISTRY]
    found = fr.emulate(degree=8, size="64 kB", buffer="3 MB", ports=8, policies=kinds)
    told = {one["kind"]: one for one in found.to_dict()["policies"]}
    assert told.keys() == set(kinds)
    for one in told.values():
        assert one["observed"].keys() == one["counts"].keys()
    assert told["smartbuf"]["counts"]["largest"] == {"unit": "B", "title": "largest burst"}
