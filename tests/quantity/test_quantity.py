from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from footroom.base.quantity import (
    DIMENSIONS,
    LENGTH,
    RATE,
    SIZE,
    TIME,
    Dimension,
    Packets,
    parse,
    parse_any,
    parse_buffer,
)


@pytest.mark.parametrize(
    ("written", "dimension", "value"),
    [
        ("100 Gb/s", RATE, 1e11),
        ("100G", RATE, 1e11),
        ("100Gbps", RATE, 1e11),
        ("1.5 Mbit/s", RATE, 1.5e6),
        ("64 b/s", RATE, 64),
        ("12 MB", SIZE, 12e6),
        ("64 KiB", SIZE, 65536),
        ("1 GiB", SIZE, 2**30),
        ("1500 B", SIZE, 1500),
        ("25kB", SIZE, 25_000),
        ("80 us", TIME, 80e-6),
        ("80 µs", TIME, 80e-6),
        ("80 μs", TIME, 80e-6),
        ("5 min", TIME, 300),
        ("1e-3 s", TIME, 1e-3),
        ("300 m", LENGTH, 300),
        ("2 km", LENGTH, 2000),
        (".5 s", TIME, 0.5),
        ("5. s", TIME, 5.0),
        ("-1 s", TIME, -1.0),
        ("+1 s", TIME, 1.0),
        (1500, SIZE, 1500),
        (0.25, TIME, 0.25),
        ("1500", SIZE, 1500),
        ("  20 ms ", TIME, 0.02),
    ],
)
def test_quantities_in_their_base_unit(written: Any, dimension: Dimension, value: float) -> None:
    assert parse(written, dimension) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("written", "dimension", "word"),
    [
        ("100 GB/s", RATE, "bytes per second"),
        ("100 GBps", RATE, "bytes per second"),
        ("12 Mb", SIZE, "size in bits"),
        ("12 Mbit", SIZE, "size in bits"),
        ("12 KB", SIZE, "ambiguous prefix"),
        ("12 K", RATE, "ambiguous prefix"),
        ("12 MB", RATE, "unit of size"),
        ("20 ms", SIZE, "unit of time"),
        ("100 Gb/s", SIZE, "unit of rate"),
        ("5 m", TIME, "unit of length"),
        ("250 packets", SIZE, "unit of packets"),
        ("5 parsec", LENGTH, "unknown unit"),
        ("ten", SIZE, "not a number"),
        ("", SIZE, "not a number"),
        ("1,5 s", TIME, "unknown unit"),
        ("1e5e5 s", TIME, "unknown unit"),
        ("5 S", TIME, "unknown unit"),
        ("\uff14\uff10 kB", SIZE, "not a number with a unit"),  # full-width digits
        ("\u0663 us", TIME, "not a number with a unit"),  # an Arabic digit
        ("nan", TIME, "not a number"),
        ("inf", TIME, "not a number"),
        ("1e999", TIME, "not finite"),
        ("1e999 s", TIME, "not finite"),
        (math.nan, TIME, "not finite"),
        (math.inf, TIME, "not finite"),
        (10**400, TIME, "too large"),
        (True, SIZE, "true or false is not a quantity"),
        (None, SIZE, "null is not a quantity"),
        ([1], SIZE, "a list is not a quantity"),
        ({"value": 1}, SIZE, "an object is not a quantity"),
        ("5 {unit}", SIZE, "unknown unit"),
    ],
)
def test_what_is_refused_says_what_was_expected(written: Any, dimension: Dimension, word: str) -> None:
    with pytest.raises(PydanticCustomError) as refused:
        parse(written, dimension)
    assert word in refused.value.message()
    assert dimension.name in refused.value.message()


@given(value=st.floats(min_value=-1e30, max_value=1e30), dimension=st.sampled_from(DIMENSIONS), data=st.data())
def test_a_value_with_a_unit_is_that_many_base_units(value: float, dimension: Dimension, data: st.DataObject) -> None:
    unit = data.draw(st.sampled_from(sorted(dimension.units)))
    exact = Fraction(repr(value)) * Fraction(repr(dimension.units[unit]))
    assert dimension.parse(f"{value!r} {unit}") == pytest.approx(float(exact), rel=1e-15)


@given(text=st.text(max_size=20))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    for dimension in DIMENSIONS:
        with contextlib.suppress(PydanticCustomError):
            assert math.isfinite(parse(text, dimension))


def test_every_spelling_belongs_to_one_dimension() -> None:
    seen: dict[str, str] = {}
    for dimension in DIMENSIONS:
        for unit in dimension.units:
            assert seen.setdefault(unit, dimension.name) == dimension.name


def test_a_buffer_may_be_in_packets_until_the_mtu_is_known() -> None:
    assert parse_buffer("250 packets") == Packets(250)
    assert parse_buffer("1 pkt") == Packets(1)
    assert parse_buffer(Packets(3)) == Packets(3)
    assert parse_buffer("1 MB") == 1e6
    with pytest.raises(PydanticCustomError):
        parse_buffer("1 s")


@pytest.mark.parametrize(
    ("text", "value", "name"),
    [
        ("5", 5.0, None),
        ("5 ms", 0.005, "time"),
        ("5G", 5e9, "rate"),
        ("5 kB", 5000.0, "size"),
        ("7 packets", 7.0, "packets"),
    ],
)
def test_any_quantity(text: str, value: float, name: str | None) -> None:
    found, dimension = parse_any(text)
    assert found == value
    assert (dimension.name if dimension else None) == name


@pytest.mark.parametrize("text", ["", "five", "5 parsec", "5 5"])
def test_no_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="not a quantity"):
        parse_any(text)


@pytest.mark.parametrize(("text", "bytes_"), [("32.8 MB", 32_800_000.0), ("4.35 kB", 4350.0), ("1.1 GB", 1.1e9)])
def test_decimal_prefixes_are_exact(text: str, bytes_: float) -> None:
    assert parse(text, SIZE) == bytes_
