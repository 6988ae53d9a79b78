from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import memory_for
from footroom.scenario.kinds import set_field
from footroom.scenario.presets import load
from footroom.studies import Requirement, engines, search, size
from footroom.studies.engines import Engine

# The fake fluid: utilisation B/(B + 10 kB), drop rate 100 B/B, mean queue B/2.


@pytest.mark.parametrize(
    ("require", "exact", "binding"),
    [
        (["utilisation>=0.9"], 9e4, "utilisation>=0.9"),
        (["utilisation>=90%", "drop_rate<=1e-2"], 9e4, "utilisation>=90%"),
        (["utilisation >= 0.9", "drop_rate <= 5e-4"], 2e5, "drop_rate<=5e-4"),
        (["utilisation>=0.9", "queue_mean<=50kB"], 9e4, "utilisation>=0.9"),
    ],
)
def test_the_smallest_buffer_that_meets_all_is_found(
    raw: dict[str, Any], fakes: Any, require: list[str], exact: float, binding: str
) -> None:
    answer = size(raw, require, engine="fluid")
    assert answer.feasible
    assert answer.value is not None
    assert answer.interval is not None
    low, high = answer.interval
    assert low < exact <= high * 1.001
    assert high / low <= 1.021
    assert answer.value == high
    assert answer.binding == binding
    document = answer.to_dict()
    assert list(document)[:6] == ["feasible", "path", "value", "interval", "binding", "spent_s"]


def test_a_fine_tolerance_ends_at_the_byte(raw: dict[str, Any], fakes: Any) -> None:
    answer = size(raw, ["utilisation>=0.9"], engine="fluid", tolerance=1e-9)
    assert answer.value == 90_000
    assert answer.interval == (89_999, 90_000)


def test_whole_numbers_are_sized_too(raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch, fakes: Any) -> None:
    def by_flows(scenarios: list[Any]) -> list[Result]:
        return [Result("fluid", s.to_dict(), 1, 0.0, {"utilisation": s.traffic[0].flows / 1000}) for s in scenarios]

    monkeypatch.setattr(engines, "ENGINES", (Engine("fluid", "", "", estimate_many=by_flows),))
    answer = size(raw, ["utilisation>=0.02"], engine="fluid", path="traffic.0.flows", between=[1, 1000])
    assert answer.value == 20
    assert answer.interval == (19, 20)


def test_ends_between_two_bytes_are_rounded_inwards(raw: dict[str, Any], fakes: Any) -> None:
    answer = size(raw, ["utilisation>=0.9"], engine="fluid", between=[3000.5, 915132.5087953409], tolerance=1e-9)
    assert answer.value == 90_000
    with pytest.raises(InvalidInput, match="whole number"):
        size(raw, ["utilisation>=0.9"], engine="fluid", between=[3000.2, 3000.8])


def test_when_the_smallest_value_is_enough_nothing_binds(raw: dict[str, Any], fakes: Any) -> None:
    answer = size(raw, ["utilisation>=0.1"], engine="fluid", between=["10 kB", "1 MB"])
    assert (answer.value, answer.interval, answer.binding) == (1e4, (1e4, 1e4), None)


def test_the_search_widens_before_it_gives_up(raw: dict[str, Any], fakes: Any) -> None:
    # 64 bandwidth-delay products are 8 MB; a drop rate of 2e-5 takes 5 MB, which is beyond 16.
    assert size(raw, ["drop_rate<=2e-5"]).value == pytest.approx(5e6, rel=0.021)


def test_what_cannot_be_reached_says_what_was(raw: dict[str, Any], fakes: Any) -> None:
    answer = search(raw, ["drop_rate<=1e-9"])
    assert not answer.feasible
    assert answer.value is None
    assert answer.interval is None
    assert "drop_rate<=1e-9 is missed" in answer.reason
    with pytest.raises(Infeasible, match="drop_rate<=1e-9"):
        size(raw, ["drop_rate<=1e-9"])


def test_requirements_that_exclude_one_another_cannot_be_reached(raw: dict[str, Any], fakes: Any) -> None:
    with pytest.raises(Infeasible, match="queue_mean<=10kB is missed"):
        size(raw, ["utilisation>=0.9", "queue_mean<=10kB"])


