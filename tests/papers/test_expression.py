"""Formulas of the papers' data: arithmetic and comparisons, and nothing else of Python."""

from __future__ import annotations

import pytest

from footroom.papers import expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500000 * 1500 * 8 / (1e11 * 0.03)", 2.0),
        ("100 * (a - b)", 50.0),
        ("-a ** 2", -1.0),
        ("sqrt(4) + max(a, b)", 3.0),
        ("abs(b - a)", 0.5),
        ("log10(1000)", 3.0),
    ],
)
def test_arithmetic(text: str, value: float) -> None:
    assert expression.number(text, {"a": 1.0, "b": 0.5}) == pytest.approx(value)


def test_a_chain_is_several_comparisons() -> None:
    found = expression.links("a > b > c and a <= 2 * b", {"a": 3.0, "b": 2.0, "c": 2.0})
    assert [link.holds for link in found] == [True, False, True]
    assert str(found[1]) == "b > c: 2 against 2"


@pytest.mark.parametrize(
    "text", ["__import__('os')", "a.b", "[1, 2]", "a if b else c", "a >", "lambda: 1", "'text'", "a or b > 1", "max"]
)
def test_nothing_else_is_a_formula(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        expression.number(text, {"a": 1.0, "b": 2.0, "c": 3.0})


def test_what_compares_nothing_is_no_assertion() -> None:
    with pytest.raises(ValueError, match="compares nothing"):
        expression.links("a + b", {"a": 1.0, "b": 2.0})


@pytest.mark.parametrize("text", ["a / 0", "10.0 ** 400", "a / b - a / b * 1e400"])
def test_what_has_no_value_says_so(text: str) -> None:
    with pytest.raises(ArithmeticError):
        expression.number(text, {"a": 1.0, "b": 1.0})


def test_names_are_those_that_must_be_given() -> None:
    assert expression.names_in("max(a, b) > c") == {"a", "b", "c"}
