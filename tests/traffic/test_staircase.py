"""Flows that join and leave one after the other: when, between which hosts, and what each step tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.reference.agreement import agree
from tests.traffic.drawing import document

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.cli.steps_text import steps_text
from footroom.engines.plan import SECOND, build_plan
from footroom.kernel.tables import NEVER
from footroom.result.steps import mean_fairness, steps_of
from footroom.scenario import Scenario

STAR = {"kind": "star", "hosts": 9, "rate": "1 Gb/s", "rtt": "150 us"}


def raw(entry: dict[str, Any] | None = None, **run: Any) -> dict[str, Any]:
    stairs = {"kind": "staircase", "flows": 4, "interval": "20 ms", "host": {"min_rto": "5 ms"}, **(entry or {})}
    return document([stairs], STAR, **{"duration": "140 ms", "warmup": 0} | run)


def test_flows_join_and_leave_in_order() -> None:
    plan = build_plan(Scenario.parse(raw()))
    assert (plan.flow_start / SECOND).tolist() == pytest.approx([0, 0.02, 0.04, 0.06])
    assert (plan.flow_stop / SECOND).tolist() == pytest.approx([0.08, 0.1, 0.12, 0.14])
    assert len({*plan.flow_source.tolist()}) == 4
    assert len({*plan.flow_destination.tolist()}) == 1
    assert [at / SECOND for at in plan.steps] == pytest.approx([0.02 * k for k in range(8)])


def test_others_never_stop() -> None:
    plan = build_plan(Scenario.parse(document([{"kind": "long_lived", "flows": 2, "start_jitter": 0}], STAR)))
    assert plan.flow_stop.tolist() == [NEVER] * 2
    assert plan.steps == ()


@pytest.mark.parametrize("congestion", ["newreno", "dctcp", "bbr"])
def test_engines_agree_step_by_step(congestion: str) -> None:
    document_ = raw({"congestion": {"kind": congestion}, "jitter": "1 ms"}, warmup="7 ms", duration="120 ms")
    document_["switch"] = {"buffer": "60 kB", "marking": {"kind": "step", "threshold": "20 kB"}}
    agree(build_plan(Scenario.parse(document_)))
    packet, reference = fr.run(document_), fr.run(document_, engine="reference")
    assert packet.steps == reference.steps
    assert packet.metrics["fairness"] == reference.metrics["fairness"]


def test_steps_add_up_to_the_goodput() -> None:
    small = raw()
    small["switch"] = {"buffer": "40 kB"}
    result = fr.run(small)
    assert result.steps is not None
    assert [len(step["flows"]) for step in result.steps] == [1, 2, 3, 4, 3, 2, 1]
    total = sum(flow["goodput"] * (step["end"] - step["start"]) for step in result.steps for flow in step["flows"])
    # What a flow had under way when it left arrives in the step after, and counts in none.
    assert 0.95 < total / (result.metrics["goodput"] * 0.14) <= 1.0
    assert result.metrics["fairness"] == pytest.approx(mean_fairness(result.steps))


def test_the_command_line_prints_the_steps() -> None:
    rows = [
        {"start": 0.0, "end": 2.0, "flows": [{"flow": 0, "entry": 0, "goodput": 9e8}], "fairness": None},
        {
            "start": 2.0,
            "end": 4.0,
            "flows": [{"flow": 0, "entry": 0, "goodput": 4e8}, {"flow": 1, "entry": 0, "goodput": 5e8}],
            "fairness": 0.98780,
        },
    ]
    lines = [line.split() for line in steps_text(rows).splitlines()]
    assert lines[2] == ["0", "s", "to", "2", "s", "1", "900", "Mbit/s", "900", "Mbit/s"]
    assert lines[3] == ["2", "s", "to", "4", "s", "2", "400", "Mbit/s", "500", "Mbit/s", "0.988"]


def test_dctcp_shares_fairly() -> None:
    # Alizadeh et al., SIGCOMM 2010, Fig. 16: DCTCP converges within 20 to 30 ms and then holds its share.
    stairs = raw({"congestion": {"kind": "dctcp"}, "interval": "200 ms"}, duration="1.4 s")
    stairs["switch"] = {"buffer": "1 MB", "marking": {"kind": "step", "threshold": "30 kB"}}
    assert fr.run(stairs).metrics["fairness"] > 0.9


def test_an_index_by_hand() -> None:
    times, never = [0.0, 1.0, 3.0], np.inf
    received = [np.array([0.0, 0.0]), np.array([100.0, 0.0]), np.array([400.0, 100.0])]
    rows = steps_of(times, received, np.array([0.0, 1.0]), np.array([never, never]), [0, 0])
    assert rows[0] == {"start": 0.0, "end": 1.0, "flows": [{"flow": 0, "entry": 0, "goodput": 800.0}], "fairness": None}
    assert [flow["goodput"] for flow in rows[1]["flows"]] == [1200.0, 400.0]
    assert rows[1]["fairness"] == pytest.approx(1600.0**2 / (2 * (1200.0**2 + 400.0**2)))
    assert mean_fairness(rows) == rows[1]["fairness"]
    assert mean_fairness(rows[:1]) is None


def test_a_run_that_ends_early_says_so() -> None:
    notes = build_plan(Scenario.parse(raw(duration="50 ms"))).notes
    assert any("1 of 4 flows would join at the end of the run" in note for note in notes)
    notes = build_plan(Scenario.parse(raw(duration="100 ms"))).notes
    assert any("the last flow would leave at 0.14 s" in note for note in notes)
    assert not any("traffic.0" in note for note in build_plan(Scenario.parse(raw({"length": "30 ms"}))).notes)


@pytest.mark.parametrize(
    ("more", "field"),
    [({"jitter": "30 ms"}, "jitter"), ({"interval": 0}, "interval"), ({"flows": 0}, "flows"), ({"stop": 1}, "stop")],
)
def test_what_cannot_be_is_refused(more: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Scenario.parse(raw(more))
    assert refusal.value.problems[0].path == f"traffic.0.{field}"
