"""Closed forms of CUBIC and BBR on a scenario: against the fluid, published values and the bounds they must keep."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import FootroomError, Unsupported
from footroom.engines.theory import bbr
from footroom.engines.theory.adapter import estimate_many, inputs_of
from footroom.engines.theory.sizing import SINGLE_FLOW_LAWS, single_flow_buffer_ratio
from footroom.result import Result
from footroom.scenario import Scenario

#: Smallest buffers (packets) that kept a queue at one flow: 10 Gb/s, 9000 B, 1 ms, 166 packets in a product. Data
#: of Spang, Arslan, McKeown, Performance 2021.
MEASURED = {"reno": 177.8, "cubic": 111.1, "bbr": 44.4, "scalable": 40.0}


def document(kind: str, flows: int, ratio: float, *more: dict[str, Any], **congestion: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "100 Gb/s", "rtt": "20 ms"},
        "switch": {"buffer": ratio * 2.5e6},
        "traffic": [{"kind": "long_lived", "flows": flows, "congestion": {"kind": kind, **congestion}}, *more],
        "run": {"duration": "60 s", "warmup": "19.6 s"},
    }


def ask(engine: str, *args: Any, **kwargs: Any) -> Result:
    result = fr.run(Scenario.parse(document(*args, **kwargs)), engine=engine)
    assert isinstance(result, Result)
    return result


@pytest.mark.parametrize(
    ("flows", "ratio", "slack"),
    [
        (1, 0.05, 0.01),
        (1, 0.2, 0.01),
        (1, 0.5, 0.001),
        (2, 0.2, 0.01),
        (10, 0.2, 0.02),
        (50, 0.05, 0.045),
        (50, 0.2, 0.01),
        (50, 1.0, 0.001),
    ],
)
def test_cubic_against_the_fluid(flows: int, ratio: float, slack: float) -> None:
    theory, fluid = (ask(engine, "cubic", flows, ratio).metrics for engine in ("theory", "fluid"))
    assert theory["utilisation"] == pytest.approx(fluid["utilisation"], abs=slack)
    assert theory["utilisation"] >= min(0.7 * (1.0 + ratio), 1.0)
    if flows >= 10:
        # The fluid follows every flow and draws whom a drop strikes; the closed form takes means: 0.93 to 1.03.
        assert 0.85 < theory["drop_rate"] / fluid["drop_rate"] < 1.15


@pytest.mark.parametrize("flows", [1, 2, 10, 50])
@pytest.mark.parametrize("ratio", [0.05, 0.2, 0.5, 3.0])
def test_bbr_against_the_fluid(flows: int, ratio: float) -> None:
    theory, fluid = (ask(engine, "bbr", flows, ratio) for engine in ("theory", "fluid"))
    assert all(e.valid != (e.name in theory.outside) for e in theory.explanations if e.name in theory.metrics)
    assert theory.metrics["utilisation"] == pytest.approx(fluid.metrics["utilisation"], abs=2e-3)
    # The published form lets no two flows' probings overlap: a quarter too little with two, in truth 1 - 7/8.
    assert theory.metrics["drop_rate"] == pytest.approx(fluid.metrics["drop_rate"], rel=0.25, abs=1e-3)
    assert theory.metrics["queue_mean"] == pytest.approx(fluid.metrics["queue_mean"], rel=0.15)
    if flows == 1:
        assert theory.metrics["utilisation"] >= min(0.75 + ratio, 1.0)


@pytest.mark.parametrize("flows", [2, 10, 50])
@pytest.mark.parametrize("ratio", [0.5, 3.0])
def test_bbr_version_2_against_the_fluid(flows: int, ratio: float) -> None:
    theory, fluid = (ask(engine, "bbr", flows, ratio, version=2).metrics for engine in ("theory", "fluid"))
    assert theory["utilisation"] == pytest.approx(fluid["utilisation"], abs=4e-3)
    assert theory["queue_mean"] == pytest.approx(fluid["queue_mean"], rel=0.25)
    assert theory["drop_rate"] == fluid["drop_rate"] == 0.0


def test_without_probe_rtt_nothing_is_missing() -> None:
    told = ask("theory", "bbr", 10, 3.0, probe_rtt_interval=0)
    assert told.metrics["utilisation"] == 1.0
    usual = ask("theory", "bbr", 10, 3.0).metrics["utilisation"]
    assert 1.0 - 0.2 / 10.2 < usual < 1.0


def test_published_loss_of_shallow_buffers() -> None:
    plain = bbr.BbrInputs(1e8, 0.25 * 375e3, 1514.0, 0.03, 2)
    assert [bbr.evaluate(replace(plain, flows=n)).metrics["drop_rate"] for n in (2, 5, 10)] == pytest.approx(
        [0.1, 0.16, 0.18]
    )
    # Where windows bind, less; once they all fit, none.
    losses = [row["drop_rate"] for row in bbr.evaluate_many(plain, [x * 375e3 for x in (0.6, 0.7, 0.9, 1.0, 2.0)])]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == pytest.approx(0.1)
    assert losses[-2:] == [0.0, 0.0]


def test_the_rule_of_one_flow_against_measurements() -> None:
    least = {name: 166.0 * single_flow_buffer_ratio(law) for name, law in SINGLE_FLOW_LAWS.items()}
    # The rule is a least buffer; recovery and bursts ask for more. Reno and BBR come within the 30 % of a simulator,
    # CUBIC and Scalable needed 1.6 and 1.7 times as much.
    assert all(least[name] <= measured for name, measured in MEASURED.items())
    for name in ("reno", "bbr"):
        assert least[name] == pytest.approx(MEASURED[name], rel=0.3)


def test_rules_and_metrics_are_explained() -> None:
    told = {e.name: e for e in ask("theory", "bbr", 1, 0.1).explanations}
    assert told["law_dependent"].value == pytest.approx(0.25 * told["bdp"].value)
    assert {"utilisation", "drop_rate", "queue_mean"} <= set(told)
    curve = {e.name: e for e in ask("theory", "cubic", 1, 0.1).explanations}
    assert "u³" in curve["utilisation"].formula
    assert curve["law_dependent"].value == pytest.approx(3 / 7 * curve["bdp"].value)
    line = {e.name: e for e in ask("theory", "cubic", 10, 0.1).explanations}
    assert "u³" not in line["utilisation"].formula


def test_many_at_once_answer_as_one_by_one() -> None:
    scenarios = [
        Scenario.parse(document(kind, 5, ratio)) for kind in ("cubic", "bbr", "newreno") for ratio in (0.1, 0.5, 2.0)
    ]
    together = estimate_many(scenarios)
    assert [r.metrics for r in together] == [estimate_many([s])[0].metrics for s in scenarios]


def test_a_mixture_of_windows_says_that_shares_are_taken_as_equal() -> None:
    reno = {"kind": "long_lived", "flows": 10, "congestion": {"kind": "newreno"}}
    told = ask("theory", "cubic", 10, 0.2, reno)
    assert any("equal shares" in note for note in told.notes)
    alone = [ask("theory", kind, 20, 0.2).metrics["utilisation"] for kind in ("newreno", "cubic")]
    assert min(alone) <= told.metrics["utilisation"] <= max(alone)


@pytest.mark.parametrize(
    ("kind", "flows", "ratio", "more", "congestion"),
    [
        ("bbr", 10, 0.1, (), {"version": 2}),
        ("bbr", 1, 2.0, (), {"version": 2}),
        ("bbr", 10, 6.0, (), {"version": 2}),
        ("bbr", 5000, 1.0, (), {}),
        ("bbr", 5, 1.0, ({"kind": "long_lived", "flows": 5, "congestion": {"kind": "newreno"}},), {}),
        ("bbr", 5, 1.0, ({"kind": "poisson", "load": 0.1, "sizes": "100 kB", "congestion": {"kind": "bbr"}},), {}),
        ("newreno", 5, 1.0, ({"kind": "poisson", "load": 0.1, "sizes": "100 kB", "congestion": {"kind": "bbr"}},), {}),
    ],
)
def test_what_no_closed_form_covers_is_refused_naming_the_fluid(
    kind: str,
    flows: int,
    ratio: float,
    more: tuple[dict[str, Any], ...],
    congestion: dict[str, Any],
) -> None:
    scenario = Scenario.parse(document(kind, flows, ratio, *more, **congestion))
    with pytest.raises(FootroomError) as caught:
        estimate_many([scenario])
    assert isinstance(caught.value, Unsupported)
    assert caught.value.engines == ("fluid",)
    assert "fluid" in str(caught.value)


def test_controls_without_closed_forms_are_refused() -> None:
    with pytest.raises(Unsupported, match="fluid"):
        inputs_of(Scenario.parse(document("dctcp", 5, 1.0)))
