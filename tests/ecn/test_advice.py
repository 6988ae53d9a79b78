"""The advisor: what it recommends holds under an independent look, and what it refuses is refused with a reason."""

from __future__ import annotations

import json

import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.calculators.ecn.advice import advise
from footroom.calculators.ecn.controls import controls
from footroom.calculators.ecn.defaults import shipped
from footroom.calculators.ecn.question import EcnQuestion
from footroom.cli import main
from footroom.engines.fluid import roots
from footroom.engines.fluid.adapter import inputs_of
from footroom.engines.fluid.engine import evaluate
from footroom.engines.fluid.linear import Complex, Stack
from footroom.scenario import Scenario

LAN = {"speed": "100G", "rtt": "100 us", "flows": 32, "buffer": "2 MB", "congestion": "newreno"}


def ask(**changes: object) -> EcnQuestion:
    return EcnQuestion.parse({**LAN, **changes})


def test_advice_holds_in_the_engine_itself() -> None:
    """The same thresholds put into a scenario and run by the fluid engine keep what was asked.

    With flows hit at random the queue wanders around the equilibrium that the advice is about, and lies a little below
    it; the averaged equations settle on it."""
    question = ask()
    found = advise(question).advice
    assert found is not None
    assert found.queue is not None
    document = question.scenario().to_dict()
    document["switch"]["marking"] = {
        "kind": "red",
        "kmin": found.thresholds.kmin,
        "kmax": found.thresholds.kmax,
        "pmax": found.thresholds.pmax,
    }
    document["run"]["warmup"] = 0.5
    metrics = fr.run(document, engine="fluid").metrics
    assert metrics["utilisation"] >= question.utilisation
    assert metrics["queue_mean"] <= question.longest_queue
    assert metrics["queue_mean"] == pytest.approx(found.queue, rel=0.1)
    settled = evaluate(inputs_of(Scenario.parse(document)), averaged=True).metrics
    assert settled["queue_max"] - settled["queue_p50"] < 0.02 * settled["queue_p50"]
    assert settled["queue_mean"] == pytest.approx(found.queue, rel=1e-3)
    # Reno in equilibrium: W^2 p = 2 at W = C R / N packets.
    window = 100e9 / 8 / 1500 * (100e-6 + found.queue / 12.5e9) / 32
    ramp = found.thresholds
    probability = ramp.pmax * (found.queue - ramp.kmin) / (ramp.kmax - ramp.kmin)
    assert window**2 * probability == pytest.approx(2.0, rel=1e-6)


def test_less_queue_wanted_never_gives_more() -> None:
    queues = []
    for margin in (0.0, 10.0, 30.0):
        found = advise(ask(phase_margin=margin)).advice
        assert found is not None
        assert found.phase_margin is not None
        assert found.phase_margin >= margin
        assert found.queue is not None
        queues.append(found.queue)
    assert queues == sorted(queues)


def test_impossible_bounds_are_refused_with_the_nearest() -> None:
    answer = advise(ask(flows=3, queue="20 kB"))
    assert answer.advice is None
    assert "the shortest stable queue" in answer.reason
    with pytest.raises(fr.Infeasible, match="shortest stable queue"):
        fr.ecn(**{**LAN, "flows": 3, "queue": "20 kB"})