def test_an_answer_on_thin_evidence_says_so(raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch, fakes: Any) -> None:
    def lossless(scenario: Any, seed: int, *, stop: Any, progress: Any) -> Result:
        drop_rate = 0.0 if scenario.switch.buffer > 5e4 else 0.1
        return Result("packet", scenario.to_dict(), seed, 0.0, {"drop_rate": drop_rate}, offered=1000)

    monkeypatch.setattr(engines, "ENGINES", (Engine("packet", "", "", simulate=lossless),))
    answer = size(raw, ["drop_rate<=1e-4"], engine="packet", between=[1e4, 1e6])
    # Eight seeds of a thousand packets each: 3 / 8000.
    assert any("[0, 0.000375] reaches beyond" in note for note in answer.notes)


def test_a_requirement_that_is_not_monotone_is_noticed(
    raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch, fakes: Any
) -> None:
    def utilisation(buffer: float) -> float:
        return 0.5 if buffer < 2e4 or 2e5 < buffer < 5e5 else 1.0

    def wavy(scenarios: list[Any]) -> list[Result]:
        return [Result("fluid", s.to_dict(), 1, 0.0, {"utilisation": utilisation(s.switch.buffer)}) for s in scenarios]

    monkeypatch.setattr(engines, "ENGINES", (Engine("fluid", "", "", estimate_many=wavy),))
    answer = size(raw, ["utilisation>=0.9"], engine="fluid", between=[1e4, 1e6])
    assert answer.value == pytest.approx(2e4, rel=0.03)
    assert any("in turn" in note for note in answer.notes)


def test_a_completion_time_that_both_ends_miss_is_looked_for_in_between(
    raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bent(scenarios: list[Any]) -> list[Result]:
        # Losses make it long below 50 kB, the queue above 200 kB.
        return [
            Result("fluid", s.to_dict(), 1, 0.0, {"transfer_p50": 5e4 / s.switch.buffer + s.switch.buffer / 2e5})
            for s in scenarios
        ]

    monkeypatch.setattr(engines, "ENGINES", (Engine("fluid", "", "", estimate_many=bent),))
    answer = size(raw, ["transfer_p50<=1.25"], engine="fluid", between=[1e4, 1e6])
    # 5e4/b + b/2e5 = 1.25 at 50 and at 200 kB.
    assert answer.value == pytest.approx(5e4, rel=0.03)
    with pytest.raises(Infeasible, match=r"missed at switch\.buffer = 10 kB, where transfer_p50 is .* s, and at 1 MB"):
        size(raw, ["transfer_p50<=0.9"], engine="fluid", between=[1e4, 1e6])


def test_packets_without_probes_say_what_is_missing(raw: dict[str, Any]) -> None:
    with pytest.raises(Unsupported, match=r"run\.probe_share is not set"):
        search(raw, ["transfer_p50<=1s"], engine="packet", between=[1e4, 2e4])


def test_a_metric_the_engine_lacks_is_unsupported(raw: dict[str, Any], fakes: Any) -> None:
    with pytest.raises(Unsupported, match="does not compute fct_p99"):
        search(raw, ["fct_p99<=1s"])


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"require": []}, "require"),
        ({"require": "utilisation>=0.9"}, "require"),
        ({"require": [5]}, "require"),
        ({"require": ["utilisation=0.9"]}, "require"),
        ({"require": ["speed>=5"]}, "require"),
        ({"require": ["utilisation>=nan"]}, "require"),
        ({"require": ["fct_p99<=5kB"]}, "require"),
        ({"require": ["queue_p99<=5Mb"]}, "require"),
        ({"require": ["timeouts<=5%5"]}, "require"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": 1.0}, "tolerance"),
        ({"between": [1e6, 1e4]}, "between"),
        ({"between": [1e6]}, "between"),
        ({"between": "1kB"}, "between"),
        ({"between": ["1 ms", "1 s"]}, "switch.buffer"),
        ({"path": "topology.rtt"}, "between"),
        ({"path": "switch.bufer"}, "switch.bufer"),
        ({"engine": "magic"}, "engine"),
    ],
)
def test_a_wrong_question_is_refused(raw: dict[str, Any], fakes: Any, change: dict[str, Any], path: str) -> None:
    asked = {"require": ["utilisation>=0.9"], **change}
    with pytest.raises(InvalidInput) as refused:
        search(raw, **asked)
    assert refused.value.problems[0].path == path


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("fct_p99<=5ms", 5e-3),
        ("queue_p99<=64KiB", 65536.0),
        ("utilisation>=99%", 0.99),
        ("throughput>=9Gb/s", 9e9),
        ("timeouts<=3", 3.0),
        ("drop_rate<=1e-4", 1e-4),
    ],
)
def test_limits_carry_units(text: str, limit: float) -> None:
    requirement = Requirement.parse(text)
    assert requirement.limit == pytest.approx(limit)
    assert requirement.met(limit)
    assert requirement.met(limit * (1.1 if requirement.at_least else 0.9))
    assert not requirement.met(limit * (0.9 if requirement.at_least else 1.1))
    assert dataclasses.replace(requirement, text="") != requirement


