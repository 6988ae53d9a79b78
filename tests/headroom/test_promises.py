"""Promises that every scheme keeps; a new one is held to them by being registered."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.base.registry import Registry
from footroom.calculators.headroom import question as question_module
from footroom.calculators.headroom.compute import headroom
from footroom.calculators.headroom.question import HeadroomQuestion, Question
from footroom.formulas.headroom.budget import PARTS, Budget, Ledger
from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import SCHEMES, Scheme, Sih
from footroom.parts.asics import ASICS

ALL: list[Any] = list(SCHEMES)
#: Speeds that every scheme has a response for, slowest first. SONiC has none at 1.6 Tb/s and falls back.
SPEEDS = [1e9, 10e9, 25e9, 40e9, 50e9, 100e9, 200e9, 400e9, 800e9]
speeds = st.sampled_from(SPEEDS)
cables = st.floats(1, 120e3)
mtus = st.integers(64, 9216)
cells = st.sampled_from([80, 96, 144, 192, 208, 254, 318, 420])


@pytest.mark.parametrize("kind", ALL)
def test_it_says_what_it_is(kind: Any) -> None:
    about = kind.about
    assert about.title
    assert about.summary.endswith(".")
    assert about.sources
    assert about.holds
    assert about.departures
    assert kind.formula


@pytest.mark.parametrize("kind", ALL)
def test_every_parameter_has_a_description_a_unit_and_a_default(kind: Any) -> None:
    for name, field in kind.model_fields.items():
        if name != "kind":
            assert field.description, name
            assert isinstance(field.json_schema_extra, dict)
            assert field.json_schema_extra["unit"] in {"1", "B", "s", "m", "bit/s"}, name
            assert not field.is_required(), name


@pytest.mark.parametrize("kind", ALL)
def test_it_is_frozen_and_refuses_strangers(kind: Any) -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        kind.model_validate({"stranger": 1})
    with pytest.raises(ValidationError, match="frozen"):
        kind().kind = "other"


@given(kind=st.sampled_from(ALL), speed=speeds, cable=cables, mtu=mtus, cell=cells)
def test_lines_add_up_to_the_byte(kind: Any, speed: float, cable: float, mtu: int, cell: int) -> None:
    budget = kind().budget(Link.of_cable(speed, cable, mtu, cell))
    assert sum(line.bytes for line in budget.lines) == budget.headroom
    assert budget.size is None or sum(line.bytes for line in budget.size_lines) == budget.size
    assert all(line.name and line.formula and line.source and line.part in PARTS for line in budget.lines)
    assert abs(budget.headroom - budget.unrounded) < 3 * 1024 + cell


@given(kind=st.sampled_from(ALL), pair=st.lists(speeds, min_size=2, max_size=2), cable=cables, cell=cells)
def test_a_faster_port_never_needs_less(kind: Any, pair: list[float], cable: float, cell: int) -> None:
    slow, fast = (kind().budget(Link.of_cable(speed, cable, cell=cell)).headroom for speed in sorted(pair))
    assert slow <= fast


@given(
    kind=st.sampled_from([kind for kind in ALL if kind.model_fields["kind"].default != "sonic"]),
    pair=st.lists(st.floats(1e9, 1.6e12), min_size=2, max_size=2),
    cable=cables,
)
def test_speeds_between_the_standards_keep_that_order_too(kind: Any, pair: list[float], cable: float) -> None:
    slow, fast = (kind().budget(Link.of_cable(speed, cable)).headroom for speed in sorted(pair))
    assert slow <= fast


@given(kind=st.sampled_from(ALL), speed=speeds, pair=st.lists(cables, min_size=2, max_size=2), cell=cells)
def test_a_longer_cable_never_needs_less(kind: Any, speed: float, pair: list[float], cell: int) -> None:
    near, far = (kind().budget(Link.of_cable(speed, cable, cell=cell)).headroom for cable in sorted(pair))
    assert near <= far


@given(kind=st.sampled_from(ALL), speed=speeds, cable=cables, pair=st.lists(mtus, min_size=2, max_size=2), cell=cells)
def test_larger_packets_never_need_less(kind: Any, speed: float, cable: float, pair: list[int], cell: int) -> None:
    small, large = (kind().budget(Link.of_cable(speed, cable, mtu, cell)).headroom for mtu in sorted(pair))
    assert small <= large


@given(pair=st.lists(mtus, min_size=2, max_size=2), speed=speeds, cable=cables)
def test_sonic_needs_no_less_for_a_larger_port_mtu(pair: list[int], speed: float, cable: float) -> None:
    """Of its lossless MTU that is not so: see departures."""
    small, large = (SCHEMES.get("sonic").model_validate({"port_mtu": mtu}) for mtu in sorted(pair))
    link = Link.of_cable(speed, cable, cell=144)
    assert isinstance(small, Scheme)
    assert isinstance(large, Scheme)
    assert small.budget(link).headroom <= large.budget(link).headroom


@pytest.mark.parametrize("speed", ["1G", "100G", "1.6T"])
@pytest.mark.parametrize("asic", [asic.id for asic in ASICS])
def test_every_chip_can_be_asked_about(asic: str, speed: str) -> None:
    found = headroom(speed=speed, cable="300 m", asic=asic).to_dict()
    assert found["schemes"].keys() == set(SCHEMES.names)
    assert found["inputs"]["asic"] == asic


def test_names_are_given_once() -> None:
    assert len(set(SCHEMES.names)) == len(SCHEMES.names)
    own = {field for kind in ALL for field in kind.model_fields} - {"kind"}
    assert not own & set(Question.model_fields)
    assert own | set(Question.model_fields) == set(HeadroomQuestion.model_fields)


class Doubled(Scheme):
    """A scheme made up for the test: twice the cable, and a margin."""

    about: ClassVar[About] = About("Doubled", "Twice the cable.", ("nobody",), "never", "none")
    formula: ClassVar[str] = "2·cable + margin"
    kind: Literal["doubled"] = "doubled"
    margin: float = quantity(7.0, "B", "Margin.", ge=0)

    def budget(self, link: Link, reaction: float | None = None) -> Budget:
        ledger = Ledger()
        ledger.add("margin", self.margin, "margin", "nobody", "extra")
        return Budget(ledger.close(1, "rounding", "nobody"), tuple(ledger.lines), 7.0, 0.0, 1.0)


def test_a_new_scheme_brings_its_parameters_into_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_module, "SCHEMES", Registry("scheme", "", Sih | Doubled))
    fields = question_module._parameters()
    extra = fields["margin"][1].json_schema_extra
    assert isinstance(extra, dict)
    assert extra["schemes"] == ["doubled"]
    assert "queues" in fields


def test_two_schemes_cannot_mean_different_things_by_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Doubled):
        """Another margin."""

        margin: float = quantity(8.0, "B", "Another margin.", ge=0)

    monkeypatch.setattr(question_module, "SCHEMES", Registry("scheme", "", Doubled | Other))
    with pytest.raises(TypeError, match="margin is declared differently"):
        question_module._parameters()