def test_a_long_round_trip_is_refused_without_resolving_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over 200 ms every ramp oscillates, which few nodes show; all that the delay needs would take many seconds."""
    sizes: list[int] = []
    collocated = roots.collocated

    def counted(stack: Stack, nodes: int) -> Complex:
        sizes.append(len(stack) * nodes)
        return collocated(stack, nodes)

    monkeypatch.setattr(roots, "collocated", counted)
    answer = advise(EcnQuestion.parse({"speed": "400G", "rtt": "200 ms", "congestion": "dcqcn"}))
    assert answer.reason == "with every ramp within the buffer the queue oscillates"
    # 12 nodes for each of 252 ramps, 16 points of the picture and what is shipped.
    assert sum(sizes) <= 12 * (252 + 16 + len(shipped()))


def test_what_is_shipped_is_judged_alike() -> None:
    answer = advise(ask())
    assert [one.name for one in answer.defaults] == [one.name for one in shipped()]
    for one, known in zip(answer.defaults, shipped(), strict=True):
        assert one.source == known.source != ""
        assert one.meets == (not one.reasons)
        if known.kmax > 2e6:
            assert any("exceeds the buffer" in reason for reason in one.reasons)
        if one.meets:
            assert one.over_time.utilisation >= 0.99
    swinging = [one for one in answer.defaults if not one.stable]
    assert all(one.over_time.queue_greatest - one.over_time.queue_least > 1e3 for one in swinging)


def test_pause_threshold_bounds_the_marking() -> None:
    found = advise(ask(pfc_threshold="150 kB", phase_margin=0.0)).advice
    if found is not None:
        assert found.thresholds.kmax <= 150e3 * (1 + 1e-9)
    late = {one.name: one for one in advise(ask(pfc_threshold="150 kB")).defaults}["HPCC evaluation, 100G"]
    assert any("pause threshold" in reason for reason in late.reasons)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"speed": "100 GB/s"}, "speed"),
        ({"flows": 0}, "flows"),
        ({"buffer": "2 kB"}, "buffer"),
        ({"rtt": -1}, "rtt"),
        ({"queue": "3 MB"}, "queue"),
        ({"utilisation": 1.5}, "utilisation"),
        ({"congestion": "nope"}, "congestion.kind"),
        ({"pfc_threshold": "1 GB"}, "pfc_threshold"),
        ({"colour": 1}, "colour"),
        ({"phase_margin": "steep"}, "phase_margin"),
    ],
)
def test_bad_input_names_its_field(changes: dict[str, object], path: str) -> None:
    with pytest.raises(fr.InvalidInput) as caught:
        ask(**changes)
    assert caught.value.problems[0].path == path


def test_command_line_and_python_agree(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ecn", "--json", "--speed", "100G", "--rtt", "100us", "--flows", "32", "--congestion", "newreno"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["advice"] == fr.ecn(**LAN).to_dict()["advice"]
    assert main([*words, "--flows", "3", "--queue", "20kB"]) == 3
    assert "cannot be reached" in capsys.readouterr().err
    assert main(["ecn", "--buffer", "-3"]) == 2
    assert "--buffer" in capsys.readouterr().err


def test_figure_and_frame() -> None:
    answer = fr.ecn(**LAN)
    assert len(answer.to_frame()) == 1 + len(answer.defaults) + len(answer.curve)
    assert {"advice", "NVIDIA Onyx RoCE"} <= {trace.name for trace in answer.figure().data}


def test_the_controls_offered_are_those_that_are_not_refused() -> None:
    offered = controls()
    assert "newreno" in offered
    assert {"hpcc", "timely", "powertcp"}.isdisjoint(offered)
    for kind in ("hpcc", "timely"):
        with pytest.raises(Unsupported):
            fr.ecn(congestion=kind)


@pytest.mark.parametrize(
    ("speed", "congestion", "words"),
    [
        ("100G", "dcqcn", "Begin to mark at 5 packets (7.5 kB) or more"),
        ("100G", "dctcp", "SIGCOMM 2010, section 4"),
        ("800G", "dcqcn", ""),
    ],
)
def test_thresholds_below_what_the_fluid_holds_for_are_named(speed: str, congestion: str, words: str) -> None:
    answer = advise(EcnQuestion.parse({"speed": speed, "congestion": congestion}))
    assert answer.advice is not None
    low = [note for note in answer.notes if "outside the fluid's validity" in note]
    assert (words in low[0]) if words else not low
    assert (answer.advice.thresholds.kmin < answer.valid_from) == bool(words)
    assert answer.to_dict()["valid_from"] == answer.valid_from
    if words:
        assert f"{answer.advice.thresholds.kmin / 1500:.2g} packets" in low[0]
