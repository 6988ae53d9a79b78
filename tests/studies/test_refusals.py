"""A refusal names only engines that can answer the very scenario."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.component import Component
from footroom.base.errors import InvalidInput, Unsupported
from footroom.parts.architecture.layout import Layout
from footroom.parts.congestion import Law, NewReno
from footroom.parts.marking.marker import Marker
from footroom.parts.scheduling.scheduler import Scheduler
from footroom.parts.sharing.policy import Policy
from footroom.parts.traffic.common import Traffic
from footroom.studies import Requirement
from footroom.studies.engines import ENGINES, engine_named

BBR_2 = {"kind": "bbr", "version": 2}


def _document(
    flows: int = 4, access: str = "10 Gb/s", kind: str | dict[str, Any] = "newreno", **switch: Any
) -> dict[str, Any]:
    congestion = {"kind": kind} if isinstance(kind, str) else kind
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": access, "rtt": "2 ms"},
        "switch": {"buffer": "100 kB", **switch},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0, "congestion": congestion}],
        "run": {"duration": "20 ms", "warmup": 0},
    }


RPC = _document() | {"traffic": [{"kind": "rpc", "pairs": 2, "size": "10 kB"}]}
REFUSED = [
    (_document(1, "1 Gb/s"), "theory"),
    (_document(kind=BBR_2), "packet"),
    (_document(kind="hpcc"), "theory"),
    (RPC, "fluid"),
    (_document(marking={"kind": "pi", "target": "30 kB"}), "packet"),
    (_document(sharing={"kind": "abm"}), "fluid"),
]


@pytest.mark.parametrize(("raw", "engine"), REFUSED)
def test_engines_that_a_refusal_names_do_answer(raw: dict[str, Any], engine: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(raw, engine=engine)
    assert refusal.value.engines
    for name in refusal.value.engines:
        assert fr.run(raw, engine=name).engine == name


def test_none_is_named_where_none_can() -> None:
    raw = _document(1, "1 Gb/s", BBR_2)
    for engine in ENGINES:
        with pytest.raises(Unsupported, match="No engine can answer this scenario") as refusal:
            fr.run(raw, engine=engine.name)
        assert refusal.value.engines == ()
    with pytest.raises(
        Unsupported, match="packet and reference: the packet engines have no model of this version of BBR"
    ):
        fr.run(raw, engine="fluid")


def test_a_law_of_the_packet_engine_alone_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NewReno, "engines", ("packet",))
    with pytest.raises(Unsupported, match="the reference engine has no model of NewReno") as refusal:
        fr.run(_document(), engine="reference")
    assert "packet" in refusal.value.engines


@pytest.mark.parametrize("base", [Law, Policy, Marker, Scheduler, Layout, Traffic])
def test_a_new_kind_is_one_of_the_packet_engine_until_it_names_others(base: type[Component]) -> None:
    """Else theory and fluid would take an unknown marking for none, and answer."""
    assert base.engines == ("packet",)


@pytest.mark.parametrize(("raw", "engine"), REFUSED)
def test_a_check_refuses_what_the_engine_refuses(raw: dict[str, Any], engine: str) -> None:
    scenario = fr.load(raw)
    with pytest.raises((Unsupported, InvalidInput)):
        engine_named(engine).check(scenario)


def test_more_entries_than_are_read_are_refused_with_their_number() -> None:
    raw = _document()
    raw["traffic"] = raw["traffic"] * 65
    with pytest.raises(InvalidInput, match="64"):
        fr.load(raw)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [("utilisation>=2", "from 0 to 1"), ("drop_rate<=-1%", "0 %"), ("queue_mean<=-1 kB", "least 0")],
)
def test_a_target_that_nothing_can_meet_or_miss_is_refused(text: str, accepted: str) -> None:
    with pytest.raises(InvalidInput, match="a limit") as refused:
        Requirement.parse(text)
    assert accepted in str(refused.value)
    assert text in str(refused.value)
