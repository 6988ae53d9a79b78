"""``auto``: which engine is picked, and that the answer says why."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput, Unsupported
from footroom.scenario import Scenario
from footroom.studies import Study, search
from footroom.studies.choice import choose
from footroom.studies.cost import cell_seconds


def scenario(traffic: dict[str, Any], buffer: str = "100 kB") -> Scenario:
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "access": "1 Gb/s", "rtt": "20 ms"},
            "switch": {"buffer": buffer},
            "traffic": [traffic],
            "run": {"duration": "3 s", "warmup": "1 s"},
        }
    )


LONG = {"kind": "long_lived", "flows": 4, "start_jitter": "10 ms"}
SHORT = {"kind": "poisson", "load": 0.5, "sizes": {"kind": "fixed", "size": "20 kB"}}


@pytest.mark.parametrize(
    ("traffic", "buffer", "metrics", "engine", "reason"),
    [
        (LONG, "100 kB", [], "fluid", "its model is valid here"),
        (LONG, "10 kB", ["utilisation"], "packet", "single bursts"),
        (LONG, "100 kB", ["timeouts"], "packet", "does not compute timeouts"),
        (SHORT, "100 kB", [], "packet", "long-lived flows"),
        ({**LONG, "congestion": {"kind": "cubic"}}, "10 kB", [], "packet", "fluid: "),
        ({**LONG, "congestion": {"kind": "bbr", "version": 2}}, "100 kB", ["fct_p50"], "theory", "packet: "),
    ],
)
def test_the_quickest_engine_that_holds_is_picked(
    traffic: dict[str, Any], buffer: str, metrics: list[str], engine: str, reason: str
) -> None:
    picked = choose(scenario(traffic, buffer), metrics)
    assert picked.engine == engine
    assert reason in picked.reason


def mixed(fluid: bool, duration: str) -> Scenario:
    """Long flows, as fluid or not, and short ones, which the fluid alone cannot answer."""
    parts = [{**LONG, **({"as": "fluid"} if fluid else {})}, {**SHORT, "load": 0.05}]
    return Scenario.parse(
        {**scenario(LONG).to_dict(), "traffic": parts, "run": {"duration": duration, "warmup": "1 s"}}
    )


def test_beyond_the_budget_packets_beside_a_fluid_are_asked_where_traffic_is_marked() -> None:
    assert choose(mixed(True, "3 s"), ["timeouts"]).engine == "packet"
    dear = choose(mixed(True, "1000 s"), ["timeouts"], budget=1.0)
    assert dear.engine == "hybrid"
    assert "beyond the budget of 1 s" in dear.reason
    unmarked = choose(mixed(False, "1000 s"), ["timeouts"], budget=1.0)
    assert unmarked.engine == "packet"
    assert 'Background marked "as": "fluid", such as traffic.0' in unmarked.reason
    assert cell_seconds("hybrid", mixed(True, "1000 s")) < 0.5 * cell_seconds("packet", mixed(False, "1000 s"))


def test_packets_are_asked_where_fluid_that_may_be_paused_takes_longer() -> None:
    raw = mixed(True, "1000 s").to_dict()
    raw["switch"] |= {"buffer": 1e6, "headroom": {"kind": "static_independent", "size": 1e4}}
    paused = choose(Scenario.parse(raw), ["timeouts"], budget=1.0)
    assert paused.engine == "packet"
    assert "hybrid: it takes longer than packets here" in paused.reason


def test_a_run_and_a_sweep_say_why() -> None:
    result = fr.run(scenario(SHORT), engine="auto")
    assert result.engine == "packet"
    assert result.notes[0].startswith("auto picked packet. fluid: ")
    study = Study.of(scenario(LONG), {"switch.buffer": "50kB,100kB"}, "theory, auto")
    assert study.engines == ("theory", "fluid")
    assert study.id == Study.of(scenario(LONG), {"switch.buffer": "50kB,100kB"}, "theory,fluid").id


def test_a_size_is_searched_by_the_engine_picked() -> None:
    long = Scenario.parse({**scenario(LONG).to_dict(), "run": {"duration": "2000 s", "warmup": "1 s"}})
    answer = search(long, ["utilisation>=0.95"], workers=1)
    assert answer.engine == "fluid"
    assert answer.notes[0].startswith("auto picked fluid")


def test_a_size_that_packets_find_soon_is_left_to_them() -> None:
    answer = search(scenario({**LONG, "start_jitter": "500 ms"}), ["utilisation>=0.9"], replicas=3)
    assert answer.engine == "packet"
    assert answer.notes[0].startswith("auto picked packet")
    assert answer.value is not None
    assert answer.interval is not None
    assert answer.interval[0] <= answer.value <= answer.interval[1]


def test_where_no_engine_can_answer_every_reason_is_given() -> None:
    with pytest.raises(InvalidInput, match="auto picks one"):
        fr.run(scenario(LONG), engine="quickest")
    fabric = Scenario.parse(
        {
            "topology": {"kind": "leaf_spine", "leaves": 2, "spines": 2, "hosts_per_leaf": 2},
            "switch": {"buffer": "100 kB"},
            "traffic": [{**LONG, "congestion": {"kind": "bbr", "version": 2}}],
            "run": {"duration": "3 s", "warmup": "1 s"},
        }
    )
    with pytest.raises(Unsupported) as caught:
        choose(fabric)
    assert all(f"{name}: " in str(caught.value) for name in ("fluid", "packet"))
