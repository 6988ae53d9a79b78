from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from footroom.base.component import About, Component
from footroom.base.registry import Registry


class Round(Component):
    about = About("Round", "No corners.")
    kind: Literal["round"] = "round"
    radius: float = 1.0


class Square(Component):
    about = About("Square", "Four corners.")
    kind: Literal["square"] = "square"


SHAPES = Registry("shape", "What it looks like", Round | Square, planned=("star",))
ADAPTER: TypeAdapter[Any] = TypeAdapter(Annotated[Round | Square, Field(discriminator="kind"), SHAPES.check()])


def test_kinds_keep_their_order() -> None:
    assert SHAPES.names == ("round", "square")
    assert list(SHAPES) == [Round, Square]
    assert SHAPES.get("square") is Square
    with pytest.raises(KeyError):
        SHAPES.get("star")


def test_a_single_kind_is_a_registry_too() -> None:
    assert Registry("shape", "", Round).names == ("round",)


def test_a_known_kind_is_built_and_a_built_one_is_kept() -> None:
    assert ADAPTER.validate_python({"kind": "round", "radius": 2}) == Round(radius=2.0)
    assert ADAPTER.validate_python(Square()) == Square()


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ({"kind": "star"}, "not yet supported"),
        ({"kind": "cube"}, "must be one of: round, square"),
        ({}, "must be one of"),
        ("round", "expected an object"),
        (None, "expected an object"),
        ({"kind": "round", "side": 1}, "Extra inputs"),
        ({"kind": ["round"]}, "must be one of"),
        ({"kind": "round", "radius": float("nan")}, "finite"),
    ],
)
def test_what_is_refused(value: Any, word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        ADAPTER.validate_python(value)


def test_components_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Round().radius = 2.0  # type: ignore[misc]
