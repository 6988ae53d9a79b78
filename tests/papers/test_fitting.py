"""One number fitted to one published number."""

from __future__ import annotations

import pytest
from tests.papers.fake import PAPER, engine

from footroom.base.errors import InvalidInput
from footroom.papers.fitting import distance, fit
from footroom.studies import engines
from footroom.studies.engines import Engine


@pytest.fixture(autouse=True)
def packet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", (Engine("packet", "", "", simulate=engine),))


def test_the_value_nearest_to_the_published_number_is_found() -> None:
    # Utilisation is B/(B + 10 kB) and 0.9 is published: 90 kB.
    found = fit("FAKE-01", "switch.buffer", (30e3, 90e3, 270e3), "smoke", known=[PAPER])
    assert found.best == 90e3
    assert found.measured == pytest.approx((0.75, 0.9, 27 / 28))


def test_only_one_published_number_can_be_fitted_to() -> None:
    for target in ("FAKE", "nothing"):
        with pytest.raises(InvalidInput):
            fit(target, "switch.buffer", (1e5,), "smoke", known=[PAPER])


def test_what_cannot_be_told_fits_nothing() -> None:
    found = fit("FAKE-03", "switch.buffer", (1e5,), "smoke", known=[PAPER])
    assert (found.measured, found.best) == ((None,), None)


def test_distance_is_by_ratio() -> None:
    assert distance(2e-3, 1e-3) == pytest.approx(distance(5e-4, 1e-3))
    assert distance(0.0, 1e-3) == float("inf")
    assert distance(0.5, 0.0) == 0.5
