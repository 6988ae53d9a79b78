"""Several congestion controls and round trips on one bottleneck: who gets what, and that nothing else matters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.engines.fluid.adapter import inputs_of, system_of
from footroom.engines.plan import build_plan
from footroom.engines.theory.adapter import inputs_of as theory_inputs
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.studies.cell import pack, unpack

STEP = {"kind": "step", "threshold": "200 kB"}


def entry(kind: str, flows: int = 10, **more: Any) -> dict[str, Any]:
    return {"kind": "long_lived", "flows": flows, "congestion": {"kind": kind}, **more}


def document(
    *traffic: dict[str, Any], ratio: float = 0.5, marking: dict[str, Any] | None = None, spread: float = 0.0
) -> dict[str, Any]:
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": "1 Gb/s",
            "access": "100 Gb/s",
            "rtt": "20 ms",
            "rtt_spread": spread,
        },
        "switch": {"buffer": ratio * 2.5e6, "marking": marking or {"kind": "none"}},
        "traffic": list(traffic),
        "run": {"duration": "40 s", "warmup": "15 s"},
    }


def run(*traffic: dict[str, Any], **more: Any) -> Result:
    result = fr.run(Scenario.parse(document(*traffic, **more)), engine="fluid")
    assert isinstance(result, Result)
    return result


def shares(result: Result) -> dict[str, float]:
    return {group.name: group.share for group in result.groups}


def coherent(result: Result) -> None:
    """Shares, rates, fairness and throughput tell one story."""
    groups = result.groups
    assert sum(group.share for group in groups) == pytest.approx(1.0)
    assert sum(group.even for group in groups) == pytest.approx(1.0)
    counts, rates = np.array([g.flows for g in groups]), np.array([g.rate for g in groups])
    jain = (counts @ rates) ** 2 / (counts.sum() * (counts @ rates**2))
    assert result.metrics["fairness"] == pytest.approx(jain, rel=1e-6)
    sent = float(counts @ rates)
    # What is sent and not lost is carried, but for what the queue gained.
    assert sent * (1.0 - result.metrics["drop_rate"]) == pytest.approx(result.metrics["throughput"], rel=2e-3)
    document = result.to_dict()["groups"]
    assert [set(one) for one in document] == [{"path", "name", "flows", "rate", "share", "even"}] * len(groups)
    assert unpack(pack(result)).groups == groups


MIXTURES = [
    ([entry("newreno"), entry("cubic")], None),
    ([entry("newreno"), entry("bbr")], None),
    ([entry("cubic", 4), entry("bbr", 16)], None),
    ([entry("newreno"), entry("dctcp")], STEP),
    ([entry("newreno", 3), entry("cubic", 5), entry("bbr", 7)], None),
]


@pytest.mark.parametrize(("traffic", "marking"), MIXTURES)
def test_order_of_entries_changes_nothing(traffic: list[dict[str, Any]], marking: dict[str, Any] | None) -> None:
    there, back = run(*traffic, marking=marking), run(*traffic[::-1], marking=marking)
    coherent(there)
    for name, value in shares(there).items():
        assert shares(back)[name] == pytest.approx(value, rel=5e-3)
    assert back.metrics["utilisation"] == pytest.approx(there.metrics["utilisation"], abs=1e-3)
    assert back.metrics["queue_mean"] == pytest.approx(there.metrics["queue_mean"], rel=5e-3)


@pytest.mark.parametrize("kind", ["newreno", "cubic", "bbr", "dctcp"])
def test_equal_split_changes_nothing(kind: str) -> None:
    marking = STEP if kind == "dctcp" else None
    whole = run(entry(kind, 20), marking=marking)
    parts = run(entry(kind, 8, name="a"), entry(kind, 12, name="b"), marking=marking)
    for name in ("utilisation", "queue_mean"):
        assert parts.metrics[name] == pytest.approx(whole.metrics[name], rel=5e-3)
    assert parts.metrics["fairness"] == pytest.approx(1.0, abs=2e-3)
    assert shares(parts)["a"] == pytest.approx(0.4, rel=0.05)


def test_cubic_takes_more_than_reno_where_round_trips_are_long() -> None:
    # On a short path CUBIC's Reno-friendly line makes it fair; on a long one its cubic recovers first.
    def share(rtt: str) -> float:
        return shares(run(entry("newreno", rtt=rtt), entry("cubic", rtt=rtt)))["cubic"]

    assert share("100 ms") > share("5 ms") + 0.1
    assert 0.45 < share("5 ms") < 0.75


def test_bbr_starves_reno_in_a_shallow_buffer_and_less_in_a_deep_one() -> None:
    # Version 1 does not answer to the losses it causes (Scherrer et al., IMC 2022; Hock et al., ICNP 2017).
    shallow, deep = (shares(run(entry("newreno"), entry("bbr"), ratio=ratio))["bbr"] for ratio in (0.2, 6.0))
    assert shallow > 0.9
    assert deep < shallow - 0.3
    second = entry("bbr")
    second["congestion"]["version"] = 2
    assert shares(run(entry("newreno"), second, ratio=0.2))["bbr"] < shallow


def test_dctcp_beside_reno_under_a_step() -> None:
    # Marked as often, one cuts by alpha/2 and the other by half.
    told = run(entry("newreno"), entry("dctcp"), marking=STEP)
    coherent(told)
    assert shares(told)["dctcp"] > 0.6
    assert told.metrics["drop_rate"] == 0.0


def test_a_round_trip_of_its_own() -> None:
    near, far = entry("newreno", rtt="10 ms", name="near"), entry("newreno", rtt="40 ms", name="far")
    told = run(near, far)
    coherent(told)
    # Reno's rate falls with the round trip, queueing included.
    assert shares(told)["near"] > 0.6
    assert [group.base for group in system_of(Scenario.parse(document(near, far))).groups] == [0.01, 0.04]
    apart = inputs_of(Scenario.parse(document(near, entry("bbr"), spread=0.5)))
    assert [group.entry for group in apart.groups] == [0] * 8 + [1] * 8
    assert {round(group.rtt, 6) for group in apart.groups[8:]} != {round(group.rtt, 6) for group in apart.groups[:8]}
    assert len(run(near, entry("bbr"), spread=0.5).groups) == 2


def test_engines_with_one_round_trip_refuse_another() -> None:
    scenario = Scenario.parse(document(entry("newreno", rtt="10 ms")))
    for ask in (build_plan, theory_inputs):
        with pytest.raises(Unsupported, match="fluid") as caught:
            ask(scenario)
        assert caught.value.path == "traffic.0.rtt"
    with pytest.raises(InvalidInput):
        Scenario.parse(document(entry("newreno", rtt="0 s")))
