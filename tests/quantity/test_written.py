"""Numbers in sentences."""

from __future__ import annotations

import pytest

from footroom.base.written import count


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (3.5, "3.5"), (41.67, "41.7"), (999.4, "999"), (999.6, "1000"), (1666.7, "1667"), (2.5e6, "2500000")],
)
def test_no_number_has_an_exponent(value: float, written: str) -> None:
    assert count(value) == written
