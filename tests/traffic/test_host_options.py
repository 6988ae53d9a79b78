"""An option of hosts is declared once, and both packet engines read it from there."""

from __future__ import annotations

import operator
from typing import Any, Literal

import pytest
from pydantic import ValidationError

import footroom as fr
from footroom.base.component import Document
from footroom.base.errors import Unsupported
from footroom.base.quantity import Time, quantity
from footroom.engines.packet.classes import CLASS, class_table
from footroom.engines.packet.kept import Kept
from footroom.engines.plan import build_plan
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import code, known_to_some, numbers, option, options, units, values


class Patient(Document):
    """Two options and a field that is none, as Host has them."""

    patience: Time | None = option(3e-9, "s", "How long it waits.", gt=0, le=1)
    manner: Literal["calm", "brisk"] | None = option(
        "calm", "1", "How it waits.", engines=("packet",), refusal="nobody waits here"
    )
    size: float = quantity(10.0, "B", "What it waits for.", ge=1)


def plan_of(**host: Any) -> Any:
    return build_plan(
        fr.Scenario.parse(
            {
                "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "rtt": "20 ms"},
                "switch": {"buffer": "30 kB"},
                "traffic": [{"kind": "long_lived", "flows": 2, "start_jitter": 0.1, "host": host}],
                "run": {"duration": 1, "warmup": 0.1},
            }
        )
    )


def test_a_declared_option_is_read_in_the_units_of_the_engines() -> None:
    assert list(options(Patient)) == ["patience", "manner"]
    read = values(Patient(manner="brisk"))
    assert read == {"patience": 3000, "manner": "brisk"}  # picoseconds
    assert numbers(Patient, read) == {"patience": 3000, "manner": 1}
    assert code(Patient, "manner", "calm") == 0
    assert values(Patient(patience=None, manner=None)) == {"patience": 0, "manner": 0}
    assert units(Patient) == {"patience": "s", "manner": "1", "size": "B"}
    with pytest.raises(ValidationError):
        Patient(patience=2.0)


def test_an_option_says_which_engines_know_it() -> None:
    assert known_to_some(Patient) == {"manner": (("packet",), "nobody waits here")}
    assert all(Host.only[name] == why for name, why in known_to_some(Host).items())


def test_both_packet_engines_read_every_option_of_hosts() -> None:
    """Values that no default has, by hand in picoseconds, segments and places among the choices."""
    given = {
        "ack_every": 3,
        "quick_acks": 7,
        "ack_delay": 0.011,
        "min_rto": 0.3,
        "rto_floor": "total",
        "tail_loss_probe": True,
        "probe_margin": 0.001,
        "nack_interval": 0.002,
        "low_rto": 0.003,
        "low_rto_packets": 9,
        "idle_restart": "none",
        "initial_window": 4,
        "pacing": True,
        "small_queue": None,
        "burst": 5,
    }
    expected = {
        "ack_every": 3,
        "quick_acks": 7,
        "ack_delay": 11 * 10**9,
        "min_rto": 3 * 10**11,
        "rto_floor": 1,
        "tail_loss_probe": 1,
        "probe_margin": 10**9,
        "nack_interval": 2 * 10**9,
        "low_rto": 3 * 10**9,
        "low_rto_packets": 9,
        "idle_restart": 2,
        "initial_window": 4,
        "pacing": 1,
        "small_queue": 0,
        "burst": 5,
    }
    plan = plan_of(**given)
    row = class_table(plan, Kept([]))[0]
    assert {name: int(row[name]) for name in expected} == expected
    assert set(options(Host)) <= set(CLASS.names or ())
    choices = {"rto_floor": "total", "idle_restart": "none"}
    assert {name: getattr(plan.stacks[0], name) for name in expected} == expected | choices


def test_a_name_that_no_option_has_is_refused() -> None:
    with pytest.raises(AttributeError, match="patience"):
        operator.attrgetter("patience")(plan_of().stacks[0])


def test_engines_that_do_not_know_an_option_refuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "only", {"burst": (("packet",), "no bursts here")})
    scenario = plan_of(burst=4).scenario
    with pytest.raises(Unsupported, match="no bursts here"):
        build_plan(scenario, engine="reference")