def _unsure(below: float) -> Any:
    """A fluid whose utilisation is not valid below a buffer [B]."""

    def answers(scenarios: list[Any]) -> list[Result]:
        return [
            Result(
                "fluid",
                s.to_dict(),
                1,
                0.0,
                {"utilisation": 0.95},
                outside={"utilisation": "bursts fill the buffer"} if s.switch.buffer < below else {},
            )
            for s in scenarios
        ]

    return (Engine("fluid", "", "", estimate_many=answers),)


def test_a_number_outside_the_models_validity_meets_no_requirement(
    raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch, fakes: Any
) -> None:
    monkeypatch.setattr(engines, "ENGINES", _unsure(5e4))
    answer = search(raw, ["utilisation>=0.9"], engine="fluid", between=["10 kB", "1 MB"])
    assert answer.value == pytest.approx(5e4, rel=0.03)
    assert any("bursts fill the buffer" in note for note in answer.notes)
    monkeypatch.setattr(engines, "ENGINES", _unsure(1e9))
    nothing = search(raw, ["utilisation>=0.9"], engine="fluid", between=["10 kB", "1 MB"])
    assert not nothing.feasible
    assert "bursts fill the buffer" in nothing.reason


@pytest.mark.parametrize(
    ("sharing", "times"),
    [({"kind": "dynamic_threshold", "alpha": 1}, 2.0), ({"kind": "static"}, 51.0)],
)
def test_a_policy_that_leaves_a_queue_a_part_needs_as_much_more_memory(sharing: dict[str, Any], times: float) -> None:
    document = load("wan-bottleneck").scenario
    whole = search(document, ["drop_rate<=1e-3"], engine="theory", tolerance=0.005)
    part = search(set_field(document, "switch.sharing", sharing), ["drop_rate<=1e-3"], engine="theory", tolerance=0.005)
    assert whole.value is not None
    assert part.value == pytest.approx(times * whole.value, rel=0.01)
    lowest = part.tried[0][0]
    assert memory_for(Scenario.parse(set_field(document, "switch.sharing", sharing)), 1500.0) == lowest
    assert times * 1500.0 <= lowest <= times * 1500.0 + 2.0


@pytest.mark.parametrize("sharing", [{"kind": "complete"}, {"kind": "static", "per_queue": "100 kB"}])
def test_memory_that_no_policy_divides_is_that_of_the_queue(sharing: dict[str, Any]) -> None:
    scenario = Scenario.parse(set_field(load("wan-bottleneck").scenario, "switch.sharing", sharing))
    assert memory_for(scenario, 1500.0) == 1500.0
    assert memory_for(scenario, 2.5e6) == 2.5e6


@pytest.mark.parametrize(("path", "value"), [("topology.rtt", "20 us"), ("topology.bottleneck", "2 Mb/s")])
def test_many_flows_on_a_short_path_are_given_room_for_their_windows(path: str, value: str) -> None:
    # 64 products and 100 packets are 0.4 MB; 50 windows at a drop rate of 0.1 % are 2 MB, by W = 0.87/sqrt(p).
    answer = search(set_field(load("wan-bottleneck").scenario, path, value), ["drop_rate<=1e-3"], engine="theory")
    assert answer.value is not None
    assert 2e6 < answer.value < 8e6
